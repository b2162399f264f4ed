//! One pass over the tree of a file. The walk keeps its own stack of what it is inside of, so that the depth
//! of hostile input costs heap and not the thread's stack.

use super::bindings::Bindings;
use super::calls::{Callee, Callees, OpenCall, Taken};
use super::conditional;
use super::grammar::{Act, Grammar};
use super::header::{Header, Headers, span};
use super::marks;
use super::test_cases::is_test_attribute;
use crate::marks::Marks;
use crate::{Assertion, CallableKind, Outline, Region, RegionKind, Span};
use std::ops::Range;
use trefoil_syntax::{Node, Tree};

/// Longest qualified name. Names of nested declarations add up: at the limits of depth and size a hostile
/// file would else ask for gigabytes.
pub(super) const MAX_QUALIFIED_NAME: usize = 1_000;

/// Something that the walk is inside of, at the depth of its node.
struct Open {
    depth: u32,
    what: What,
}

enum What {
    Declaration,
    Call(OpenCall),
    Error,
}

/// What is known of a callable beside the outline.
#[derive(Clone, Debug, Default)]
pub(super) struct Extent {
    /// Its assertions among those of the file.
    pub(super) assertions: Range<usize>,
    /// An attribute of a test case says `Skip = "…"`.
    pub(super) skipped: bool,
    /// How many error nodes were open on entry.
    errors: u32,
}

/// The assertions of a file and where each callable's lie among them.
pub(super) struct Details {
    pub(super) assertions: Vec<Assertion>,
    /// One for each callable.
    pub(super) extents: Vec<Extent>,
}

/// The type that `new()` stands for: that of the declaration whose value it is.
struct Declared<'tree> {
    /// The depth at which it would stand.
    depth: u32,
    end: usize,
    written: Node<'tree>,
}

/// The outline of a tree but for roles and test cases, which need the whole file.
pub(super) fn outline(tree: &Tree, text: &str, is_test_path: bool) -> (Outline, Details) {
    let grammar = Grammar::get();
    let mut walk = Walk {
        grammar,
        text,
        headers: Headers::new(grammar, text),
        bindings: Bindings::new(grammar, text),
        callees: Callees { grammar, text },
        outline: Outline { error_count: crate::parse::Errors::of(tree).count, ..Outline::default() },
        extents: Vec::new(),
        open: Vec::new(),
        innermost: None,
        open_errors: 0,
        header_end: 0,
        declared: None,
        parent_kind: 0,
        can_hold_tests: is_test_path,
        usings_end: 0,
        taken: Taken::default(),
    };
    walk.run(tree);
    walk.finish()
}

pub(super) struct Walk<'tree, 'text> {
    pub(super) grammar: &'static Grammar,
    pub(super) text: &'text str,
    headers: Headers<'text>,
    bindings: Bindings<'text>,
    callees: Callees<'text>,
    /// For looks at a node's children.
    pub(super) outline: Outline,
    extents: Vec<Extent>,
    open: Vec<Open>,
    /// The innermost declaration.
    innermost: Option<u32>,
    open_errors: u32,
    /// End of the attributes or parameters that the walk is in: what looks like a call there is a constant.
    header_end: u32,
    declared: Option<Declared<'tree>>,
    /// Kind of the node around the cursor.
    parent_kind: u16,
    /// By its path, its using directives or an attribute seen so far: local variables are bindings too.
    pub(super) can_hold_tests: bool,
    /// End of the usings under `#if` that the walk is in, which are one region.
    pub(super) usings_end: u32,
    taken: Taken,
}

impl<'tree, 'text> Walk<'tree, 'text> {
    fn run(&mut self, tree: &'tree Tree) {
        let broken = self.outline.error_count > 0;
        let mut marks = Marks::new(self.text, &marks::SIGNS);
        let mut cursor = tree.walk();
        // For each node around the cursor: its end, how far its children are of interest, and its kind.
        let mut around: Vec<(usize, usize, u16)> = Vec::new();
        loop {
            let node = cursor.node();
            let depth = around.len() as u32;
            while self.open.last().is_some_and(|open| open.depth >= depth) {
                self.close();
            }
            let act = self.grammar.act(node.kind_id());
            self.parent_kind = around.last().map_or(0, |(.., kind)| *kind);
            let arguments = self.enter(node, act, depth);
            let mut end = node.end_byte();
            // Past the first byte, or past the word of a creation.
            let start = node.start_byte() + if act.creates() { "new".len() } else { 1 };
            let all = act.holds_members() || (act == Act::Statements && self.can_hold_tests);
            let inside = match act {
                Act::Comment | Act::Leaf => false,
                Act::Header => self.header(node) || (broken && node.has_error()),
                _ if all || (broken && node.has_error()) => true,
                _ => match arguments {
                    // The parenthesis of a call is none of a call inside.
                    Some(own) => marks.between(start, own) || marks.between(own + 1, end),
                    None => marks.between(start, end),
                },
            };
            if inside && cursor.goto_first_child() {
                around.push((end, if broken || all { usize::MAX } else { end }, node.kind_id()));
                continue;
            }
            loop {
                let interest = around.last().map_or(usize::MAX, |(_, interest, _)| *interest);
                if (interest == usize::MAX || marks.between(end, interest)) && cursor.goto_next_sibling() {
                    break;
                }
                let Some((parent_end, ..)) = around.pop() else { return };
                cursor.goto_parent();
                end = parent_end;
            }
        }
    }

