//! Syntax trees: the nodes of a text in the order in which they begin, each before what it holds.

use std::iter::successors;
use std::ops::Range;
use tree_sitter::Language;

/// A node, and where the next one is that it does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) kind: u16,
    pub(crate) field: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Number of the next node that is not inside this one.
    pub(crate) next: u32,
    /// Number of the node around it; its own for the root.
    pub(crate) parent: u32,
    pub(crate) marks: Marks,
}

/// What can be said of a node, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Marks(u8);

impl Marks {
    pub(crate) const NAMED: Self = Self(1);
    pub(crate) const EXTRA: Self = Self(2);
    pub(crate) const ERROR: Self = Self(4);
    pub(crate) const MISSING: Self = Self(8);
    pub(crate) const HAS_ERROR: Self = Self(16);

    /// These, and `more` if that is `true`.
    #[inline]
    pub(crate) fn with(self, more: Self, is_so: bool) -> Self {
        if is_so { Self(self.0 | more.0) } else { self }
    }

    #[inline]
    fn has(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }
}

/// The syntax tree of a text.
pub struct Tree {
    entries: Vec<Entry>,
    /// Where the lines after the first begin.
    lines: Vec<u32>,
    language: Language,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        (&self.language, &self.lines, &self.entries) == (&other.language, &other.lines, &other.entries)
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.root_node().to_sexp())
    }
}

/// A place in a text, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Number of the line.
    pub row: usize,
    /// Bytes from its beginning.
    pub column: usize,
}

impl Tree {
    pub(crate) fn new(entries: Vec<Entry>, text: &str, language: &Language) -> Self {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1).collect();
        Self { entries, lines, language: language.clone() }
    }

    /// Its outermost node.
    pub fn root_node(&self) -> Node<'_> {
        Node { tree: self, number: 0 }
    }

    /// A cursor at its outermost node.
    pub fn walk(&self) -> TreeCursor<'_> {
        self.root_node().walk()
    }

    #[inline]
    fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    fn point(&self, at: usize) -> Point {
        let row = self.lines.partition_point(|&line| line as usize <= at);
        let line = row.checked_sub(1).map_or(0, |before| self.lines[before] as usize);
        Point { row, column: at - line }
    }
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct Node<'tree> {
    tree: &'tree Tree,
    number: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.number == other.number
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.kind(), self.byte_range())
    }
}

