//! Blocks: calls that hand code to a test framework.
//!
//! `describe`, `it`, `beforeEach` and their kin are ordinary functions; what makes a block of a call is its
//! name, a function among its arguments, and its place: a file of tests, or the top level of any file.

use super::calls::Callee;
use super::names::{Named, cut, trimmed};
use super::walk::{Extent, Open, Walk, What, Whole};
use crate::{CallableKind, RegionKind, Role, Span, TestKind};
use trefoil_syntax::Node;

/// Most arguments that are looked at for a title and a function.
const MAX_ARGUMENTS: usize = 4;

/// Most expressions and functions around a test that are looked at for a loop.
const MAX_AROUND: usize = 20;

/// What is known of a test while the walk is in it.
pub(super) struct TestFacts {
    pub(super) callable: u32,
    pub(super) kind: TestKind,
    pub(super) disabled: bool,
    /// The first parameter of its function: `t`, `assert`, `done`.
    pub(super) handle: String,
}

/// What the name of a block says.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Word {
    role: Role,
    disabled: bool,
    /// Once per row of a table.
    repeated: bool,
    /// It is called with a table or a condition first.
    called: bool,
    /// QUnit's modules may go without a function.
    module: bool,
}

/// The arguments of a block.
#[derive(Default)]
struct Parts<'tree> {
    title: Option<Node<'tree>>,
    function: Option<Node<'tree>>,
    options: Option<Node<'tree>>,
}

