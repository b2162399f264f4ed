//! Calls and assertions.

use super::names::squeezed;
use super::walk::{Open, Walk, What, span};
use crate::outline::beginning;
use crate::{Assertion, Call, Span};
use trefoil_syntax::Node;

/// Longest receiver that is kept, in bytes.
const MAX_RECEIVER: usize = 80;

/// Methods that run the function that they are given once per item.
const LOOPS: [&str; 3] = ["forEach", "map", "each"];

/// Functions of QUnit 1 and of `node:assert` that are called by their own name.
const BARE: [&str; 11] = [
    "ok",
    "equal",
    "notEqual",
    "deepEqual",
    "notDeepEqual",
    "strictEqual",
    "notStrictEqual",
    "deepStrictEqual",
    "throws",
    "rejects",
    "fail",
];

/// Methods by which AVA, tape and tap check something; those of `assert` need no list.
const CHECKS: [&str; 44] = [
    "is",
    "not",
    "equal",
    "equals",
    "notEqual",
    "notEquals",
    "same",
    "notSame",
    "strictSame",
    "match",
    "notMatch",
    "deepEqual",
    "notDeepEqual",
    "deepEquals",
    "deepLooseEqual",
    "notDeepLooseEqual",
    "looseEqual",
    "strictEqual",
    "notStrictEqual",
    "deepStrictEqual",
    "like",
    "ok",
    "notOk",
    "ok",
    "true",
    "false",
    "truthy",
    "falsy",
    "assert",
    "throws",
    "throwsAsync",
    "notThrows",
    "notThrowsAsync",
    "doesNotThrow",
    "rejects",
    "doesNotReject",
    "resolves",
    "snapshot",
    "regex",
    "notRegex",
    "has",
    "type",
    "error",
    "fail",
];

/// What is called.
#[derive(Clone, Copy)]
pub(super) struct Callee<'text> {
    pub(super) receiver: &'text str,
    pub(super) name: &'text str,
    name_start: u32,
    name_end: u32,
}

impl<'text> Walk<'text> {
    pub(super) fn call(&mut self, node: Node, depth: u32) {
        let Some(function) = node.child(0) else { return };
        let arguments = node.last_child();
        let Some(arguments) = arguments.filter(|list| list.kind_id() == self.grammar.arguments) else {
            return; // A tagged template.
        };
        self.own_mark = Some(arguments.start_byte());
        let callee = self.callee(function);
        if self.block(node, function, callee, arguments, depth)
            || (self.taken == Some(node.id()) && is_table(callee))
        {
            return;
        }
        if self.in_tests() {
            self.assertion_call(node, callee);
            if LOOPS.contains(&callee.name) {
                self.open.push(Open { depth, what: What::Loop });
            }
        }
        if callee.name == "import" || super::modules::loads(callee.receiver, callee.name) {
            self.bare_require(node);
        }
        self.uses_qunit |= callee.receiver == "QUnit";
        self.defined_property(node, callee, arguments, depth);
        self.note_call(node, callee, arguments.named_child_count(), false, depth);
    }

    /// `new Foo(…)`
    pub(super) fn creation(&mut self, node: Node, depth: u32) {
        let Some(class) = node.child_by_field_id(self.grammar.constructor) else { return };
        let callee = self.callee(class);
        let last = node.last_child();
        let arguments = last.filter(|list| list.kind_id() == self.grammar.arguments);
        self.own_mark = arguments.map(|list| list.start_byte());
        let arguments = arguments.map_or(0, |list| list.named_child_count());
        self.note_call(node, callee, arguments, true, depth);
    }

    fn note_call(&mut self, node: Node, callee: Callee, arguments: usize, constructor: bool, depth: u32) {
        let receiver = callee.receiver;
        let call = Call {
            owner: self.innermost,
            name: callee.name.into(),
            receiver: beginning(receiver, MAX_RECEIVER).into(),
            arguments: arguments as u32,
            span: span(node),
            constructor,
            in_assertion: false,
        };
        if arguments > 0 {
            self.open.push(Open { depth, what: What::Call(self.calls.len()) });
        }
        self.calls.push((callee.name_end, call));
    }

