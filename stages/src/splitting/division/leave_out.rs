//! Rows that no split can have without a leak.

use super::{FrozenRows, Rows, Settings, Split};
use serde::Serialize;

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
pub(super) fn keep_frozen(splits: &mut [Result<Split, Reason>], frozen: &FrozenRows) {
    for (row, split) in frozen.iter() {
        let now = &mut splits[row as usize];
        *now = match (split, *now) {
            (Split::Train, Ok(Split::Validation | Split::Test)) => Err(Reason::BelongsToFrozen),
            _ => Ok(split),
        };
    }
}

/// Rows that came before the cut-off are not tested on.
pub(super) fn before_cutoff(
    rows: &Rows,
    splits: &mut [Result<Split, Reason>],
    frozen: &FrozenRows,
    settings: &Settings,
) {
    let Some(cutoff) = settings.cutoff else { return };
    let days = first_days(rows);
    for ((row, split), day) in (0..).zip(splits).zip(days) {
        if *split == Ok(Split::Test) && day <= cutoff && frozen.get(row).is_none() {
            *split = Err(Reason::BeforeCutoff);
        }
    }
}

/// Of each row the first day of one that is like it: a copy of what was there before is not new. 0 where one of
/// them has no date.
fn first_days(rows: &Rows) -> Vec<u32> {
    let mut days = rows.days.clone();
    for keys in &rows.near {
        for cluster in shared(keys).chunk_by(|a, b| a.0 == b.0) {
            let first = cluster.iter().map(|(_, row)| days[*row as usize]).min().unwrap_or_default();
            cluster.iter().for_each(|(_, row)| days[*row as usize] = first);
        }
    }
    days
}

/// Of near-duplicates in several splits only those in the strongest stay, or where some are of an earlier release
/// those beside them: what comes later gives way. Of an earlier release only a row of `train` goes that is like one
/// that it tests on.
pub(super) fn near_duplicates(rows: &Rows, splits: &mut [Result<Split, Reason>], frozen: &FrozenRows) {
    for keys in &rows.near {
        for cluster in shared(keys).chunk_by(|a, b| a.0 == b.0) {
            let split = |row: &u32| splits[*row as usize].ok();
            let members = || cluster.iter().map(|(_, row)| row);
            let earlier = members().filter(|row| frozen.get(**row).is_some()).filter_map(split).max();
            let Some(stays) = earlier.or_else(|| members().filter_map(split).max()) else { continue };
            for row in members() {
                let goes = match frozen.get(*row) {
                    Some(split) => split == Split::Train && stays != Split::Train,
                    None => splits[*row as usize] != Ok(stays),
                };
                if goes && splits[*row as usize].is_ok() {
                    splits[*row as usize] = Err(Reason::NearDuplicate);
                }
            }
        }
    }
}

/// Keys that several rows have, with these rows, sorted. Few have company, so the others are sieved out first: of
/// the keys, which are hashes, a few bits say that no other has the same.
pub(super) fn shared(keys: &[u64]) -> Vec<(u64, u32)> {
    let slots = keys.len().saturating_mul(16).next_power_of_two().max(64);
    let place = |key: &u64| {
        let slot = *key as usize & (slots - 1);
        (slot / 64, 1_u64 << (slot % 64))
    };
    let (mut once, mut again) = (vec![0_u64; slots / 64], vec![0_u64; slots / 64]);
    for (word, bit) in keys.iter().map(place) {
        again[word] |= once[word] & bit;
        once[word] |= bit;
    }
    let is_met_again = |(key, _): &(u64, u32)| {
        let (word, bit) = place(key);
        again[word] & bit != 0
    };
    let mut order: Vec<(u64, u32)> = keys.iter().copied().zip(0..).filter(is_met_again).collect();
    order.sort_unstable();
    order.chunk_by(|a, b| a.0 == b.0).filter(|cluster| cluster.len() > 1).flatten().copied().collect()
}
