//! The parts of a declaration, found in one look at its children, and what they say.

use super::kinds::Kinds;
use super::walk::{LONGEST_NAME, Walk, span};
use crate::outline::beginning;
use crate::{Lines, Parameter};
use tree_sitter::{Node, TreeCursor};

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
        self.side.reset(node);
        let mut more = self.side.goto_first_child();
        while more {
            let field = self.side.field_id().map_or(0, std::num::NonZero::get);
            let slot = match field {
                0 => None,
                _ if field == kinds.name_field => Some(&mut parts.name),
                _ if field == kinds.parameters_field => Some(&mut parts.parameters),
                _ if field == kinds.result_field => Some(&mut parts.result),
                _ if field == kinds.body_field => Some(&mut parts.body),
                _ if field == kinds.receiver_field => Some(&mut parts.receiver),
                _ if field == kinds.type_field => Some(&mut parts.type_),
                _ => None,
            };
            if let Some(slot) = slot {
                *slot = Some(self.side.node());
            }
            more = self.side.goto_next_sibling();
        }
        parts
    }

    pub(super) fn receiver(&mut self, parts: &Parts<'t>) -> Receiver<'t> {
        let kinds = self.kinds;
        let list = parts.receiver;
        let first =
            list.and_then(|list| list.children(&mut self.side).find(|c| c.kind_id() == kinds.parameter));
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
        self.side.reset(list);
        let mut more = self.side.goto_first_child();
        while more {
            let id = self.side.node().kind_id();
            if id == self.kinds.parameter || id == self.kinds.variadic_parameter {
                let dots = if id == self.kinds.parameter { "" } else { "..." };
                let first = parameters.len();
                read_parameter(self.kinds, self.text, &mut self.side, dots, &mut parameters);
                if self.in_test_file {
                    self.checks.parameters(parameters.get(first..).unwrap_or_default());
                }
            }
            more = self.side.goto_next_sibling();
        }
        parameters
    }
}

/// Reads `a, b T`, at which the cursor stands.
fn read_parameter(
    kinds: &Kinds,
    text: &str,
    cursor: &mut TreeCursor,
    dots: &str,
    parameters: &mut Vec<Parameter>,
) {
    let first = parameters.len();
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        let field = cursor.field_id().map_or(0, std::num::NonZero::get);
        if field == kinds.name_field && cursor.node().is_named() {
            let name = span(cursor.node()).of(text).to_owned();
            parameters.push(Parameter { name, type_name: String::new() });
        } else if field == kinds.type_field {
            if parameters.len() == first {
                parameters.push(Parameter { name: String::new(), type_name: String::new() });
            }
            let type_name = beginning(span(cursor.node()).of(text), LONGEST_NAME);
            for parameter in parameters.iter_mut().skip(first).take(MOST_NAMES) {
                parameter.type_name = [dots, type_name].concat();
            }
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    cursor.goto_parent();
}

pub(super) fn lines(node: Node) -> Lines {
    let (start, end) = (node.start_position(), node.end_position());
    // A node that ends at the beginning of a line has its last byte on the line before.
    let last = if end.column == 0 && end.row > start.row { end.row } else { end.row + 1 };
    Lines { first: start.row as u32 + 1, last: last as u32 }
}
