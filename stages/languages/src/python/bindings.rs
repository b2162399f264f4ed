//! Assignments, names of `with` and what functions return: what is needed to tell the type of a receiver.

use super::walk::{Holder, Walk, span};
use crate::outline::beginning;
use crate::{Binding, Span};
use compact_str::CompactString;
use trefoil_syntax::Node;

/// Longest left side that is kept, in bytes.
const NAME_BYTES: usize = 80;
/// Longest type.
const TYPE_BYTES: usize = 200;

/// How many values of names are kept in mind.
const REMEMBERED: usize = 20;

/// What [`Binding::name`] is for the value that a function returns or yields.
const RETURNED: &str = "return";

impl<'t> Walk<'t> {
    /// A statement that is an assignment, or a chain of them, or a `yield`.
    pub(super) fn bind(&mut self, statement: Node<'t>) {
        let Some(mut assignment) = statement.child(0) else { return };
        if assignment.kind_id() == self.kinds.yield_ {
            return self.bind_returned(assignment);
        }
        let first = self.outline.bindings.len();
        let mut type_name = "";
        let mut name = None;
        let value = loop {
            if assignment.kind_id() != self.kinds.assignment {
                break assignment;
            }
            if let Some(written) = assignment.child_by_field_id(self.kinds.type_field) {
                type_name = beginning(self.text_of(written), TYPE_BYTES);
            }
            if let Some(left) = assignment.child_by_field_id(self.kinds.left_field) {
                self.bind_name(left, type_name, Span::default());
                name = Some(left);
            }
            match assignment.child_by_field_id(self.kinds.right_field) {
                Some(right) => assignment = right,
                None => return,
            }
        };
        let value = self.value(value);
        self.remember(name, value);
        self.hand_out(first, value);
        let alias = self.alias(value);
        for binding in self.outline.bindings.iter_mut().skip(first) {
            (binding.value, binding.type_name) = match &alias {
                Some((type_name, value)) if binding.type_name.is_empty() => (*value, type_name.clone()),
                _ => (span(value), std::mem::take(&mut binding.type_name)),
            };
        }
    }

    /// Names of functions that are not listed are of interest for a while: until they are returned.
    fn remember(&mut self, name: Option<Node<'t>>, value: Node<'t>) {
        if self.holds_tests || self.scope.holder != Holder::Function || value.kind_id() != self.kinds.call {
            return;
        }
        let Some(name) = name.filter(|name| name.kind_id() == self.kinds.identifier) else { return };
        if tells(self.text_of(value)) {
            if self.made.len() >= 2 * REMEMBERED {
                self.made.drain(..REMEMBERED);
            }
            self.made.push((self.scope.callable, self.text_of(name), span(value)));
        }
    }

    /// `name = other` of a module hands out something under another name.
    fn hand_out(&mut self, first: usize, value: Node<'t>) {
        let is_path = [self.kinds.identifier, self.kinds.attribute].contains(&value.kind_id());
        let path = self.text_of(value);
        if !is_path || self.scope.holder != Holder::Module || path.len() > NAME_BYTES {
            return;
        }
        let names = self.outline.bindings.iter().skip(first).map(|binding| binding.name.as_str());
        let aliases: Vec<String> = names.map(|name| format!("{name}={path}")).collect();
        self.outline.exports.extend(aliases);
    }

    /// `with make() as name`.
    pub(super) fn bind_with(&mut self, item: Node<'t>) {
        if item.kind_id() == self.kinds.as_pattern
            && let (Some(value), Some(target)) = (item.named_child(0), item.named_child(1))
            && let Some(name) = target.named_child(0)
        {
            let value = span(self.value(value));
            self.bind_name(name, "", value);
        }
    }

