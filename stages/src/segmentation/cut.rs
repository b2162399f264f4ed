//! Where a test is cut (ConTest, section 3.3): everything up to the last call of the focal method is set-up, what
//! follows are assertions. A call inside an assertion belongs to the assertions.
//!
//! The cut lies between statements of the body itself, so that both parts can be parsed: a statement that the call
//! is only a part of, such as a loop, stays whole. Where such a statement also asserts, the cut lies inside it, and
//! what is left of it stays with the set-up, which is whole without the assertions.

use super::{Reason, regions};
use crate::export::contest::{is_put_together, setup_code};
use crate::matching::index::CallSite;
use crate::matching::resolution::Target;
use trefoil_languages::{Block, Fragment, Language, Parser, Shape, Span};

/// A cut test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// The statements before the cut; where they begin on a line of their own, from its start.
    pub(super) setup: Span,
    /// The statements behind it, in the same way.
    pub(super) assertions: Span,
    /// What of the set-up stands behind the assertions: the end of the loop or block around the cut. Mostly empty.
    pub(super) closing: Span,
    /// Why the test is set aside, if it is.
    pub(super) set_aside: Option<&'static str>,
}

/// The focal method is called inside an assertion.
pub(super) const FOCAL_CALL_IN_ASSERTION: &str = "focal_call_in_assertion";
/// One statement, such as a loop, calls the focal method and asserts, and no cut inside it leaves whole parts.
pub(super) const FOCAL_CALL_AND_ASSERTION_IN_ONE_STATEMENT: &str =
    "focal_call_and_assertion_in_one_statement";

const NO_BODY: Reason = ("no_statements", "the body of the test is no list of statements");

/// Cuts a test at the last call of its focal method.
pub(super) fn cut(
    parser: &Parser,
    language: &'static Language,
    test: Target<'_>,
    last: &CallSite<'_>,
) -> Result<Cut, Reason> {
    let text = test.file.text;
    let inside = inside(test).ok_or(NO_BODY)?;
    let mut scene = Scene { parser, language, test, inside, last: last.start, end: last.end };
    let statements = scene.statements()?;
    let at = position(&statements, last.start);
    let at = at.ok_or(("no_focal_call", "the call of the focal method is no statement of the test"))?;
    scene.end = statements.get(at).map_or(last.end, |statement| statement.end);
    let set_aside = if test.file.is_asserted(test.declaration, last.start) {
        Some(FOCAL_CALL_IN_ASSERTION)
    } else if is_apart(test, last, scene.end) {
        None
    } else {
        match scene.cut_inside() {
            Some(cut) => return Ok(cut),
            None => Some(FOCAL_CALL_AND_ASSERTION_IN_ONE_STATEMENT),
        }
    };
    let end = end_of_code(text, inside);
    let start = begin(text, inside.start, end);
    let end_of_setup = match (set_aside, at.checked_sub(1)) {
        (None, _) => scene.end,
        (Some(_), before) => before.and_then(|before| statements.get(before)).map_or(start, |it| it.end),
    };
    let setup = Span { start, end: end_of_setup.min(end) };
    let assertions = Span { start: begin(text, setup.end, end), end };
    let cut = Cut { setup, assertions, closing: Span { start: end, end }, set_aside };
    let cut = regions::balanced(language, test, &statements, cut);
    if cut.assertions.of(text).trim().is_empty() {
        return Err(("nothing_after_focal_call", "nothing follows the last call of the focal method"));
    }
    if !asserts(test, cut.assertions) {
        return Err((
            "no_assertion_after_focal_call",
            "what follows the last call of the focal method asserts nothing",
        ));
    }
    Ok(cut)
}

/// Whether the statement of the call leaves the assertions to those behind it. What a function asserts that the call
/// is given is part of the call, as long as there are others.
fn is_apart(test: Target<'_>, call: &CallSite<'_>, end_of_statement: u32) -> bool {
    let mut of_statement = assertions_behind(test, call.start).filter(|start| *start < end_of_statement);
    let mut behind = assertions_behind(test, end_of_statement);
    match behind.next() {
        Some(_) => of_statement.all(|start| start < call.end),
        None => of_statement.next().is_none(),
    }
}

/// A test and the call that it is cut at.
struct Scene<'s, 'a> {
    parser: &'s Parser,
    language: &'static Language,
    test: Target<'a>,
    inside: Span,
    /// The last call of the focal method.
    last: u32,
    /// Where the statement ends that holds it.
    end: u32,
}

impl Scene<'_, '_> {
    /// The statements of the body: those that parsing noted, or, where it could not, as they stand by themselves.
    fn statements(&self) -> Result<Vec<Span>, Reason> {
        let case = self.test.file.test_case(self.test.declaration);
        if let Some(case) = case.filter(|case| !case.statement_starts.is_empty()) {
            let spans = case.statement_starts.iter().zip(&case.statement_ends);
            return Ok(spans.map(|(&start, &end)| Span { start, end }).collect());
        }
        let own = self.body()?.statements().into_iter();
        Ok(own.map(|statement| moved(statement, self.inside.start)).collect())
    }

