//! The rows to be divided, as numbers.

use super::ids::{Ids, number};
use super::place;
use crate::records::Column;
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
    pub(super) ids: Ids,
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
    /// No rows, with room for so many.
    pub fn with_capacity(rows: usize) -> Self {
        Self {
            ids: Ids::with_capacity(rows),
            projects: Vec::with_capacity(rows),
            owners: Vec::with_capacity(rows),
            languages: Vec::with_capacity(rows),
            days: Vec::with_capacity(rows),
            near: [(); 3].map(|()| Vec::with_capacity(rows)),
            ..Self::default()
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &Row<'_>) {
        self.ids.push(row.id);
        self.projects.push(self.project_names.number(row.cluster));
        let owner = row.repository.split_once('/').map_or(row.repository, |(owner, _)| owner);
        self.owners.push(self.owner_names.number(owner));
        self.languages.push(language(self.language_names.number(row.language)));
        self.days.push(row.day);
        for (keys, name) in self.near.iter_mut().zip([row.test_cluster, row.focal_cluster, row.pair_cluster])
        {
            keys.push(number(name));
        }
    }

    /// The rows of a batch of [`crate::records::Divisible`]; `day` answers when a row (id, host, repository) was
    /// first committed, 0 where it does not know.
    pub fn of_batch(columns: &[Column<'_>], count: usize, day: &dyn Fn(&str, &str, &str) -> u32) -> Self {
        let mut rows = Self::with_capacity(count);
        let texts: Vec<&[Option<&str>]> = columns.iter().map(texts).collect();
        for row in 0..count {
            let text = |column: usize| {
                texts.get(column).and_then(|cells| cells.get(row).copied()).flatten().unwrap_or_default()
            };
            let (id, repository) = (text(0), text(2));
            rows.push(&Row {
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
        rows
    }

    /// Adds what was read beside this.
    pub fn append(&mut self, other: Self) {
        let renumbered = |names: &mut Names, numbers: &[u32], theirs: &Names| -> Vec<u32> {
            let ours: Vec<u32> = theirs.in_order().into_iter().map(|name| names.number(name)).collect();
            numbers.iter().map(|number| ours[*number as usize]).collect()
        };
        let Self { ids, projects, owners, languages, days, near, .. } = other;
        self.ids.append(ids);
        self.projects.extend(renumbered(&mut self.project_names, &projects, &other.project_names));
        self.owners.extend(renumbered(&mut self.owner_names, &owners, &other.owner_names));
        let languages: Vec<u32> = languages.into_iter().map(u32::from).collect();
        let languages = renumbered(&mut self.language_names, &languages, &other.language_names);
        self.languages.extend(languages.into_iter().map(language));
        self.days.extend(days);
        self.near.iter_mut().zip(near).for_each(|(ours, theirs)| ours.extend(theirs));
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.projects.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.projects.is_empty()
    }
}

/// More than 255 languages there are not; a damaged table only mixes the last ones.
fn language(number: u32) -> u8 {
    number.min(255) as u8
}

/// The cells of a column of texts; none of any other.
fn texts<'a, 'b>(column: &'b Column<'a>) -> &'b [Option<&'a str>] {
    match column {
        Column::Text(cells) => cells,
        _ => &[],
    }
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
