//! No test may be read in the contexts that are given for writing it ("there is a high probability of data
//! leakage", UnitTests).

use super::{Candidate, Settings};
use crate::export::unit_tests::leaks_into_contexts;

/// See the module.
pub(super) fn drops(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    // The contexts of segments are methods that the test calls, never tests.
    if !settings.tests_in_own_context || candidate.sample.is_some() {
        return None;
    }
    let context = leaks_into_contexts(candidate.pair, candidate.test, candidate.focal)?;
    Some(format!("the test's text occurs in {context}"))
}
