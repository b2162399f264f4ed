//! Pieces of code that are no whole file: the statements of a body, a method without its class. A piece is
//! parsed inside a scaffold of its language, so that the grammar accepts it, and only what lies inside counts.
//!
//! Knows neither tests nor data sets: who cuts code into pieces, and why, is no business of this module.

mod blocks;
mod linear;
mod statements;
mod unfold;

pub use blocks::Block;
pub(crate) use statements::note;
pub use unfold::{Folded, unfold};

use crate::{Language, Parser};
use std::ops::Range;
use trefoil_syntax::{Node, Tree};

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Statements of a body, without its braces.
    Statements,
    /// One declaration, with annotations or decorators.
    Member,
}

/// What differs between languages.
pub struct FragmentRules {
    /// What may stand around statements, before and after; the first under which there is no error is taken.
    pub statements: &'static [(&'static str, &'static str)],
    /// The same for declarations.
    pub members: &'static [(&'static str, &'static str)],
    /// Nodes that stand for a list of statements alone, without braces.
    pub lists: &'static [&'static str],
    /// Nodes that are a list of statements inside a statement, with their braces.
    pub blocks: &'static [&'static str],
    /// Nodes that are taken as they are written, since blanks inside them count: strings above all.
    pub is_atom: fn(kind: &str) -> bool,
    /// Whether there are atoms that need lines of their own and begin with `#`.
    pub has_directives: bool,
    /// What lines begin with that open and close a region of the text and mean nothing, if there are such.
    pub regions: Option<(&'static str, &'static str)>,
    /// Nodes after which a new line begins.
    pub ends_line: fn(kind: &str) -> bool,
    /// Nodes each of whose children stands on a line of its own.
    pub lines: &'static [&'static str],
    /// Whether [`Self::lists`] are told by their indentation.
    pub is_indented: bool,
    /// Nodes that often hold nothing but these tokens, separated by blanks, and are written short then.
    pub hollow: &'static [(&'static str, &'static str)],
}

/// A piece of code with its tree.
pub struct Fragment {
    rules: &'static FragmentRules,
    tree: Tree,
    /// The piece inside its scaffold.
    text: String,
    /// Where the piece lies in there, white space and comments around it left out.
    inside: Range<usize>,
    /// Where all of it lies in there.
    whole: Range<usize>,
}

impl Parser {
    /// Parses a piece of code; `path` tells the grammar. None where it has syntax errors, breaks out of its
    /// scaffold or hits a guard.
    pub fn fragment(
        &self,
        language: &'static Language,
        path: &str,
        shape: Shape,
        text: &str,
    ) -> Option<Fragment> {
        let scaffolds = match shape {
            Shape::Statements => language.fragments.statements,
            Shape::Member => language.fragments.members,
        };
        scaffolds.iter().find_map(|(before, after)| self.inside(language, path, text, (before, after)))
    }

    /// Whether a piece of code can be parsed and its tree on a line unfolds to code of the same tree.
    pub fn comes_back(&self, language: &'static Language, path: &str, shape: Shape, text: &str) -> bool {
        let line = |text: &str| Some(self.fragment(language, path, shape, text)?.linear());
        let Some(first) = line(text) else { return false };
        unfold(language, &first).is_ok_and(|code| line(&code).as_ref() == Some(&first))
    }

    fn inside(
        &self,
        language: &'static Language,
        path: &str,
        text: &str,
        (before, after): (&str, &str),
    ) -> Option<Fragment> {
        let whole = format!("{before}{text}{after}");
        let tree = self.tree(language, path, &whole).ok()?;
        if tree.root_node().has_error() {
            return None;
        }
        let range = before.len()..before.len() + text.len();
        let inside = code(&tree, &whole, range.clone());
        let rules = language.fragments;
        let fragment = Fragment { rules, tree, text: whole, inside, whole: range };
        fragment.is_whole().then_some(fragment)
    }
}

/// Whether the lines of statements begin at one column. The grammar of Python takes others, too; the first line may
/// have lost its indentation.
fn is_aligned(nodes: &[Node<'_>]) -> bool {
    let places = nodes.iter().filter(|node| node.is_named() && !node.is_extra()).map(Node::start_position);
    let mut lines = places.scan(None, |last, place| {
        let begins = last.replace(place.row) != Some(place.row);
        Some(begins.then_some(place.column))
    });
    let first = lines.next().flatten();
    let mut columns = lines.flatten();
    let column = columns.next();
    columns.all(|other| Some(other) == column)
        && (column.is_none() || first.is_none_or(|first| first == 0) || first == column)
}

/// A range without the white space and the comments at its ends, of which some grammars make no part of a list.
fn code(tree: &Tree, text: &str, range: Range<usize>) -> Range<usize> {
    // Directives of C# stand anywhere like comments, and have children.
    let comment = |from: usize, to: usize| {
        let leaf = tree.root_node().descendant_for_byte_range(from, to);
        std::iter::successors(leaf, Node::parent).find(Node::is_extra)
    };
    let Range { mut start, mut end } = range;
    loop {
        let rest = text.get(start..end).unwrap_or_default();
        start = end - rest.trim_start().len();
        match comment(start, start + 1) {
            Some(node) if start < end && node.end_byte() > start => start = node.end_byte().min(end),
            _ => break,
        }
    }
    loop {
        let rest = text.get(start..end).unwrap_or_default();
        end = start + rest.trim_end().len();
        match comment(end.saturating_sub(1), end) {
            Some(node) if start < end && node.start_byte() < end => end = node.start_byte().max(start),
            _ => break,
        }
    }
    start..end
}

impl Fragment {
    /// The node whose children the piece is made of, if there is more to it than comments.
    fn list(&self) -> Option<Node<'_>> {
        let mut node = self.tree.root_node();
        if self.inside.is_empty() {
            return None;
        }
        loop {
            let around = node.children().find(|child| {
                let (from, to) = (child.start_byte(), child.end_byte());
                let holds = from <= self.inside.start && self.inside.end <= to;
                let is_part = self.whole.start <= from && to <= self.whole.end;
                holds && (!is_part || self.rules.lists.contains(&child.kind())) && child.child_count() > 0
            });
            match around {
                Some(child) => node = child,
                None => return Some(node),
            }
        }
    }

    /// The nodes of the piece, comments too, in order.
    fn nodes(&self) -> Vec<Node<'_>> {
        let Some(list) = self.list() else { return Vec::new() };
        let touches =
            |child: &Node<'_>| child.end_byte() > self.inside.start && child.start_byte() < self.inside.end;
        list.children().filter(touches).collect()
    }

    /// Whether no node of the scaffold was closed or opened by the piece.
    fn is_whole(&self) -> bool {
        let is_inside =
            |node: &Node<'_>| self.whole.start <= node.start_byte() && node.end_byte() <= self.whole.end;
        let nodes = self.nodes();
        nodes.iter().all(is_inside) && (!self.rules.is_indented || is_aligned(&nodes))
    }

    /// The tokens of the piece as the grammar sees them, strings whole, comments and blank ones left out.
    pub fn tokens(&self) -> Vec<&str> {
        let mut tokens = Vec::new();
        self.walk(&mut |event| match event {
            linear::Event::Leaf(text) if !text.trim().is_empty() => tokens.push(text),
            linear::Event::Hollow(_, all) => tokens.extend(all.split(' ')),
            _ => {}
        });
        tokens
    }
}
