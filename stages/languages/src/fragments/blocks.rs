//! The lists of statements that stand inside the statements of a piece: bodies of loops, blocks and functions.

use super::{Fragment, Item, ItemKind};
use crate::Span;
use tree_sitter::Node;

/// A list of statements inside a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// All of it, without braces.
    pub inside: Span,
    /// What it holds, in order.
    pub items: Vec<Item>,
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
            let mut cursor = node.walk();
            let children: Vec<_> = node.children(&mut cursor).filter(|it| it.end_byte() > place).collect();
            pending.extend(children.into_iter().rev().map(|child| (child, joint)));
        }
        found
    }

    fn block(&self, node: Node<'_>, is_free: bool) -> Block {
        let mut cursor = node.walk();
        let mut items = Vec::new();
        let mut inside = node.byte_range();
        let whole = inside.clone();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "{" => inside.start = child.end_byte(),
                "}" => inside.end = child.start_byte(),
                kind if self.rules.lists.contains(&kind) => {
                    let mut cursor = child.walk();
                    items.extend(child.children(&mut cursor).map(|child| self.item(&child)));
                }
                _ => items.push(self.item(&child)),
            }
        }
        let can_be_empty = is_free && inside.start > whole.start && inside.end < whole.end;
        Block { inside: self.span(inside.start, inside.end), items, can_be_empty }
    }

    pub(super) fn item(&self, node: &Node<'_>) -> Item {
        Item {
            span: self.span(node.start_byte(), node.end_byte()),
            kind: match (node.is_extra(), node.is_named()) {
                (true, _) => ItemKind::Comment,
                (false, true) => ItemKind::Statement,
                (false, false) => ItemKind::Separator,
            },
        }
    }

    /// A range of the scaffold's text as a span of the piece.
    fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| at.saturating_sub(self.whole.start) as u32;
        Span { start: place(start), end: place(end) }
    }
}
