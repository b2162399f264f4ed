//! A division in numbers.

use super::units::Units;
use super::{FrozenRows, Reason, Rows, Split};
use serde::Serialize;
use std::collections::BTreeMap;

/// What came of a division.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Rows that there are.
    pub rows: u64,
    /// Units.
    pub units: u64,
    /// Rows of the largest unit: with one larger than a split the ratios cannot be met.
    pub largest_unit: u64,
    /// Units that are not where their hashes say, so that the ratios are met.
    pub units_moved: u64,
    /// The three splits.
    pub splits: Vec<WayReached>,
    /// The same by language.
    pub languages: BTreeMap<String, Vec<WayReached>>,
    /// Rows in no split, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Rows of an earlier release.
    pub frozen: Frozen,
}

impl Summary {
    /// How far a split is from its share at most, in percentage points.
    pub fn largest_miss(&self) -> f64 {
        self.splits.iter().map(|way| way.miss.abs()).fold(0.0, f64::max)
    }
}

/// One split and how far it is from its share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WayReached {
    /// Its name.
    pub split: &'static str,
    /// Its rows.
    pub rows: u64,
    /// Its share of the rows that are in a split; 0 if there are none.
    pub share: f64,
    /// The share that is wanted.
    pub wanted: f64,
    /// Share less what is wanted, in percentage points.
    pub miss: f64,
}

/// What became of the rows of an earlier release.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Frozen {
    /// They are where they were.
    pub kept: u64,
    /// They are left out.
    pub left_out: u64,
}

pub(super) fn summary(
    rows: &Rows,
    units: &Units,
    splits: &[Result<Split, Reason>],
    frozen: &FrozenRows,
    wanted: &[f64; 3],
    units_moved: u64,
) -> Summary {
    let mut all = [0; 3];
    let mut by_language = vec![[0; 3]; rows.language_names.len()];
    let mut left_out: BTreeMap<&'static str, u64> = BTreeMap::new();
    for (split, language) in splits.iter().zip(&rows.languages) {
        match split {
            Ok(split) => {
                all[*split as usize] += 1;
                by_language[usize::from(*language)][*split as usize] += 1;
            }
            Err(reason) => *left_out.entry(reason.as_str()).or_default() += 1,
        }
    }
    let is_kept = |(row, split): (u32, Split)| splits[row as usize] == Ok(split);
    let (mut kept, mut gone) = (0, 0);
    frozen.iter().for_each(|row| *(if is_kept(row) { &mut kept } else { &mut gone }) += 1);
    let names = rows.language_names.in_order();
    let named = names.iter().zip(by_language).map(|(name, rows)| ((*name).to_owned(), reached(rows, wanted)));
    Summary {
        rows: splits.len() as u64,
        units: units.all.len() as u64,
        largest_unit: units.all.iter().map(|unit| unit.rows).max().unwrap_or_default().into(),
        units_moved,
        splits: reached(all, wanted),
        languages: named.collect(),
        left_out,
        frozen: Frozen { kept, left_out: gone },
    }
}

fn reached(rows: [u64; 3], wanted: &[f64; 3]) -> Vec<WayReached> {
    let all: u64 = rows.iter().sum();
    let one = |split: Split| {
        let (rows, wanted) = (rows[split as usize], wanted[split as usize]);
        let share = if all == 0 { 0.0 } else { rows as f64 / all as f64 };
        WayReached { split: split.as_str(), rows, share, wanted, miss: (share - wanted) * 100.0 }
    };
    Split::ALL.into_iter().map(one).collect()
}
