//! Deduplication: one test, or one pair, stands for all with the same text. UnitTests asks that no text of a test
//! is in the training data twice, or there and in the data to validate and test on; since every text is kept
//! once in the whole run, this holds for every way to split.
//!
//! A global stage: it sees the keys of all pairs of the run and says which of them represents each; who
//! reads the decisions leaves the others out, with the reason [`DUPLICATE_OF`]. Texts are not seen here, only
//! the digests that filtering made of them, and who is a near-duplicate of whom.

#[cfg(test)]
mod tests;

use crate::records::{DedupDecision, PairKey, identity};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use trefoil_duplicates::Forest;

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

/// What becomes of near-duplicates: texts that share most of their tokens (see `trefoil_duplicates`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Near {
    /// They are not looked for; clusters hold equal texts only.
    Off,
    /// Their clusters are marked, and all are kept.
    #[default]
    Mark,
    /// Of each cluster one stays, as of those with one digest.
    Drop,
}

/// Settings of deduplication.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What makes two pairs the same.
    pub key: Key,
    /// What becomes of near-duplicates.
    pub near: Near,
    /// Least Jaccard index of near-duplicates.
    pub near_threshold: f64,
    /// Whether copies with other names, numbers and strings are near-duplicates, too.
    pub near_normalise: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { key: Key::default(), near: Near::default(), near_threshold: 0.7, near_normalise: false }
    }
}

/// Whether the settings make sense.
pub fn check(settings: &Settings) -> Result<(), String> {
    let threshold = settings.near_threshold;
    if (trefoil_duplicates::LEAST_THRESHOLD..=1.0).contains(&threshold) {
        return Ok(());
    }
    let least = trefoil_duplicates::LEAST_THRESHOLD;
    Err(format!("dedup.near_threshold: {threshold} must lie between {least} and 1"))
}

/// Reason of the pairs that are left out; their detail is the representative's id.
pub const DUPLICATE_OF: &str = "duplicate_of";

/// Which pairs are near-duplicates of each other: of each pair in the order of [`sort`] the position of one in the
/// same cluster. Empty where nobody has looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearDuplicates {
    /// By their tests.
    pub tests: Vec<u32>,
    /// By their focal methods.
    pub focal: Vec<u32>,
    /// By both texts together.
    pub pairs: Vec<u32>,
}

/// Sorts pairs by host, repository and id.
pub fn sort(pairs: &mut [PairKey]) {
    pairs.sort_unstable_by(|a, b| (&a.host, &a.repository, &a.id).cmp(&(&b.host, &b.repository, &b.id)));
}

/// Decides for every pair which one represents it; the answer is in the order of [`sort`].
///
/// Pairs of one digest are represented by that with the smallest hash of its id (for [`Key::Test`], of its
/// test's id): a fixed order that neither the order of the input nor the rest of the run has a say in, and that
/// favours no repository. A pair without a digest is no duplicate of anything. Clusters are named in the same way.
///
/// Memory: about 800 bytes per pair. The strings of the keys (two digests, three ids, names) take most of
/// that and move into the decisions, with three more ids; beside them stand 200 bytes per pair.
pub fn decide(mut pairs: Vec<PairKey>, near: &NearDuplicates, settings: &Settings) -> Vec<DedupDecision> {
    sort(&mut pairs);
    let tests = joined(&pairs, &near.tests, |pair| [&pair.test_id, &pair.test_digest]);
    let focal = joined(&pairs, &near.focal, |pair| [&pair.focal_id, ""]);
    let both = joined(&pairs, &near.pairs, |pair| ["", &pair.text_digest]);
    let test_names = names(&pairs, &tests, |pair| &pair.test_id);
    let focal_names = names(&pairs, &focal, |pair| &pair.focal_id);
    let pair_names = names(&pairs, &both, |pair| &pair.id);
    let same = match (settings.key, settings.near) {
        (Key::None, _) => (0..pairs.len() as u32).collect(),
        (Key::Pair, Near::Drop) => both,
        (Key::Test, Near::Drop) => tests,
        (Key::Pair, _) => joined(&pairs, &[], |pair| ["", &pair.text_digest]),
        (Key::Test, _) => joined(&pairs, &[], |pair| ["", &pair.test_digest]),
    };
    let representatives = representatives(&pairs, &same, settings.key);
    let clusters = test_names.into_iter().zip(focal_names).zip(pair_names);
    let decided = pairs.into_iter().zip(representatives).zip(clusters);
    decided
        .map(|((pair, (representative, copies)), ((test_cluster, focal_cluster), pair_cluster))| {
            DedupDecision {
                id: pair.id,
                test_id: pair.test_id,
                host: pair.host,
                repository: pair.repository,
                language: pair.language,
                representative,
                test_cluster,
                focal_cluster,
                pair_cluster,
                copies,
                characters: pair.characters,
            }
        })
        .collect()
}

