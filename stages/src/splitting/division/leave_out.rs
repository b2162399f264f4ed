//! Rows that no split can have without a leak.

use super::{Rows, Settings, Split};
use serde::Serialize;
use std::collections::HashMap;

/// Why a row is in no split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is like a row of a stronger split.
    NearDuplicate,
    /// It would be in `test` and is not new enough.
    BeforeCutoff,
    /// It was in `train` and belongs with rows that an earlier release tests on.
    BelongsToFrozen,
}

impl Reason {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NearDuplicate => "near_duplicate",
            Self::BeforeCutoff => "before_cutoff",
            Self::BelongsToFrozen => "belongs_to_frozen",
        }
    }
}

/// Rows of an earlier release stay where they are, except that nothing of a unit that it tests on may train.
pub(super) fn keep_frozen(splits: &mut [Result<Split, Reason>], frozen: &HashMap<u32, Split>) {
    for (row, split) in frozen {
        let now = &mut splits[*row as usize];
        *now = match (*split, *now) {
            (Split::Train, Ok(Split::Validation | Split::Test)) => Err(Reason::BelongsToFrozen),
            _ => Ok(*split),
        };
    }
}

/// Rows that came before the cut-off are not tested on.
pub(super) fn before_cutoff(
    rows: &Rows,
    splits: &mut [Result<Split, Reason>],
    frozen: &HashMap<u32, Split>,
    settings: &Settings,
) {
    let Some(cutoff) = settings.cutoff else { return };
    let days = first_days(rows);
    for ((row, split), day) in (0..).zip(splits).zip(days) {
        if *split == Ok(Split::Test) && day <= cutoff && !frozen.contains_key(&row) {
            *split = Err(Reason::BeforeCutoff);
        }
    }
}

/// Of each row the first day of one that is like it: a copy of what was there before is not new. 0 where one of
/// them has no date.
fn first_days(rows: &Rows) -> Vec<u32> {
    let mut days = rows.days.clone();
    for keys in &rows.near {
        for cluster in by_key(keys).chunk_by(|a, b| a.0 == b.0).filter(|cluster| cluster.len() > 1) {
            let first = cluster.iter().map(|(_, row)| days[*row as usize]).min().unwrap_or_default();
            cluster.iter().for_each(|(_, row)| days[*row as usize] = first);
        }
    }
    days
}

/// Of near-duplicates in several splits only those in the strongest stay; rows of an earlier release stay anyway.
pub(super) fn near_duplicates(
    rows: &Rows,
    splits: &mut [Result<Split, Reason>],
    frozen: &HashMap<u32, Split>,
) {
    for keys in &rows.near {
        for cluster in by_key(keys).chunk_by(|a, b| a.0 == b.0).filter(|cluster| cluster.len() > 1) {
            let split = |row: u32| splits[row as usize].ok();
            let strongest = cluster.iter().filter_map(|(_, row)| split(*row)).max();
            for (_, row) in cluster {
                let stays = frozen.get(row).is_some_and(|split| *split != Split::Train);
                if splits[*row as usize].ok() < strongest && splits[*row as usize].is_ok() && !stays {
                    splits[*row as usize] = Err(Reason::NearDuplicate);
                }
            }
        }
    }
}

/// Keys with their rows, sorted.
pub(super) fn by_key(keys: &[u64]) -> Vec<(u64, u32)> {
    let mut order: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    order
}
