//! The cap on one repository's pairs: "no more than 200 method-test pairs were collected from one
//! repository. If there were more pairs, they were sampled randomly" (UnitTests). Our sample is drawn by
//! seeded hash of the test's identity, so it depends neither on the order nor on the machine, a new pair displaces
//! at most one other, and no test keeps a less likely focal method where its likeliest is over the cap.

use super::Settings;
use crate::records::{Pair, identity};
use std::collections::HashSet;

/// Reason of the pairs that the cap drops.
pub(super) const REASON: &str = "over_repository_cap";

/// Takes the pairs over the cap out of `pairs`; both keep their order.
pub(super) fn over(settings: &Settings, pairs: &mut Vec<Pair>) -> Vec<Pair> {
    let cap = settings.max_pairs_per_repository as usize;
    if cap == 0 || pairs.len() <= cap {
        return Vec::new();
    }
    let seed = settings.seed.to_string();
    let mut drawn: Vec<(String, u32, String)> =
        pairs.iter().map(|pair| (identity(&[&seed, &pair.test_id]), pair.rank, pair.id.clone())).collect();
    drawn.sort_unstable();
    let beyond: HashSet<String> = drawn.split_off(cap).into_iter().map(|(.., id)| id).collect();
    pairs.extract_if(.., |pair| beyond.contains(&pair.id)).collect()
}
