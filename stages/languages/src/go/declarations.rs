//! Types, functions, methods, and function literals bound to a name.

use super::header::{Parts, lines};
use super::walk::{Holder, LONGEST_NAME, Scope, Walk, span};
use crate::outline::beginning;
use crate::{Callable, CallableKind, Parameter, Role, Span};
use trefoil_syntax::Node;

/// A statement that the walk has entered, and its depth.
#[derive(Clone, Copy)]
pub(super) struct Statement<'t> {
    pub(super) node: Node<'t>,
    /// The node itself, or the declaration of which it is all (`var x = 1`, whose specification is `x = 1`).
    pub(super) whole: Node<'t>,
    pub(super) depth: u32,
}

/// What a new declaration is, beside its parts.
struct Declared<'t> {
    kind: CallableKind,
    name: &'t str,
    /// What its qualified name begins with; empty for what stands in the file itself.
    path: String,
    parent: Option<u32>,
    /// The whole declaration; its first byte is also that of the signature.
    node: Node<'t>,
    body: Option<Span>,
}

impl<'t> Walk<'t> {
    /// `type X …`, or one of several types in parentheses.
    pub(super) fn type_(&mut self, node: Node<'t>, alias: bool) {
        let kinds = self.kinds;
        let parts = self.parts(node);
        let id = parts.type_.map_or(0, |type_| type_.kind_id());
        let interface = id == kinds.interface_type;
        let body = parts.type_.and_then(|type_| match id {
            _ if id == kinds.struct_type => type_.child(1).map(span),
            _ if interface => {
                let brace = type_.children().find(|child| child.kind_id() == kinds.open_brace);
                brace.map(|brace| Span { start: brace.start_byte() as u32, end: type_.end_byte() as u32 })
            }
            _ => None,
        });
        let name = parts.name.map_or("", |name| self.text_of(name));
        let declared = Declared {
            kind: if interface { CallableKind::Interface } else { CallableKind::Struct },
            name,
            path: self.path(),
            parent: self.scope.callable,
            node: self.whole(node),
            body,
        };
        let callable = self.declare(declared, &Parts { parameters: None, ..parts });
        if let (true, Some(type_)) = (alias, parts.type_)
            && self.is_type_name(type_)
        {
            self.supertype(callable, type_);
        }
        self.enter_declaration(callable, Holder::Type, "");
    }

    /// A function or a method with its receiver.
    pub(super) fn function(&mut self, node: Node<'t>) {
        let parts = self.parts(node);
        let receiver = self.receiver(&parts);
        let is_method = parts.receiver.is_some();
        let path = if is_method { receiver.type_of().to_owned() } else { self.path() };
        let callable = self.declare(
            Declared {
                kind: if is_method { CallableKind::Method } else { CallableKind::Function },
                name: parts.name.map_or("", |name| self.text_of(name)),
                path,
                // A method's type does not stand around it, if it is in this file at all.
                parent: self.scope.callable.filter(|_| !is_method),
                node,
                body: parts.body.map(span),
            },
            &parts,
        );
        if is_method && let Some(method) = self.outline.callables.last_mut() {
            method.supertypes.push(receiver.type_of().to_owned());
        }
        if !receiver.name.is_empty() {
            self.name_with_type(Some(callable), receiver.name, receiver.type_name);
        }
        self.enter_declaration(callable, Holder::Function, receiver.name);
    }

    /// A method of the interface around; those of interfaces without a name are passed over.
    pub(super) fn interface_method(&mut self, node: Node<'t>) {
        if self.scope.holder != Holder::Type || self.scope.depth + 2 != self.depth {
            return;
        }
        let parts = self.parts(node);
        let callable = self.declare(
            Declared {
                kind: CallableKind::Method,
                name: parts.name.map_or("", |name| self.text_of(name)),
                path: self.path(),
                parent: self.scope.callable,
                node,
                body: None,
            },
            &parts,
        );
        self.enter_declaration(callable, Holder::Function, "");
    }

    /// An interface embedded in the one around; unions of types are none.
    pub(super) fn interface_element(&mut self, node: Node<'t>) {
        if self.scope.holder == Holder::Type
            && self.scope.depth + 2 == self.depth
            && node.named_child_count() == 1
            && let Some((owner, type_)) = self.scope.callable.zip(node.named_child(0))
            && self.is_type_name(type_)
        {
            self.supertype(owner, type_);
        }
    }

