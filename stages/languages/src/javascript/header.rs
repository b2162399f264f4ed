//! The part of a declaration before its body: modifiers, decorators, name, parameters, types.

use super::names::{cut, squeezed};
use super::walk::{Walk, span};
use crate::{Parameter, Span};
use trefoil_syntax::Node;

/// The part of a declaration before its body, with where the body is.
#[derive(Default)]
pub(super) struct Header {
    pub(super) name: Option<Span>,
    pub(super) modifiers: Vec<String>,
    pub(super) annotations: Vec<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) return_type: String,
    pub(super) supertypes: Vec<String>,
    /// First byte that is no decorator.
    pub(super) start: u32,
    pub(super) body: Option<Span>,
}

impl Walk<'_> {
    /// Reads what stands before the body of a function or class.
    pub(super) fn header(&mut self, node: Node) -> Header {
        let grammar = self.grammar;
        let mut header = Header { start: node.start_byte() as u32, ..Header::default() };
        let mut started = false;
        for child in node.children() {
            let (kind, field) = (child.kind_id(), child.field_id().unwrap_or(0));
            if kind == grammar.decorator {
                header.annotations.push(self.decorator(child));
                continue;
            }
            if !started {
                header.start = child.start_byte() as u32;
                started = true;
            }
            if field != 0 && field == grammar.name {
                header.name = Some(span(child));
            } else if field != 0 && field == grammar.parameters {
                self.parameters(child, &mut header);
            } else if field != 0 && field == grammar.parameter {
                let name = cut(self.text_of(child)).to_owned();
                header.parameters.push(Parameter { name, type_name: String::new() });
            } else if field != 0 && field == grammar.body {
                header.body = Some(span(child));
            } else if field != 0 && field == grammar.return_type {
                header.return_type = self.type_of(child);
            } else if kind == grammar.class_heritage || kind == grammar.extends_type_clause {
                self.supertypes(child, &mut header.supertypes);
            } else {
                self.modifier(child, &mut header.modifiers);
            }
        }
        header
    }

    fn modifier(&self, child: Node, modifiers: &mut Vec<String>) {
        let written = child.is_named()
            && [self.grammar.accessibility_modifier, self.grammar.override_modifier]
                .contains(&child.kind_id());
        let text = self.text_of(child);
        let word =
            matches!(text, "async" | "static" | "static get" | "get" | "set" | "*" | "abstract" | "readonly");
        if written || (!child.is_named() && word) {
            modifiers.extend(text.split_whitespace().map(str::to_owned));
        }
    }

    /// `@a.b(c)` as `a.b`.
    fn decorator(&self, node: Node) -> String {
        let text = self.text_of(node).trim_start_matches('@');
        squeezed(text.split('(').next().unwrap_or(text))
    }

    /// Reads `(…)`.
    fn parameters(&self, list: Node, header: &mut Header) {
        let grammar = self.grammar;
        for child in list.children() {
            if child.is_named() && child.kind_id() != grammar.comment && !child.is_error() {
                let field = |id: u16| if id == 0 { None } else { child.child_by_field_id(id) };
                let name = field(grammar.pattern).or(field(grammar.left)).unwrap_or(child);
                let type_name = field(grammar.type_field).map(|node| self.type_of(node)).unwrap_or_default();
                let name = squeezed(self.text_of(name).trim_start_matches("..."));
                if name != "this" {
                    header.parameters.push(Parameter { name, type_name });
                }
            }
        }
    }

    /// `extends A` and, in TypeScript, `implements B, C`.
    fn supertypes(&self, heritage: Node, supertypes: &mut Vec<String>) {
        let text = self.text_of(heritage);
        let (bases, interfaces) = match text.split_once("implements ") {
            Some((bases, interfaces)) => (bases, interfaces),
            None => (text, ""),
        };
        let base = squeezed(bases.trim_start().trim_start_matches("extends"));
        supertypes.extend(Some(base).filter(|base| !base.is_empty()));
        supertypes.extend(squeezed(interfaces).split(',').map(|name| name.trim().to_owned()));
        supertypes.retain(|name| !name.is_empty());
    }

    /// `: T` as `T`.
    pub(super) fn type_of(&self, annotation: Node) -> String {
        squeezed(self.text_of(annotation).trim_start_matches(':'))
    }
}
