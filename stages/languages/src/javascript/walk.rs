//! One pass over the tree of a file. The walk keeps its own stack of what it is inside of, so that the depth
//! of hostile input costs heap and not the thread's stack.

use super::blocks::TestFacts;
use super::grammar::{Act, Grammar};
use super::marks;
use super::names::Named;
use crate::marks::Marks;
use crate::{Assertion, Call, CallableKind, Lines, Outline, Region, RegionKind, Span};
use trefoil_syntax::{Node, Tree, TreeCursor};

/// Something that the walk is inside of, at the depth of its node.
pub(super) struct Open {
    pub(super) depth: u32,
    pub(super) what: What,
}

pub(super) enum What {
    /// A declaration, with the test that was the innermost one around it.
    Declared {
        test: Option<u32>,
    },
    /// A module of QUnit without a function, which holds what follows in its list of statements, up to `end`.
    Module {
        end: u32,
    },
    /// A function, or a class, that has no name: what it holds belongs to what is around.
    Unnamed,
    /// An object literal with a name or a part in a test suite.
    Object(Box<Named>),
    /// A call with arguments, its place among the calls.
    Call(usize),
    /// A statement of the file, its region among the regions and the number of callables before it.
    Statement {
        region: usize,
        callables: usize,
        declarators: usize,
    },
    /// Something that runs what is in it several times.
    Loop,
    Error,
}

/// What is known of a callable beside the outline.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    /// How many error nodes were open on entry.
    pub(super) errors: u32,
    /// A block that is switched off, itself or with one around it.
    pub(super) disabled: bool,
    /// A block that runs once per row of a table, itself or with one around it.
    pub(super) repeated: bool,
}

/// The statement that a declaration at `depth` takes for its own text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Whole {
    pub(super) depth: u32,
    pub(super) span: Span,
    pub(super) lines: Lines,
}

/// Which children of a node are worth a visit.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Visit {
    None,
    /// Those up to the last mark.
    Marked,
    All,
}

/// Bytes that a node covers.
pub(super) fn span(node: Node) -> Span {
    Span { start: node.start_byte() as u32, end: node.end_byte() as u32 }
}

/// Lines that a node covers.
pub(super) fn lines(node: Node) -> Lines {
    Lines { first: node.start_position().row as u32 + 1, last: node.end_position().row as u32 + 1 }
}

/// What one walk finds, without roles and frameworks that need the whole file.
pub(super) struct Walk<'text> {
    pub(super) grammar: &'static Grammar,
    pub(super) text: &'text str,
    /// The path is that of a test file, in which every statement is looked at.
    pub(super) in_test_file: bool,
    pub(super) outline: Outline,
    /// One for each callable.
    pub(super) extents: Vec<Extent>,
    pub(super) open: Vec<Open>,
    /// For each node around the cursor: its end, and how far its children are of interest.
    pub(super) around: Vec<(usize, usize)>,
    /// The innermost declaration.
    pub(super) innermost: Option<u32>,
    /// The innermost test.
    pub(super) test: Option<u32>,
    pub(super) open_errors: u32,
    pub(super) unnamed: u32,
    /// Calls with the ends of their names.
    pub(super) calls: Vec<(u32, Call)>,
    /// Outermost assertions with the test that they stand in, by the order of their expressions.
    pub(super) assertions: Vec<(u32, Assertion)>,
    /// The chain of calls and members that the walk is in the receiver of.
    pub(super) chain: Span,
    pub(super) tests: Vec<TestFacts>,
    pub(super) uses_qunit: bool,
    /// The value that gets a name as soon as the walk reaches it.
    pub(super) named: Option<Named>,
    pub(super) whole: Whole,
    /// The parenthesis of the call that has just been entered, which says nothing of what is in the call.
    pub(super) own_mark: Option<usize>,
    /// A call of `require` or of `.each` that has been taken into account.
    pub(super) taken: Option<usize>,
    /// How many declarators of the file load a module.
    pub(super) requires: usize,
}

impl<'text> Walk<'text> {
    pub(super) fn new(text: &'text str, path: &str, in_test_file: bool) -> Self {
        Self {
            grammar: Grammar::get(path),
            text,
            in_test_file,
            outline: Outline::default(),
            extents: Vec::new(),
            open: Vec::new(),
            around: Vec::new(),
            innermost: None,
            test: None,
            open_errors: 0,
            unnamed: 0,
            calls: Vec::new(),
            assertions: Vec::new(),
            chain: Span::default(),
            tests: Vec::new(),
            uses_qunit: false,
            named: None,
            whole: Whole::default(),
            own_mark: None,
            taken: None,
            requires: 0,
        }
    }

