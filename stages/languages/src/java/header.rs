//! The part of a declaration before its body: modifiers, annotations, name, parameters, types.

use super::TEST_MARKER;
use super::grammar::Grammar;
use crate::{Callable, CallableKind, Lines, Parameter, Role, Span};
use trefoil_syntax::Node;

/// Reads headers.
pub(super) struct Headers<'text> {
    grammar: &'static Grammar,
    text: &'text str,
}

/// Bytes that a node covers.
pub(super) fn span(node: Node) -> Span {
    Span { start: node.start_byte() as u32, end: node.end_byte() as u32 }
}

impl<'text> Headers<'text> {
    pub(super) fn new(grammar: &'static Grammar, text: &'text str) -> Self {
        Self { grammar, text }
    }

    /// The callable that `node` declares, without what the walk alone knows: its place among the others,
    /// its calls and its role.
    pub(super) fn read(&self, node: Node, kind: CallableKind) -> Callable {
        let mut callable = Callable {
            kind,
            name: String::new(),
            qualified_name: String::new(),
            parent: None,
            span: span(node),
            lines: lines(node),
            signature: Span::default(),
            body: None,
            modifiers: Vec::new(),
            annotations: Vec::new(),
            has_test_marker: false,
            parameters: Vec::new(),
            return_type: String::new(),
            supertypes: Vec::new(),
            role: Role::Plain,
            has_error: node.has_error(),
            recovered: false,
        };
        let mut signature_start = None;
        for child in node.children() {
            let field = child.field_id().unwrap_or(0);
            let start = self.part(child, field, &mut callable);
            signature_start = signature_start.or(start);
        }
        callable.signature = self.signature(&callable, signature_start);
        callable
    }

    /// Takes in one child of a declaration; answers where the signature begins if it begins in this child.
    fn part(&self, child: Node, field: u16, callable: &mut Callable) -> Option<u32> {
        let grammar = self.grammar;
        let kind = child.kind_id();
        if kind == grammar.modifiers {
            callable.has_test_marker = span(child).of(self.text).contains(TEST_MARKER);
            return self.modifiers(child, callable);
        }
        if kind == grammar.marker_annotation || kind == grammar.annotation {
            self.annotation(child, callable); // `<T> @A String f()`
        } else if field == grammar.name {
            callable.name = self.words(child);
        } else if field == grammar.type_field {
            callable.return_type = self.words(child);
        } else if field == grammar.dimensions {
            callable.return_type.push_str(span(child).of(self.text)); // `int f()[]`
        } else if field == grammar.parameters {
            self.parameters(child, callable);
        } else if field == grammar.body {
            callable.body = Some(span(child));
        } else if kind == grammar.superclass {
            self.types(child, callable);
        } else if kind == grammar.super_interfaces || kind == grammar.extends_interfaces {
            self.interfaces(child, callable);
        }
        (!grammar.is_aside(kind)).then_some(child.start_byte() as u32)
    }

    fn modifiers(&self, node: Node, callable: &mut Callable) -> Option<u32> {
        let mut first = None;
        for child in node.children() {
            let kind = child.kind_id();
            if kind == self.grammar.marker_annotation || kind == self.grammar.annotation {
                self.annotation(child, callable);
            } else if !self.grammar.is_aside(kind) {
                first = first.or(Some(child.start_byte() as u32));
                callable.modifiers.push(span(child).of(self.text).to_owned());
            }
        }
        first
    }

    fn annotation(&self, annotation: Node, callable: &mut Callable) {
        if let Some(name) = annotation.child_by_field_id(self.grammar.name) {
            callable.annotations.push(self.words(name));
        }
    }

    /// Reads `(…)`. A receiver parameter (`Foo this`) is no parameter.
    fn parameters(&self, node: Node, callable: &mut Callable) {
        for child in node.children() {
            let kind = child.kind_id();
            if kind == self.grammar.formal_parameter {
                let parameter = self.parameter(child);
                // The grammar takes some receiver parameters for ordinary ones.
                if parameter.name != "this" {
                    callable.parameters.push(parameter);
                }
            } else if kind == self.grammar.spread_parameter {
                callable.parameters.push(self.spread_parameter(child));
            }
        }
    }

    fn parameter(&self, node: Node) -> Parameter {
        let field = |id| node.child_by_field_id(id).map(|child| self.words(child)).unwrap_or_default();
        let mut type_name = field(self.grammar.type_field);
        type_name.push_str(&field(self.grammar.dimensions));
        Parameter { name: field(self.grammar.name), type_name }
    }

    /// `String... names`; the grammar gives its parts no fields.
    fn spread_parameter(&self, node: Node) -> Parameter {
        let mut parameter = Parameter { name: String::new(), type_name: String::new() };
        for child in node.children() {
            let kind = child.kind_id();
            if kind == self.grammar.variable_declarator {
                let name = child.child_by_field_id(self.grammar.name).unwrap_or(child);
                parameter.name = self.words(name);
            } else if child.is_named()
                && kind != self.grammar.modifiers
                && !self.grammar.is_aside(kind)
                && parameter.type_name.is_empty()
            {
                parameter.type_name = self.words(child) + "...";
            }
        }
        parameter
    }

    /// Reads `implements A, B` or `extends A, B`.
    fn interfaces(&self, node: Node, callable: &mut Callable) {
        for child in node.children() {
            if child.kind_id() == self.grammar.type_list {
                self.types(child, callable);
            }
        }
    }

    /// The named children of a node, as supertypes.
    fn types(&self, node: Node, callable: &mut Callable) {
        for child in node.children() {
            if child.is_named() && !self.grammar.is_aside(child.kind_id()) {
                callable.supertypes.push(self.words(child));
            }
        }
    }

    fn words(&self, node: Node) -> String {
        span(node).of(self.text).to_owned()
    }

    /// From `start` to the body, or to the semicolon of a declaration that has none.
    fn signature(&self, callable: &Callable, start: Option<u32>) -> Span {
        let end = callable.body.map_or(callable.span.end, |body| body.start);
        let start = start.unwrap_or(callable.span.start).min(end);
        let mut text = Span { start, end }.of(self.text).trim_end();
        if callable.body.is_none() {
            text = text.strip_suffix(';').unwrap_or(text).trim_end();
        }
        Span { start, end: start + text.len() as u32 }
    }
}

fn lines(node: Node) -> Lines {
    let (start, end) = (node.start_position(), node.end_position());
    // The end is the position after the last byte, which is on the line before if that byte ends a line.
    let last = if end.column == 0 && end.row > start.row { end.row } else { end.row + 1 };
    Lines { first: start.row as u32 + 1, last: last as u32 }
}
