//! Fields, local variables and assignments: what is needed to tell the type of a receiver.

use super::grammar::{Act, Grammar};
use super::header::span;
use crate::outline::beginning;
use crate::{Binding, Span};
use trefoil_syntax::Node;

/// Longest left side that is kept, in bytes.
const MAX_NAME: usize = 80;
/// Longest type that is kept: `Type a, b, c …` repeats it.
const MAX_TYPE: usize = 200;

/// Reads bindings.
pub(super) struct Bindings<'text> {
    grammar: &'static Grammar,
    text: &'text str,
    /// All bindings, in source order.
    pub(super) taken: Vec<Binding>,
}

impl<'text> Bindings<'text> {
    pub(super) fn new(grammar: &'static Grammar, text: &'text str) -> Self {
        Self { grammar, text, taken: Vec::new() }
    }

    /// `Type a = x, b;`, of a class or of a method.
    pub(super) fn declaration(&mut self, node: Node, owner: Option<u32>) {
        let grammar = self.grammar;
        let mut type_name = "";
        for child in node.children() {
            if child.field_id() == Some(grammar.type_field) {
                type_name = span(child).of(self.text);
            } else if child.kind_id() == grammar.variable_declarator {
                self.take(child, grammar.name, type_name, grammar.value, owner);
            }
        }
    }

    /// A resource of `try`, which is a declaration of its own, or the variable of a `for` over a collection,
    /// whose value is the collection and not what is bound.
    pub(super) fn single(&mut self, node: Node, act: Act, owner: Option<u32>) {
        let grammar = self.grammar;
        let written = node.child_by_field_id(grammar.type_field);
        let type_name = written.map_or("", |node| span(node).of(self.text));
        let value = if act == Act::ForEach { 0 } else { grammar.value };
        self.take(node, grammar.name, type_name, value, owner);
    }

    /// `left = right`.
    pub(super) fn assignment(&mut self, node: Node, owner: Option<u32>) {
        self.take(node, self.grammar.left, "", self.grammar.right, owner);
    }

    /// A constant of an enum is a field of the enum's own type.
    pub(super) fn constant(&mut self, node: Node, type_name: &str, owner: Option<u32>) {
        self.take(node, self.grammar.name, type_name, 0, owner);
    }

    fn take(&mut self, node: Node, name: u16, type_name: &str, value: u16, owner: Option<u32>) {
        let Some(name) = node.child_by_field_id(name) else { return };
        let name = span(name).of(self.text);
        if name.is_empty() {
            return; // Missing in broken code.
        }
        let value = node.child_by_field_id(value).map(|value| self.bare(value));
        let created = value.filter(|value| self.grammar.act(value.kind_id()) == Act::Creation);
        let type_name = match created.and_then(|value| value.child_by_field_id(self.grammar.type_field)) {
            Some(created) if matches!(type_name, "" | "var") => span(created).of(self.text),
            _ if type_name == "var" => "",
            _ => type_name,
        };
        self.taken.push(Binding {
            owner,
            name: beginning(name, MAX_NAME).into(),
            type_name: beginning(type_name, MAX_TYPE).into(),
            value: value.map_or(Span::default(), span),
        });
    }

    /// The value without parentheses and casts around it.
    fn bare<'tree>(&self, mut value: Node<'tree>) -> Node<'tree> {
        loop {
            let kind = value.kind_id();
            let inner = if kind == self.grammar.parenthesized {
                value.named_child(0)
            } else if kind == self.grammar.cast {
                value.child_by_field_id(self.grammar.value)
            } else {
                None
            };
            match inner {
                Some(inner) => value = inner,
                None => return value,
            }
        }
    }
}
