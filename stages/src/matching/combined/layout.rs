//! Where the calls and assertions of a test lie, and what becomes of the values of calls.

use super::super::index::File;
use super::super::tables::Declaration;
use super::candidates::{Candidate, Gathered, Use, Way};

/// How a candidate stands in its test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// The outermost of the repository's own calls in an assertion.
    pub(super) asserted: bool,
    /// An assertion names a variable whose value it is.
    pub(super) asserted_later: bool,
    /// The last call before the first assertion, or in it.
    pub(super) before_assertion: bool,
    /// The last call of all.
    pub(super) last_call: bool,
    /// Its value is only what further calls are made on.
    pub(super) only_receiver: bool,
    /// It stands in an assertion.
    pub(super) inside: bool,
    /// It stands outside of assertions, and no variable holds its value.
    pub(super) statement: bool,
    /// The last thing that a helper or set-up function does.
    pub(super) closing: bool,
    /// The test calls nothing itself, and asserts what set-up kept of it.
    pub(super) kept: bool,
    /// The last call that is made for what it does: outside of assertions, and nobody takes its value.
    pub(super) command: bool,
}

impl Standing {
    /// Whether the test leads up to it.
    pub(super) fn is_end(&self) -> bool {
        !self.only_receiver
            && (self.asserted
                || self.asserted_later
                || self.before_assertion
                || self.last_call
                || self.closing)
    }
}

/// The texts of a test's assertions.
pub(super) fn asserted<'a>(file: &File<'a>, test: &Declaration) -> Vec<&'a str> {
    file.test_case(test).map_or_else(Vec::new, |case| {
        let spans = case.assertion_starts.iter().zip(&case.assertion_ends);
        spans.filter_map(|(start, end)| file.text.get(*start as usize..*end as usize)).collect()
    })
}

/// How each candidate stands, in their order.
pub(super) fn standings<'a>(
    file: &'a File<'a>,
    test: &'a Declaration,
    gathered: &Gathered<'a>,
) -> Vec<Standing> {
    let layout = Layout::new(file, test, gathered);
    gathered.candidates.iter().map(|candidate| layout.standing(candidate)).collect()
}

/// Where the calls and assertions of a test lie.
struct Layout<'a> {
    /// The text of the file, and where the test ends in it.
    text: &'a str,
    end: u32,
    /// Values of local variables: start, end, the variable and whether an assertion names it.
    bound: Vec<(u32, u32, &'a str, bool)>,
    /// All uses in the body.
    spans: Vec<(u32, u32, bool)>,
    /// The last call of the repository's own before the first assertion, or in it.
    before_assertion: Option<(u32, u32)>,
    last: Option<(u32, u32)>,
    /// The last call outside of assertions whose value nobody takes.
    command: Option<(u32, u32)>,
    /// Whether the test calls nothing itself, and an assertion names where set-up keeps the value of a call.
    keeps: bool,
}

impl<'a> Layout<'a> {
    fn new(file: &'a File<'a>, test: &'a Declaration, gathered: &Gathered<'a>) -> Self {
        let case = file.test_case(test);
        let asserted = asserted(file, test);
        let first_end = case.and_then(|case| case.assertion_ends.first().copied()).unwrap_or(u32::MAX);
        let row = file.row;
        let mut bound = Vec::new();
        for (at, (start, end)) in row.binding_value_starts.iter().zip(&row.binding_value_ends).enumerate() {
            if *start < test.start_byte || *end > test.end_byte || start == end {
                continue;
            }
            let name = row.binding_names.get(at).map_or("", |name| name.as_str());
            bound.push((*start, *end, name, asserted.iter().any(|text| names(text, name))));
        }
        let candidates = gathered.candidates.as_slice();
        let called = candidates.iter().filter(|it| !it.constructs());
        let acts = called.clone().any(Candidate::is_called);
        let spans: Vec<(u32, u32, bool)> = candidates
            .iter()
            .flat_map(|it| &it.uses)
            .filter(|made| made.way == Way::Body)
            .map(|made| (made.start, made.end, made.in_assertion))
            .collect();
        let keeps = !acts && called.clone().flat_map(|it| &it.uses).any(|made| made.kept);
        // What is handed to another call serves that one.
        let body =
            called.flat_map(|it| &it.uses).filter(|made| made.way == Way::Body && !is_argument(made, &spans));
        let is_bound =
            |made: &Use| bound.iter().any(|(start, end, ..)| *start <= made.start && made.end <= *end);
        let by_end = |made: &&Use| (made.end, std::cmp::Reverse(made.start));
        let span = |made: &Use| (made.start, made.end);
        let commands = body.clone().filter(|made| !made.in_assertion && !is_bound(made));
        Self {
            before_assertion: body.clone().filter(|made| made.end <= first_end).max_by_key(by_end).map(span),
            command: commands.max_by_key(by_end).map(span),
            keeps,
            last: body.max_by_key(by_end).map(span),
            text: file.text,
            end: test.end_byte,
            bound,
            spans,
        }
    }

