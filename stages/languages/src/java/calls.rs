//! Calls and assertions while the walk is inside them.
//!
//! A call is taken down when the walk reaches its arguments: by then its name has been seen, and calls come
//! in the order of their names (`a` before `b` in `a().b(c())`), which the order of their starts is not.

use super::header::span;
use crate::outline::beginning;
use crate::{Assertion, Call, Span};
use compact_str::CompactString;
use trefoil_syntax::Node;

/// Longest receiver that is kept, in bytes.
const MAX_RECEIVER: usize = 80;

/// A method invocation or an object creation that the walk is inside of.
#[derive(Debug)]
pub(super) struct OpenCall {
    span: Span,
    constructor: bool,
    /// The last identifier or type seen as a direct child.
    name: Span,
    /// Where the text before the name ends, at the last dot seen as a direct child.
    receiver_end: u32,
    /// Number of calls taken down before this one was entered.
    calls_before: usize,
    /// Its place among the calls; none until its arguments are reached.
    place: Option<usize>,
    asserts: bool,
}

impl OpenCall {
    pub(super) fn new(node: Node, constructor: bool, calls_before: usize) -> Self {
        let span = span(node);
        let name = Span { start: span.start, end: span.start };
        Self { span, constructor, name, receiver_end: span.start, calls_before, place: None, asserts: false }
    }

    /// A direct child of the kind that names this call: the last one before the arguments is the name.
    pub(super) fn named_by(&mut self, node: Node, is_type: bool) {
        if self.place.is_none() && is_type == self.constructor {
            self.name = span(node);
        }
    }

    pub(super) fn dot_at(&mut self, node: Node) {
        if self.place.is_none() {
            self.receiver_end = node.start_byte() as u32;
        }
    }

    /// Whether the walk is still in what stands before the call's name.
    fn is_before_name(&self) -> bool {
        self.place.is_none()
    }

    pub(super) fn asserts(&self) -> bool {
        self.asserts
    }

    fn call(&self, owner: Option<u32>, arguments: u32, in_assertion: bool, text: &str) -> Call {
        let written = self.name.of(text);
        let receiver = Span { start: self.span.start, end: self.receiver_end }.of(text);
        let (receiver, name) = if self.constructor {
            let (scope, name) = simple_type_name(written);
            (if scope.is_empty() { receiver } else { scope }, name)
        } else {
            (receiver, written)
        };
        let receiver = beginning(receiver.trim_end(), MAX_RECEIVER);
        Call {
            owner,
            name: name.into(),
            receiver: receiver.into(),
            arguments,
            span: self.span,
            constructor: self.constructor,
            in_assertion,
        }
    }
}

/// `a.b.Foo<X>` as `a.b` and `Foo`.
fn simple_type_name(written: &str) -> (&str, &str) {
    let mut depth = 0_u32;
    let mut name_end = written.len();
    for (at, byte) in written.bytes().enumerate().rev() {
        match byte {
            b'>' => depth += 1,
            b'<' => {
                depth = depth.saturating_sub(1);
                name_end = if depth == 0 { at } else { name_end };
            }
            b'.' if depth == 0 => {
                let name = written.get(at + 1..name_end).unwrap_or_default();
                return (written.get(..at).unwrap_or_default().trim_end(), name.trim());
            }
            _ => {}
        }
    }
    ("", written.get(..name_end).unwrap_or(written).trim())
}

/// The calls and assertions of the whole file.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// All calls in the order of their names.
    pub(super) calls: Vec<Call>,
    /// Outermost assertions in source order.
    pub(super) assertions: Vec<Assertion>,
    /// How many assertions the walk is inside of.
    pub(super) open_assertions: u32,
}

impl Taken {
    /// Takes down the last of the open calls, whose arguments the walk has reached. `open_calls` yields the
    /// calls that the walk is in, from the innermost outwards.
    pub(super) fn arguments<'a>(
        &mut self,
        node: Node,
        owner: Option<u32>,
        mut open_calls: impl Iterator<Item = &'a mut OpenCall>,
        text: &str,
    ) {
        let Some(own) = open_calls.next() else { return };
        let call = own.call(owner, node.named_child_count() as u32, self.open_assertions > 0, text);
        own.place = Some(self.calls.len());
        let asserts = self.open_assertions == 0 && !own.constructor && is_assertion(&call.name);
        let name = if asserts { call.name.clone() } else { CompactString::default() };
        self.calls.push(call);
        if asserts {
            // In `assertThat(x).isEqualTo(y)` the assertion is the outermost call whose receiver holds this.
            let outer = open_calls.take_while(|call| call.is_before_name()).last().unwrap_or(own);
            outer.asserts = true;
            self.open_assertions += 1;
            let before = outer.calls_before;
            self.calls.iter_mut().skip(before).for_each(|call| call.in_assertion = true);
            self.assertion(name, outer.span);
        }
    }

    /// Notes an outermost assertion; it swallows those in it that were seen first (`f(assertX()).verify()`).
    pub(super) fn assertion(&mut self, name: CompactString, span: Span) {
        while self.assertions.last().is_some_and(|last| last.span.start >= span.start) {
            self.assertions.pop();
        }
        self.assertions.push(Assertion { name, span });
    }

    /// A comment among the arguments of this call is no argument.
    pub(super) fn aside_among_arguments(&mut self, call: &OpenCall) {
        if let Some(call) = call.place.and_then(|place| self.calls.get_mut(place)) {
            call.arguments = call.arguments.saturating_sub(1);
        }
    }
}

/// Whether a method of this name checks something, by the names of JUnit, TestNG, AssertJ, Hamcrest, Truth,
/// Mockito, EasyMock and the helpers that projects name after them.
fn is_assertion(name: &str) -> bool {
    if name.starts_with("assert") {
        return true;
    }
    ["fail", "verify", "expect"]
        .iter()
        .any(|word| name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_names_of_types() {
        assert_eq!(simple_type_name("Foo"), ("", "Foo"));
        assert_eq!(simple_type_name("Foo<a.B<C>>"), ("", "Foo"));
        assert_eq!(simple_type_name("a.b.Foo<>"), ("a.b", "Foo"));
        assert_eq!(simple_type_name("Outer<a.X>.Inner<Y>"), ("Outer<a.X>", "Inner"));
        assert_eq!(simple_type_name(""), ("", ""));
    }

    #[test]
    fn names_of_assertions() {
        for name in ["assertEquals", "assert_", "fail", "failNotEquals", "verify", "verifyNoMore", "expect"] {
            assert!(is_assertion(name), "{name}");
        }
        for name in ["failing", "verifyer", "expected", "isEqualTo", "check"] {
            assert!(!is_assertion(name), "{name}");
        }
    }
}
