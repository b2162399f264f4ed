//! Deduplication: one test, or one pair, stands for all with the same text. UnitTests asks that no text of a test
//! is in the training data twice, or there and in the data to validate and test on; since every text is kept
//! once in the whole run, this holds for every way to split.
//!
//! A global stage: it sees the keys of all pairs of the run and says which of them represents each; who
//! reads the decisions leaves the others out, with the reason [`DUPLICATE_OF`]. Texts are not seen here, only
//! the digests that filtering made of them.

#[cfg(test)]
mod tests;

use crate::records::{DedupDecision, PairKey, identity};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What makes two pairs the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// Nothing: every pair is kept.
    None,
    /// Test and focal text, white space aside. Tests of one text with different focal methods stay, and may
    /// come into different splits.
    Pair,
    /// The test's text alone, white space aside. Of the tests with one text one stays, with all pairs that it
    /// has.
    #[default]
    Test,
}

/// Settings of deduplication.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What makes two pairs the same.
    pub key: Key,
}

/// Reason of the pairs that are left out; their detail is the representative's id.
pub const DUPLICATE_OF: &str = "duplicate_of";

/// Decides for every pair which one represents it, sorted by host, repository and id.
///
/// Pairs of one digest are represented by that with the smallest hash of its id (for [`Key::Test`], of its
/// test's id): a fixed order that neither the order of the input nor the rest of the run has a say in, and that
/// favours no repository. A pair without a digest is no duplicate of anything.
///
/// Memory: about 600 bytes per pair. The strings of the keys (two digests, two ids, names) take most of
/// that and move into the decisions; beside them stand 4 bytes per pair, at most 64 per digest, and while
/// the keys turn into decisions a copy of the representative's id.
pub fn decide(mut pairs: Vec<PairKey>, settings: &Settings) -> Vec<DedupDecision> {
    pairs.sort_unstable_by(|a, b| (&a.host, &a.repository, &a.id).cmp(&(&b.host, &b.repository, &b.id)));
    let mut groups = Groups::default();
    let group_of_pair: Vec<u32> =
        (0..).zip(&pairs).map(|(position, pair)| groups.add(position, pair, settings.key)).collect();
    let representative = |(pair, group): (&PairKey, &u32)| match groups.all.get(*group as usize) {
        Some(group) => {
            let best = pairs.get(group.best as usize).unwrap_or(pair);
            let of_one_test = settings.key == Key::Test && best.test_id == pair.test_id;
            (if of_one_test { &pair.id } else { &best.id }.clone(), group.copies)
        }
        None => (pair.id.clone(), 1),
    };
    let representatives: Vec<(String, u32)> = pairs.iter().zip(&group_of_pair).map(representative).collect();
    pairs.into_iter().zip(representatives).map(|(pair, (id, copies))| decision(pair, id, copies)).collect()
}

fn decision(pair: PairKey, representative: String, copies: u32) -> DedupDecision {
    DedupDecision {
        id: pair.id,
        test_id: pair.test_id,
        host: pair.host,
        repository: pair.repository,
        language: pair.language,
        representative,
        copies,
        characters: pair.characters,
    }
}

/// Pairs of equal digest.
#[derive(Default)]
struct Groups {
    /// Group by hash of the digest: 16 bytes instead of a copy of the text.
    of_digest: HashMap<u128, u32>,
    all: Vec<Group>,
}

struct Group {
    /// Position of the representative.
    best: u32,
    /// Its place in the fixed order.
    order: (u128, u128),
    copies: u32,
}

impl Groups {
    /// Adds a pair and returns the number of its group.
    fn add(&mut self, position: u32, pair: &PairKey, key: Key) -> u32 {
        let of_test = if key == Key::Test { hash("representative", &pair.test_id) } else { 0 };
        let order = (of_test, hash("representative", &pair.id));
        let next = self.all.len() as u32;
        let digest = match key {
            Key::None => "",
            Key::Pair => &pair.text_digest,
            Key::Test => &pair.test_digest,
        };
        let entry = match digest {
            "" => None,
            digest => match self.of_digest.entry(hash("digest", digest)) {
                Entry::Occupied(entry) => Some(*entry.get()),
                Entry::Vacant(entry) => {
                    entry.insert(next);
                    None
                }
            },
        };
        let known = entry.and_then(|number| Some((number, self.all.get_mut(number as usize)?)));
        let Some((number, group)) = known else {
            self.all.push(Group { best: position, order, copies: 1 });
            return next;
        };
        group.copies += 1;
        if order < group.order {
            (group.best, group.order) = (position, order);
        }
        number
    }
}

fn hash(purpose: &str, text: &str) -> u128 {
    u128::from_str_radix(&identity(&[purpose, text]), 16).unwrap_or_default()
}