    /// `return value`, `yield value`: of interest where it is made here, or is the object itself.
    pub(super) fn bind_returned(&mut self, statement: Node<'t>) {
        if self.scope.holder != Holder::Function {
            return;
        }
        let Some(value) = statement.named_child(0).map(|value| self.value(value)) else { return };
        let (owner, text) = (self.scope.callable, self.text_of(value));
        let (type_name, value) = if value.kind_id() == self.kinds.call {
            // Everywhere else the values of functions are too many to be told apart.
            if !self.holds_tests && !tells(text) {
                return;
            }
            (CompactString::default(), span(value))
        } else if text == "self" {
            let class = self.class_of_method().and_then(|class| self.outline.callables.get(class as usize));
            (class.map_or_else(CompactString::default, |class| class.name.as_str().into()), Span::default())
        } else if let Some(alias) = self.alias(value) {
            alias
        } else {
            return;
        };
        self.outline.bindings.push(Binding { owner, name: RETURNED.into(), type_name, value });
    }

    /// Attributes of `self` belong to the class, from whatever method; names of functions are listed in
    /// files that can hold tests only.
    fn bind_name(&mut self, left: Node<'t>, type_name: &str, value: Span) {
        let id = left.kind_id();
        if id != self.kinds.identifier && id != self.kinds.attribute {
            return;
        }
        let name = self.text_of(left);
        if name.is_empty() {
            return; // Missing in broken code.
        }
        let of_object =
            (name.starts_with("self.") || name.starts_with("cls.")) && self.scope.holder == Holder::Function;
        let owner = match self.class_of_method() {
            Some(class) if of_object => Some(class),
            _ if self.scope.holder == Holder::Function && !self.holds_tests => return,
            _ => self.scope.callable,
        };
        let name = beginning(name, NAME_BYTES).into();
        self.outline.bindings.push(Binding { owner, name, type_name: type_name.into(), value });
    }

    /// What a name that is bound to another name stands for, as far as the same function tells.
    fn alias(&self, value: Node<'t>) -> Option<(CompactString, Span)> {
        if value.kind_id() != self.kinds.identifier {
            return None;
        }
        let name = self.text_of(value);
        let function = self.outline.callables.get(self.scope.callable? as usize)?;
        let mut typed = function.parameters.iter().filter(|parameter| !parameter.type_name.is_empty());
        if let Some(parameter) = typed.find(|parameter| parameter.name == name) {
            return Some((beginning(&parameter.type_name, TYPE_BYTES).into(), Span::default()));
        }
        // The last few will do: a name is returned soon after it was made.
        let mut made = self.made.iter().rev().take(REMEMBERED);
        if let Some((.., value)) = made.find(|made| made.0 == self.scope.callable && made.1 == name) {
            return Some((CompactString::default(), *value));
        }
        let mut recent = self.outline.bindings.iter().rev().take(REMEMBERED);
        let found = recent.find(|binding| {
            binding.name == name && binding.owner == self.scope.callable && binding.value.end > 0
        })?;
        Some((found.type_name.clone(), found.value))
    }

    /// The class whose method the cursor is in.
    fn class_of_method(&self) -> Option<u32> {
        let around = std::iter::once(&self.scope).chain(self.outer.iter().rev());
        around
            .take_while(|scope| scope.holder != Holder::Module)
            .find(|scope| scope.holder == Holder::Class)?
            .callable
    }

    /// The value without `await` and parentheses around it.
    fn value(&self, mut value: Node<'t>) -> Node<'t> {
        while value.kind_id() == self.kinds.await_ || value.kind_id() == self.kinds.parenthesized {
            match value.named_child(0) {
                Some(inner) => value = inner,
                None => break,
            }
        }
        value
    }
}

/// Whether the text of a call says what it makes: an object of a class, or what a method of the same class does.
fn tells(call: &str) -> bool {
    let callee = call.split('(').next().unwrap_or(call);
    let name = callee.rsplit('.').next().unwrap_or(callee);
    name.starts_with(|c: char| c.is_uppercase() || c == '_')
        || callee == "cls"
        || callee.starts_with("cls.")
        || callee.starts_with("self.")
}