impl Walk<'_> {
    /// Whether the call is a block; if so, it is declared.
    pub(super) fn block(
        &mut self,
        node: Node,
        function: Node,
        callee: Callee,
        arguments: Node,
        depth: u32,
    ) -> bool {
        if self.test.is_some() {
            self.subtest(callee, arguments);
            return false;
        }
        // `it.each(table)('title', …)` calls what a call gave.
        let table = callee.name.is_empty() && function.kind_id() == self.grammar.call;
        if !table && !is_word(callee.name) {
            return false;
        }
        let named = if table { function.child(0) } else { Some(function) };
        let Some(path) = named.and_then(|named| self.left_side(named)) else { return false };
        let Some(word) = word(path) else { return false };
        if word.called != table || !self.place_allows(word) {
            return false;
        }
        let parts = self.parts(arguments);
        let whole = self.whole(node, depth);
        if word.module && whole.depth == self.whole.depth && whole.span == self.whole.span {
            self.end_flat_module(whole);
            if parts.function.is_none() {
                return parts.title.is_some() && self.flat_module(node, parts, whole);
            }
        }
        if parts.function.is_none() {
            return false;
        }
        if word.role == Role::TestClass && parts.title.is_none() {
            return false;
        }
        if table {
            self.taken = Some(function.id());
        }
        self.declare_block(node, path, word, parts, whole);
        self.enter_declaration(depth);
        if word.role == Role::Test {
            self.test = self.innermost;
        }
        true
    }

    /// In files that are no test files by their path only the top level counts, and what is in its blocks.
    fn place_allows(&self, word: Word) -> bool {
        match self.innermost_kind() {
            Some(CallableKind::Block) => true,
            _ if self.in_test_file => true,
            None => self.unnamed == 0 && matches!(word.role, Role::Test | Role::TestClass),
            Some(_) => false,
        }
    }

    /// `t.test('part', …)` or `test('part', …)` inside of a test.
    fn subtest(&mut self, callee: Callee, arguments: Node) {
        if let Some(test) = self.tests.last_mut()
            && callee.name == "test"
            && (callee.receiver.is_empty() || callee.receiver == test.handle)
            && arguments.named_child_count() > 1
            && test.kind == TestKind::Plain
        {
            test.kind = TestKind::Subtests;
        }
    }

    fn parts<'tree>(&mut self, arguments: Node<'tree>) -> Parts<'tree> {
        let grammar = self.grammar;
        let (mut parts, mut first) = (Parts::default(), true);
        for child in arguments.named_children().take(MAX_ARGUMENTS) {
            let kind = child.kind_id();
            if kind == grammar.comment {
                continue;
            }
            if grammar.is_function_value(kind) {
                parts.function = parts.function.or(Some(child));
            } else if kind == grammar.object {
                parts.options = parts.options.or(Some(child));
            } else if first {
                parts.title = Some(child);
            } else if kind == grammar.call && parts.function.is_none() {
                // `it('…', inject(function () {…}))`
                let list = child.last_child();
                let last = list.and_then(|list| list.named_children().last());
                parts.function = last.filter(|last| grammar.is_function_value(last.kind_id()));
            }
            first = false;
        }
        parts
    }

    fn declare_block(&mut self, node: Node, path: &str, word: Word, parts: Parts, whole: Whole) {
        let around = self.innermost.and_then(|index| self.extents.get(index as usize));
        let Extent { disabled, repeated, .. } = around.copied().unwrap_or_default();
        let disabled = disabled || word.disabled || self.options_skip(parts.options);
        let repeated = repeated || word.repeated || self.in_loop();
        let mut header = parts.function.map(|function| self.header(function)).unwrap_or_default();
        // A block has no decorators before it and no name but its title.
        header.start = whole.span.start;
        let handle = header.parameters.first().map(|parameter| parameter.name.clone()).unwrap_or_default();
        let name = match parts.title {
            Some(title) => self.title(title),
            None => cut(path.rsplit('.').find(|word| role(word).is_some()).unwrap_or(path)).to_owned(),
        };
        let body = header.body;
        let named = Named { name, whole, ..Named::default() };
        let callable = self.declare(CallableKind::Block, named, header, node);
        if let Some(declared) = self.outline.callables.last_mut() {
            declared.role = word.role;
            if body.is_none() {
                declared.signature = trimmed(self.text, declared.span.start, declared.span.end);
            }
        }
        if let Some(extent) = self.extents.last_mut() {
            (extent.disabled, extent.repeated) = (disabled, repeated);
        }
        if word.role == Role::Test {
            let kind = if repeated { TestKind::Parametrised } else { TestKind::Plain };
            self.tests.push(TestFacts { callable, kind, disabled, handle });
        }
        self.name_hooks(word, parts.options, whole);
    }

    /// `QUnit.module('title', { beforeEach() {…} })`
    fn name_hooks(&mut self, word: Word, options: Option<Node>, whole: Whole) {
        if let Some(options) = options.filter(|_| word.module) {
            self.name_value(options, Named { hooks: true, whole, ..Named::default() });
        }
    }

    /// The module that holds the statements before this one ends with them.
    fn end_flat_module(&mut self, whole: Whole) {
        let list = whole.depth.saturating_sub(2);
        let inner = self.open.iter().rev().take_while(|open| open.depth > list).count();
        let at = self.open.len() - inner;
        if let Some(before) = at.checked_sub(1)
            && matches!(self.open.get(before), Some(Open { depth, what: What::Module { .. } }) if *depth == list)
        {
            let statement: Vec<Open> = self.open.drain(at..).collect();
            if let Some(Open { what: What::Module { end }, .. }) = self.open.last_mut() {
                *end = whole.span.start;
            }
            self.close();
            self.open.extend(statement);
        }
    }

    /// `QUnit.module('title')` without a function holds what follows it, up to the next one or to the end of
    /// the statements that it stands among.
    fn flat_module(&mut self, node: Node, parts: Parts, whole: Whole) -> bool {
        let depth = whole.depth.saturating_sub(2);
        while self.open.last().is_some_and(|open| open.depth > depth) {
            self.close();
        }
        if self
            .outline
            .regions
            .last()
            .is_some_and(|last| last.kind == RegionKind::GlobalCode && last.span.start == whole.span.start)
        {
            self.outline.regions.pop();
        }
        self.uses_qunit = true;
        self.declare_block(node, "module", MODULE, parts, whole);
        let list = self.around.get(depth as usize).map_or(0, |(end, _)| *end);
        let closed = self.text.as_bytes().get(list.saturating_sub(1)) == Some(&b'}') && depth > 0;
        let end = (list - usize::from(closed)) as u32;
        self.open.push(Open { depth, what: What::Module { end } });
        true
    }

    /// Gives the innermost module its end.
    pub(super) fn end_module(&mut self, end: u32) {
        let text = self.text;
        let Some(module) = self.innermost.and_then(|index| self.outline.callables.get_mut(index as usize))
        else {
            return;
        };
        let Span { start, end } = trimmed(text, module.span.start, end);
        module.span.end = end.max(module.span.end);
        let breaks =
            Span { start, end: module.span.end }.of(text).bytes().filter(|&byte| byte == b'\n').count();
        module.lines.last = module.lines.first + breaks as u32;
    }

    /// `{ skip: true }` of `node:test` and Vitest.
    fn options_skip(&self, options: Option<Node>) -> bool {
        let grammar = self.grammar;
        let Some(options) = options else { return false };
        let is_skip = |pair: Node| {
            let key = pair.child_by_field_id(grammar.key)?;
            let value = pair.child_by_field_id(grammar.value)?;
            Some(matches!(self.text_of(key), "skip" | "todo") && self.text_of(value) == "true")
        };
        options.named_children().take(MAX_ARGUMENTS).any(|pair| is_skip(pair).unwrap_or_default())
    }

    /// Whether a loop or `forEach` lies between the cursor and the block around.
    fn in_loop(&self) -> bool {
        let inner = self.open.iter().rev().take_while(|open| !matches!(open.what, What::Declared { .. }));
        inner.take(MAX_AROUND).any(|open| matches!(open.what, What::Loop))
    }
}

