//! Calls, composite literals and what they check.

use super::assertions::{Meaning, is_expectation};
use super::walk::{Entered, Walk, span};
use crate::outline::beginning;
use crate::{Assertion, Call, Span};
use trefoil_syntax::Node;

/// Longest text of a receiver (see [`Call::receiver`]) and longest name of an assertion.
const RECEIVER_BYTES: usize = 80;

/// From an `if` down to a call that is a statement of its block: block, statements, statement, call.
const LEVELS_TO_STATEMENT: u32 = 4;

const PREDECLARED_TYPES: [&str; 22] = [
    "any",
    "bool",
    "byte",
    "comparable",
    "complex128",
    "complex64",
    "error",
    "float32",
    "float64",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "rune",
    "string",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// What is called or made: the text before the name, the name, and where the name ends.
#[derive(Clone, Copy)]
struct Callee<'t> {
    receiver: &'t str,
    name: &'t str,
    end: u32,
}

impl<'t> Walk<'t> {
    /// Answers where the arguments start.
    pub(super) fn call(&mut self, node: Node<'t>) -> usize {
        let parts = (node.child(0), node.last_child());
        let (Some(callee), Some(arguments)) = parts else { return node.end_byte() };
        if callee.kind_id() != self.kinds.function_literal {
            let callee = self.callee(callee);
            let count = self.count(arguments);
            if self.in_test_file {
                self.check(node, callee, arguments, count);
            }
            self.take(node, callee, count, false);
        }
        arguments.start_byte()
    }

    pub(super) fn conversion(&mut self, node: Node<'t>) {
        if let Some(type_) = node.child(0) {
            let callee = self.callee(type_);
            self.take(node, callee, 1, false);
        }
    }

    /// Answers where the elements start. Only a type that has a name is constructed, no slice or map.
    pub(super) fn composite(&mut self, node: Node<'t>) -> usize {
        let parts = (node.child(0), node.last_child());
        let (Some(type_), Some(elements)) = parts else { return node.end_byte() };
        let id = type_.kind_id();
        if [self.kinds.type_identifier, self.kinds.qualified_type, self.kinds.generic_type].contains(&id) {
            let type_ = if id == self.kinds.generic_type { type_.child(0).unwrap_or(type_) } else { type_ };
            let callee = self.callee(type_);
            let count = self.count(elements);
            self.take(node, callee, count, true);
        }
        elements.start_byte()
    }

    fn take(&mut self, node: Node<'t>, callee: Callee<'t>, arguments: u32, constructor: bool) {
        let call = Call {
            owner: self.scope.callable,
            name: callee.name.into(),
            receiver: beginning(callee.receiver, RECEIVER_BYTES).into(),
            arguments,
            span: span(node),
            constructor,
            in_assertion: self.open_assertions > 0,
        };
        self.calls.push((callee.end, call));
    }

    /// A callee that is no name (`table[0](x)`, `make()(x)`, `[]byte(x)`) is a receiver without one.
    fn callee(&self, mut node: Node<'t>) -> Callee<'t> {
        let kinds = self.kinds;
        let mut id = node.kind_id();
        while id == kinds.parenthesized
            && let Some(inner) = node.named_child(0)
        {
            (node, id) = (inner, inner.kind_id());
        }
        if (id == kinds.index || id == kinds.generic_type)
            && let Some(generic) = node.child(0)
            && is_type_argument(self.brackets(generic, node))
        {
            (node, id) = (generic, generic.kind_id());
        }
        let end = node.end_byte() as u32;
        let text = self.text_of(node);
        if id == kinds.identifier || id == kinds.type_identifier {
            return Callee { receiver: "", name: text, end };
        }
        if (id == kinds.selector || id == kinds.qualified_type)
            && let Some((receiver, name)) = text.rsplit_once('.')
        {
            // What stands between dot and name may be a comment.
            let last = || node.last_child().map(|last| self.text_of(last));
            let name = if name.bytes().any(|byte| byte.is_ascii_whitespace()) {
                last().unwrap_or(name)
            } else {
                name
            };
            return Callee { receiver: receiver.trim_end(), name, end };
        }
        Callee { receiver: text, name: "", end }
    }

    /// What `whole` has in brackets behind `name`.
    fn brackets(&self, name: Node, whole: Node) -> &'t str {
        let behind = self.text.get(name.end_byte()..whole.end_byte()).unwrap_or_default().trim();
        behind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default()
    }

    fn count(&mut self, list: Node<'t>) -> u32 {
        let count = list.named_child_count() as u32;
        if count == 0 || list.start_position().row == list.end_position().row {
            return count;
        }
        let comment = self.kinds.comment;
        let is_argument = |node: &Node| node.is_named() && node.kind_id() != comment;
        list.children().filter(is_argument).count() as u32
    }

