//! "Empty tests are removed" (UnitTests): tests whose body holds no statement beside comments, docstrings,
//! `pass` and `...`.

use super::{Candidate, Settings};
use trefoil_languages::{RegionKind, Span};

/// See the module.
pub(super) fn drops(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    (settings.empty_tests && is_empty(candidate)).then(|| "the test's body holds no statement".to_owned())
}

fn is_empty(candidate: &Candidate<'_>) -> bool {
    let Some(callable) = candidate.callable else { return false };
    let Some((start, end)) = callable.body_start.zip(callable.body_end) else { return true };
    let body = Span { start, end };
    let mut position = start;
    for comment in candidate.test.spans(RegionKind::Comment).filter(|comment| body.contains(*comment)) {
        if comment.start > position && !says_nothing(code(candidate, position, comment.start)) {
            return false;
        }
        position = position.max(comment.end);
    }
    says_nothing(code(candidate, position, end))
}

fn code<'a>(candidate: &Candidate<'a>, start: u32, end: u32) -> &'a str {
    Span { start, end }.of(candidate.test.text())
}

/// Braces and semicolons alone are no statement.
fn says_nothing(code: &str) -> bool {
    code.split(|character: char| character.is_whitespace() || "{};".contains(character))
        .all(|word| matches!(word, "" | "pass" | "..."))
}