    /// A callee that is no name (`table[0](x)`, `make()(x)`) is a receiver without one.
    fn callee(&self, function: Node) -> Callee<'text> {
        let grammar = self.grammar;
        let kind = function.kind_id();
        let Span { start, end } = span(function);
        let text = self.text_of(function);
        if kind == grammar.member {
            // Found in the text, since looking at the children of every callee would take longer.
            let (receiver, name) = text.rsplit_once('.').unwrap_or(("", text));
            let receiver = receiver.strip_suffix('?').unwrap_or(receiver).trim_end();
            let name = name.trim_start();
            return Callee { receiver, name, name_start: end - name.len() as u32, name_end: end };
        }
        let named = kind == grammar.identifier || matches!(text, "import" | "super");
        let (receiver, name) = if named { ("", text) } else { (text, "") };
        Callee { receiver, name, name_start: start, name_end: end }
    }

    /// What stands directly among the arguments of a call and is no argument: a comment or an error.
    pub(super) fn aside(&mut self, depth: u32) {
        if let Some(Open { depth: at, what: What::Call(index) }) = self.open.last()
            && at + 2 == depth
            && let Some((_, call)) = self.calls.get_mut(*index)
        {
            call.arguments = call.arguments.saturating_sub(1);
        }
    }

    /// Whether what the cursor is at may be part of a test.
    pub(super) fn in_tests(&self) -> bool {
        self.in_test_file || self.test.is_some()
    }

    /// Where a chain of calls and members ends that `node` begins or goes on with.
    fn chain(&mut self, node: Node) -> Span {
        let own = span(node);
        if self.chain.start != own.start || !self.chain.contains(own) {
            self.chain = own;
        }
        self.chain
    }

    fn assertion_call(&mut self, node: Node, callee: Callee) {
        let chain = self.chain(node);
        if callee.name == "expect" && callee.receiver.ends_with(')') {
            // `request(app).get('/').expect(200)`: what comes before the first `expect` is set up, not checked.
            return self.assertion("expect", Span { start: callee.name_start, end: chain.end });
        }
        if let Some(name) = self.root_of_chain(node) {
            return self.assertion(&name, span(node));
        }
        let Callee { receiver, name, .. } = callee;
        if is_should(receiver) {
            return self.assertion("should", span(node));
        }
        let handle =
            self.tests.last().filter(|_| self.test.is_some()).map_or("", |test| test.handle.as_str());
        let of_handle = receiver == "t" || (!handle.is_empty() && receiver == handle);
        if of_handle && CHECKS.contains(&name) {
            self.assertion(&format!("{receiver}.{name}"), span(node));
        } else if self.test.is_some() && receiver.is_empty() && BARE.contains(&name) {
            self.assertion(name, span(node));
        }
    }

    /// `expect(x).to.be.true`, `x.should.be.ok`: a chain that ends without a call.
    pub(super) fn member(&mut self, node: Node) {
        if !self.in_tests() {
            return;
        }
        self.chain(node);
        // `assert.equal` before its arguments is part of a call that has been seen.
        let within = self.assertions.last().is_some_and(|(_, last)| last.span.contains(span(node)));
        if within {
            return;
        }
        let text = self.text_of(node);
        if text.starts_with("expect(") {
            self.assertion("expect", span(node));
        } else if text.starts_with("should(")
            || is_should(text.rsplit_once('.').map_or("", |(before, _)| before))
        {
            self.assertion("should", span(node));
        }
    }

    /// The name that an assertion goes by, if the chain begins with one that tells.
    fn root_of_chain(&self, node: Node) -> Option<String> {
        let text = self.text_of(node);
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
        let end = text.bytes().position(|byte| !fits(byte))?;
        let (root, rest) = text.split_at_checked(end)?;
        let called = rest.starts_with('(');
        let member = || {
            let name = rest.strip_prefix('.')?.split(|c: char| !c.is_ascii() || !fits(c as u8)).next()?;
            Some(name)
        };
        let is_helper = |word: &str| {
            let rest = root.strip_prefix(word)?;
            rest.starts_with(|c: char| c.is_uppercase() || c == '_').then_some(())
        };
        match root {
            "expect" | "should" if called => Some(root.to_owned()),
            "expect" => member()
                .filter(|name| !matches!(*name, "assertions" | "hasAssertions" | "extend"))
                .map(|name| format!("expect.{name}")),
            "assert" if called => Some(root.to_owned()),
            "assert" | "should" => member()
                .filter(|name| {
                    !matches!(*name, "async" | "expect" | "timeout" | "test" | "step" | "verifySteps")
                })
                .or((root == "assert" && rest.starts_with(".verifySteps")).then_some("verifySteps"))
                .map(|name| format!("{root}.{name}")),
            "chai" | "sinon" | "QUnit" | "t"
                if rest.starts_with(".assert") || rest.starts_with(".expect(") =>
            {
                Some(squeezed(text.split('(').next().unwrap_or(root)))
            }
            _ if called => {
                (is_helper("assert").is_some() || is_helper("expect").is_some()).then(|| root.to_owned())
            }
            _ => None,
        }
    }

    /// Notes an outermost assertion.
    fn assertion(&mut self, name: &str, span: Span) {
        let Some(test) = self.test.or(self.innermost) else { return };
        if let Some((_, last)) = self.assertions.last_mut() {
            if last.span.contains(span) {
                return;
            }
            // An earlier `expect` of the same chain.
            if span.start < last.span.start && span.end == last.span.end {
                last.span = span;
                return;
            }
        }
        self.assertions.push((test, Assertion { name: name.into(), span }));
    }

    /// Brings calls into the order of their names, and tells which of them stand in assertions.
    pub(super) fn finish_calls(&mut self) {
        self.calls.sort_by_key(|(name_end, _)| *name_end);
        self.assertions.sort_by_key(|(_, assertion)| (assertion.span.start, u32::MAX - assertion.span.end));
        let mut assertions = self.assertions.iter().map(|(_, assertion)| assertion.span).peekable();
        for (name_end, call) in &mut self.calls {
            while assertions.next_if(|span| span.end < *name_end).is_some() {}
            call.in_assertion = assertions.peek().is_some_and(|span| span.start < *name_end);
        }
    }
}

/// `it.each` before its table, which has been taken into account with the block.
fn is_table(callee: Callee) -> bool {
    matches!(callee.name, "each" | "for" | "skipIf" | "runIf" | "if")
}

/// Whether the text before a name goes through chai's or should.js's `should`.
fn is_should(receiver: &str) -> bool {
    let end = receiver.len();
    let tail = receiver.get(receiver.ceil_char_boundary(end.saturating_sub(40))..).unwrap_or_default();
    tail.ends_with(".should") || tail.contains(".should.")
}
