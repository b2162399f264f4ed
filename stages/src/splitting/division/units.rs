//! What is divided: rows that have to stay together.

use super::leave_out::shared;
use super::{By, FrozenRows, Near, Rows, Settings, Split};
use std::collections::HashMap;
use trefoil_duplicates::Forest;

/// Rows that go to one split.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Its rows.
    pub rows: u32,
    /// Its place in the seeded order.
    pub place: u64,
    /// Number of the language of most of its rows, or 0 where languages do not count.
    pub stratum: u8,
    /// The last day of a row that is the first of its near-duplicates.
    pub day: u32,
    /// Where it goes.
    pub split: Split,
    /// Rows of an earlier release say where.
    pub frozen: bool,
}

/// All units.
pub(super) struct Units {
    /// Unit of each row.
    of_row: Vec<u32>,
    pub all: Vec<Unit>,
}

impl Units {
    pub fn of(&self, row: u32) -> &Unit {
        &self.all[self.of_row[row as usize] as usize]
    }

    /// Sends each unit with rows of an earlier release where the strongest of them are.
    pub fn freeze(&mut self, frozen: &FrozenRows) {
        for (row, split) in frozen.iter() {
            let unit = &mut self.all[self.of_row[row as usize] as usize];
            unit.split = if unit.frozen { unit.split.max(split) } else { split };
            unit.frozen = true;
        }
    }
}

/// The units of the rows, in `train` for now.
pub(super) fn units(rows: &Rows, settings: &Settings) -> Units {
    let mut forest = Forest::new(rows.len());
    match settings.by {
        By::Project => join(&mut forest, &rows.projects, rows.project_names.len()),
        By::Organisation => {
            join(&mut forest, &rows.projects, rows.project_names.len());
            join(&mut forest, &rows.owners, rows.owner_names.len());
        }
        By::Random => join_near(&mut forest, &rows.near[0]),
        By::Time => {}
    }
    // In time, what is alike has one day (see `days`) and so one split.
    if settings.near == Near::Join || settings.by == By::Time {
        rows.near.iter().for_each(|keys| join_near(&mut forest, keys));
    }
    let places = places(rows, settings);
    let mut number_of_root = vec![u32::MAX; rows.len()];
    let mut all: Vec<Unit> = Vec::new();
    let mut of_row = Vec::with_capacity(rows.len());
    for (row, place) in (0..rows.len() as u32).zip(places) {
        let root = forest.root(row) as usize;
        if number_of_root[root] == u32::MAX {
            number_of_root[root] = all.len() as u32;
            all.push(Unit { rows: 0, place, stratum: 0, day: 0, split: Split::Train, frozen: false });
        }
        let unit = &mut all[number_of_root[root] as usize];
        unit.rows += 1;
        // The smallest place of its parts: a part more seldom changes it.
        unit.place = unit.place.min(place);
        let day = rows.days[row as usize];
        unit.day = if unit.rows == 1 { day } else { unit.day.min(day) };
        of_row.push(number_of_root[root]);
    }
    let mut units = Units { of_row, all };
    if settings.stratify {
        set_strata(rows, &mut units);
    }
    units
}

/// Joins the rows of one number, of which there are `count`.
fn join(forest: &mut Forest, numbers: &[u32], count: usize) {
    let mut first = vec![u32::MAX; count];
    for (row, number) in (0..).zip(numbers) {
        let first = &mut first[*number as usize];
        *first = row.min(*first);
        forest.join(row, *first);
    }
}

/// Joins the rows of one key.
fn join_near(forest: &mut Forest, keys: &[u64]) {
    let shared = shared(keys);
    let pairs = shared.windows(2).filter(|two| two[0].0 == two[1].0);
    pairs.for_each(|two| forest.join(two[0].1, two[1].1));
}

/// The seeded place of each row, by the name of what it belongs to.
fn places<'a>(rows: &'a Rows, settings: &Settings) -> Box<dyn Iterator<Item = u64> + 'a> {
    let seed = settings.seed;
    match settings.by {
        By::Project => {
            let places = rows.project_names.places("project", seed);
            Box::new(rows.projects.iter().map(move |project| places[*project as usize]))
        }
        By::Organisation => {
            let places = rows.owner_names.places("organisation", seed);
            Box::new(rows.owners.iter().map(move |owner| places[*owner as usize]))
        }
        // Millions of names: their hashes are mixed with the seed instead of being hashed again.
        By::Random | By::Time => {
            let seed = super::place("random", "", seed);
            Box::new(rows.near[0].iter().map(move |test| mixed(*test ^ seed)))
        }
    }
}

/// Spreads the bits of a number over all of it (SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The language of most rows of each unit, of equals that with the first name.
fn set_strata(rows: &Rows, units: &mut Units) {
    let mut counts: HashMap<(u32, u8), u64> = HashMap::new();
    for (unit, language) in units.of_row.iter().zip(&rows.languages) {
        *counts.entry((*unit, *language)).or_default() += 1;
    }
    let names = rows.language_names.in_order();
    let mut best: Vec<Option<(u64, std::cmp::Reverse<&str>)>> = vec![None; units.all.len()];
    for ((unit, language), count) in counts {
        let name = names.get(language as usize).copied().unwrap_or_default();
        let candidate = Some((count, std::cmp::Reverse(name)));
        let (best, unit) = (&mut best[unit as usize], &mut units.all[unit as usize]);
        if candidate > *best {
            *best = candidate;
            unit.stratum = language;
        }
    }
}
