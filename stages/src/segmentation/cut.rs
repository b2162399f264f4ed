//! Where a test is cut (ConTest, section 3.3): everything up to the last call of the focal method is set-up, what
//! follows are assertions. A call inside an assertion belongs to the assertions.
//!
//! The cut lies between statements of the body itself, so that both parts can be parsed: a statement that the call
//! is only a part of, such as a loop, stays whole.

use super::Reason;
use crate::matching::index::CallSite;
use crate::matching::resolution::Target;
use trefoil_languages::{Item, ItemKind, Language, Parser, Shape, Span};

/// A cut test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// The statements before the cut; where they begin on a line of their own, from its start.
    pub(super) setup: Span,
    /// The statements behind it, in the same way.
    pub(super) assertions: Span,
    /// Why the test is set aside, if it is.
    pub(super) set_aside: Option<&'static str>,
}

/// The focal method is called inside an assertion.
pub(super) const FOCAL_CALL_IN_ASSERTION: &str = "focal_call_in_assertion";
/// One statement, such as a loop, calls the focal method and asserts.
pub(super) const FOCAL_CALL_AND_ASSERTION_IN_ONE_STATEMENT: &str =
    "focal_call_and_assertion_in_one_statement";

const NO_BODY: Reason = ("no_statements", "the body of the test is no list of statements");

/// Cuts a test at the last call of its focal method.
pub(super) fn cut(
    parser: &mut Parser,
    language: &'static Language,
    test: Target<'_>,
    last: &CallSite<'_>,
) -> Result<Cut, Reason> {
    let text = test.file.text;
    let inside = inside(test).ok_or(NO_BODY)?;
    let not_parsed = ("body_not_parsed", "the body of the test has syntax errors");
    let path = &test.file.row.path;
    let body = parser.fragment(language, path, Shape::Statements, inside.of(text)).ok_or(not_parsed)?;
    let items: Vec<Item> = body.items().into_iter().map(|item| moved(item, inside.start)).collect();
    let at = items.iter().position(|item| item.is_statement() && holds(item, last.start));
    let at = at.ok_or(("no_focal_call", "the call of the focal method is no statement of the test"))?;
    let asserted = test.file.is_asserted(test.declaration, last.start);
    let set_aside = if asserted {
        Some(FOCAL_CALL_IN_ASSERTION)
    } else {
        let rest = Span { start: last.start, end: items.get(at).map_or(last.end, |item| item.span.end) };
        asserts(test, rest).then_some(FOCAL_CALL_AND_ASSERTION_IN_ONE_STATEMENT)
    };
    let end_of_setup = match set_aside {
        Some(_) => at.checked_sub(1).map(|before| end_of(text, &items, before)),
        None => Some(end_of(text, &items, at)),
    };
    let end = inside.start + inside.of(text).trim_end().len() as u32;
    let start = begin(text, inside.start, end);
    let setup = Span { start, end: end_of_setup.unwrap_or(start).min(end) };
    let assertions = Span { start: begin(text, setup.end, end), end };
    if assertions.of(text).trim().is_empty() {
        return Err(("nothing_after_focal_call", "nothing follows the last call of the focal method"));
    }
    if !asserts(test, assertions) {
        return Err((
            "no_assertion_after_focal_call",
            "what follows the last call of the focal method asserts nothing",
        ));
    }
    Ok(Cut { setup, assertions, set_aside })
}

/// The statements of the body: without braces, with the indentation of the first line.
fn inside(test: Target<'_>) -> Option<Span> {
    let (start, end) = (test.declaration.body_start?, test.declaration.body_end?);
    let body = Span { start, end }.of(test.file.text);
    if body.starts_with('{') && body.ends_with('}') && body.len() > 1 {
        return Some(Span { start: start + 1, end: end - 1 });
    }
    // C# has bodies that are one expression.
    if body.starts_with("=>") {
        return None;
    }
    let before = Span { start: 0, end: start }.of(test.file.text);
    let indentation = before.len() - before.trim_end_matches([' ', '\t']).len();
    let begins_line = before.len() == indentation || before[..before.len() - indentation].ends_with('\n');
    Some(Span { start: if begins_line { start - indentation as u32 } else { start }, end })
}

fn moved(item: Item, by: u32) -> Item {
    Item { span: Span { start: item.span.start + by, end: item.span.end + by }, ..item }
}

fn holds(item: &Item, at: u32) -> bool {
    item.span.start <= at && at < item.span.end
}

/// Where a statement ends, with the separator behind it and a comment on its last line.
fn end_of(text: &str, items: &[Item], at: usize) -> u32 {
    let mut end = items.get(at).map_or(0, |item| item.span.end);
    for item in items.iter().skip(at + 1) {
        let between = Span { start: end, end: item.span.start }.of(text);
        match item.kind {
            ItemKind::Separator if !item.span.of(text).trim().is_empty() => end = item.span.end,
            ItemKind::Comment if !between.contains('\n') => end = item.span.end,
            _ => break,
        }
    }
    end
}

/// The first place from `from` that is not blank; if it begins its line, the start of that line.
fn begin(text: &str, from: u32, end: u32) -> u32 {
    let rest = Span { start: from, end }.of(text);
    let blank = rest.get(..rest.len() - rest.trim_start().len()).unwrap_or_default();
    let of_line = blank.rfind('\n').map(|line_end| line_end + 1);
    // In Python the body begins with the start of a line.
    let begins = text.get(..from as usize).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    from + of_line.unwrap_or(if begins { 0 } else { blank.len() }) as u32
}

/// Whether an assertion of the test begins in `span`.
fn asserts(test: Target<'_>, span: Span) -> bool {
    test.file.test_case(test.declaration).is_some_and(|case| {
        case.assertion_starts.iter().any(|start| span.start <= *start && *start < span.end)
    })
}
