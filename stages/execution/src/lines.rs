//! Sets of line numbers, as compact text.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A set of line numbers (1-based), kept as ranges. Its text is `1-4,7`; the empty set is the empty text.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSet {
    /// Inclusive, ascending, neither overlapping nor touching.
    ranges: Vec<(u32, u32)>,
}

impl LineSet {
    /// True where no line is in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many lines are in it.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|(first, last)| (last - first) as usize + 1).sum()
    }

    /// True where this line is in it.
    pub fn contains(&self, line: u32) -> bool {
        let after = self.ranges.partition_point(|(first, _)| *first <= line);
        after.checked_sub(1).and_then(|index| self.ranges.get(index)).is_some_and(|(_, last)| line <= *last)
    }

    /// The lines in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().flat_map(|(first, last)| *first..=*last)
    }

    /// The runs of neighbouring lines, first and last, in ascending order.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Lines of this or the other.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }

    /// Lines of this that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.iter().filter(|line| !other.contains(*line)).collect()
    }

    /// Lines of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.iter().filter(|line| other.contains(*line)).collect()
    }
}

impl FromIterator<u32> for LineSet {
    fn from_iter<I: IntoIterator<Item = u32>>(lines: I) -> Self {
        let mut lines: Vec<u32> = lines.into_iter().collect();
        lines.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for line in lines {
            match ranges.last_mut() {
                Some((_, last)) if line <= last.saturating_add(1) => *last = line,
                _ => ranges.push((line, line)),
            }
        }
        Self { ranges }
    }
}

impl fmt::Display for LineSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            if first == last { write!(f, "{comma}{first}")? } else { write!(f, "{comma}{first}-{last}")? }
        }
        Ok(())
    }
}

/// Why a text is no set of lines.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no set of lines; it is written as 1-4,7 in ascending order")]
pub struct NoLineSet(String);

impl FromStr for LineSet {
    type Err = NoLineSet;

    fn from_str(text: &str) -> Result<Self, NoLineSet> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else {
                return Err(NoLineSet(text.to_owned()));
            };
            let after = ranges.last().map_or(0, |(_, before)| before.saturating_add(1));
            if last < first || first < after {
                return Err(NoLineSet(text.to_owned()));
            }
            match ranges.last_mut() {
                Some((_, before)) if first == after => *before = last,
                _ => ranges.push((first, last)),
            }
        }
        Ok(Self { ranges })
    }
}

impl Serialize for LineSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LineSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_set_agree() {
        let set: LineSet = [7, 1, 2, 3, 4, 3, 9].into_iter().collect();
        assert_eq!(set.to_string(), "1-4,7,9");
        assert_eq!("1-4,7,9".parse::<LineSet>().unwrap(), set);
        assert_eq!(set.len(), 6);
        assert!(
            set.contains(4) && !set.contains(5) && !set.contains(0) && set.contains(9) && !set.contains(10)
        );
        assert_eq!("".parse::<LineSet>().unwrap(), LineSet::default());
        assert_eq!("1,2".parse::<LineSet>().unwrap().to_string(), "1-2");
        for wrong in ["a", "4-1", "3,2", "1-4,4", "-"] {
            assert!(wrong.parse::<LineSet>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn sets_are_combined() {
        let one: LineSet = (1..=5).collect();
        let two: LineSet = (4..=8).collect();
        assert_eq!(one.union(&two).to_string(), "1-8");
        assert_eq!(one.difference(&two).to_string(), "1-3");
        assert_eq!(one.intersection(&two).to_string(), "4-5");
    }
}
