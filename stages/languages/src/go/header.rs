//! The parts of a declaration, found in one look at its children, and what they say.

use super::kinds::Kinds;
use super::walk::{LONGEST_NAME, Walk, span};
use crate::outline::beginning;
use crate::{Lines, Parameter};
use trefoil_syntax::Node;

/// Most names before one type (`a, b, c int`) that are given it: like [`LONGEST_NAME`] for hostile files only.
pub(super) const MOST_NAMES: usize = 40;

/// Children of a declaration, by their fields.
#[derive(Default)]
pub(super) struct Parts<'t> {
    pub(super) name: Option<Node<'t>>,
    pub(super) receiver: Option<Node<'t>>,
    pub(super) parameters: Option<Node<'t>>,
    pub(super) result: Option<Node<'t>>,
    pub(super) type_: Option<Node<'t>>,
    pub(super) body: Option<Node<'t>>,
}

/// The receiver of a method.
#[derive(Clone, Copy, Default)]
pub(super) struct Receiver<'t> {
    /// Empty where the method does not use it.
    pub(super) name: &'t str,
    /// As written, with its star.
    pub(super) type_name: &'t str,
}

impl<'t> Receiver<'t> {
    /// The type's own name: `T` of `*T[K, V]`.
    pub(super) fn type_of(&self) -> &'t str {
        let bare = self.type_name.trim_start_matches(['*', '(', ' ']);
        beginning(bare.split(['[', ')']).next().unwrap_or_default().trim_end(), LONGEST_NAME)
    }
}

impl<'t> Walk<'t> {
    pub(super) fn parts(&mut self, node: Node<'t>) -> Parts<'t> {
        let kinds = self.kinds;
        let mut parts = Parts::default();
        for child in node.children() {
            let slot = match child.field_id().unwrap_or(0) {
                0 => None,
                field if field == kinds.name_field => Some(&mut parts.name),
                field if field == kinds.parameters_field => Some(&mut parts.parameters),
                field if field == kinds.result_field => Some(&mut parts.result),
                field if field == kinds.body_field => Some(&mut parts.body),
                field if field == kinds.receiver_field => Some(&mut parts.receiver),
                field if field == kinds.type_field => Some(&mut parts.type_),
                _ => None,
            };
            if let Some(slot) = slot {
                *slot = Some(child);
            }
        }
        parts
    }

    pub(super) fn receiver(&mut self, parts: &Parts<'t>) -> Receiver<'t> {
        let kinds = self.kinds;
        let list = parts.receiver;
        let first = list.and_then(|list| list.children().find(|c| c.kind_id() == kinds.parameter));
        let Some(parameter) = first else { return Receiver::default() };
        let field = |id| parameter.child_by_field_id(id).map(|node| self.text_of(node));
        Receiver {
            name: field(kinds.name_field).unwrap_or_default(),
            type_name: field(kinds.type_field).unwrap_or_default(),
        }
    }

    /// Formal parameters, and by the way the names that stand for a running test.
    pub(super) fn parameters(&mut self, list: Option<Node<'t>>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let Some(list) = list else { return parameters };
        for child in list.children() {
            let id = child.kind_id();
            if id == self.kinds.parameter || id == self.kinds.variadic_parameter {
                let dots = if id == self.kinds.parameter { "" } else { "..." };
                let first = parameters.len();
                read_parameter(self.kinds, self.text, child, dots, &mut parameters);
                if self.in_test_file {
                    self.checks.parameters(parameters.get(first..).unwrap_or_default());
                }
            }
        }
        parameters
    }
}

/// Reads `a, b T`.
fn read_parameter(kinds: &Kinds, text: &str, node: Node, dots: &str, parameters: &mut Vec<Parameter>) {
    let first = parameters.len();
    for child in node.children() {
        let field = child.field_id().unwrap_or(0);
        if field == kinds.name_field && child.is_named() {
            let name = span(child).of(text).to_owned();
            parameters.push(Parameter { name, type_name: String::new() });
        } else if field == kinds.type_field {
            if parameters.len() == first {
                parameters.push(Parameter { name: String::new(), type_name: String::new() });
            }
            let type_name = beginning(span(child).of(text), LONGEST_NAME);
            for parameter in parameters.iter_mut().skip(first).take(MOST_NAMES) {
                parameter.type_name = [dots, type_name].concat();
            }
        }
    }
}

pub(super) fn lines(node: Node) -> Lines {
    let (start, end) = (node.start_position(), node.end_position());
    // A node that ends at the beginning of a line has its last byte on the line before.
    let last = if end.column == 0 && end.row > start.row { end.row } else { end.row + 1 };
    Lines { first: start.row as u32 + 1, last: last as u32 }
}
