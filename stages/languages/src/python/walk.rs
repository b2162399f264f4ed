//! The walk: one cursor, an explicit stack of what has been entered, and no recursion, so that the depth of
//! the tree costs no machine stack.

use super::kinds::{Kind, Kinds};
use crate::{Assertion, Call, Outline, Span};
use trefoil_syntax::{Node, Tree};

/// Longest name, path or module text that is repeated for others to refer to (real ones stay below 100).
/// Without it a hostile file of one long name and many short members fills the memory.
pub(super) const LONGEST_NAME: usize = 500;

/// The outline without roles and test cases, and the assertions by their outermost function, in its order.
/// Names of functions are listed where `holds_tests`.
pub(super) fn walk(tree: &Tree, text: &str, holds_tests: bool) -> (Outline, Vec<(u32, Assertion)>) {
    let mut walk = Walk::new(tree, text, holds_tests);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let interest = walk.enter(node);
        if interest != Interest::None && cursor.goto_first_child() {
            walk.until.push(if interest == Interest::Marks { node.end_byte() } else { usize::MAX });
            walk.depth += 1;
            continue;
        }
        walk.leave();
        // Past the last mark in a node, the rest of its children is as dull as a subtree without one.
        while walk.until.last().is_some_and(|&end| walk.mark >= end) || !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                walk.outline.error_count = errors(tree);
                // The walk meets a call before those in its receiver.
                walk.calls.sort_by_key(|(name_end, _)| *name_end);
                walk.outline.calls = walk.calls.into_iter().map(|(_, call)| call).collect();
                return (walk.outline, walk.assertions);
            }
            walk.until.pop();
            walk.depth -= 1;
            walk.leave();
        }
    }
}

pub(super) fn span(node: Node) -> Span {
    Span { start: node.start_byte() as u32, end: node.end_byte() as u32 }
}

/// What the statements at the cursor belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Module,
    Class,
    Function,
}

/// The body that the cursor is in.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) callable: Option<u32>,
    pub(super) holder: Holder,
    /// Outermost function around, if its name begins with `test`: assertions are collected for it.
    pub(super) test: Option<u32>,
    /// Declarations and decorators entered whose body is not: what stands there is run by the scope
    /// but is none of its statements.
    pub(super) headers: u32,
    /// Error nodes between here and the body's block.
    pub(super) errors: u32,
    /// The first statement, the one that may be a docstring, has been passed.
    pub(super) started: bool,
}

/// What is undone when a node is left.
pub(super) enum Entered {
    Header(Option<u32>),
    Body,
    Error,
    Assertion,
    Compound { region: usize, callables: usize },
}

/// A decorated definition whose definition has not been reached.
pub(super) struct Decorated {
    pub(super) depth: u32,
    pub(super) span: Span,
    pub(super) lines: crate::Lines,
    pub(super) names: Vec<String>,
    pub(super) has_error: bool,
}

/// Which children of a node are worth a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interest {
    None,
    /// Those up to the last mark.
    Marks,
    All,
}

pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) holds_tests: bool,
    pub(super) kinds: &'static Kinds,
    pub(super) outline: Outline,
    pub(super) assertions: Vec<(u32, Assertion)>,
    /// Calls with the ends of their names.
    pub(super) calls: Vec<(u32, Call)>,
    pub(super) depth: u32,
    pub(super) scope: Scope,
    pub(super) outer: Vec<Scope>,
    entered: Vec<(u32, Entered)>,
    pub(super) decorated: Option<Decorated>,
    /// A lambda that a statement binds to a name: where it starts, and its callable.
    pub(super) bound_lambda: Option<(usize, u32)>,
    /// Names that functions gave to what they made, with the function and the value.
    pub(super) made: Vec<(Option<u32>, &'t str, Span)>,
    /// Assertions around the cursor.
    pub(super) open_assertions: u32,
    /// The next `(` or `#` that is not before the cursor.
    mark: usize,
    sound: bool,
    /// For each node around the cursor: where its children stop to be of interest.
    until: Vec<usize>,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, text: &'t str, holds_tests: bool) -> Self {
        Self {
            text,
            holds_tests,
            kinds: Kinds::get(),
            outline: Outline::default(),
            assertions: Vec::new(),
            calls: Vec::new(),
            depth: 0,
            scope: Scope {
                callable: None,
                holder: Holder::Module,
                test: None,
                headers: 0,
                errors: 0,
                started: false,
            },
            outer: Vec::new(),
            entered: Vec::new(),
            decorated: None,
            bound_lambda: None,
            made: Vec::new(),
            open_assertions: 0,
            mark: next_mark(text, 0),
            sound: !tree.root_node().has_error(),
            until: Vec::new(),
        }
    }

    /// Takes note of a node.
    fn enter(&mut self, node: Node<'t>) -> Interest {
        match self.kinds.kind(node.kind_id()) {
            Kind::Leaf => return Interest::None,
            Kind::Inner => {}
            Kind::Holder => return Interest::All,
            Kind::Block => {
                self.enter_body();
                return Interest::All;
            }
            Kind::Comment => {
                self.comment(node);
                return Interest::None;
            }
            Kind::Call => {
                let inside = self.enter_call(node);
                return self.interest(node, inside);
            }
            Kind::Expression => {
                self.expression_statement(node);
                self.bind(node);
            }
            Kind::Statement => self.simple_statement(node),
            Kind::Return => {
                self.simple_statement(node);
                self.bind_returned(node);
            }
            Kind::Assert => self.assert_statement(node),
            Kind::Import => self.import(node, false),
            Kind::ImportFrom => self.import(node, true),
            Kind::Lambda => self.lambda(node),
            Kind::Compound | Kind::With => {
                self.compound_statement(node);
                return Interest::All;
            }
            Kind::Class | Kind::Function | Kind::Decorated | Kind::Decorator => {
                self.definition(node);
                return Interest::All;
            }
            Kind::Error => {
                self.scope.errors += 1;
                self.push(Entered::Error);
                return Interest::All;
            }
        }
        let inside = self.has_mark(node);
        self.interest(node, inside)
    }

    fn interest(&self, node: Node, has_mark: bool) -> Interest {
        if !self.sound && node.has_error() {
            Interest::All
        } else if has_mark {
            Interest::Marks
        } else {
            Interest::None
        }
    }

    fn definition(&mut self, node: Node<'t>) {
        match self.kinds.kind(node.kind_id()) {
            Kind::Class => self.class(node),
            Kind::Function => self.function(node),
            Kind::Decorator => self.decorator(node),
            _ => self.decorated(node),
        }
    }

    /// Whether a call or a comment can lie inside. What the walk looks for below statements is made of them,
    /// so that most subtrees are never entered. A parenthesis that a node begins with belongs to no call in it.
    fn has_mark(&mut self, node: Node) -> bool {
        let start = node.start_byte();
        if self.mark <= start {
            self.mark = next_mark(self.text, start + 1);
        }
        self.mark < node.end_byte()
    }

    /// The same for a call, whose own parenthesis does not count either.
    fn enter_call(&mut self, node: Node<'t>) -> bool {
        let arguments = node.last_child();
        self.call(node, arguments);
        let inside = self.has_mark(node);
        match arguments.map(|list| list.start_byte()) {
            Some(own) if self.mark == own => {
                self.mark = next_mark(self.text, own + 1);
                self.mark < node.end_byte()
            }
            _ => inside,
        }
    }

    /// Notes that the node at the cursor has to be undone when it is left.
    pub(super) fn push(&mut self, what: Entered) {
        self.entered.push((self.depth, what));
    }

    /// The declaration whose header the cursor is directly in: its number, if it is a sound one.
    pub(super) fn header(&self) -> Option<u32> {
        match self.entered.last() {
            Some(&(depth, Entered::Header(callable))) if depth + 1 == self.depth => callable,
            _ => None,
        }
    }

    fn leave(&mut self) {
        while self.entered.last().is_some_and(|&(depth, _)| depth == self.depth) {
            match self.entered.pop() {
                Some((_, Entered::Header(_))) => self.scope.headers -= 1,
                Some((_, Entered::Error)) => self.scope.errors -= 1,
                Some((_, Entered::Assertion)) => self.open_assertions -= 1,
                Some((_, Entered::Compound { region, callables })) => self.end_compound(region, callables),
                Some((_, Entered::Body)) => {
                    if let Some(scope) = self.outer.pop() {
                        self.scope = scope;
                    }
                }
                None => {}
            }
        }
    }
}

fn next_mark(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memchr::memchr2(b'(', b'#', rest).map_or(usize::MAX - 1, |at| from + at)
}

/// Error and missing nodes, found by way of their ancestors only.
fn errors(tree: &Tree) -> u32 {
    let mut count = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.has_error() {
            count += u32::from(node.is_error() || node.is_missing());
            if cursor.goto_first_child() {
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
