//! One pass over the tree of a file. The walk keeps its own stack of what it is inside of, so that the depth
//! of hostile input costs heap and not the thread's stack.

use super::bindings::Bindings;
use super::calls::{OpenCall, Taken};
use super::grammar::{Act, Grammar};
use super::header::{Headers, span};
use super::marks;
use crate::marks::Marks;
use crate::{Assertion, CallableKind, Outline, Region, RegionKind};
use std::ops::Range;
use trefoil_syntax::{Node, Tree};

/// Longest qualified name. Names of nested declarations add up: at the limits of depth and size a hostile
/// file would else ask for gigabytes.
const MAX_QUALIFIED_NAME: usize = 1_000;

/// Something that the walk is inside of, at the depth of its node.
struct Open {
    depth: u32,
    what: What,
}

enum What {
    /// The innermost declaration is a type.
    Type,
    /// The innermost declaration is a method or constructor.
    Member,
    /// Braces of a type, or of an anonymous class or enum constant.
    Body {
        anonymous: bool,
    },
    Call(OpenCall),
    AssertStatement,
    Error,
}

/// What is known of a callable beside the outline.
#[derive(Clone, Debug, Default)]
pub(super) struct Extent {
    /// Its assertions among those of the file.
    pub(super) assertions: Range<usize>,
    /// How many error nodes were open on entry.
    errors: u32,
}

/// The assertions of a file and where each callable's lie among them.
pub(super) struct Assertions {
    pub(super) all: Vec<Assertion>,
    /// One for each callable.
    pub(super) extents: Vec<Extent>,
}

/// The outline of a tree but for roles and test cases, which need the whole file.
/// Local variables and assignments are listed where `holds_tests`.
pub(super) fn outline(tree: &Tree, text: &str, holds_tests: bool) -> (Outline, Assertions) {
    let grammar = Grammar::get();
    let mut walk = Walk {
        grammar,
        text,
        headers: Headers::new(grammar, text),
        bindings: Bindings::new(grammar, text),
        holds_tests,
        outline: Outline::default(),
        extents: Vec::new(),
        open: Vec::new(),
        innermost: None,
        open_errors: 0,
        taken: Taken::default(),
    };
    walk.run(tree);
    walk.finish()
}

struct Walk<'text> {
    grammar: &'static Grammar,
    text: &'text str,
    headers: Headers<'text>,
    bindings: Bindings<'text>,
    holds_tests: bool,
    outline: Outline,
    extents: Vec<Extent>,
    open: Vec<Open>,
    /// The innermost declaration.
    innermost: Option<u32>,
    open_errors: u32,
    taken: Taken,
}

