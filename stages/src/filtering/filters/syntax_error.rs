//! "Additional filtering for tests with syntax errors" (UnitTests).

use super::{Candidate, Settings};

/// See the module.
pub(super) fn drops(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    let has_error = candidate.callable.is_some_and(|callable| callable.has_error);
    (settings.syntax_errors && has_error).then(|| "the test's syntax tree has an error".to_owned())
}
