//! The part of a declaration before its body: attributes, modifiers, name, parameters, types.

use super::grammar::Grammar;
use crate::{Callable, CallableKind, Lines, Parameter, Role, Span};
use trefoil_syntax::Node;

/// A declaration as far as its header tells.
pub(super) struct Header {
    pub(super) callable: Callable,
    /// An attribute of a test case says `Skip = "…"`.
    pub(super) skipped: bool,
}

/// Reads headers.
pub(super) struct Headers<'text> {
    grammar: &'static Grammar,
    text: &'text str,
}

/// Bytes that a node covers.
pub(super) fn span(node: Node) -> Span {
    Span { start: node.start_byte() as u32, end: node.end_byte() as u32 }
}

/// A name without the `@` by which it may be a keyword.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix('@').unwrap_or(name)
}

/// What a header is put together from while its parts are read.
struct Parts {
    header: Header,
    /// From the first part that is no attribute to the last before the body, comments and directives aside.
    signature: Option<Span>,
    /// From `operator`, `implicit` or `explicit` to the end of what the operator is named after.
    operator: Option<Span>,
}

impl<'text> Headers<'text> {
    pub(super) fn new(grammar: &'static Grammar, text: &'text str) -> Self {
        Self { grammar, text }
    }

    /// The callable that `node` declares, without what the walk alone knows: its place among the others,
    /// its calls and its role.
    pub(super) fn read(&self, node: Node, kind: CallableKind) -> Header {
        let callable = Callable {
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
        let header = Header { callable, skipped: false };
        let mut parts = Parts { header, signature: None, operator: None };
        for child in node.children() {
            self.part(child, &mut parts);
        }
        let Parts { mut header, signature, operator } = parts;
        if let Some(operator) = operator {
            let words: Vec<&str> = operator.of(self.text).split_whitespace().collect();
            header.callable.name = words.join(" ");
        }
        let start = header.callable.span.start;
        header.callable.signature = signature.unwrap_or(Span { start, end: start });
        header
    }

    /// Takes in a child of the declaration.
    fn part(&self, child: Node, parts: &mut Parts) {
        let grammar = self.grammar;
        let kind = child.kind_id();
        if kind == grammar.attribute_list || kind == grammar.attributes_if {
            self.attributes(child, &mut parts.header);
            return;
        }
        let field = child.field_id().unwrap_or(0);
        let callable = &mut parts.header.callable;
        let is_behind = callable.body.is_some() || field == grammar.body || kind == grammar.semicolon;
        if !is_behind && !grammar.is_aside(kind) {
            let start = parts.signature.map_or(child.start_byte() as u32, |signature| signature.start);
            parts.signature = Some(Span { start, end: child.end_byte() as u32 });
        }
        if kind == grammar.modifier {
            callable.modifiers.push(self.words(child));
        } else if kind == grammar.parameter_list {
            self.parameters(child, callable);
        } else if kind == grammar.base_list {
            self.supertypes(child, callable);
        } else if field == grammar.name {
            callable.name = plain(span(child).of(self.text)).to_owned();
        } else if field == grammar.body {
            callable.body = Some(span(child));
        } else if field == grammar.returns || field == grammar.type_field {
            callable.return_type = self.words(child);
            // A conversion is named after the type, which its keywords precede.
            parts.operator = parts.operator.map(|from| Span { end: child.end_byte() as u32, ..from });
        } else if [grammar.operator_word, grammar.implicit_word, grammar.explicit_word].contains(&kind) {
            parts.operator = parts.operator.or(Some(span(child)));
        } else if field == grammar.operator_field {
            parts.operator = parts.operator.map(|from| Span { end: child.end_byte() as u32, ..from });
        }
    }

    /// Reads `[…]`, or several inside `#if`.
    fn attributes(&self, node: Node, header: &mut Header) {
        let mut cursor = node.walk();
        loop {
            let node = cursor.node();
            if node.kind_id() == self.grammar.attribute {
                self.attribute(node, header);
            } else if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn attribute(&self, attribute: Node, header: &mut Header) {
        let Some(name) = attribute.child_by_field_id(self.grammar.name) else { return };
        let name = self.words(name);
        let is_test = ["Fact", "Theory"].iter().any(|end| name.trim_end_matches("Attribute").ends_with(end));
        if is_test && let Some(arguments) = attribute.last_child() {
            let mut behind = span(arguments).of(self.text).split("Skip").skip(1);
            header.skipped |= behind.any(|rest| rest.trim_start().starts_with('='));
        }
        header.callable.annotations.push(name);
    }

    /// Reads `(…)`. The grammar puts the parts of a last parameter with `params` directly
    /// into the list.
    fn parameters(&self, node: Node, callable: &mut Callable) {
        let grammar = self.grammar;
        let mut rest: Option<u32> = None;
        let mut type_end = 0;
        for child in node.children() {
            let field = child.field_id().unwrap_or(0);
            if child.kind_id() == grammar.parameter {
                callable.parameters.push(self.parameter(child));
            } else if child.kind_id() == grammar.params_word {
                rest = Some(child.start_byte() as u32);
            } else if field == grammar.type_field {
                type_end = child.end_byte() as u32;
            } else if field == grammar.name
                && let Some(start) = rest.take()
            {
                let type_name = Span { start, end: type_end.max(start) }.of(self.text).to_owned();
                let name = plain(span(child).of(self.text)).to_owned();
                callable.parameters.push(Parameter { name, type_name });
            }
        }
    }

    /// `[A] ref T name = value` with `ref T` as its type.
    fn parameter(&self, node: Node) -> Parameter {
        let mut parameter = Parameter { name: String::new(), type_name: String::new() };
        let mut start = None;
        for child in node.children() {
            let kind = child.kind_id();
            let field = child.field_id().unwrap_or(0);
            let is_attribute = kind == self.grammar.attribute_list || kind == self.grammar.attributes_if;
            if !is_attribute && !self.grammar.is_aside(kind) {
                start = start.or(Some(child.start_byte() as u32));
            }
            if field == self.grammar.type_field {
                let end = child.end_byte() as u32;
                parameter.type_name = Span { start: start.unwrap_or(end), end }.of(self.text).to_owned();
            } else if field == self.grammar.name {
                parameter.name = plain(span(child).of(self.text)).to_owned();
            }
            if field == self.grammar.name {
                break;
            }
        }
        parameter
    }

    /// Reads `: A, B`.
    fn supertypes(&self, node: Node, callable: &mut Callable) {
        let grammar = self.grammar;
        for child in node.children() {
            let kind = child.kind_id();
            if kind == grammar.base_with_arguments {
                let name = child.child_by_field_id(grammar.type_field).unwrap_or(child);
                callable.supertypes.push(self.words(name));
            } else if child.is_named() && kind != grammar.argument_list && !grammar.is_aside(kind) {
                callable.supertypes.push(self.words(child));
            }
        }
    }

    fn words(&self, node: Node) -> String {
        span(node).of(self.text).to_owned()
    }
}

fn lines(node: Node) -> Lines {
    let (start, end) = (node.start_position(), node.end_position());
    // The end is the position after the last byte, which is on the line before if that byte ends a line.
    let last = if end.column == 0 && end.row > start.row { end.row } else { end.row + 1 };
    Lines { first: start.row as u32 + 1, last: last as u32 }
}
