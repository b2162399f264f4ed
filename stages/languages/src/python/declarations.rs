//! Classes, functions, decorators and lambdas bound to a name.

use super::walk::{Decorated, Entered, Holder, LONGEST_NAME, Scope, Walk, span};
use crate::outline::beginning;
use crate::{Callable, CallableKind, Lines, Parameter, Role, Span};
use trefoil_syntax::Node;

/// The parts of a definition, found in one look at its children.
#[derive(Default)]
struct Parts<'t> {
    name: Option<Node<'t>>,
    /// Formal parameters of a function, bases of a class.
    list: Option<Node<'t>>,
    return_type: Option<Node<'t>>,
    is_async: bool,
    /// One past the last byte of the signature.
    signature_end: usize,
    body: Option<Span>,
}

impl<'t> Walk<'t> {
    pub(super) fn class(&mut self, node: Node<'t>) {
        let parts = self.parts(node);
        let supertypes = parts.list.map(|list| self.bases(list)).unwrap_or_default();
        let callable = self.declare(node, CallableKind::Class, &parts);
        if let Some(class) = self.outline.callables.last_mut() {
            class.supertypes = supertypes;
        }
        self.enter_header(Some(callable));
    }

    pub(super) fn function(&mut self, node: Node<'t>) {
        let parts = self.parts(node);
        let name = parts.name.map_or("", |name| self.text_of(name));
        let kind = match self.scope.holder {
            Holder::Class if name == "__init__" => CallableKind::Constructor,
            Holder::Class => CallableKind::Method,
            Holder::Module | Holder::Function => CallableKind::Function,
        };
        let parameters = parts.list.map(|list| self.parameters(list)).unwrap_or_default();
        let return_type = parts.return_type.map(|node| self.text_of(node).to_owned()).unwrap_or_default();
        let callable = self.declare(node, kind, &parts);
        if let Some(function) = self.outline.callables.last_mut() {
            function.parameters = parameters;
            function.return_type = return_type;
        }
        self.enter_header(Some(callable));
    }

    /// `name = lambda …` as a statement of a module or class; the answer is whether the statement is one.
    pub(super) fn bind_lambda(&mut self, statement: Node<'t>, assignment: Node<'t>) -> bool {
        let field = |id| assignment.child_by_field_id(id);
        let (Some(name), Some(lambda)) = (field(self.kinds.left_field), field(self.kinds.right_field)) else {
            return false;
        };
        if lambda.kind_id() != self.kinds.lambda || name.kind_id() != self.kinds.identifier {
            return false;
        }
        let mut parts = self.parts(lambda);
        parts.name = Some(name);
        parts.is_async = false;
        let after_colon = |child: &Node| child.start_byte() >= parts.signature_end && child.is_named();
        let body = lambda.children().filter(after_colon).last();
        parts.body = body.map(span);
        let parameters = parts.list.map(|list| self.parameters(list)).unwrap_or_default();
        let callable = self.declare(statement, CallableKind::Lambda, &parts);
        if let Some(declared) = self.outline.callables.last_mut() {
            declared.parameters = parameters;
        }
        self.bound_lambda = Some((lambda.start_byte(), callable));
        true
    }

    /// A lambda is a scope of its own only where a statement binds it.
    pub(super) fn lambda(&mut self, node: Node<'t>) {
        if let Some((_, callable)) = self.bound_lambda.take_if(|(start, _)| *start == node.start_byte()) {
            self.enter_scope(callable);
        }
    }

    pub(super) fn decorated(&mut self, node: Node<'t>) {
        self.scope.started = true;
        self.decorated = Some(Decorated {
            depth: self.depth,
            span: span(node),
            lines: lines(node),
            names: Vec::new(),
            has_error: node.has_error(),
        });
        self.enter_header(None);
    }

    pub(super) fn decorator(&mut self, node: Node<'t>) {
        let Some(decorated) = self.decorated.as_mut().filter(|found| found.depth + 1 == self.depth) else {
            return;
        };
        let mut name = node.named_child(0);
        // `@a.b(1)(2)`: the name stands at the bottom of the calls.
        while let Some(call) = name.filter(|name| name.kind_id() == self.kinds.call) {
            name = call.child(0);
        }
        if let Some(name) = name {
            decorated.names.push(span(name).of(self.text).to_owned());
        }
    }

    /// The block of the declaration whose header has just been passed becomes the scope.
    pub(super) fn enter_body(&mut self) {
        if let Some(callable) = self.header() {
            self.enter_scope(callable);
        }
    }

    fn enter_scope(&mut self, callable: u32) {
        let Some(declared) = self.outline.callables.get(callable as usize) else { return };
        let holder = if declared.kind.is_type() { Holder::Class } else { Holder::Function };
        let in_function =
            self.scope.holder == Holder::Function || self.outer.iter().any(|s| s.holder == Holder::Function);
        let is_test = holder == Holder::Function && !in_function && declared.name.starts_with("test");
        let test = if is_test { Some(callable) } else { self.scope.test };
        let scope = Scope { callable: Some(callable), holder, test, headers: 0, errors: 0, started: false };
        self.outer.push(std::mem::replace(&mut self.scope, scope));
        self.push(Entered::Body);
    }