/// Of each pair the first position of its set: joined are near-duplicates and what has a key in common. An empty
/// key is none.
fn joined<'a>(pairs: &'a [PairKey], near: &[u32], keys: impl Fn(&'a PairKey) -> [&'a str; 2]) -> Vec<u32> {
    let mut forest = Forest::new(pairs.len());
    // A hash of 16 bytes instead of a copy of the text.
    let mut known: HashMap<u128, u32> = HashMap::new();
    for (position, pair) in (0..).zip(pairs) {
        for key in keys(pair).into_iter().filter(|key| !key.is_empty()) {
            forest.join(position, *known.entry(hash("digest", key)).or_insert(position));
        }
    }
    (0..).zip(near).for_each(|(position, other)| forest.join(position, *other));
    (0..pairs.len() as u32).map(|position| forest.root(position)).collect()
}

/// The name of each pair's set: the id with the smallest hash in it.
fn names<'a>(pairs: &'a [PairKey], sets: &[u32], id: impl Fn(&'a PairKey) -> &'a str) -> Vec<String> {
    let mut best: Vec<Option<(u128, &str)>> = vec![None; pairs.len()];
    for (pair, set) in pairs.iter().zip(sets) {
        let candidate = (hash("representative", id(pair)), id(pair));
        if let Some(best) = best.get_mut(*set as usize) {
            *best = Some(best.map_or(candidate, |best| best.min(candidate)));
        }
    }
    let name = |set: &u32| best.get(*set as usize).copied().flatten().map_or("", |(_, name)| name);
    sets.iter().map(|set| name(set).to_owned()).collect()
}

/// Of each pair the id of the one that represents it, and how many that one represents.
fn representatives(pairs: &[PairKey], sets: &[u32], key: Key) -> Vec<(String, u32)> {
    let mut groups: Vec<Option<Group<'_>>> = vec![None; pairs.len()];
    for (pair, set) in pairs.iter().zip(sets) {
        let of_test = if key == Key::Test { hash("representative", &pair.test_id) } else { 0 };
        let candidate = Group { order: (of_test, hash("representative", &pair.id)), best: pair, copies: 1 };
        if let Some(group) = groups.get_mut(*set as usize) {
            *group = Some(group.map_or(candidate, |group| group.with(candidate)));
        }
    }
    let representative = |(pair, set): (&PairKey, &u32)| match groups.get(*set as usize).copied().flatten() {
        Some(Group { best, copies, .. }) => {
            let of_one_test = key == Key::Test && best.test_id == pair.test_id;
            (if of_one_test { &pair.id } else { &best.id }.clone(), copies)
        }
        None => (pair.id.clone(), 1),
    };
    pairs.iter().zip(sets).map(representative).collect()
}

/// Pairs that are the same.
#[derive(Clone, Copy)]
struct Group<'a> {
    /// Place of the representative in the fixed order.
    order: (u128, u128),
    best: &'a PairKey,
    copies: u32,
}

impl<'a> Group<'a> {
    fn with(self, other: Group<'a>) -> Self {
        let first = if other.order < self.order { other } else { self };
        Self { copies: self.copies + other.copies, ..first }
    }
}

fn hash(purpose: &str, text: &str) -> u128 {
    u128::from_str_radix(&identity(&[purpose, text]), 16).unwrap_or_default()
}