    fn check(&mut self, node: Node<'t>, callee: Callee<'t>, arguments: Node<'t>, count: u32) {
        let Callee { receiver, name, .. } = callee;
        let first = self.text.get(arguments.start_byte() + 1..arguments.end_byte()).unwrap_or_default();
        match self.checks.meaning(receiver, name, first, count, self.scope.receiver) {
            Meaning::Nothing => {}
            Meaning::Subtest => {
                if let Some(test) = self.scope.test {
                    self.of_tests.subtests.push((test, self.open_loops > 0));
                }
            }
            Meaning::Assertion => self.assertion(span(node), callee),
            Meaning::Failure => self.failure(span(node), callee),
        }
    }

    fn assertion(&mut self, whole: Span, callee: Callee<'t>) {
        self.note(whole, callee);
        self.open_assertions += 1;
        self.push(Entered::Assertion);
    }

    /// `if got != want { t.Errorf(…) }` asserts as a whole, what follows its `else` included: what is called
    /// in its condition is checked by it.
    fn failure(&mut self, whole: Span, callee: Callee<'t>) {
        let Some((calls, around)) = self.condition() else { return self.assertion(whole, callee) };
        self.calls.iter_mut().skip(calls).for_each(|(_, call)| call.in_assertion = true);
        self.note(around, callee);
        self.open_assertions += 1;
    }

    /// The `if` of which the call at the cursor is a statement, if no assertion is around it yet: how many
    /// calls came before it, and where it lies. It is an assertion from now on.
    fn condition(&mut self) -> Option<(usize, Span)> {
        let is_if =
            |entered: &(u32, Entered), depth| entered.0 == depth && matches!(entered.1, Entered::If { .. });
        let mut depth = self.depth.checked_sub(LEVELS_TO_STATEMENT).filter(|_| self.open_assertions == 0)?;
        let mut at = self.entered.len().checked_sub(1).filter(|&at| is_if(&self.entered[at], depth))?;
        // `else if` stands directly in the `if` before it.
        while depth > 0 && at > 0 && is_if(&self.entered[at - 1], depth - 1) {
            (at, depth) = (at - 1, depth - 1);
        }
        match self.entered.get_mut(at) {
            Some((_, Entered::If { calls, span, asserts })) => {
                *asserts = true;
                Some((*calls, *span))
            }
            _ => None,
        }
    }

    /// Lists an assertion of the test around, unless another is around it; those inside it are none then.
    fn note(&mut self, whole: Span, callee: Callee<'t>) {
        let Some(test) = self.scope.test.filter(|_| self.open_assertions == 0) else { return };
        let assertions = &mut self.of_tests.assertions;
        while assertions.pop_if(|(_, inner)| inner.span.start >= whole.start).is_some() {}
        assertions.push((
            test,
            Assertion { name: asserting_name(callee.receiver, callee.name).into(), span: whole },
        ));
    }
}

/// `assert.Equal`, `t.Errorf`; of a chain what it begins with (`Expect(x).To(…)`), unless that only hands out
/// what has the checks (`s.Require().Equal(…)`).
fn asserting_name(receiver: &str, name: &str) -> String {
    let name = match receiver.split_once('(') {
        Some((root, _)) if is_expectation(root) => root.to_owned(),
        None if !receiver.is_empty() => format!("{}.{name}", beginning(receiver, RECEIVER_BYTES)),
        _ => name.to_owned(),
    };
    beginning(&name, RECEIVER_BYTES).to_owned()
}

/// Whether what stands in the brackets behind a name is a type: `Map[int](x)` and `handlers[i](x)` look the
/// same otherwise. Types of other packages and exported ones begin with a capital letter.
fn is_type_argument(text: &str) -> bool {
    let first = text.split(',').next().unwrap_or_default().trim();
    let Some(start) = first.bytes().next() else { return false };
    let last = first.rsplit('.').next().unwrap_or_default();
    let composed =
        ["map[", "func(", "chan ", "struct{", "interface{"].iter().any(|word| first.starts_with(word));
    composed
        || matches!(start, b'*' | b'[')
        || PREDECLARED_TYPES.contains(&first)
        || last.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_brackets_are_told_from_indices() {
        for text in ["int", "string, int", "*T", "[]byte", "pkg.Type", "T", "map[string]int", "any"] {
            assert!(is_type_argument(text), "{text}");
        }
        for text in ["0", "i", "len(x)-1", "\"key\"", "pkg.index", ""] {
            assert!(!is_type_argument(text), "{text}");
        }
    }

    #[test]
    fn assertions_are_named_as_they_are_written() {
        assert_eq!(asserting_name("assert", "Equal"), "assert.Equal");
        assert_eq!(asserting_name("", "checkSize"), "checkSize");
        assert_eq!(asserting_name("s.Require()", "Equal"), "Equal");
        assert_eq!(asserting_name("s.T()", "Errorf"), "Errorf");
        assert_eq!(asserting_name("g.Expect(x, y(1))", "To"), "g.Expect");
    }
}
