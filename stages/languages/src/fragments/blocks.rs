//! The lists of statements that stand inside the statements of a piece: bodies of loops, blocks and functions.

use super::Fragment;
use super::statements::{listed, statements};
use crate::Span;
use trefoil_syntax::Node;

/// A list of statements inside a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// All of it, without braces.
    pub inside: Span,
    /// Its statements in order, each with the separator behind it and a comment on its last line.
    pub statements: Vec<Span>,
    /// Whether nothing may be left of it: its braces stay, and the place that was asked about is no condition for it.
    pub can_be_empty: bool,
}

impl Fragment {
    /// The lists that hold the place `at` or begin behind it in the same statement, outer ones first. Places are
    /// those of the piece.
    pub fn blocks(&self, at: u32) -> Vec<Block> {
        let place = at as usize + self.whole.start;
        let mut found = Vec::new();
        let holds = |node: &Node<'_>| node.start_byte() <= place && place < node.end_byte();
        let mut pending: Vec<(Node<'_>, &str)> = self
            .nodes()
            .into_iter()
            .filter(|node| !node.is_extra() && holds(node))
            .map(|node| (node, ""))
            .collect();
        while let Some((node, joint)) = pending.pop() {
            let joint = if holds(&node) { node.kind() } else { joint };
            if self.rules.blocks.contains(&node.kind()) {
                found.push(self.block(node, joint != "if_statement"));
            }
            let children: Vec<_> = node.children().filter(|it| it.end_byte() > place).collect();
            pending.extend(children.into_iter().rev().map(|child| (child, joint)));
        }
        found
    }

    fn block(&self, node: Node<'_>, is_free: bool) -> Block {
        let (nodes, inside) = listed(node, self.rules);
        let is_between = inside.start as usize > node.start_byte() && (inside.end as usize) < node.end_byte();
        Block {
            inside: self.placed(inside),
            statements: statements(nodes, &self.text).into_iter().map(|span| self.placed(span)).collect(),
            can_be_empty: is_free && is_between,
        }
    }

    /// The statements of the piece in order, each with the separator behind it and a comment on its last line.
    pub fn statements(&self) -> Vec<Span> {
        let Some(list) = self.list() else { return Vec::new() };
        let is_part =
            |node: &Node<'_>| self.whole.start <= node.start_byte() && node.end_byte() <= self.whole.end;
        let nodes = list.children().filter(is_part);
        statements(nodes, &self.text).into_iter().map(|span| self.placed(span)).collect()
    }

    /// A span of the scaffold's text as one of the piece.
    fn placed(&self, span: Span) -> Span {
        let place = |at: u32| at.saturating_sub(self.whole.start as u32);
        Span { start: place(span.start), end: place(span.end) }
    }
}