    fn enter_header(&mut self, callable: Option<u32>) {
        self.scope.headers += 1;
        self.push(Entered::Header(callable));
    }

    fn parts(&mut self, node: Node<'t>) -> Parts<'t> {
        let kinds = self.kinds;
        let mut parts = Parts { signature_end: node.end_byte(), ..Parts::default() };
        let mut colon_line = usize::MAX;
        let mut first_comment = None;
        for child in node.children() {
            let id = child.kind_id();
            if id == kinds.colon {
                parts.signature_end = child.end_byte();
                colon_line = child.end_position().row;
            } else if id == kinds.identifier && parts.name.is_none() {
                parts.name = Some(child);
            } else if id == kinds.parameters || id == kinds.argument_list || id == kinds.lambda_parameters {
                parts.list = Some(child);
            } else if id == kinds.type_ {
                parts.return_type = Some(child);
            } else if id == kinds.async_ {
                parts.is_async = true;
            } else if id == kinds.comment && child.start_position().row > colon_line {
                // The grammar puts comments above the first statement outside the block.
                first_comment = first_comment.or(Some(child.start_byte() as u32));
            } else if id == kinds.block && child.end_byte() > child.start_byte() {
                let block = span(child);
                parts.body = Some(Span { start: first_comment.unwrap_or(block.start), end: block.end });
            }
        }
        parts
    }

    fn declare(&mut self, node: Node<'t>, kind: CallableKind, parts: &Parts<'t>) -> u32 {
        self.scope.started = true;
        let at = self.depth;
        let decorated = self.decorated.take_if(|found| found.depth + 1 == at && kind != CallableKind::Lambda);
        let whole = decorated.as_ref().map_or_else(|| span(node), |found| found.span);
        let name = parts.name.map_or("", |name| beginning(self.text_of(name), LONGEST_NAME));
        let callable = Callable {
            kind,
            name: name.to_owned(),
            qualified_name: self.qualified(name),
            parent: self.scope.callable,
            span: whole,
            lines: decorated.as_ref().map_or_else(|| lines(node), |found| found.lines),
            signature: Span { start: node.start_byte() as u32, end: parts.signature_end as u32 },
            body: parts.body,
            modifiers: if parts.is_async { vec!["async".to_owned()] } else { Vec::new() },
            has_test_marker: false,
            parameters: Vec::new(),
            return_type: String::new(),
            supertypes: Vec::new(),
            role: Role::Plain,
            has_error: node.has_error() || decorated.as_ref().is_some_and(|found| found.has_error),
            recovered: self.scope.errors > 0,
            annotations: decorated.map(|found| found.names).unwrap_or_default(),
        };
        self.outline.callables.push(callable);
        self.outline.callables.len() as u32 - 1
    }

    fn qualified(&self, name: &str) -> String {
        let around = self.scope.callable.and_then(|index| self.outline.callables.get(index as usize));
        match around {
            Some(around) => format!("{}.{name}", beginning(&around.qualified_name, LONGEST_NAME)),
            None => name.to_owned(),
        }
    }

    fn bases(&mut self, list: Node<'t>) -> Vec<String> {
        let (kinds, text) = (self.kinds, self.text);
        let is_base = |node: &Node| {
            node.is_named() && node.kind_id() != kinds.keyword_argument && node.kind_id() != kinds.comment
        };
        list.children().filter(is_base).map(|node| span(node).of(text).to_owned()).collect()
    }

    fn parameters(&mut self, list: Node<'t>) -> Vec<Parameter> {
        let (kinds, text) = (self.kinds, self.text);
        let mut parameters = Vec::new();
        for node in list.children() {
            let id = node.kind_id();
            let separator = id == kinds.keyword_separator || id == kinds.positional_separator;
            if !node.is_named() || separator || id == kinds.comment || node.is_error() {
                continue;
            }
            let typed = id == kinds.typed_parameter || id == kinds.typed_default_parameter;
            let type_node = if typed { node.child_by_field_id(kinds.type_field) } else { None };
            let name = if id == kinds.identifier { node } else { node.named_child(0).unwrap_or(node) };
            parameters.push(Parameter {
                name: span(name).of(text).trim_start_matches('*').trim_start().to_owned(),
                type_name: type_node.map(|node| span(node).of(text).to_owned()).unwrap_or_default(),
            });
        }
        parameters
    }

    pub(super) fn text_of(&self, node: Node) -> &'t str {
        span(node).of(self.text)
    }
}

fn lines(node: Node) -> Lines {
    let (start, end) = (node.start_position(), node.end_position());
    // A node that ends at the beginning of a line has its last byte on the line before.
    let last = if end.column == 0 && end.row > start.row { end.row } else { end.row + 1 };
    Lines { first: start.row as u32 + 1, last: last as u32 }
}