impl<'tree> Node<'tree> {
    #[inline]
    fn entry(&self) -> &'tree Entry {
        self.tree.entry(self.number)
    }

    #[inline]
    fn at(&self, number: u32) -> Self {
        Self { tree: self.tree, number }
    }

    /// A number that no other node of the tree has.
    #[inline]
    pub fn id(&self) -> usize {
        self.number as usize
    }

    /// Name of its kind.
    pub fn kind(&self) -> &'tree str {
        self.tree.language.node_kind_for_id(self.kind_id()).unwrap_or("ERROR")
    }

    /// Number of its kind in the grammar.
    #[inline]
    pub fn kind_id(&self) -> u16 {
        self.entry().kind
    }

    /// Number of the field of its parent that it is, if any.
    #[inline]
    pub fn field_id(&self) -> Option<u16> {
        Some(self.entry().field).filter(|&field| field != 0)
    }

    /// Where it begins, in bytes.
    #[inline]
    pub fn start_byte(&self) -> usize {
        self.entry().start as usize
    }

    /// Where it ends, in bytes.
    #[inline]
    pub fn end_byte(&self) -> usize {
        self.entry().end as usize
    }

    /// The bytes that it covers.
    #[inline]
    pub fn byte_range(&self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// Where it begins.
    pub fn start_position(&self) -> Point {
        self.tree.point(self.start_byte())
    }

    /// Where it ends.
    pub fn end_position(&self) -> Point {
        self.tree.point(self.end_byte())
    }

    /// Whether it is of a rule with a name.
    #[inline]
    pub fn is_named(&self) -> bool {
        self.entry().marks.has(Marks::NAMED)
    }

    /// Whether it may stand anywhere, as comments may.
    #[inline]
    pub fn is_extra(&self) -> bool {
        self.entry().marks.has(Marks::EXTRA)
    }

    /// Whether it is text that fits no rule.
    #[inline]
    pub fn is_error(&self) -> bool {
        self.entry().marks.has(Marks::ERROR)
    }

    /// Whether it was put in where the text lacks it.
    #[inline]
    pub fn is_missing(&self) -> bool {
        self.entry().marks.has(Marks::MISSING)
    }

    /// Whether it is an error or missing, or holds a node that is.
    #[inline]
    pub fn has_error(&self) -> bool {
        self.entry().marks.has(Marks::HAS_ERROR)
    }

    /// How many nodes it holds, with itself.
    #[inline]
    pub fn descendant_count(&self) -> usize {
        (self.entry().next - self.number) as usize
    }

    /// The node around it.
    pub fn parent(&self) -> Option<Self> {
        (self.number > 0).then(|| self.at(self.entry().parent))
    }

    #[inline]
    fn first_child(&self) -> Option<Self> {
        (self.entry().next > self.number + 1).then(|| self.at(self.number + 1))
    }

    /// The node after it in the node around it.
    #[inline]
    pub fn next_sibling(&self) -> Option<Self> {
        let Entry { next, parent, .. } = *self.entry();
        (next < self.tree.entry(parent).next).then(|| self.at(next))
    }

    /// The nodes right inside it.
    #[inline]
    pub fn children(&self) -> impl Iterator<Item = Node<'tree>> + use<'tree> {
        successors(self.first_child(), Self::next_sibling)
    }

    /// Those that have a name.
    pub fn named_children(&self) -> impl Iterator<Item = Node<'tree>> + use<'tree> {
        self.children().filter(Self::is_named)
    }

    /// How many nodes are right inside it.
    pub fn child_count(&self) -> usize {
        self.children().count()
    }

    /// How many of them have a name.
    pub fn named_child_count(&self) -> usize {
        self.named_children().count()
    }

    /// One of the nodes right inside it.
    pub fn child(&self, number: usize) -> Option<Self> {
        self.children().nth(number)
    }

    /// The last of them.
    pub fn last_child(&self) -> Option<Self> {
        self.children().last()
    }

    /// One of those that have a name.
    pub fn named_child(&self, number: usize) -> Option<Self> {
        self.named_children().nth(number)
    }

    /// The first node right inside it that is this field. None for 0, which is no field, and in an error, which has
    /// none.
    pub fn child_by_field_id(&self, field: u16) -> Option<Self> {
        if self.is_error() {
            return None;
        }
        self.children().find(|child| child.entry().field == field && field != 0)
    }

    /// The first node right inside it that is the field of this name.
    pub fn child_by_field_name(&self, field: &str) -> Option<Self> {
        self.child_by_field_id(self.tree.language.field_id_for_name(field)?.get())
    }

    /// The smallest node that covers these bytes.
    pub fn descendant_for_byte_range(&self, start: usize, end: usize) -> Option<Self> {
        let covers = |node: &Self| node.start_byte() <= start && end <= node.end_byte();
        // Of two nodes that both cover nothing at one place the first counts.
        let inside = |node: &Self| node.children().find(|child| child.end_byte() > start && covers(child));
        successors(Some(*self).filter(covers), inside).last()
    }

    /// A cursor that does not leave it.
    pub fn walk(&self) -> TreeCursor<'tree> {
        TreeCursor { root: self.number, node: *self, depth: 0 }
    }

    /// The tree as an expression of kinds, those without a name left out.
    pub fn to_sexp(&self) -> String {
        let mut written = String::new();
        let mut open: Vec<u32> = Vec::new();
        for number in self.number..self.entry().next {
            let node = self.at(number);
            while open.pop_if(|next| *next <= number).is_some() {
                written.push(')');
            }
            if node.is_named() {
                let space = if written.is_empty() { "" } else { " " };
                let missing = if node.is_missing() { "MISSING " } else { "" };
                written.push_str(&format!("{space}({missing}{}", node.kind()));
                open.push(node.entry().next);
            }
        }
        written.extend(open.iter().map(|_| ')'));
        written
    }
}

/// A node that moves through a tree.
#[derive(Clone)]
pub struct TreeCursor<'tree> {
    /// The node that it does not leave.
    root: u32,
    node: Node<'tree>,
    depth: u32,
}

impl<'tree> TreeCursor<'tree> {
    /// Where it is.
    #[inline]
    pub fn node(&self) -> Node<'tree> {
        self.node
    }

    /// How many nodes are around it, up to the one that it began with.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Number of the field of its parent that its node is, if any.
    #[inline]
    pub fn field_id(&self) -> Option<u16> {
        if self.node.number == self.root { None } else { self.node.field_id() }
    }

    #[inline]
    fn go(&mut self, to: Option<Node<'tree>>) -> bool {
        if let Some(node) = to {
            self.node = node;
        }
        to.is_some()
    }

    /// To the first node inside; answers whether there is one.
    #[inline]
    pub fn goto_first_child(&mut self) -> bool {
        let went = self.go(self.node.first_child());
        self.depth += u32::from(went);
        went
    }

    /// To the node behind; answers whether there is one.
    #[inline]
    pub fn goto_next_sibling(&mut self) -> bool {
        self.node.number != self.root && self.go(self.node.next_sibling())
    }

    /// To the node around; answers whether there is one that it may go to.
    #[inline]
    pub fn goto_parent(&mut self) -> bool {
        let went = self.node.number != self.root && self.go(self.node.parent());
        self.depth -= u32::from(went);
        went
    }

    /// To the first node inside that ends behind a place in the text; answers whether there is one.
    pub fn goto_first_child_for_byte(&mut self, at: usize) -> bool {
        let went = self.go(self.node.children().find(|child| child.end_byte() > at));
        self.depth += u32::from(went);
        went
    }

    /// Begins anew with a node of the same tree.
    pub fn reset(&mut self, node: Node<'tree>) {
        *self = node.walk();
    }
}