/// QUnit's module.
const MODULE: Word =
    Word { role: Role::TestClass, disabled: false, repeated: false, called: false, module: true };

/// Whether the last word of a path may make a block of a call.
fn is_word(name: &str) -> bool {
    let modifier =
        matches!(name, "module" | "skip" | "todo" | "only" | "concurrent" | "sequential" | "serial");
    modifier
        || matches!(name, "parallel" | "shuffle" | "always" | "failing" | "fails" | "cb")
        || role(name).is_some()
}

/// What a called path says: `describe`, `it.only`, `QUnit.test`, `test.each`.
fn word(path: &str) -> Option<Word> {
    let mut parts = path.split('.').map(str::trim);
    let mut first = parts.next()?;
    let scoped = matches!(first, "QUnit" | "tap" | "lab" | "mocha" | "vitest" | "jasmine");
    if scoped {
        first = parts.next()?;
    }
    let mut word = match (role(first), first) {
        (Some(role), _) => {
            Word { role, disabled: first.starts_with('x'), repeated: false, called: false, module: false }
        }
        (None, "module") => MODULE,
        // `QUnit.skip('title', …)`
        (None, "skip" | "todo" | "only") if scoped => Word {
            role: Role::Test,
            disabled: first != "only",
            repeated: false,
            called: false,
            module: false,
        },
        // `hooks.beforeEach(…)`, `suite.before(…)`: a hook of anything.
        (None, _) if !scoped => {
            let hook = parts.next()?;
            let role = role(hook).filter(|role| matches!(role, Role::Setup | Role::Teardown))?;
            let word = Word { role, disabled: false, repeated: false, called: false, module: false };
            return parts.next().is_none().then_some(word);
        }
        _ => return None,
    };
    for part in parts {
        match part {
            "only" | "concurrent" | "sequential" | "serial" | "parallel" | "shuffle" | "always"
            | "failing" | "fails" | "cb" => {}
            "skip" | "todo" => word.disabled = true,
            "each" | "for" => (word.repeated, word.called) = (true, true),
            "skipIf" | "runIf" | "if" => word.called = true,
            // `test.describe`, `test.before`: the last word tells what it is.
            _ => word.role = role(part)?,
        }
    }
    Some(word)
}

fn role(word: &str) -> Option<Role> {
    Some(match word {
        "describe" | "context" | "suite" | "xdescribe" | "fdescribe" | "xcontext" | "fcontext" => {
            Role::TestClass
        }
        "it" | "test" | "specify" | "xit" | "fit" | "xtest" | "xspecify" | "tape" => Role::Test,
        "before" | "beforeEach" | "beforeAll" | "setup" | "suiteSetup" => Role::Setup,
        "after" | "afterEach" | "afterAll" | "teardown" | "suiteTeardown" => Role::Teardown,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_role_and_more() {
        let told = |path| word(path).map(|word| (word.role, word.disabled, word.repeated));
        assert_eq!(told("it"), Some((Role::Test, false, false)));
        assert_eq!(told("describe.skip"), Some((Role::TestClass, true, false)));
        assert_eq!(told("xit"), Some((Role::Test, true, false)));
        assert_eq!(told("test.concurrent.each"), Some((Role::Test, false, true)));
        assert_eq!(told("QUnit.module"), Some((Role::TestClass, false, false)));
        assert_eq!(told("QUnit.skip"), Some((Role::Test, true, false)));
        assert_eq!(told("test.beforeEach"), Some((Role::Setup, false, false)));
        assert_eq!(told("hooks.afterEach"), Some((Role::Teardown, false, false)));
        for path in
            ["regex.test", "app.use", "it.foo", "QUnit.start", "describeAll", "a.b.before", "test.step"]
        {
            assert_eq!(told(path), None, "{path}");
        }
    }
}
