//! Nodes as the parser makes them: those that do not show included, and those of readings that are given up.

use crate::tables::Symbol;

/// Number of a node in a forest.
pub(crate) type Tree = u32;

/// A token, or a rule and its children.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) symbol: Symbol,
    /// How the grammar made it: says what its children are called.
    pub(crate) production: u16,
    /// Whether it may stand anywhere and is no part of the rule around it.
    pub(crate) extra: bool,
    /// Bytes, without the space before it.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Of a reading with more of it the others are given up.
    pub(crate) precedence: i32,
    first_child: u32,
    pub(crate) children: u32,
    /// For a token of the external scanner its state thereafter, else 0.
    pub(crate) scanner_state: u32,
}

/// Nodes that there is always room for: 14 MB, if a text was so large.
const KEPT: usize = 1 << 19;

/// All nodes of one parse.
#[derive(Default)]
pub(crate) struct Forest {
    parts: Vec<Part>,
    children: Vec<Tree>,
}

impl Forest {
    /// Makes room for the nodes of a text of so many bytes. It is rarely too little; what is not written to costs no
    /// memory.
    pub(crate) fn clear(&mut self, bytes: usize) {
        self.parts.clear();
        self.children.clear();
        if self.parts.capacity() < bytes || self.parts.capacity() > bytes.max(KEPT) {
            // What there was is given back first.
            *self = Self::default();
            let room = bytes.max(KEPT);
            (self.parts, self.children) = (Vec::with_capacity(room), Vec::with_capacity(room));
        }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    #[inline]
    pub(crate) fn get(&self, tree: Tree) -> &Part {
        &self.parts[tree as usize]
    }

    /// In the order of the text.
    #[inline]
    pub(crate) fn children(&self, part: &Part) -> &[Tree] {
        &self.children[part.first_child as usize..][..part.children as usize]
    }

    /// A token.
    #[inline]
    pub(crate) fn token(
        &mut self,
        symbol: Symbol,
        extra: bool,
        start: u32,
        end: u32,
        scanner_state: u32,
    ) -> Tree {
        self.add(Part {
            symbol,
            production: 0,
            extra,
            start,
            end,
            precedence: 0,
            first_child: 0,
            children: 0,
            scanner_state,
        })
    }

    /// A rule with these children, or, without any, of nothing at `position`.
    #[inline]
    pub(crate) fn rule(&mut self, symbol: Symbol, production: u16, children: &[Tree], position: u32) -> Tree {
        let precedence = self.precedence(children);
        let (start, end) = match (children.first(), children.last()) {
            (Some(&first), Some(&last)) => (self.get(first).start, self.get(last).end),
            _ => (position, position),
        };
        let first_child = self.children.len() as u32;
        self.children.extend_from_slice(children);
        self.add(Part {
            symbol,
            production,
            extra: false,
            start,
            end,
            precedence,
            first_child,
            children: children.len() as u32,
            scanner_state: 0,
        })
    }

    pub(crate) fn get_mut(&mut self, tree: Tree) -> &mut Part {
        &mut self.parts[tree as usize]
    }

    /// Another node like this one but for its symbol.
    pub(crate) fn with_symbol(&mut self, tree: Tree, symbol: Symbol) -> Tree {
        let part = Part { symbol, ..*self.get(tree) };
        self.add(part)
    }

    /// Another node like this one that may stand anywhere.
    pub(crate) fn as_extra(&mut self, tree: Tree) -> Tree {
        let part = Part { extra: true, ..*self.get(tree) };
        self.add(part)
    }

    /// The precedence of a reading of these parts.
    #[inline]
    pub(crate) fn precedence(&self, trees: &[Tree]) -> i32 {
        trees.iter().map(|&tree| self.get(tree).precedence).sum()
    }

    /// Whether, of two readings of the same text as a rule, that with the children `right` is better than `left`: by
    /// precedence, then by the smaller number of the first symbol in which they differ.
    pub(crate) fn is_better(&self, left: Tree, right: &[Tree]) -> bool {
        let left = self.get(left);
        let precedence = self.precedence(right);
        if precedence != left.precedence {
            return precedence > left.precedence;
        }
        if left.children as usize != right.len() {
            return right.len() < left.children as usize;
        }
        let mut pairs: Vec<(Tree, Tree)> =
            self.children(left).iter().copied().zip(right.iter().copied()).rev().collect();
        while let Some((left, right)) = pairs.pop() {
            if left == right {
                continue;
            }
            let (left, right) = (self.get(left), self.get(right));
            let of_left = (left.symbol, left.children);
            let of_right = (right.symbol, right.children);
            if of_left != of_right {
                return of_right < of_left;
            }
            pairs.extend(self.children(left).iter().copied().zip(self.children(right).iter().copied()).rev());
        }
        false
    }

    #[inline]
    fn add(&mut self, part: Part) -> Tree {
        let tree = self.parts.len() as Tree;
        self.parts.push(part);
        tree
    }
}
