//! The walk: one cursor, an explicit stack of what has been entered, and no recursion, so that the depth of
//! the tree costs no machine stack.

use super::assertions::Checks;
use super::declarations::Statement;
use super::kinds::{Kind, Kinds};
use crate::marks;
use crate::{Assertion, Call, Outline, Region, RegionKind, Span};
use trefoil_syntax::{Node, Tree};

/// Longest name or type that is repeated for others to refer to (real ones stay below 100). Without it a
/// hostile file of one long name and many short members fills the memory.
pub(super) const LONGEST_NAME: usize = 500;

/// What the walk saw in functions that may be tests, by the function's index and in order of the source.
#[derive(Default)]
pub(super) struct OfTests {
    pub(super) assertions: Vec<(u32, Assertion)>,
    /// Runs of subtests (`t.Run`), and whether each stands in a loop.
    pub(super) subtests: Vec<(u32, bool)>,
}

/// The outline without roles and test cases.
pub(super) fn walk(tree: &Tree, text: &str, in_test_file: bool) -> (Outline, OfTests) {
    let mut walk = Walk::new(tree, text, in_test_file);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let interest = walk.enter(node);
        let entered = match interest {
            Interest::None => false,
            Interest::Marks => cursor.goto_first_child_for_byte(walk.marks.next),
            Interest::All => cursor.goto_first_child(),
        };
        if entered {
            walk.until.push(if interest == Interest::Marks { node.end_byte() } else { usize::MAX });
            walk.depth += 1;
            continue;
        }
        walk.leave();
        // Past the last mark in a node, the rest of its children is as dull as a subtree without one.
        while walk.until.last().is_some_and(|&end| walk.marks.next >= end) || !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return walk.finish();
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

/// What the node at the cursor belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    File,
    Type,
    Function,
}

/// The declaration that the cursor is in.
#[derive(Clone, Copy)]
pub(super) struct Scope<'t> {
    pub(super) callable: Option<u32>,
    pub(super) holder: Holder,
    /// Depth of its node.
    pub(super) depth: u32,
    /// Error nodes between here and the declaration.
    pub(super) errors: u32,
    /// Outermost function around, if it may be a test: assertions are collected for it.
    pub(super) test: Option<u32>,
    /// What the method around calls its receiver.
    pub(super) receiver: &'t str,
}

/// What is undone when a node is left.
pub(super) enum Entered {
    Declaration,
    Error,
    Assertion,
    /// An `if`: how many calls came before it, where it lies, and whether it has turned out to assert.
    If {
        calls: usize,
        span: Span,
        asserts: bool,
    },
    Loop,
}

/// Which children of a node are worth a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interest {
    None,
    /// Those from the next mark up to the last.
    Marks,
    All,
}

pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) kinds: &'static Kinds,
    /// Only test files can hold tests, so that elsewhere nothing is looked at for their sake.
    pub(super) in_test_file: bool,
    pub(super) outline: Outline,
    /// Calls with the ends of their names.
    pub(super) calls: Vec<(u32, Call)>,
    pub(super) of_tests: OfTests,
    pub(super) checks: Checks,
    pub(super) depth: u32,
    pub(super) scope: Scope<'t>,
    pub(super) outer: Vec<Scope<'t>>,
    pub(super) entered: Vec<(u32, Entered)>,
    /// The last statement that may declare a type, or bind a function literal to a name.
    pub(super) statement: Option<Statement<'t>>,
    /// Assertions around the cursor.
    pub(super) open_assertions: u32,
    /// Loops around the cursor.
    pub(super) open_loops: u32,
    marks: Marks<'t>,
    broken: bool,
    /// For each node around the cursor: where its children stop to be of interest.
    until: Vec<usize>,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, text: &'t str, in_test_file: bool) -> Self {
        let file =
            Scope { callable: None, holder: Holder::File, depth: 0, errors: 0, test: None, receiver: "" };
        Self {
            text,
            kinds: Kinds::get(),
            in_test_file,
            outline: Outline::default(),
            // Ordinary code has a call in about every hundred bytes.
            calls: Vec::with_capacity(text.len() / 128),
            of_tests: OfTests::default(),
            checks: Checks::default(),
            depth: 0,
            scope: file,
            outer: Vec::new(),
            entered: Vec::new(),
            statement: None,
            open_assertions: 0,
            open_loops: 0,
            marks: Marks::new(text),
            broken: tree.root_node().has_error(),
            until: Vec::new(),
        }
    }

    /// Takes note of a node.
    fn enter(&mut self, node: Node<'t>) -> Interest {
        if self.broken && (node.is_error() || node.is_missing()) {
            self.outline.error_count += 1;
        }
        let kind = self.kinds.kind(node.kind_id());
        match kind {
            Kind::Leaf => return self.interest(node, false),
            Kind::Holder | Kind::Statements => return Interest::All,
            Kind::Comment | Kind::Package | Kind::Import => {
                self.region_of(kind, node);
                return self.interest(node, false);
            }
            Kind::Call | Kind::Composite => {
                let own = if kind == Kind::Call { self.call(node) } else { self.composite(node) };
                let inside = self.marks.inside(node) && self.marks.another(own, node);
                return self.interest(node, inside);
            }
            Kind::TypeDeclaration | Kind::VariableDeclaration | Kind::ConstantDeclaration => {
                self.declaration(kind, node);
                return Interest::All;
            }
            Kind::Fields | Kind::InterfaceType if self.is_part_of_type(node) => return Interest::All,
            Kind::Error => {
                self.error();
                return Interest::All;
            }
            Kind::Inner | Kind::Fields | Kind::InterfaceType => {}
            Kind::Conversion => self.conversion(node),
            Kind::Type | Kind::Alias => self.type_(node, kind == Kind::Alias),
            Kind::Function | Kind::Method => self.function(node),
            Kind::InterfaceMethod => self.interface_method(node),
            Kind::InterfaceElement => self.interface_element(node),
            Kind::FunctionLiteral => self.function_literal(node),
            Kind::Field => self.field(node),
            Kind::ShortVariable | Kind::Assignment | Kind::Variable => self.bind(kind, node),
            Kind::If | Kind::For => self.block_of_test(kind, node),
        }
        let inside = self.marks.inside(node);
        self.interest(node, inside)
    }

    fn interest(&self, node: Node, has_mark: bool) -> Interest {
        if self.broken && node.has_error() {
            Interest::All
        } else if has_mark {
            Interest::Marks
        } else {
            Interest::None
        }
    }

    /// Whether this is the structure or interface itself that the type around the cursor is declared as.
    fn is_part_of_type(&self, node: Node) -> bool {
        let levels = if node.kind_id() == self.kinds.field_list { 2 } else { 1 };
        self.scope.holder == Holder::Type && self.scope.depth + levels == self.depth
    }

    fn region_of(&mut self, kind: Kind, node: Node<'t>) {
        match kind {
            Kind::Comment => {
                let parent = self.scope.callable.filter(|_| self.scope.holder == Holder::Type);
                let region = Region { kind: RegionKind::Comment, span: span(node), parent };
                self.outline.regions.push(region);
            }
            Kind::Package => {
                self.region(RegionKind::Package, node);
                if let Some(name) = node.named_child(0) {
                    self.outline.package = self.text_of(name).to_owned();
                }
            }
            _ => self.import(node),
        }
    }

    fn import(&mut self, node: Node<'t>) {
        self.region(RegionKind::Import, node);
        let Some(path) = node.child_by_field_id(self.kinds.path_field) else { return };
        let path = self.text_of(path).trim_matches(['"', '`']);
        let name = node.child_by_field_id(self.kinds.name_field).map(|name| self.text_of(name));
        if self.in_test_file {
            self.checks.import(name, path);
        }
        self.outline.imports.push(match name {
            Some(name) => format!("{name} {path}"),
            None => path.to_owned(),
        });
    }

    fn region(&mut self, kind: RegionKind, node: Node) {
        self.outline.regions.push(Region { kind, span: span(node), parent: None });
    }

    /// A declaration of types, variables or constants, perhaps of several in parentheses.
    fn declaration(&mut self, kind: Kind, node: Node<'t>) {
        self.statement = Some(Statement { node, whole: node, depth: self.depth });
        if kind != Kind::TypeDeclaration && self.depth == 1 {
            self.region(RegionKind::GlobalCode, node);
        }
    }

    /// Conditions and loops matter to tests only.
    fn block_of_test(&mut self, kind: Kind, node: Node) {
        if !self.in_test_file {
            return;
        }
        if kind == Kind::For {
            self.open_loops += 1;
            self.push(Entered::Loop);
        } else {
            self.push(Entered::If { calls: self.calls.len(), span: span(node), asserts: false });
        }
    }

    fn error(&mut self) {
        // A root that is an error as a whole lies around everything, between nothing.
        if self.depth > 0 {
            self.scope.errors += 1;
            self.push(Entered::Error);
        }
    }

    /// The declaration at the cursor becomes the scope.
    pub(super) fn enter_scope(&mut self, scope: Scope<'t>) {
        self.outer.push(std::mem::replace(&mut self.scope, scope));
        self.push(Entered::Declaration);
    }

    /// Notes that the node at the cursor has to be undone when it is left.
    pub(super) fn push(&mut self, what: Entered) {
        self.entered.push((self.depth, what));
    }

    fn leave(&mut self) {
        while let Some((_, left)) = self.entered.pop_if(|(depth, _)| *depth == self.depth) {
            match left {
                Entered::Error => self.scope.errors -= 1,
                Entered::Assertion | Entered::If { asserts: true, .. } => self.open_assertions -= 1,
                Entered::If { .. } => {}
                Entered::Loop => self.open_loops -= 1,
                Entered::Declaration => {
                    if let Some(scope) = self.outer.pop() {
                        self.scope = scope;
                    }
                }
            }
        }
    }

    pub(super) fn text_of(&self, node: Node) -> &'t str {
        span(node).of(self.text)
    }

    fn finish(mut self) -> (Outline, OfTests) {
        // The walk meets a call before those in its receiver.
        self.calls.sort_by_key(|(name_end, _)| *name_end);
        self.outline.calls = self.calls.into_iter().map(|(_, call)| call).collect();
        (self.outline, self.of_tests)
    }
}

