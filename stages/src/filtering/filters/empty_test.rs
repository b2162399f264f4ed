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
    let (text, body) = (candidate.test.text(), Span { start, end });
    let mut code = String::new();
    let mut position = start;
    for comment in candidate.test.spans(RegionKind::Comment).filter(|comment| body.contains(*comment)) {
        code.push_str(Span { start: position, end: comment.start }.of(text));
        position = position.max(comment.end);
    }
    code.push_str(Span { start: position, end }.of(text));
    says_nothing(after_docstring(&code))
}

/// Braces and semicolons alone are no statement.
fn says_nothing(code: &str) -> bool {
    code.split(|character: char| character.is_whitespace() || "{};".contains(character))
        .all(|word| matches!(word, "" | "pass" | "..."))
}

/// The code after the string literals that it begins with. Where braces enclose a body there are none.
fn after_docstring(code: &str) -> &str {
    let mut rest = code.trim_start();
    while let Some(after) = after_string(rest) {
        rest = after.trim_start();
    }
    rest
}

fn after_string(code: &str) -> Option<&str> {
    let literal = code.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']);
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| literal.starts_with(quotes))?;
    let mut inside = literal.get(quotes.len()..)?;
    loop {
        if let Some(after) = inside.strip_prefix(quotes) {
            return Some(after);
        }
        let mut characters = inside.chars();
        if characters.next()? == '\\' {
            characters.next()?;
        }
        inside = characters.as_str();
    }
}
