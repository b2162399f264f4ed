//! Calls and assertions.

use super::kinds::Kinds;
use super::walk::{Entered, Holder, Walk, span};
use crate::outline::beginning;
use crate::{Assertion, Call};
use trefoil_syntax::Node;

/// Longest text of a receiver (see [`Call::receiver`]).
const RECEIVER_BYTES: usize = 80;

/// Functions of pytest that check something and have no telling name.
const PYTEST_CHECKS: [&str; 4] = ["raises", "warns", "deprecated_call", "fail"];

impl<'t> Walk<'t> {
    pub(super) fn call(&mut self, node: Node<'t>, arguments: Option<Node<'t>>) {
        let Some(callee) = node.child(0) else { return };
        let (receiver, name) = receiver_and_name(self.kinds, self.text, callee);
        if let Some(asserting) = assertion_name(receiver, name) {
            self.assertion(node, asserting);
        }
        let call = Call {
            owner: self.runner(),
            name: name.into(),
            receiver: beginning(receiver, RECEIVER_BYTES).into(),
            arguments: arguments.map_or(0, |list| self.arguments(list)),
            span: span(node),
            // There is no `new`: that a name in capitals is a class is convention only.
            constructor: name.starts_with(char::is_uppercase),
            in_assertion: self.open_assertions > 0,
        };
        self.calls.push((callee.end_byte() as u32, call));
    }

    /// What runs the code at the cursor. A class runs its own statements; decorators, bases, defaults and
    /// annotations of its members are none of them.
    fn runner(&self) -> Option<u32> {
        let around = std::iter::once(&self.scope).chain(self.outer.iter().rev());
        let mut around = around.skip_while(|scope| scope.holder == Holder::Class && scope.headers > 0);
        around.next().and_then(|scope| scope.callable)
    }

    fn arguments(&mut self, list: Node<'t>) -> u32 {
        if list.kind_id() != self.kinds.argument_list {
            // `f(x for x in y)`: the generator is the only argument and has no list around it.
            return u32::from(list.is_named());
        }
        if list.start_position().row == list.end_position().row {
            return list.named_child_count() as u32;
        }
        let comment = self.kinds.comment;
        let is_argument = |node: &Node| node.is_named() && node.kind_id() != comment;
        list.children().filter(is_argument).count() as u32
    }

    pub(super) fn assert_statement(&mut self, node: Node<'t>) {
        self.simple_statement(node);
        self.assertion(node, "assert");
    }

    /// `with pytest.raises(…):` and its like assert with their whole body.
    pub(super) fn with_statement(&mut self, node: Node<'t>) {
        let (kinds, text) = (self.kinds, self.text);
        let clause = node.children().find(|child| child.kind_id() == kinds.with_clause);
        let Some(clause) = clause else { return };
        let items: Vec<Node> = clause.children().filter_map(|item| item.named_child(0)).collect();
        items.into_iter().for_each(|item| self.bind_with(item));
        let asserting = clause.children().filter(Node::is_named).find_map(|item| {
            let mut value = item.named_child(0)?;
            if value.kind_id() == kinds.as_pattern {
                value = value.named_child(0)?;
            }
            let callee = if value.kind_id() == kinds.call { value.child(0)? } else { return None };
            let (receiver, name) = receiver_and_name(kinds, text, callee);
            assertion_name(receiver, name)
        });
        if let Some(asserting) = asserting {
            self.assertion(node, asserting);
        }
    }

    /// Only the outermost assertion counts as one of the test.
    fn assertion(&mut self, node: Node<'t>, name: &str) {
        if self.open_assertions == 0
            && let Some(test) = self.scope.test
        {
            self.assertions.push((test, Assertion { name: name.into(), span: span(node) }));
        }
        self.open_assertions += 1;
        self.push(Entered::Assertion);
    }
}

/// A callee that is no name (`table[0](x)`, `make()(x)`) is a receiver without one.
fn receiver_and_name<'t>(kinds: &Kinds, text: &'t str, callee: Node) -> (&'t str, &'t str) {
    let text = span(callee).of(text);
    let id = callee.kind_id();
    if id == kinds.attribute {
        let (receiver, name) = text.rsplit_once('.').unwrap_or(("", text));
        (receiver.trim_end(), name.trim_matches(|c: char| c.is_whitespace() || c == '\\'))
    } else if id == kinds.identifier {
        ("", text)
    } else {
        (text, "")
    }
}

/// The name that an asserting call goes by, if it is one: `self.assertEqual`, `np.testing.assert_equal`,
/// `assert_that(x).is_equal_to(y)`, `self.fail`, `pytest.raises`.
fn assertion_name<'a>(receiver: &'a str, name: &'a str) -> Option<&'a str> {
    if is_assert(name) {
        return Some(name);
    }
    if is_assert(receiver) {
        return receiver.split(['(', '.', '[']).next().filter(|root| root.len() < receiver.len());
    }
    if receiver == "self" {
        return Some(name)
            .filter(|name| *name == "fail" || name.starts_with("failUnless") || name.starts_with("failIf"));
    }
    let check = PYTEST_CHECKS.iter().position(|check| *check == name)?;
    match (receiver, check) {
        ("pytest", 0) => Some("pytest.raises"),
        ("pytest", 1) => Some("pytest.warns"),
        ("pytest", 2) => Some("pytest.deprecated_call"),
        ("pytest", 3) => Some("pytest.fail"),
        // `from pytest import raises`; `warns` and `fail` alone mean too many things.
        ("", 0) => Some("raises"),
        _ => None,
    }
}

/// `assert` followed by a new word: `assertion_count` and `asserts` are none.
fn is_assert(name: &str) -> bool {
    let rest = name.strip_prefix("assert").and_then(|rest| rest.chars().next());
    rest.is_some_and(|next| next == '_' || next.is_uppercase())
}