/// The characters without which nothing of interest stands in a node, other than at its start: every call
/// and function has a `(`, every type and composite literal a `{`, every comment a `//` or `/*`. What has
/// none of them stands among statements, fields or specifications, all of which are visited.
///
/// Nodes are asked about in the order of their starts, so the text is read once, from front to back.
struct Marks<'t> {
    text: &'t [u8],
    /// The first mark at or after the last start that had to be looked up.
    next: usize,
}

impl<'t> Marks<'t> {
    fn new(text: &'t str) -> Self {
        let mut marks = Self { text: text.as_bytes(), next: 0 };
        marks.next = marks.mark_from(0);
        marks
    }

    /// Whether there is a mark in a node after its first byte. A first byte that is a mark belongs to what
    /// the walk has done already: to arguments, a block or a comment.
    fn inside(&mut self, node: Node) -> bool {
        let start = node.start_byte();
        if self.next <= start {
            self.next = self.mark_from(start + 1);
        }
        self.next < node.end_byte()
    }

    /// Whether there is a mark in a node beside the one at `own`.
    fn another(&mut self, own: usize, node: Node) -> bool {
        if self.next == own {
            self.next = self.mark_from(own + 1);
        }
        self.next < node.end_byte()
    }

    fn mark_from(&self, mut from: usize) -> usize {
        loop {
            let at = marks::character(self.text, *b"(/{", from);
            if self.text.get(at) != Some(&b'{') || !self.elided(at) {
                return at;
            }
            from = at + 1;
        }
    }

    /// Whether the brace begins an element of a composite literal that leaves out its type, of which tables
    /// are full: a `{` behind `{`, `,` or `:`. A block that stands there is no loss.
    fn elided(&self, brace: usize) -> bool {
        let before = self.text.get(..brace).unwrap_or_default().trim_ascii_end();
        matches!(before.last(), Some(b'{' | b',' | b':'))
    }
}
