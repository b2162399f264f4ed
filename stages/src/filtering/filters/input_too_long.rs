//! "Maximum input length (focal function with context) should be less than 70000 characters" (UnitTests).

use super::{Candidate, Settings};

/// See the module.
pub(super) fn drops(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    let limit = settings.max_input_characters as usize;
    let characters = if limit == 0 { 0 } else { candidate.input_characters() };
    (limit > 0 && characters >= limit).then(|| format!("{characters} characters, must be less than {limit}"))
}
