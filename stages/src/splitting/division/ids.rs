//! Ids of rows as numbers, and the rows of an earlier release found by them.

use super::{Rows, Split};
use crate::records::identity;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::ops::Range;

/// Ids in order. Those of our own making, 32 hexadecimal digits, take 16 bytes each.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    numbers: Vec<[u64; 2]>,
    /// Texts of those that look otherwise.
    others: HashMap<u32, String>,
}

impl Ids {
    pub fn with_capacity(ids: usize) -> Self {
        Self { numbers: Vec::with_capacity(ids), others: HashMap::new() }
    }

    pub fn push(&mut self, id: &str) {
        let own = halves(id).unwrap_or_else(|| {
            self.others.insert(self.numbers.len() as u32, id.to_owned());
            [number(id), 0]
        });
        self.numbers.push(own);
    }

    pub fn append(&mut self, other: Self) {
        let before = self.numbers.len() as u32;
        self.others.extend(other.others.into_iter().map(|(row, id)| (before + row, id)));
        self.numbers.extend(other.numbers);
    }

    /// 64 bits of each.
    fn keys(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().map(|[first, _]| *first)
    }

    /// The texts of some.
    pub fn texts(&self, range: Range<usize>) -> impl Iterator<Item = String> {
        range.filter_map(|at| {
            let [first, last] = self.numbers.get(at)?;
            let other = self.others.get(&(at as u32)).filter(|_| !self.others.is_empty());
            Some(other.cloned().unwrap_or_else(|| hexadecimal(*first, *last)))
        })
    }
}

/// The numbers that 32 small hexadecimal digits stand for.
fn halves(id: &str) -> Option<[u64; 2]> {
    let half = |digits: &[u8]| {
        digits.iter().try_fold(0_u64, |number, digit| {
            let value = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return None,
            };
            Some(number << 4 | u64::from(value))
        })
    };
    let (first, last) = id.as_bytes().split_at_checked(16).filter(|(_, last)| last.len() == 16)?;
    Some([half(first)?, half(last)?])
}

fn hexadecimal(first: u64, last: u64) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let both = u128::from(first) << 64 | u128::from(last);
    (0..32).rev().map(|digit| DIGITS[(both >> (4 * digit)) as usize & 15]).collect()
}

/// 64 bits for a name. Ids are hashes already.
pub fn number(name: &str) -> u64 {
    let first = |id: &str| halves(id).map(|[first, _]| first);
    first(name).or_else(|| first(&identity(&["row", name]))).unwrap_or_default()
}

/// Rows of an earlier release by their ids.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    ids: Ids,
    splits: Vec<Split>,
}

impl Earlier {
    /// Adds a row.
    pub fn push(&mut self, id: &str, split: Split) {
        self.ids.push(id);
        self.splits.push(split);
    }

    /// Adds what was read beside this.
    pub fn append(&mut self, other: Self) {
        self.ids.append(other.ids);
        self.splits.extend(other.splits);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.splits.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.splits.is_empty()
    }
}

/// Rows that stay where they are, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrozenRows(Vec<Option<Split>>);

impl FrozenRows {
    /// Where a row stays, if it does.
    pub fn get(&self, row: u32) -> Option<Split> {
        self.0.get(row as usize).copied().flatten()
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Split)> {
        (0..).zip(&self.0).filter_map(|(row, split)| Some((row, (*split)?)))
    }
}

impl FromIterator<(u32, Split)> for FrozenRows {
    fn from_iter<T: IntoIterator<Item = (u32, Split)>>(rows: T) -> Self {
        let mut splits = Vec::new();
        for (row, split) in rows {
            let row = row as usize;
            splits.resize(splits.len().max(row + 1), None);
            splits[row] = Some(split);
        }
        Self(splits)
    }
}

impl Rows {
    /// The rows of an earlier release; ids that are not here are answered as the error, in order. Of an id that
    /// stands there twice the last place counts.
    pub fn find(&self, earlier: &Earlier) -> Result<FrozenRows, Vec<String>> {
        if earlier.is_empty() {
            return Ok(FrozenRows::default());
        }
        let mut places: HashMap<u64, u32, FixedState> =
            HashMap::with_capacity_and_hasher(earlier.len(), FixedState::default());
        places.extend(earlier.ids.keys().zip(0..));
        let mut met = vec![false; earlier.len()];
        let found = |key: u64| {
            let at = *places.get(&key)? as usize;
            met[at] = true;
            earlier.splits.get(at).copied()
        };
        let frozen = FrozenRows(self.ids.keys().map(found).collect());
        if places.values().all(|place| met[*place as usize]) {
            return Ok(frozen);
        }
        let is_unknown = |(place, key): (usize, u64)| {
            places.get(&key).is_some_and(|last| !met[*last as usize]).then_some(place)
        };
        let mut unknown: Vec<String> = (0..)
            .zip(earlier.ids.keys())
            .filter_map(is_unknown)
            .flat_map(|place| earlier.ids.texts(place..place + 1))
            .collect();
        unknown.sort_unstable();
        unknown.dedup();
        Err(unknown)
    }
}