impl Walk<'_> {
    fn run(&mut self, tree: &Tree) {
        let broken = tree.root_node().has_error();
        let mut marks = Marks::new(self.text, &marks::SIGNS);
        let mut cursor = tree.walk();
        // For each node around the cursor: its end, and how far its children are of interest.
        let mut around: Vec<(usize, usize)> = Vec::new();
        loop {
            let node = cursor.node();
            let depth = around.len() as u32;
            while self.open.last().is_some_and(|open| open.depth >= depth) {
                self.close();
            }
            if broken && node.is_missing() {
                self.outline.error_count += 1;
            }
            let act = self.grammar.act(node.kind_id());
            self.enter(node, act, depth);
            let mut end = node.end_byte();
            // Local variables have no marks.
            let holds_all = act.holds_members() || (self.holds_tests && act == Act::Block);
            let inside = match act {
                Act::Comment | Act::Identifier | Act::Dot => false,
                _ if holds_all => true,
                _ => marks.inside(node.start_byte(), end) || (broken && node.has_error()),
            };
            if inside && cursor.goto_first_child() {
                around.push((end, if broken || holds_all { usize::MAX } else { end }));
                continue;
            }
            loop {
                let interest = around.last().map_or(usize::MAX, |(_, interest)| *interest);
                if (interest == usize::MAX || marks.between(end, interest)) && cursor.goto_next_sibling() {
                    break;
                }
                let Some((parent_end, _)) = around.pop() else { return };
                cursor.goto_parent();
                end = parent_end;
            }
        }
    }

    fn enter(&mut self, node: Node, act: Act, depth: u32) {
        match act {
            Act::Pass | Act::Root | Act::EnumBody => {}
            Act::Identifier => self.direct_call(depth, |call| call.named_by(node, false)),
            Act::TypeName => self.direct_call(depth, |call| call.named_by(node, true)),
            Act::Dot => self.direct_call(depth, |call| call.dot_at(node)),
            Act::Invocation => self.open_call(node, false, depth),
            Act::Creation => self.open_call(node, true, depth),
            Act::Arguments => self.arguments(node, depth),
            Act::Type(kind) => self.declaration(node, kind, depth),
            Act::Member(kind) => self.declaration(node, kind, depth),
            Act::Body => self.body(depth),
            Act::Block => {
                if matches!(self.open.last(), Some(Open { depth: at, what: What::Body { .. } }) if at + 1 == depth)
                {
                    self.member_region(RegionKind::Initializer, node);
                }
            }
            Act::StaticInitializer => {
                self.member_region(RegionKind::Initializer, node);
            }
            Act::Field | Act::EnumConstant => self.field(node, act),
            Act::Local if self.holds_tests => self.bindings.declaration(node, self.innermost),
            Act::Resource | Act::ForEach if self.holds_tests => {
                self.bindings.single(node, act, self.innermost);
            }
            Act::Assignment if self.holds_tests => self.bindings.assignment(node, self.innermost),
            Act::Local | Act::Resource | Act::ForEach | Act::Assignment => {}
            Act::Package => self.package(node),
            Act::Import => self.import(node),
            Act::Comment => self.comment(node, depth),
            Act::AssertStatement => self.assert_statement(node, depth),
            Act::Error => self.error(depth),
        }
    }

    fn close(&mut self) {
        match self.open.pop().map(|open| open.what) {
            Some(What::Type | What::Member) => {
                let Some(index) = self.innermost else { return };
                if let Some(extent) = self.extents.get_mut(index as usize) {
                    extent.assertions.end = self.taken.assertions.len();
                }
                self.innermost = self.outline.callables.get(index as usize).and_then(|own| own.parent);
            }
            Some(What::Call(call)) if call.asserts() => self.taken.open_assertions -= 1,
            Some(What::AssertStatement) => self.taken.open_assertions -= 1,
            Some(What::Error) => self.open_errors -= 1,
            _ => {}
        }
    }

    /// The declaration around the walk with its index, passing over error nodes: none in an anonymous class.
    fn surrounding(&self) -> Option<&What> {
        self.open
            .iter()
            .rev()
            .map(|open| &open.what)
            .find(|what| matches!(what, What::Type | What::Member | What::Body { anonymous: true }))
    }

    fn declaration(&mut self, node: Node, kind: CallableKind, depth: u32) {
        let mut callable = self.headers.read(node, kind);
        if !kind.is_type() && !matches!(self.surrounding(), Some(What::Type)) {
            // A method of an anonymous class is no member of the declaration that it stands in, and
            // rules about the members of a class must not see it as one.
            callable.kind = CallableKind::Function;
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
        // Where the syntax is broken the grammar also takes a type inside a block of no method.
        callable.recovered = self.open_errors > errors || (parent.is_none() && depth > 1);
        let assertions = self.taken.assertions.len();
        self.extents.push(Extent { assertions: assertions..assertions, errors: self.open_errors });
        self.innermost = Some(self.outline.callables.len() as u32);
        self.outline.callables.push(callable);
        self.open.push(Open { depth, what: if kind.is_type() { What::Type } else { What::Member } });
    }

    fn body(&mut self, depth: u32) {
        // The body of an enum's methods stands one deeper than that of a class.
        let named = |open: &Open| matches!(open.what, What::Type) && open.depth + 2 >= depth;
        let anonymous = !self.open.last().is_some_and(named);
        self.open.push(Open { depth, what: What::Body { anonymous } });
    }

    /// Answers whether the node is a member of a declared type.
    fn member_region(&mut self, kind: RegionKind, node: Node) -> bool {
        let is_member = matches!(self.surrounding(), Some(What::Type));
        if is_member {
            self.outline.regions.push(Region { kind, span: span(node), parent: self.innermost });
        }
        is_member
    }

    fn field(&mut self, node: Node, act: Act) {
        if !self.member_region(RegionKind::Field, node) {
            return;
        }
        let owner = self.innermost;
        if act == Act::Field {
            self.bindings.declaration(node, owner);
        } else {
            let class = owner.and_then(|index| self.outline.callables.get(index as usize));
            self.bindings.constant(node, class.map_or("", |class| &class.name), owner);
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

    fn error(&mut self, depth: u32) {
        self.outline.error_count += 1;
        self.aside(depth);
        // A root that is an error as a whole lies around everything, between nothing.
        if depth > 0 {
            self.open_errors += 1;
            self.open.push(Open { depth, what: What::Error });
        }
    }

    /// A node that is no argument where it stands among arguments.
    fn aside(&mut self, depth: u32) {
        if let Some(Open { depth: at, what: What::Call(call) }) = self.open.last()
            && at + 2 == depth
        {
            self.taken.aside_among_arguments(call);
        }
    }

    fn direct_call(&mut self, depth: u32, tell: impl FnOnce(&mut OpenCall)) {
        if let Some(Open { depth: at, what: What::Call(call) }) = self.open.last_mut()
            && *at + 1 == depth
        {
            tell(call);
        }
    }

    fn open_call(&mut self, node: Node, constructor: bool, depth: u32) {
        let call = OpenCall::new(node, constructor, self.taken.calls.len());
        self.open.push(Open { depth, what: What::Call(call) });
    }

    fn arguments(&mut self, node: Node, depth: u32) {
        if !matches!(self.open.last(), Some(Open { depth: at, what: What::Call(_) }) if at + 1 == depth) {
            return; // Of an enum constant, or `this(…)`, `super(…)`.
        }
        let open_calls = self.open.iter_mut().rev().map_while(|open| match &mut open.what {
            What::Call(call) => Some(call),
            _ => None,
        });
        self.taken.arguments(node, self.innermost, open_calls, self.text);
    }

    fn assert_statement(&mut self, node: Node, depth: u32) {
        if self.taken.open_assertions == 0 {
            self.taken.assertion("assert".into(), span(node));
        }
        self.taken.open_assertions += 1;
        self.open.push(Open { depth, what: What::AssertStatement });
    }

    fn package(&mut self, node: Node) {
        self.outline.regions.push(Region { kind: RegionKind::Package, span: span(node), parent: None });
        if let Some(name) = node.named_children().find(|child| self.is_name(*child)) {
            self.outline.package = without_space(span(name).of(self.text));
        }
    }

    fn import(&mut self, node: Node) {
        let region = Region { kind: RegionKind::Import, span: span(node), parent: None };
        self.outline.regions.push(region);
        let mut import = String::new();
        for child in node.children() {
            if child.kind_id() == self.grammar.static_word {
                import.push_str("static ");
            } else if self.is_name(child) {
                import.push_str(&without_space(span(child).of(self.text)));
            } else if child.kind_id() == self.grammar.asterisk {
                import.push_str(".*");
            }
        }
        self.outline.imports.push(import);
    }

    fn is_name(&self, node: Node) -> bool {
        node.kind_id() == self.grammar.scoped_identifier || node.kind_id() == self.grammar.identifier
    }

    fn finish(mut self) -> (Outline, Assertions) {
        while !self.open.is_empty() {
            self.close();
        }
        let Self { mut outline, extents, taken, bindings, .. } = self;
        outline.calls = taken.calls;
        outline.bindings = bindings.taken;
        (outline, Assertions { all: taken.assertions, extents })
    }
}

fn qualified_name(path: &str, name: &str) -> String {
    if path.is_empty() || path.len() + name.len() > MAX_QUALIFIED_NAME {
        return name.to_owned();
    }
    let mut qualified = String::with_capacity(path.len() + 1 + name.len());
    qualified.push_str(path);
    qualified.push('.');
    qualified.push_str(name);
    qualified
}

/// A dotted name as one word, whatever stands between its parts.
fn without_space(name: &str) -> String {
    name.split_whitespace().collect()
}
