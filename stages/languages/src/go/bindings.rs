//! Fields, variables and assignments: names with the types and values that they are given.
//!
//! Fields and receivers are listed for every file, all others for test files only.

use super::declarations::Statement;
use super::header::MOST_NAMES;
use super::kinds::Kind;
use super::walk::{Holder, LONGEST_NAME, Walk, span};
use crate::outline::beginning;
use crate::{Binding, Region, RegionKind, Span};
use trefoil_syntax::Node;

/// Longest name that is listed (see [`Binding::name`]).
const LONGEST_BOUND: usize = 80;

/// Most names of one statement that are listed, if it gives each a value of its own.
const MOST_PAIRS: usize = 8;

impl<'t> Walk<'t> {
    /// A field of the structure around; those of structures inside a field's type are passed over.
    pub(super) fn field(&mut self, node: Node<'t>) {
        if self.scope.holder != Holder::Type || self.scope.depth + 3 != self.depth {
            return;
        }
        let (kinds, owner) = (self.kinds, self.scope.callable);
        self.outline.regions.push(Region { kind: RegionKind::Field, span: span(node), parent: owner });
        let Some(type_) = node.child_by_field_id(kinds.type_field) else { return };
        let type_name = self.text_of(type_);
        let mut names = Vec::new();
        for child in node.children() {
            if child.kind_id() == kinds.field_identifier && names.len() < MOST_NAMES {
                names.push(span(child).of(self.text));
            }
        }
        if names.is_empty()
            && let Some(owner) = owner
        {
            self.supertype(owner, type_);
            names.push(embedded_name(type_name));
        }
        for name in names {
            self.name_with_type(owner, name, type_name);
        }
    }

    pub(super) fn name_with_type(&mut self, owner: Option<u32>, name: &str, type_name: &str) {
        self.binding(owner, name, type_name, Span::default());
    }

    /// `x := …`, `x = …` or one specification of a `var`.
    pub(super) fn bind(&mut self, kind: Kind, node: Node<'t>) {
        if kind != Kind::Assignment {
            let whole = self.whole(node);
            self.statement = Some(Statement { node, whole, depth: self.depth });
        }
        if !self.in_test_file {
            return;
        }
        if kind == Kind::Variable {
            self.bind_specification(node);
            return;
        }
        let plain = |operator: Node| self.text_of(operator) == "=";
        if node.child_by_field_id(self.kinds.operator_field).is_some_and(|operator| !plain(operator)) {
            return; // `x += 1` gives no type away.
        }
        let field = |id| node.child_by_field_id(id);
        let (Some(left), Some(right)) = (field(self.kinds.left_field), field(self.kinds.right_field)) else {
            return;
        };
        // Of `a, err := f()` only the first is listed.
        let values = right.named_child_count();
        let pairs = if values == left.named_child_count() { values.min(MOST_PAIRS) } else { 1 };
        for (name, value) in left.named_children().zip(right.named_children()).take(pairs) {
            self.name_with_value(self.text_of(name), "", value);
        }
    }

    fn bind_specification(&mut self, node: Node<'t>) {
        let kinds = self.kinds;
        let type_name = node.child_by_field_id(kinds.type_field).map_or("", |type_| self.text_of(type_));
        let values = node.child_by_field_id(kinds.value_field);
        let mut names = Vec::new();
        for child in node.children() {
            if child.kind_id() == kinds.identifier && names.len() < MOST_NAMES {
                names.push(span(child).of(self.text));
            }
        }
        let Some(values) = values else {
            for name in names {
                self.name_with_type(self.scope.callable, name, type_name);
            }
            return;
        };
        let pairs = if values.named_child_count() == names.len() { MOST_PAIRS } else { 1 };
        for (at, name) in (0..).zip(names).take(pairs) {
            if let Some(value) = values.named_child(at) {
                self.name_with_value(name, type_name, value);
            }
        }
    }

    fn name_with_value(&mut self, name: &str, type_name: &str, value: Node<'t>) {
        if value.kind_id() == self.kinds.function_literal {
            return; // A declaration of its own, or nothing that has methods.
        }
        let (value, known) = self.value(value);
        self.checks.bound(name, span(value).of(self.text));
        let type_name = if type_name.is_empty() { known } else { type_name };
        self.binding(self.scope.callable, name, type_name, span(value));
    }

    fn binding(&mut self, owner: Option<u32>, name: &str, type_name: &str, value: Span) {
        let is_path =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte) || byte > 127);
        if name.is_empty() || name == "_" || name.len() > LONGEST_BOUND || !is_path {
            return;
        }
        let type_name = beginning(type_name, LONGEST_NAME).to_owned();
        self.outline.bindings.push(Binding { owner, name: name.into(), type_name: type_name.into(), value });
    }

    /// The value itself, without parentheses, `&`, `*` and type assertions, and its type where it says one.
    fn value(&self, mut value: Node<'t>) -> (Node<'t>, &'t str) {
        let kinds = self.kinds;
        let mut asserted = "";
        loop {
            let id = value.kind_id();
            let inner = if id == kinds.parenthesized {
                value.named_child(0)
            } else if id == kinds.unary && matches!(self.text_of(value).as_bytes().first(), Some(b'&' | b'*'))
            {
                value.child_by_field_id(kinds.operand_field)
            } else if id == kinds.type_assertion {
                if asserted.is_empty() {
                    asserted =
                        value.child_by_field_id(kinds.type_field).map_or("", |type_| self.text_of(type_));
                }
                value.child_by_field_id(kinds.operand_field)
            } else {
                None
            };
            match inner {
                Some(inner) => value = inner,
                None => break,
            }
        }
        if asserted.is_empty() { (value, self.own_type(value)) } else { (value, asserted) }
    }

    /// The type that a composite literal, `new` or `make` begins with; empty for others and for types
    /// without a name (`[]struct{…}`).
    fn own_type(&self, value: Node<'t>) -> &'t str {
        let kinds = self.kinds;
        let type_ = if value.kind_id() == kinds.composite {
            value.child_by_field_id(kinds.type_field)
        } else if value.kind_id() == kinds.call
            && value.child(0).is_some_and(|callee| matches!(self.text_of(callee), "new" | "make"))
        {
            value.child_by_field_id(kinds.arguments_field).and_then(|arguments| arguments.named_child(0))
        } else {
            None
        };
        type_.map(|type_| self.text_of(type_)).filter(|type_| !type_.contains('{')).unwrap_or_default()
    }
}

/// The name that a type embedded in a structure is reached by: `Suite` of `*suite.Suite[T]`.
fn embedded_name(type_name: &str) -> &str {
    let bare = type_name.split('[').next().unwrap_or_default();
    bare.rsplit('.').next().unwrap_or_default().trim()
}
