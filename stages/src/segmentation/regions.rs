//! Lines that fold code and do nothing else (`#region`, `#endregion`): a region that the set-up opens stays whole, as a
//! loop does.

use super::cut::{Cut, asserts, begin, end_of_code};
use crate::matching::resolution::Target;
use trefoil_languages::{Language, Span};

/// The cut behind the regions that are open at it, as far as nothing asserts in them. Where one ends with the test,
/// its last line closes the set-up; one that ends between assertions is left torn.
pub(super) fn balanced(language: &Language, test: Target<'_>, statements: &[Span], mut cut: Cut) -> Cut {
    let Some(words) = language.fragments.regions else { return cut };
    let text = test.file.text;
    while let Some(line) = first_lone_end(text, cut.assertions, words) {
        let before = Span { start: cut.assertions.start, end: line.start };
        if asserts(test, before) {
            if line.end == cut.assertions.end {
                cut.closing.start = line.start;
                cut.assertions.end = end_of_code(text, before);
            }
            break;
        }
        if statements.iter().any(|statement| statement.start < line.start && line.end < statement.end) {
            break;
        }
        cut.setup.end = line.end;
        cut.assertions.start = begin(text, line.end, cut.assertions.end);
    }
    cut
}

/// The first line of a span that ends a region which begins before it.
fn first_lone_end(text: &str, span: Span, (opens, closes): (&str, &str)) -> Option<Span> {
    let mut open = 0;
    let mut start = span.start;
    for line in span.of(text).split_inclusive('\n') {
        let word = line.trim_start();
        if word.starts_with(opens) {
            open += 1;
        } else if word.starts_with(closes) && open == 0 {
            return Some(Span { start, end: start + line.trim_end().len() as u32 });
        } else if word.starts_with(closes) {
            open -= 1;
        }
        start += line.len() as u32;
    }
    None
}
