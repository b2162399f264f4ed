//! Calls and assertions while the walk is inside them.
//!
//! The walk meets the last call of a chain first (`c` in `a().b().c()`); the file's calls are put into the
//! order of their names at the end.

use super::grammar::Grammar;
use super::header::{plain, span};
use crate::outline::beginning;
use crate::{Assertion, Call, Span};
use trefoil_syntax::Node;

/// Longest receiver that is kept, in bytes.
const MAX_RECEIVER: usize = 80;

/// An invocation or a creation that the walk is inside of.
#[derive(Debug)]
pub(super) struct OpenCall {
    span: Span,
    /// Where the called expression ends and the arguments begin; the start for a creation.
    function_end: u32,
    /// Number of calls taken down before this one was entered.
    calls_before: usize,
    asserts: bool,
}

impl OpenCall {
    pub(super) fn asserts(&self) -> bool {
        self.asserts
    }
}

/// How a call is written.
pub(super) struct Callee<'text> {
    /// End of the name, which orders calls.
    name_end: u32,
    name: &'text str,
    receiver: &'text str,
}

/// Takes the parts of calls from the tree.
pub(super) struct Callees<'text> {
    pub(super) grammar: &'static Grammar,
    pub(super) text: &'text str,
}

impl<'text> Callees<'text> {
    /// Name and receiver of the expression that an invocation calls; none for the result of another call.
    pub(super) fn invoked(&self, function: Node) -> Option<Callee<'text>> {
        let grammar = self.grammar;
        let kind = function.kind_id();
        if kind == grammar.identifier || kind == grammar.generic_name {
            let written = span(function).of(self.text);
            // A name, not a call, to the compiler.
            return (written != "nameof").then(|| self.callee(function, ""));
        }
        let (before, named) = if kind == grammar.conditional_access {
            let binding = function.last_child()?;
            (function.child_by_field_id(grammar.condition)?, binding)
        } else {
            (function.child_by_field_id(grammar.expression)?, function)
        };
        let named = match named.kind_id() {
            kind if kind == grammar.member_access || kind == grammar.member_binding => named,
            _ => return None,
        };
        let name = named.child_by_field_id(grammar.name)?;
        Some(self.callee(name, span(before).of(self.text)))
    }

    /// The type that a creation names; none for arrays. `name_end` is where it would end.
    pub(super) fn created(&self, named: Node, name_end: u32) -> Option<Callee<'text>> {
        let grammar = self.grammar;
        let kind = named.kind_id();
        if kind == grammar.array_type {
            return None;
        }
        if kind == grammar.nullable_type {
            return Some(Callee { name_end, ..self.callee(named.child(0)?, "") });
        }
        if kind == grammar.qualified_name || kind == grammar.alias_qualified_name {
            let name = named.child_by_field_id(grammar.name)?;
            let before = Span { start: named.start_byte() as u32, end: name.start_byte() as u32 };
            let receiver = before.of(self.text).trim_end().trim_end_matches(['.', ':']).trim_end();
            return Some(Callee { name_end, ..self.callee(name, receiver) });
        }
        Some(Callee { name_end, ..self.callee(named, "") })
    }

    /// A name without its type arguments.
    fn callee(&self, name: Node, receiver: &'text str) -> Callee<'text> {
        let name =
            if name.kind_id() == self.grammar.generic_name { name.child(0).unwrap_or(name) } else { name };
        let receiver = beginning(receiver, MAX_RECEIVER);
        Callee { name_end: name.end_byte() as u32, name: plain(span(name).of(self.text)), receiver }
    }

    /// The number of arguments. A comment among them is none.
    pub(super) fn count(&self, list: Option<Node>) -> u32 {
        let Some(list) = list else { return 0 };
        if !list.has_error() && !span(list).of(self.text).contains('/') {
            return list.named_child_count() as u32;
        }
        list.children().filter(|child| child.kind_id() == self.grammar.argument).count() as u32
    }
}

/// The calls and assertions of the whole file.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// All calls with the ends of their names, as the walk meets them.
    calls: Vec<(u32, Call)>,
    /// Outermost assertions in source order.
    pub(super) assertions: Vec<Assertion>,
    /// How many assertions the walk is inside of: one or none.
    pub(super) open_assertions: u32,
}