    /// `f := func…` and `var f = func…` declare a function; other literals belong to what is around them.
    pub(super) fn function_literal(&mut self, node: Node<'t>) {
        if let Some((whole, name)) = self.binder(node) {
            let parts = self.parts(node);
            // `var f = func…` is no global code.
            self.outline.regions.pop_if(|region| region.span == span(whole));
            let declared = Declared {
                kind: CallableKind::Lambda,
                name,
                path: self.path(),
                parent: self.scope.callable,
                node: whole,
                body: parts.body.map(span),
            };
            let callable = self.declare(declared, &parts);
            self.enter_declaration(callable, Holder::Function, self.scope.receiver);
        } else if self.in_test_file {
            let list = node.child_by_field_id(self.kinds.parameters_field);
            for Parameter { name, type_name } in self.parameters(list) {
                self.name_with_type(self.scope.callable, &name, &type_name);
            }
        }
    }

    /// The statement that binds the function literal at the cursor, and nothing else, to a name; and the name.
    fn binder(&mut self, literal: Node<'t>) -> Option<(Node<'t>, &'t str)> {
        let (kinds, depth) = (self.kinds, self.depth);
        let Statement { node, whole, .. } = self
            .statement
            .filter(|found| found.depth + 2 == depth && span(found.node).contains(span(literal)))?;
        let value = node.child_by_field_id(kinds.value_field).or(node.child_by_field_id(kinds.right_field))?;
        // A specification holds its names itself, `:=` has a list of them.
        let names = node.child_by_field_id(kinds.left_field).unwrap_or(node);
        let mut identifiers = names.children().filter(|child| child.kind_id() == kinds.identifier);
        let name = span(identifiers.next()?).of(self.text);
        let alone = identifiers.next().is_none() && value.named_child_count() == 1 && name != "_";
        alone.then_some((whole, name))
    }

    /// The declaration around a specification that is all of it, else the specification itself.
    pub(super) fn whole(&self, node: Node<'t>) -> Node<'t> {
        let around = self.statement.filter(|found| {
            found.depth + 1 == self.depth
                && span(found.node).contains(span(node))
                && found.node.last_child() == Some(node)
                && found.node.named_children().find(|child| !child.is_extra()) == Some(node)
        });
        around.map_or(node, |found| found.node)
    }

    fn is_type_name(&self, node: Node) -> bool {
        let id = node.kind_id();
        [self.kinds.type_identifier, self.kinds.qualified_type, self.kinds.generic_type].contains(&id)
    }

    pub(super) fn supertype(&mut self, callable: u32, type_: Node<'t>) {
        let name = self.text_of(type_).to_owned();
        if let Some(callable) = self.outline.callables.get_mut(callable as usize) {
            callable.supertypes.push(name);
        }
    }

    /// The qualified name of what is around the cursor.
    fn path(&self) -> String {
        let around = self.scope.callable.and_then(|index| self.outline.callables.get(index as usize));
        around.map(|around| around.qualified_name.clone()).unwrap_or_default()
    }

    fn declare(&mut self, declared: Declared<'t>, parts: &Parts<'t>) -> u32 {
        let Declared { kind, name, path, parent, node, body } = declared;
        let name = beginning(name, LONGEST_NAME);
        let path = beginning(&path, LONGEST_NAME);
        let whole = span(node);
        let parameters = self.parameters(parts.parameters);
        let callable = Callable {
            kind,
            name: name.to_owned(),
            qualified_name: if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") },
            parent,
            span: whole,
            lines: lines(node),
            signature: self.signature(whole, body),
            body,
            modifiers: Vec::new(),
            annotations: Vec::new(),
            has_test_marker: false,
            parameters,
            return_type: parts.result.map(|result| self.text_of(result).to_owned()).unwrap_or_default(),
            supertypes: Vec::new(),
            role: Role::Plain,
            has_error: node.has_error(),
            recovered: self.scope.errors > 0,
        };
        self.outline.callables.push(callable);
        self.outline.callables.len() as u32 - 1
    }

    /// Up to the body, without the white space before it.
    fn signature(&self, whole: Span, body: Option<Span>) -> Span {
        let end = body.map_or(whole.end, |body| body.start);
        let text = Span { start: whole.start, end }.of(self.text).trim_end();
        Span { start: whole.start, end: whole.start + text.len() as u32 }
    }

    fn enter_declaration(&mut self, callable: u32, holder: Holder, receiver: &'t str) {
        let declared = self.outline.callables.get(callable as usize);
        let may_be_test = self.in_test_file
            && self.scope.callable.is_none()
            && holder == Holder::Function
            && declared.is_some_and(|declared| declared.name.starts_with("Test"));
        let test = self.scope.test.or(may_be_test.then_some(callable));
        let depth = self.depth;
        self.enter_scope(Scope { callable: Some(callable), holder, depth, errors: 0, test, receiver });
    }
}