    fn body(&self) -> Result<Fragment, Reason> {
        let not_parsed = ("body_not_parsed", "the body of the test has syntax errors");
        self.parse(self.inside.of(self.test.file.text)).ok_or(not_parsed)
    }

    fn parse(&self, code: &str) -> Option<Fragment> {
        self.parser.fragment(self.language, &self.test.file.row.path, Shape::Statements, code)
    }

    /// The cut in the outermost list of statements that holds all assertions behind the call.
    fn cut_inside(&self) -> Option<Cut> {
        let body = self.body().ok()?;
        let blocks = body.blocks(self.last - self.inside.start);
        let found = blocks.into_iter().find_map(|block| self.cut_in_block(block))?;
        let [setup, assertions, closing] =
            [found.setup, found.assertions, found.closing].map(|span| span.of(self.test.file.text));
        let (setup, assertions) = (self.parse(&setup_code(setup, closing))?, self.parse(assertions)?);
        let (setup, assertions) = (setup.tokens(), assertions.tokens());
        // Without what is cut out of it the rest may read differently, such as a loop with two heads of which
        // conditional compilation chooses one.
        is_put_together(&body.tokens(), &setup, &assertions, true).then_some(found)
    }

    fn cut_in_block(&self, block: Block) -> Option<Cut> {
        let (text, by) = (self.test.file.text, self.inside.start);
        let statements: Vec<Span> = block.statements.into_iter().map(|span| moved(span, by)).collect();
        let whole = moved(block.inside, by);
        let at = position(&statements, self.last);
        let end_of_setup = match at.and_then(|at| statements.get(at)) {
            Some(statement) => statement.end,
            None if self.last < whole.start && block.can_be_empty => whole.start,
            None => return None,
        };
        let end_of_assertions = end_of_code(text, Span { start: end_of_setup, ..whole });
        let assertions = Span { start: begin(text, end_of_setup, end_of_assertions), end: end_of_assertions };
        let (held, others): (Vec<u32>, Vec<u32>) = assertions_behind(self.test, self.last)
            .partition(|start| assertions.start <= *start && *start < assertions.end);
        // A clause of the statement may say that the test fails if the call throws.
        let holds_all = others.iter().all(|start| *start < self.end && self.fails(*start));
        // That it fails if it comes so far says that the call throws, so that the call itself is asserted.
        let is_direct = |start: &u32| statements.iter().any(|statement| statement.start == *start);
        let says_more = held.iter().any(|start| !(is_direct(start) && self.fails(*start)));
        let end = end_of_code(text, self.inside);
        (holds_all && says_more).then_some(Cut {
            setup: Span { start: begin(text, self.inside.start, end), end: end_of_setup },
            assertions,
            closing: Span { start: begin(text, end_of_assertions, end), end },
            set_aside: None,
        })
    }

    /// Whether the assertion at a place says no more than that the test fails.
    fn fails(&self, start: u32) -> bool {
        let mut calls = self.test.file.calls(self.test.declaration);
        calls.any(|call| call.start == start && call.name.to_ascii_lowercase().starts_with("fail"))
    }
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
    let bare = before.trim_end_matches([' ', '\t']);
    let indentation = before.len() - bare.len();
    let begins_line = bare.is_empty() || bare.ends_with('\n');
    Some(Span { start: if begins_line { start - indentation as u32 } else { start }, end })
}

fn moved(span: Span, by: u32) -> Span {
    Span { start: span.start + by, end: span.end + by }
}

/// The statement that holds a place.
fn position(statements: &[Span], at: u32) -> Option<usize> {
    statements.iter().position(|statement| statement.start <= at && at < statement.end)
}

/// Where the code of a span ends, white space left out.
pub(super) fn end_of_code(text: &str, span: Span) -> u32 {
    span.start + span.of(text).trim_end().len() as u32
}

/// The first place from `from` that is not blank; if it begins its line, the start of that line.
pub(super) fn begin(text: &str, from: u32, end: u32) -> u32 {
    let rest = Span { start: from, end }.of(text);
    let blank = rest.get(..rest.len() - rest.trim_start().len()).unwrap_or_default();
    let of_line = blank.rfind('\n').map(|line_end| line_end + 1);
    // In Python the body begins with the start of a line.
    let begins = text.get(..from as usize).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    from + of_line.unwrap_or(if begins { 0 } else { blank.len() }) as u32
}

/// Whether an assertion of the test begins in `span`.
pub(super) fn asserts(test: Target<'_>, span: Span) -> bool {
    assertions_behind(test, span.start).any(|start| start < span.end)
}

/// Where the assertions of the test begin, as far as they begin at `from` or behind it.
fn assertions_behind(test: Target<'_>, from: u32) -> impl Iterator<Item = u32> {
    let case = test.file.test_case(test.declaration);
    let starts = case.map(|case| case.assertion_starts.iter().copied()).into_iter().flatten();
    starts.filter(move |start| from <= *start)
}