    /// Takes note of a node; answers where the arguments of a call begin.
    fn enter(&mut self, node: Node<'tree>, act: Act, depth: u32) -> Option<usize> {
        match act {
            Act::Pass | Act::Leaf | Act::Directive | Act::Header | Act::Members | Act::Statements => {}
            Act::Invocation => return self.invocation(node, depth),
            Act::Creation => return self.creation(node, depth),
            Act::ImplicitCreation => self.implicit_creation(node, depth),
            Act::Type(kind) | Act::Member(kind) => self.declaration(node, kind, depth),
            Act::LocalFunction => self.declaration(node, CallableKind::Function, depth),
            Act::Field => self.member(RegionKind::Field, node),
            Act::Destructor => self.member(RegionKind::Initializer, node),
            Act::Variable => {
                self.member(RegionKind::Field, node);
                self.bindings.field(node, self.innermost);
            }
            Act::Property => {
                self.member(RegionKind::Field, node);
                self.bindings.property(node, self.innermost);
                let value = node.child_by_field_id(self.grammar.value);
                let arrow = value.is_some_and(|value| value.kind_id() == self.grammar.arrow);
                self.declare(node, depth + if arrow { 2 } else { 1 });
            }
            Act::Delegate => self.delegate(node),
            Act::Variables => self.variables(node, depth),
            // `{ A = b }` sets a property of what is created.
            Act::Assignment if self.can_hold_tests && self.parent_kind != self.grammar.initializer => {
                self.bindings.assignment(node, self.innermost);
            }
            Act::Foreach if self.can_hold_tests => self.bindings.foreach(node, self.innermost),
            Act::Assignment | Act::Foreach => {}
            Act::Conditional => self.conditional(node),
            Act::Namespace => self.namespace(node),
            Act::Using => self.using(node),
            Act::ExternAlias => self.region(RegionKind::Import, node, None),
            Act::Global => self.global(node),
            Act::Comment => self.comment(node),
            Act::Error => {
                // A root that is an error as a whole lies around everything, between nothing.
                if depth > 0 {
                    self.open_errors += 1;
                    self.open.push(Open { depth, what: What::Error });
                }
            }
        }
        None
    }

    fn close(&mut self) {
        match self.open.pop().map(|open| open.what) {
            Some(What::Declaration) => {
                let Some(index) = self.innermost else { return };
                if let Some(extent) = self.extents.get_mut(index as usize) {
                    extent.assertions.end = self.taken.assertions.len();
                }
                self.innermost = self.outline.callables.get(index as usize).and_then(|own| own.parent);
            }
            Some(What::Call(call)) if call.asserts() => self.taken.open_assertions -= 1,
            Some(What::Error) => self.open_errors -= 1,
            _ => {}
        }
    }

    fn declaration(&mut self, node: Node<'tree>, kind: CallableKind, depth: u32) {
        let Header { mut callable, skipped } = self.headers.read(node, kind);
        if !kind.is_type()
            && let Some(whole) = conditional::opening(self.text, callable.span)
        {
            let before = Span { end: callable.span.start, ..whole }.of(self.text);
            callable.lines.first -= before.matches('\n').count() as u32;
            callable.span = whole;
        }
        let parent = self.innermost.map(|index| index as usize);
        let around =
            parent.and_then(|index| Some((self.outline.callables.get(index)?, self.extents.get(index)?)));
        let (path, errors) = match around {
            Some((outer, extent)) => (outer.qualified_name.as_str(), extent.errors),
            None => ("", 0),
        };
        callable.qualified_name = qualified_name(path, &callable.name);
        callable.parent = self.innermost;
        // Where a brace is missing the grammar takes a method for a local function.
        let access = ["public", "private", "protected", "internal"];
        callable.recovered = self.open_errors > errors
            || (kind == CallableKind::Function
                && callable.modifiers.iter().any(|modifier| access.contains(&modifier.as_str())));
        self.can_hold_tests |= callable.annotations.iter().any(|name| is_test_attribute(name));
        let assertions = self.taken.assertions.len();
        self.extents.push(Extent { assertions: assertions..assertions, skipped, errors: self.open_errors });
        self.innermost = Some(self.outline.callables.len() as u32);
        self.outline.callables.push(callable);
        self.open.push(Open { depth, what: What::Declaration });
    }