impl Taken {
    /// A call that the walk enters, to be kept open by it. `function_end` is the start for a creation.
    pub(super) fn open(&self, span: Span, function_end: u32) -> OpenCall {
        OpenCall { span, function_end, calls_before: self.calls.len(), asserts: false }
    }

    pub(super) fn creation(&mut self, owner: Option<u32>, span: Span, callee: Callee<'_>, arguments: u32) {
        self.push(owner, span, callee, arguments, true);
    }

    /// An invocation and whether an assertion begins with it. `around` yields the calls that the walk is in,
    /// this one first.
    pub(super) fn invocation<'a>(
        &mut self,
        owner: Option<u32>,
        callee: Callee<'_>,
        arguments: u32,
        mut around: impl Iterator<Item = &'a mut OpenCall>,
    ) {
        let Some(own) = around.next() else { return };
        let asserts = self.open_assertions == 0 && is_assertion(callee.receiver, callee.name);
        let name = if asserts { callee.name.to_owned() } else { String::new() };
        let start = own.span.start;
        self.push(owner, own.span, callee, arguments, false);
        if asserts {
            // In `x.Should().Be(y)` the assertion is the outermost call whose callee holds this one.
            let outer = around.take_while(|call| start < call.function_end).last().unwrap_or(own);
            outer.asserts = true;
            self.open_assertions += 1;
            let before = outer.calls_before;
            self.calls.iter_mut().skip(before).for_each(|(_, call)| call.in_assertion = true);
            self.assertions.push(Assertion { name: name.into(), span: outer.span });
        }
    }

    fn push(
        &mut self,
        owner: Option<u32>,
        span: Span,
        callee: Callee<'_>,
        arguments: u32,
        constructor: bool,
    ) {
        let call = Call {
            owner,
            name: callee.name.into(),
            receiver: callee.receiver.into(),
            arguments,
            span,
            constructor,
            in_assertion: self.open_assertions > 0,
        };
        self.calls.push((callee.name_end, call));
    }

    /// All calls in the order of their names.
    pub(super) fn into_calls(mut self) -> Vec<Call> {
        self.calls.sort_by_key(|(name_end, _)| *name_end);
        self.calls.into_iter().map(|(_, call)| call).collect()
    }
}

/// Whether a call checks something, by the names of NUnit, xUnit, MSTest, FluentAssertions, Shouldly, NFluent,
/// Moq, NSubstitute, FakeItEasy and the helpers that projects name after them.
fn is_assertion(receiver: &str, name: &str) -> bool {
    let class = receiver.rsplit(['.', ':']).next().unwrap_or_default().trim_start();
    if class.ends_with("Assert") || ["Should", "Check", "Expect"].contains(&class) {
        return true;
    }
    let begins = |word: &str| {
        name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_lowercase()))
    };
    ["Assert", "Should", "Verify", "Expect", "Received", "DidNotReceive", "MustHave", "MustNotHave"]
        .into_iter()
        .any(begins)
}

#[cfg(test)]
mod tests {
    use super::is_assertion;

    #[test]
    fn names_of_assertions() {
        for (receiver, name) in [
            ("Assert", "That"),
            ("NUnit.Framework.Assert", "AreEqual"),
            ("CollectionAssert", "Contains"),
            ("ExceptionAssert", "Throws"),
            ("x", "Should"),
            ("x", "ShouldBe"),
            ("Should", "NotThrow"),
            ("mock", "Verify"),
            ("mock", "VerifyNoOtherCalls"),
            ("service", "Received"),
            ("A.CallTo(f)", "MustHaveHappened"),
            ("", "AssertEqual"),
        ] {
            assert!(is_assertion(receiver, name), "{receiver}.{name}");
        }
        for (receiver, name) in
            [("cart", "Add"), ("x", "Shoulder"), ("", "Expected"), ("Asserter", "Get"), ("x", "Checked")]
        {
            assert!(!is_assertion(receiver, name), "{receiver}.{name}");
        }
    }
}
