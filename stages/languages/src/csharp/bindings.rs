//! Names that are given a type or a value: fields, properties, local variables, assignments.

use super::grammar::Grammar;
use super::header::{plain, span};
use crate::{Binding, Span};
use trefoil_syntax::Node;

/// Longest left side that is kept, in bytes.
const MAX_NAME: usize = 80;

/// Longest type that is repeated for each of the names that it is written for. Without it a hostile file of
/// one long type and many short names fills the memory.
const MAX_TYPE: usize = 500;

/// Reads bindings.
pub(super) struct Bindings<'text> {
    grammar: &'static Grammar,
    text: &'text str,
    pub(super) found: Vec<Binding>,
}

impl<'text> Bindings<'text> {
    pub(super) fn new(grammar: &'static Grammar, text: &'text str) -> Self {
        Self { grammar, text, found: Vec::new() }
    }

    /// `private T a = x, b;`.
    pub(super) fn field(&mut self, field: Node, owner: Option<u32>) {
        let is_declaration = |child: &Node| child.kind_id() == self.grammar.variable_declaration;
        if let Some(declaration) = field.children().filter(is_declaration).last() {
            self.variables(declaration, owner);
        }
    }

    /// `T a = x, b`.
    pub(super) fn variables(&mut self, declaration: Node, owner: Option<u32>) {
        let written = self.written_type(declaration);
        for declarator in declaration.children() {
            if declarator.kind_id() == self.grammar.variable_declarator
                && let Some(name) = declarator.child_by_field_id(self.grammar.name)
            {
                let value = declarator
                    .last_child()
                    .filter(|last| last.is_named() && last.start_byte() > name.end_byte());
                self.bind(owner, span(name), written, value);
            }
        }
    }

    /// `T Name { get; } = x`.
    pub(super) fn property(&mut self, property: Node, owner: Option<u32>) {
        let Some(name) = property.child_by_field_id(self.grammar.name) else { return };
        let value = property
            .child_by_field_id(self.grammar.value)
            .filter(|value| value.kind_id() != self.grammar.arrow);
        self.bind(owner, span(name), self.written_type(property), value);
    }

    /// `foreach (T name in …)`; with `var` nothing tells the type.
    pub(super) fn foreach(&mut self, statement: Node, owner: Option<u32>) {
        let written = self.written_type(statement);
        if let (Some(left), false) = (statement.child_by_field_id(self.grammar.left), written.is_empty()) {
            self.bind(owner, span(left), written, None);
        }
    }

    /// `a.b = x`; not `a += x`, and nothing but names on the left.
    pub(super) fn assignment(&mut self, assignment: Node, owner: Option<u32>) {
        let field = |id| assignment.child_by_field_id(id);
        let (Some(left), Some(operator), Some(right)) =
            (field(self.grammar.left), field(self.grammar.operator_field), field(self.grammar.right))
        else {
            return;
        };
        let is_path = |text: &str| !text.contains(|c: char| !(c.is_alphanumeric() || "_.@".contains(c)));
        if operator.kind_id() == self.grammar.assign && is_path(span(left).of(self.text)) {
            self.bind(owner, span(left), "", Some(right));
        }
    }

    /// The type as written, empty for `var`.
    fn written_type(&self, node: Node) -> &'text str {
        let written = node.child_by_field_id(self.grammar.type_field);
        let written = written.filter(|written| written.kind_id() != self.grammar.implicit_type);
        written.map_or("", |written| span(written).of(self.text))
    }

    fn bind(&mut self, owner: Option<u32>, name: Span, written: &str, value: Option<Node>) {
        let name = plain(name.of(self.text));
        let (value, hint) = value.map_or((Span::default(), ""), |value| self.value(value));
        let type_name = if written.is_empty() { hint } else { written };
        if name.is_empty() || name.len() > MAX_NAME || type_name.len() > MAX_TYPE {
            return;
        }
        let binding = Binding { owner, name: name.into(), type_name: type_name.into(), value };
        self.found.push(binding);
    }

    /// The value without what only wraps it, and the type that the creation or the casts around it name.
    fn value(&self, node: Node) -> (Span, &'text str) {
        let grammar = self.grammar;
        let mut node = node;
        let mut hint = "";
        loop {
            let kind = node.kind_id();
            let mut name = |written: Option<Node>| {
                if let (true, Some(written)) = (hint.is_empty(), written) {
                    hint = span(written).of(self.text);
                }
            };
            let inner = if kind == grammar.await_expression || kind == grammar.parenthesized {
                node.named_child(0)
            } else if kind == grammar.postfix {
                // `x!`; `x++` has no value that a call made.
                node.named_child(0)
            } else if kind == grammar.cast {
                name(node.child_by_field_id(grammar.type_field));
                node.child_by_field_id(grammar.value)
            } else if kind == grammar.as_expression {
                name(node.child_by_field_id(grammar.right));
                node.child_by_field_id(grammar.left)
            } else {
                if kind == grammar.creation {
                    name(node.child_by_field_id(grammar.type_field));
                }
                return (span(node), hint);
            };
            match inner {
                Some(inner) => node = inner,
                None => return (span(node), hint),
            }
        }
    }
}
