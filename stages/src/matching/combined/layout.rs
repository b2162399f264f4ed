//! Where the calls and assertions of a test lie, and what becomes of the values of calls.

use super::candidates::{Use, Way};
use super::evidence::Test;

/// Where the calls and assertions of a test lie.
pub(super) struct Layout<'a> {
    /// The text of the file, and where the test ends in it.
    text: &'a str,
    end: u32,
    /// Values of local variables: start, end, the variable and whether an assertion names it.
    bound: Vec<(u32, u32, &'a str, bool)>,
    /// All uses in the body.
    spans: Vec<(u32, u32, bool)>,
    /// The last call of the repository's own before the first assertion, or in it.
    pub(super) before_assertion: Option<(u32, u32)>,
    pub(super) last: Option<(u32, u32)>,
    pub(super) uses: usize,
}

impl<'a> Layout<'a> {
    pub(super) fn new(test: &Test<'_, 'a>) -> Self {
        let case = test.file.test_case(test.declaration);
        let asserted: Vec<&str> = case.map_or_else(Vec::new, |case| {
            let spans = case.assertion_starts.iter().zip(&case.assertion_ends);
            spans.filter_map(|(start, end)| test.file.text.get(*start as usize..*end as usize)).collect()
        });
        let first_end = case.and_then(|case| case.assertion_ends.first().copied()).unwrap_or(u32::MAX);
        let row = test.file.row;
        let mut bound = Vec::new();
        for (at, (start, end)) in row.binding_value_starts.iter().zip(&row.binding_value_ends).enumerate() {
            if *start < test.declaration.start_byte || *end > test.declaration.end_byte || start == end {
                continue;
            }
            let name = row.binding_names.get(at).map_or("", String::as_str);
            bound.push((*start, *end, name, asserted.iter().any(|text| names(text, name))));
        }
        let candidates = test.gathered.candidates.as_slice();
        let called = candidates.iter().filter(|it| !it.constructs());
        let body = called.flat_map(|it| &it.uses).filter(|made| made.way == Way::Body);
        let by_end = |made: &&Use| (made.end, std::cmp::Reverse(made.start));
        let span = |made: &Use| (made.start, made.end);
        let all = candidates.iter().flat_map(|it| &it.uses);
        Self {
            text: test.file.text,
            end: test.declaration.end_byte,
            bound,
            spans: all
                .clone()
                .filter(|made| matches!(made.way, Way::Body))
                .map(|made| (made.start, made.end, made.in_assertion))
                .collect(),
            before_assertion: body.clone().filter(|made| made.end <= first_end).max_by_key(by_end).map(span),
            last: body.max_by_key(by_end).map(span),
            uses: all.count(),
        }
    }

    /// Whether the call stands in an assertion and in no other call of the repository's own there.
    pub(super) fn is_asserted_value(&self, made: &Use) -> bool {
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
    pub(super) fn is_bound(&self, made: &Use) -> bool {
        self.bound.iter().any(|(start, end, ..)| *start <= made.start && made.end <= *end)
    }

    /// Whether an assertion names a variable whose value is this call.
    pub(super) fn is_asserted_later(&self, made: &Use) -> bool {
        self.bound
            .iter()
            .any(|(start, end, _, asserted)| *asserted && (*start, *end) == (made.start, made.end))
    }

    /// Whether the value of the call is only what further calls are made on: in the same chain, or by way of a
    /// variable that stands nowhere else, or that no assertion names and calls of the repository's own are made on.
    pub(super) fn is_only_receiver(&self, made: &Use) -> bool {
        if made.way != Way::Body {
            return false;
        }
        let chained = |(start, end, _): &(u32, u32, bool)| *start == made.start && *end > made.end;
        let after = self.text.get(made.end as usize..).unwrap_or_default().trim_start();
        let goes_on = !made.in_assertion
            && after.trim_start_matches(['?', '!']).starts_with(['.', '-'])
            && !after.starts_with("- ");
        if goes_on || self.spans.iter().any(chained) {
            return true;
        }
        let held = self.bound.iter().find(|(start, end, ..)| (*start, *end) == (made.start, made.end));
        let Some((.., name, asserted)) = held else { return false };
        let rest = self.text.get(made.end as usize..self.end as usize).unwrap_or_default();
        if only_called_on(rest, name) {
            return true;
        }
        !asserted
            && self.spans.iter().any(|(start, ..)| {
                let text = self.text.get(*start as usize..).unwrap_or_default();
                *start >= made.end
                    && text.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '?', '!', '-']))
            })
    }
}

/// Whether a text holds a name as a word.
fn names(text: &str, name: &str) -> bool {
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
