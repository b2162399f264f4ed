//! "The test case should be less than 5000 characters" (UnitTests).

use super::{Candidate, Settings};

/// See the module.
pub(super) fn drops(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    let limit = settings.max_test_characters as usize;
    // Bytes are never fewer than characters, so most tests need no counting.
    if limit == 0 || candidate.text.len() < limit {
        return None;
    }
    let characters = candidate.text.chars().count();
    (characters >= limit).then(|| format!("{characters} characters, must be less than {limit}"))
}
