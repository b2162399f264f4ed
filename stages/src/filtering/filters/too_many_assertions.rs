//! "Maximum number of assertions (the word "assert" in the test case) is 20" (UnitTests). Counted as text,
//! as there: `assertEquals` is one, `Assertions.assertTrue` too, since `Assert` is spelled otherwise.

use super::{Candidate, Settings};

/// See the module.
pub(super) fn drops(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    let limit = settings.max_assertions as usize;
    let count = if limit == 0 { 0 } else { candidate.text.matches("assert").count() };
    (count > limit).then(|| format!("`assert` occurs {count} times, at most {limit} may be"))
}
