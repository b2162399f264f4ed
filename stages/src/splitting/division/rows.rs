//! The rows to be divided, as numbers.

use super::place;
use crate::records::{Column, identity};
use std::collections::HashMap;

/// What dividing needs to know of a row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Pair id.
    pub id: &'a str,
    /// Repository on its host; what stands before the first `/` is its owner.
    pub repository: &'a str,
    /// Key of the repository that stands for its cluster.
    pub cluster: &'a str,
    /// Language.
    pub language: &'a str,
    /// Cluster of its test.
    pub test_cluster: &'a str,
    /// Cluster of its focal method.
    pub focal_cluster: &'a str,
    /// Cluster of both texts together.
    pub pair_cluster: &'a str,
    /// Day (`yyyymmdd`) on which it was first committed; 0 where that is not known.
    pub day: u32,
}

/// All rows, each as a few numbers. Names become 64 bits of a hash, or numbers of their own where they are few.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub(super) ids: Vec<u64>,
    pub(super) projects: Vec<u32>,
    pub(super) owners: Vec<u32>,
    pub(super) languages: Vec<u8>,
    pub(super) days: Vec<u32>,
    /// Test, focal and pair cluster.
    pub(super) near: [Vec<u64>; 3],
    pub(super) project_names: Names,
    pub(super) owner_names: Names,
    pub(super) language_names: Names,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: &Row<'_>) {
        self.ids.push(number(row.id));
        self.projects.push(self.project_names.number(row.cluster));
        let owner = row.repository.split_once('/').map_or(row.repository, |(owner, _)| owner);
        self.owners.push(self.owner_names.number(owner));
        // More than 255 languages there are not; a damaged table only mixes the last ones.
        self.languages.push(self.language_names.number(row.language).min(255) as u8);
        self.days.push(row.day);
        for (keys, name) in self.near.iter_mut().zip([row.test_cluster, row.focal_cluster, row.pair_cluster])
        {
            keys.push(number(name));
        }
    }

    /// Adds a batch of [`crate::records::Divisible`]; `day` answers when a row (id, host, repository) was first
    /// committed, 0 where it does not know.
    pub fn push_batch(
        &mut self,
        columns: &[Column<'_>],
        count: usize,
        day: &dyn Fn(&str, &str, &str) -> u32,
    ) {
        let texts: Vec<&[Option<&str>]> = columns.iter().map(texts).collect();
        for row in 0..count {
            let text = |column: usize| {
                texts.get(column).and_then(|cells| cells.get(row).copied()).flatten().unwrap_or_default()
            };
            let (id, repository) = (text(0), text(2));
            self.push(&Row {
                id,
                repository,
                cluster: text(3),
                language: text(4),
                test_cluster: text(5),
                focal_cluster: text(6),
                pair_cluster: text(7),
                day: day(id, text(1), repository),
            });
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The rows with these ids; ids that are not there are answered as the error.
    pub fn find<'a, T: Copy>(
        &self,
        wanted: impl Iterator<Item = (&'a str, T)>,
    ) -> Result<HashMap<u32, T>, Vec<&'a str>> {
        let wanted: HashMap<u64, (&str, T)> = wanted.map(|(id, value)| (number(id), (id, value))).collect();
        let mut found = HashMap::with_capacity(wanted.len());
        for (row, id) in (0..).zip(&self.ids) {
            found.extend(wanted.get(id).map(|(_, value)| (row, *value)));
        }
        if found.len() >= wanted.len() {
            return Ok(found);
        }
        let known: std::collections::HashSet<u64> =
            found.keys().filter_map(|row| self.ids.get(*row as usize).copied()).collect();
        let unknown = wanted.iter().filter(|(key, _)| !known.contains(key));
        let mut unknown: Vec<&str> = unknown.map(|(_, (id, _))| *id).collect();
        unknown.sort_unstable();
        Err(unknown)
    }
}

/// The cells of a column of texts; none of any other.
fn texts<'a, 'b>(column: &'b Column<'a>) -> &'b [Option<&'a str>] {
    match column {
        Column::Text(cells) => cells,
        _ => &[],
    }
}

/// 64 bits for a name. Ids are hashes already.
fn number(id: &str) -> u64 {
    let digits = id.get(..16).filter(|_| id.len() == 32);
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_else(|| {
        let digest = identity(&["row", id]);
        digest.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
    })
}

/// Names with numbers in the order of their first mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    known: HashMap<String, u32>,
    /// The last one, which is the likeliest to come again.
    last: Option<(String, u32)>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some((last, number)) = &self.last
            && last == name
        {
            return *number;
        }
        let next = self.known.len() as u32;
        let number = *self.known.entry(name.to_owned()).or_insert(next);
        self.last = Some((name.to_owned(), number));
        number
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The names by their numbers.
    pub(super) fn in_order(&self) -> Vec<&str> {
        let mut all: Vec<(u32, &str)> =
            self.known.iter().map(|(name, number)| (*number, name.as_str())).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, name)| name).collect()
    }

    /// Seeded places of all names, by their numbers; case does not count.
    pub(super) fn places(&self, purpose: &str, seed: u64) -> Vec<u64> {
        self.in_order().into_iter().map(|name| place(purpose, &name.to_lowercase(), seed)).collect()
    }
}