    /// The innermost declaration if it is a type.
    fn surrounding_type(&self) -> Option<u32> {
        self.innermost.filter(|index| {
            self.outline.callables.get(*index as usize).is_some_and(|callable| callable.kind.is_type())
        })
    }

    pub(super) fn region(&mut self, kind: RegionKind, node: Node, parent: Option<u32>) {
        self.outline.regions.push(Region { kind, span: span(node), parent });
    }

    fn member(&mut self, kind: RegionKind, node: Node<'tree>) {
        if let parent @ Some(_) = self.surrounding_type() {
            self.region(kind, node, parent);
        }
    }

    fn delegate(&mut self, node: Node<'tree>) {
        if self.innermost.is_some() {
            self.member(RegionKind::Field, node);
        } else {
            self.region(RegionKind::GlobalCode, node, None);
        }
    }

    fn variables(&mut self, node: Node<'tree>, depth: u32) {
        self.declare(node, depth + 2);
        if self.can_hold_tests && self.surrounding_type().is_none() {
            self.bindings.variables(node, self.innermost);
        }
    }

    fn declare(&mut self, node: Node<'tree>, depth: u32) {
        let written = node.child_by_field_id(self.grammar.type_field);
        self.declared = written
            .filter(|written| written.kind_id() != self.grammar.implicit_type)
            .map(|written| Declared { depth, end: node.end_byte(), written });
    }

    fn comment(&mut self, node: Node<'tree>) {
        let mut parent = self.innermost;
        while let Some(callable) = parent.and_then(|index| self.outline.callables.get(index as usize))
            && !callable.kind.is_type()
        {
            parent = callable.parent;
        }
        self.region(RegionKind::Comment, node, parent);
    }

    /// Whether there can be a comment in attributes, parameters or type arguments.
    fn header(&mut self, node: Node<'tree>) -> bool {
        self.header_end = self.header_end.max(node.end_byte() as u32);
        let text = span(node).of(self.text);
        text.contains("//") || text.contains("/*")
    }

    fn invocation(&mut self, node: Node<'tree>, depth: u32) -> Option<usize> {
        let function = node.child(0)?;
        let arguments = node.last_child();
        let own = self.taken.open(span(node), function.end_byte() as u32);
        self.open.push(Open { depth, what: What::Call(own) });
        if node.start_byte() as u32 >= self.header_end
            && let Some(callee) = self.callees.invoked(function)
        {
            let count = self.callees.count(arguments);
            let around = self.open.iter_mut().rev().map_while(|open| match &mut open.what {
                What::Call(call) => Some(call),
                _ => None,
            });
            self.taken.invocation(self.innermost, callee, count, around);
        }
        arguments.map(|list| list.start_byte())
    }

    fn creation(&mut self, node: Node<'tree>, depth: u32) -> Option<usize> {
        let arguments = node.child_by_field_id(self.grammar.arguments);
        let created = node.child_by_field_id(self.grammar.type_field);
        let callee = created.and_then(|created| self.callees.created(created, created.end_byte() as u32));
        self.open_creation(node, callee, arguments, depth);
        arguments.map(|list| list.start_byte())
    }

    /// `new()`, where the type is written at the declaration.
    fn implicit_creation(&mut self, node: Node<'tree>, depth: u32) {
        let fits = |declared: &&Declared| declared.depth == depth && node.end_byte() <= declared.end;
        let created = self.declared.as_ref().filter(fits).map(|declared| declared.written);
        let callee = created.and_then(|created| self.callees.created(created, node.start_byte() as u32));
        let arguments = node.named_child(0).filter(|list| list.kind_id() == self.grammar.argument_list);
        self.open_creation(node, callee, arguments, depth);
    }

    fn open_creation(
        &mut self,
        node: Node<'tree>,
        callee: Option<Callee<'text>>,
        arguments: Option<Node<'tree>>,
        depth: u32,
    ) {
        // What stands in it is no part of the chain around it.
        let own = self.taken.open(span(node), node.start_byte() as u32);
        self.open.push(Open { depth, what: What::Call(own) });
        if node.start_byte() as u32 >= self.header_end
            && let Some(callee) = callee
        {
            let count = self.callees.count(arguments);
            self.taken.creation(self.innermost, span(node), callee, count);
        }
    }

    fn finish(mut self) -> (Outline, Details) {
        while !self.open.is_empty() {
            self.close();
        }
        let Self { mut outline, extents, taken, bindings, .. } = self;
        let assertions = taken.assertions.clone();
        outline.bindings = bindings.found;
        outline.calls = taken.into_calls();
        (outline, Details { assertions, extents })
    }
}

fn qualified_name(path: &str, name: &str) -> String {
    if path.is_empty() || path.len() + name.len() > MAX_QUALIFIED_NAME {
        return name.to_owned();
    }
    format!("{path}.{name}")
}