    fn standing(&self, candidate: &Candidate<'a>) -> Standing {
        let uses = &candidate.uses;
        let body = uses.iter().filter(|made| made.way == Way::Body);
        let is_at =
            |place: Option<(u32, u32)>| body.clone().any(|made| place == Some((made.start, made.end)));
        let in_body = body.clone().count() > 0;
        let kept = self.keeps && !candidate.constructs() && uses.iter().any(|made| made.kept);
        Standing {
            asserted: uses.iter().any(|made| self.is_asserted_value(made)),
            asserted_later: kept || uses.iter().any(|made| self.is_asserted_later(made)),
            before_assertion: kept || is_at(self.before_assertion),
            last_call: is_at(self.last),
            only_receiver: in_body && body.clone().all(|made| self.is_only_receiver(made)),
            inside: uses.iter().any(|made| made.in_assertion),
            statement: body.clone().any(|made| !made.in_assertion && !self.is_bound(made)),
            closing: !in_body
                && !candidate.constructs()
                && (kept || !self.keeps)
                && uses.iter().any(|made| made.closing && !self.is_called_on(made) && self.is_last(made)),
            kept,
            command: is_at(self.command),
        }
    }

    /// Whether the call stands in an assertion and in no other call of the repository's own there.
    fn is_asserted_value(&self, made: &Use) -> bool {
        made.in_assertion
            && made.way != Way::SetUp
            && !self.spans.iter().any(|(start, end, asserted)| {
                *asserted
                    && *start <= made.start
                    && made.end <= *end
                    && (*start, *end) != (made.start, made.end)
            })
    }

    /// Whether the value of a variable is this call, or holds it.
    fn is_bound(&self, made: &Use) -> bool {
        self.bound.iter().any(|(start, end, ..)| *start <= made.start && made.end <= *end)
    }

    /// Whether an assertion names a variable whose value is this call.
    fn is_asserted_later(&self, made: &Use) -> bool {
        self.bound
            .iter()
            .any(|(start, end, _, asserted)| *asserted && (*start, *end) == (made.start, made.end))
    }

    /// Whether the value of the call is only what further calls are made on: in the same chain, or by way of a
    /// variable that stands nowhere else, or that no assertion names and calls of the repository's own are made on.
    fn is_only_receiver(&self, made: &Use) -> bool {
        let after = self.text.get(made.end as usize..).unwrap_or_default().trim_start();
        let goes_on = !made.in_assertion
            && after.trim_start_matches(['?', '!']).starts_with(['.', '-'])
            && !after.starts_with("- ");
        if goes_on || self.is_called_on(made) {
            return true;
        }
        let Some((.., name, _)) = self.holder(made) else { return false };
        let rest = self.text.get(made.end as usize..self.end as usize).unwrap_or_default();
        only_called_on(rest, name)
    }

    /// Whether calls of the repository's own are made on the value of the call: in the same chain, or on a variable
    /// that no assertion names.
    fn is_called_on(&self, made: &Use) -> bool {
        let chained = |(start, end, _): &(u32, u32, bool)| *start == made.start && *end > made.end;
        if made.start < made.end && self.spans.iter().any(chained) {
            return true;
        }
        let Some((.., name, false)) = self.holder(made) else { return false };
        self.spans.iter().any(|(start, ..)| {
            let text = self.text.get(*start as usize..).unwrap_or_default();
            *start >= made.end
                && text.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '?', '!', '-']))
        })
    }

    /// Whether the test itself calls nothing of the repository's own behind it.
    fn is_last(&self, made: &Use) -> bool {
        self.last.is_none_or(|(start, _)| start <= made.end)
    }

    /// The variable whose value the call is.
    fn holder(&self, made: &Use) -> Option<(u32, u32, &'a str, bool)> {
        self.bound.iter().find(|(start, end, ..)| (*start, *end) == (made.start, made.end)).copied()
    }
}

/// Whether a call stands among the arguments of another.
fn is_argument(made: &Use, spans: &[(u32, u32, bool)]) -> bool {
    spans.iter().any(|(start, end, _)| *start < made.start && made.end <= *end)
}

/// Whether a text holds a name as a word.
pub(super) fn names(text: &str, name: &str) -> bool {
    mentions(text, name).next().is_some()
}

/// Whether a variable is named, and nowhere but before a call that is made on it (`reader.next()`).
fn only_called_on(text: &str, name: &str) -> bool {
    let is_receiver = |after: &str| {
        let member = after.trim_start_matches(['?', '!']).strip_prefix('.');
        let end = member
            .and_then(|member| member.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')));
        member
            .zip(end)
            .is_some_and(|(member, end)| member.get(end..).is_some_and(|rest| rest.starts_with('(')))
    };
    let mut mentions = mentions(text, name).peekable();
    mentions.peek().is_some() && mentions.all(is_receiver)
}

/// What follows each place where a text holds a name as a word.
fn mentions<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let named = (!name.is_empty()).then(|| text.match_indices(name)).into_iter().flatten();
    named.filter_map(move |(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..)?;
        (!is_part(before) && !is_part(after.chars().next())).then_some(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_only_called_on_is_told() {
        assert!(only_called_on("; assertEquals(1, reader.next()); reader.close()", "reader"));
        assert!(!only_called_on("; assertEquals(1, reader.next()); use(reader)", "reader"));
        assert!(!only_called_on("; assertEquals(1, reader.size)", "reader"));
        assert!(!only_called_on("; assertEquals(1, readers.next())", "reader"), "it is not named at all");
    }
}