    pub(super) fn run(&mut self, tree: &Tree) {
        let broken = tree.root_node().has_error();
        let mut marks = Marks::new(self.text, &marks::SIGNS);
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let act = self.grammar.act(node.kind_id());
            let depth = self.around.len() as u32;
            while self.open.last().is_some_and(|open| open.depth >= depth) {
                self.close();
            }
            let mut end = node.end_byte();
            if act != Act::Skip {
                let inside = marks.inside(node.start_byte(), end) || (broken && node.has_error());
                let visit = self.enter(node, act, depth, inside);
                let own = self.own_mark.take().filter(|own| *own == marks.next());
                let all = visit == Visit::All || (broken && visit == Visit::Marked);
                let entered = if all {
                    cursor.goto_first_child()
                } else {
                    visit == Visit::Marked
                        && own.is_none_or(|own| marks.between(own + 1, end))
                        && cursor.goto_first_child_for_byte(marks.next())
                };
                if entered {
                    self.around.push((end, if all { usize::MAX } else { end }));
                    continue;
                }
            }
            loop {
                let interest = self.around.last().map_or(usize::MAX, |(_, interest)| *interest);
                if interest == usize::MAX {
                    if cursor.goto_next_sibling() {
                        break;
                    }
                } else if marks.between(end, interest) && to_mark(&mut cursor, marks.next()) {
                    break;
                }
                let Some((parent_end, _)) = self.around.pop() else {
                    while !self.open.is_empty() {
                        self.close();
                    }
                    return;
                };
                cursor.goto_parent();
                end = parent_end;
            }
        }
    }

    /// Takes note of a node; `inside` says whether there is a mark in it.
    fn enter(&mut self, node: Node, act: Act, depth: u32, inside: bool) -> Visit {
        let marked = if inside { Visit::Marked } else { Visit::None };
        match act {
            Act::Skip => return Visit::None,
            Act::Pass => {}
            Act::Root | Act::ClassBody => return Visit::All,
            Act::Block => return if self.looks_at_everything() { Visit::All } else { marked },
            Act::Function => self.function(node, depth),
            Act::FunctionValue => self.function_value(node, depth),
            Act::Class | Act::Interface | Act::Enum => self.class(node, act, depth),
            Act::ClassValue => self.class_value(node, depth),
            Act::Method => self.method(node, depth),
            Act::Field => self.field(node, depth, inside),
            Act::StaticBlock => self.member_region(RegionKind::Initializer, node),
            Act::Declaration => {
                self.statement(node, depth);
                self.declaration(node, depth);
                return if self.looks_at_everything() { Visit::All } else { marked };
            }
            Act::Declarator => self.declarator(node, depth, inside),
            Act::ExpressionStatement => {
                self.statement(node, depth);
                self.whole = Whole { depth: depth + 1, span: span(node), lines: lines(node) };
                return if self.looks_at_everything() || depth == 1 { Visit::All } else { marked };
            }
            Act::Return => self.bind_returned(node.named_child(0)),
            Act::Statement => self.statement(node, depth),
            Act::Loop => {
                self.statement(node, depth);
                self.open.push(Open { depth, what: What::Loop });
            }
            Act::Import => self.import(node, depth),
            Act::Export => self.export(node, depth),
            Act::Assignment => self.assignment(node, depth, inside),
            Act::Object => self.object(node, depth),
            Act::Pair => self.pair(node, depth, inside),
            Act::Await => {
                if self.whole.depth == depth {
                    self.whole.depth += 1;
                }
            }
            Act::Call => self.call(node, depth),
            Act::New => self.creation(node, depth),
            Act::Member => self.member(node),
            Act::Comment => self.comment(node, depth),
            Act::Error => {
                self.aside(depth);
                self.open_errors += 1;
                self.open.push(Open { depth, what: What::Error });
            }
        }
        marked
    }

    pub(super) fn close(&mut self) {
        match self.open.pop().map(|open| open.what) {
            Some(What::Declared { test }) => {
                self.leave_declaration();
                self.test = test;
            }
            Some(What::Module { end }) => {
                self.end_module(end);
                self.leave_declaration();
            }
            Some(What::Unnamed) => self.unnamed -= 1,
            Some(What::Statement { region, callables, declarators }) => {
                self.end_statement(region, callables, declarators);
            }
            Some(What::Error) => self.open_errors -= 1,
            Some(What::Object(_) | What::Call(_) | What::Loop) | None => {}
        }
    }

    fn leave_declaration(&mut self) {
        let declared = self.innermost.and_then(|index| self.outline.callables.get(index as usize));
        self.innermost = declared.and_then(|declared| declared.parent);
    }

    /// In files and blocks of tests every name counts, and in constructors every `this.x = y`.
    pub(super) fn looks_at_everything(&self) -> bool {
        self.in_test_file
            || self
                .innermost_kind()
                .is_some_and(|kind| matches!(kind, CallableKind::Constructor | CallableKind::Block))
    }

    pub(super) fn innermost_kind(&self) -> Option<CallableKind> {
        Some(self.outline.callables.get(self.innermost? as usize)?.kind)
    }

    /// What is directly around a node, passing over error nodes.
    pub(super) fn surrounding(&self) -> Option<&Open> {
        self.open.iter().rev().find(|open| !matches!(open.what, What::Error))
    }

    /// The type around, if the cursor is among its members.
    pub(super) fn type_around(&self) -> Option<u32> {
        let declared = matches!(self.surrounding()?.what, What::Declared { .. });
        self.innermost.filter(|_| declared && self.innermost_kind().is_some_and(CallableKind::is_type))
    }

    /// The text that a declaration at `depth` takes for its own: the statement that says nothing else.
    pub(super) fn whole(&self, node: Node, depth: u32) -> Whole {
        let own = span(node);
        if self.whole.depth == depth && self.whole.span.contains(own) {
            self.whole
        } else {
            Whole { depth, span: own, lines: lines(node) }
        }
    }

    fn declaration(&mut self, node: Node, depth: u32) {
        let whole = self.whole(node, depth);
        let only = node.named_child_count() == 1;
        self.whole = if only { Whole { depth: depth + 1, ..whole } } else { Whole::default() };
    }

    /// Statements of the file itself are regions, until a declaration is found in them.
    pub(super) fn statement(&mut self, node: Node, depth: u32) {
        if depth != 1 {
            return;
        }
        let region = self.outline.regions.len();
        let what = What::Statement {
            region,
            callables: self.outline.callables.len(),
            declarators: node.named_child_count(),
        };
        self.outline.regions.push(Region { kind: RegionKind::GlobalCode, span: span(node), parent: None });
        self.requires = 0;
        self.open.push(Open { depth, what });
    }

    fn end_statement(&mut self, region: usize, callables: usize, declarators: usize) {
        if self.outline.callables.len() > callables {
            // A module without a function may have taken it already.
            if self.outline.regions.get(region).is_some_and(|own| own.kind == RegionKind::GlobalCode) {
                self.outline.regions.remove(region);
            }
        } else if self.requires >= declarators
            && let Some(region) = self.outline.regions.get_mut(region)
        {
            region.kind = RegionKind::Import;
        }
    }

    pub(super) fn member_region(&mut self, kind: RegionKind, node: Node) {
        if let Some(parent) = self.type_around() {
            self.outline.regions.push(Region { kind, span: span(node), parent: Some(parent) });
        }
    }

    fn comment(&mut self, node: Node, depth: u32) {
        self.aside(depth);
        let callables = &self.outline.callables;
        let mut parent = self.innermost;
        while let Some(callable) = parent.and_then(|index| callables.get(index as usize))
            && !callable.kind.is_type()
        {
            parent = callable.parent;
        }
        self.outline.regions.push(Region { kind: RegionKind::Comment, span: span(node), parent });
    }

    pub(super) fn text_of(&self, node: Node) -> &'text str {
        span(node).of(self.text)
    }
}

/// Moves the cursor to the next sibling that the mark is in.
fn to_mark(cursor: &mut TreeCursor, mark: usize) -> bool {
    while cursor.goto_next_sibling() {
        if cursor.node().end_byte() > mark {
            return true;
        }
    }
    false
}

/// Error and missing nodes, found by way of their ancestors only.
pub(super) fn errors(tree: &Tree) -> u32 {
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
