//! Functions, classes and their members, and the names that values are bound to.

use super::calls::Callee;
use super::grammar::Act;
use super::header::Header;
use super::names::{Named, Target, cut, join, trimmed};
use super::walk::{Extent, Open, Walk, What, Whole, lines, span};
use crate::{Binding, Callable, CallableKind, RegionKind, Role, Span};
use trefoil_syntax::Node;

/// Longest qualified name. Names of nested declarations add up: at the limits of depth and size a hostile
/// file would else ask for gigabytes.
const MAX_QUALIFIED_NAME: usize = 1_000;

impl Walk<'_> {
    pub(super) fn function(&mut self, node: Node, depth: u32) {
        let whole = self.whole(node, depth);
        let header = self.header(node);
        let name = header.name.map_or("", |name| cut(name.of(self.text))).to_owned();
        self.declare(CallableKind::Function, Named { name, whole, ..Named::default() }, header, node);
        self.enter_declaration(depth);
    }

    /// A function expression or arrow function: a declaration if it is bound to a name.
    pub(super) fn function_value(&mut self, node: Node, depth: u32) {
        let Some(mut named) = self.take_name(node) else {
            return self.enter_unnamed(depth);
        };
        let header = self.header(node);
        self.own_name_of_export(&mut named, &header);
        let kind = if named.member {
            CallableKind::Method
        } else if node.kind_id() == self.grammar.arrow {
            CallableKind::Lambda
        } else {
            CallableKind::Function
        };
        self.declare(kind, named, header, node);
        self.enter_declaration(depth);
        // The value of `() => value`; what a block returns stands in statements of its own.
        self.bind_returned(
            node.child_by_field_id(self.grammar.body).filter(|_| kind == CallableKind::Lambda),
        );
    }

    pub(super) fn class(&mut self, node: Node, act: Act, depth: u32) {
        let whole = self.whole(node, depth);
        let header = self.header(node);
        let kind = match act {
            Act::Interface => CallableKind::Interface,
            Act::Enum => CallableKind::Enum,
            _ => CallableKind::Class,
        };
        let name = header.name.map_or("", |name| cut(name.of(self.text))).to_owned();
        self.declare(kind, Named { name, whole, ..Named::default() }, header, node);
        self.enter_declaration(depth);
    }

    /// A class expression: a declaration if it is bound to a name or has one.
    pub(super) fn class_value(&mut self, node: Node, depth: u32) {
        let named = self.take_name(node);
        let header = self.header(node);
        let mut named = match (named, header.name) {
            (Some(named), _) => named,
            (None, Some(_)) => Named { whole: self.whole(node, u32::MAX), ..Named::default() },
            (None, None) => return self.enter_unnamed(depth),
        };
        self.own_name_of_export(&mut named, &header);
        self.declare(CallableKind::Class, named, header, node);
        self.enter_declaration(depth);
    }

    /// What is handed out as a whole goes by its own name, if it has one.
    fn own_name_of_export(&self, named: &mut Named, header: &Header) {
        let own_counts =
            named.name.is_empty() || named.is_exports() || named.export.as_deref() == Some("default");
        if let Some(own) = header.name.filter(|_| own_counts) {
            named.name = cut(own.of(self.text)).to_owned();
        }
    }

    /// A method of a class, or of an object that has a name.
    pub(super) fn method(&mut self, node: Node, depth: u32) {
        let in_class = self.type_around().is_some();
        let named = match self.surrounding().map(|open| &open.what) {
            Some(What::Object(object)) => Some(Named::clone(object)),
            _ => None,
        };
        let key = node.child_by_field_id(self.grammar.name).and_then(|key| self.key(key));
        let (Some(key), true) = (key, in_class || named.is_some()) else {
            return self.enter_unnamed(depth);
        };
        let header = self.header(node);
        let whole = Whole { depth, span: span(node), lines: lines(node) };
        let kind =
            if in_class && key == "constructor" { CallableKind::Constructor } else { CallableKind::Method };
        match named {
            Some(object) => self.declare_property(object, key, whole, header, node),
            None => {
                let named = Named { name: key.to_owned(), whole, member: true, ..Named::default() };
                self.declare(kind, named, header, node);
            }
        }
        self.enter_declaration(depth);
        match kind {
            CallableKind::Constructor => self.parameter_properties(node),
            _ => self.bind_own_object(),
        }
    }

    fn declare_property(&mut self, object: Named, key: &str, whole: Whole, header: Header, node: Node) {
        let named = property(&object, key, whole);
        let kind = if named.member { CallableKind::Method } else { CallableKind::Function };
        self.declare(kind, named, header, node);
    }

    /// `constructor(private client: Client)` of TypeScript declares a field.
    fn parameter_properties(&mut self, node: Node) {
        let grammar = self.grammar;
        let class = self.innermost.and_then(|index| self.outline.callables.get(index as usize)?.parent);
        let Some(list) = node.child_by_field_id(grammar.parameters) else { return };
        let parameters: Vec<Node> = list.named_children().collect();
        for parameter in parameters {
            let modifier = parameter.child(0).map_or(0, |child| child.kind_id());
            let is_field = modifier != 0 && modifier == grammar.accessibility_modifier;
            if let Some(name) = parameter.child_by_field_id(grammar.pattern).filter(|_| is_field)
                && let Some(name) = self.left_side(name)
            {
                let type_name =
                    parameter.child_by_field_id(grammar.type_field).map(|node| self.type_of(node));
                let name = format!("this.{name}");
                let type_name = type_name.unwrap_or_default();
                self.outline.bindings.push(Binding {
                    owner: class,
                    name: name.into(),
                    type_name: type_name.into(),
                    value: Span::default(),
                });
            }
        }
    }

    pub(super) fn field(&mut self, node: Node, depth: u32, inside: bool) {
        let grammar = self.grammar;
        let Some(class) = self.type_around() else { return };
        self.member_region(RegionKind::Field, node);
        let key = node.child_by_field_id(grammar.property).or(node.child_by_field_id(grammar.name));
        let Some(key) = key.and_then(|key| self.key(key)) else { return };
        let value = node.child_by_field_id(grammar.value);
        let whole = Whole { depth, span: span(node), lines: lines(node) };
        let type_name = node.child_by_field_id(grammar.type_field).map(|node| self.type_of(node));
        if let Some(value) = value.filter(|_| inside) {
            let (value, _) = self.value_of(value);
            let named = Named { name: key.to_owned(), member: true, whole, ..Named::default() };
            if grammar.is_function_value(value.kind_id()) {
                self.outline.regions.pop();
            }
            self.name_value(value, named);
        }
        self.bind(Some(class), key, type_name.unwrap_or_default(), value);
    }

    pub(super) fn object(&mut self, node: Node, depth: u32) {
        if let Some(named) = self.take_name(node) {
            self.open.push(Open { depth, what: What::Object(Box::new(named)) });
        }
    }

    pub(super) fn pair(&mut self, node: Node, depth: u32, inside: bool) {
        let object = match self.surrounding() {
            Some(Open { depth: at, what: What::Object(object) }) if inside && at + 1 == depth => object,
            _ => return,
        };
        let (key, value) =
            (node.child_by_field_id(self.grammar.key), node.child_by_field_id(self.grammar.value));
        let (Some(key), Some(value)) = (key.and_then(|key| self.key(key)), value) else { return };
        let named = property(object, key, Whole { depth, span: span(node), lines: lines(node) });
        let (value, _) = self.value_of(value);
        self.name_value(value, named);
    }

    pub(super) fn declarator(&mut self, node: Node, depth: u32, inside: bool) {
        let grammar = self.grammar;
        let type_name = node.child_by_field_id(grammar.type_field);
        let value = node.child_by_field_id(grammar.value);
        let Some(name) = node.child_by_field_id(grammar.name) else { return };
        let whole = self.whole(node, depth);
        if let Some(value) = value
            && inside
        {
            self.require(Some(name), value);
        }
        if name.kind_id() != grammar.identifier {
            return;
        }
        let name = self.text_of(name);
        if let Some(value) = value.filter(|_| inside) {
            let (value, mut targets) = self.value_of(value);
            let value = self.wrapped(value);
            if self.can_be_named(value) || !targets.is_empty() {
                targets.splice(0..0, Target::of(name));
                self.assign(&targets, value, whole);
            }
        }
        if self.looks_at_everything() && !self.is_type_member_place() {
            let type_name = type_name.map(|node| self.type_of(node)).unwrap_or_default();
            self.bind(self.innermost, name, type_name, value);
        }
    }

    pub(super) fn assignment(&mut self, node: Node, depth: u32, inside: bool) {
        let grammar = self.grammar;
        let Some(left) = node.child_by_field_id(grammar.left) else { return };
        let Some(right) = node.child_by_field_id(grammar.right) else { return };
        let text = self.text_of(left);
        let exports = text.starts_with("exports") || text.starts_with("module.exports");
        if inside || exports {
            let (value, mut targets) = self.value_of(right);
            // In `a = b = function …` the outer assignment has seen the inner one's targets.
            let seen = self.named.as_ref().is_some_and(|named| named.value == value.id());
            let counts = exports || !targets.is_empty() || self.can_be_named(value);
            if let Some(target) = Some(text).filter(|_| counts && !seen).and_then(Target::of) {
                targets.insert(0, target);
                let whole = self.whole(node, depth);
                self.assign(&targets, value, whole);
            }
            // Only a statement that does nothing but load modules is an import.
            let requires = self.requires;
            self.require(Some(left), right);
            self.requires = requires;
        }
        let Some(name) = self.left_side(left) else { return };
        if let Some(class) = self.constructed_class().filter(|_| name.starts_with("this.")) {
            self.bind(Some(class), name, String::new(), Some(right));
        } else if self.looks_at_everything() && !exports {
            self.bind(self.innermost, name, String::new(), Some(right));
        }
    }

    /// The class whose constructor the cursor is in.
    fn constructed_class(&self) -> Option<u32> {
        let innermost = self.outline.callables.get(self.innermost? as usize)?;
        innermost.parent.filter(|_| innermost.kind == CallableKind::Constructor)
    }

    fn is_type_member_place(&self) -> bool {
        !self.in_test_file && self.constructed_class().is_some()
    }

    /// Names the value of an assignment by its targets, and notes what is handed out.
    fn assign(&mut self, targets: &[Target], value: Node, whole: Whole) {
        let plain = targets.iter().find(|target| !target.exported && !target.path.is_empty());
        let exported = targets.iter().find(|target| target.exported && target.path.len() <= 1);
        let export = exported.map(|target| target.path.first().copied().unwrap_or_default().to_owned());
        // A function or object that also has a plain name is handed out under that.
        let handed_out = match (&export, plain) {
            (Some(export), Some(plain)) => {
                self.note_export(export, plain.path.last().copied().unwrap_or_default());
                None
            }
            (Some(export), None) if !self.export_value(export, value) => Some(export.clone()),
            _ => None,
        };
        let Some(target) = plain.or(exported).or(targets.first()) else { return };
        let name = match target.path.last() {
            Some(name) => name,
            None => "module.exports",
        };
        let prefix = target.path.split_last().map(|(_, prefix)| prefix.join(".")).unwrap_or_default();
        let named = Named {
            prefix,
            name: (*name).to_owned(),
            member: target.member,
            export: handed_out,
            whole,
            ..Named::default()
        };
        self.name_value(value, named);
    }

    /// `const find = memoize(function …)`: in files without tests a declared name whose value is made by a
    /// plain function out of another function stands for that function.
    fn wrapped<'tree>(&self, value: Node<'tree>) -> Node<'tree> {
        let grammar = self.grammar;
        if self.in_test_file || value.kind_id() != grammar.call {
            return value;
        }
        let Some(callee) = value.child(0).filter(|callee| callee.kind_id() == grammar.identifier) else {
            return value;
        };
        let first = value.last_child().and_then(|list| list.named_child(0));
        let plain = !self.text_of(callee).starts_with("use");
        first.filter(|first| plain && grammar.is_function_value(first.kind_id())).unwrap_or(value)
    }

    /// `Object.defineProperty(cart, 'total', { get: function … })`, and functions of the project's own that go
    /// by such a name and take the function itself: a member of the object.
    pub(super) fn defined_property(&mut self, node: Node, callee: Callee, arguments: Node, depth: u32) {
        let grammar = self.grammar;
        if self.in_test_file || !callee.name.trim_start_matches('_').starts_with("define") {
            return;
        }
        let given: Vec<Node> = arguments.named_children().take(4).collect();
        let (object, key, value) = match given.as_slice() {
            [object, key, value, ..] => (self.text_of(*object), *key, *value),
            [key, value] => (callee.receiver, *key, *value),
            _ => return,
        };
        let Some(target) = Target::of(object).filter(|_| key.kind_id() == grammar.string) else { return };
        let Some(name) = self.key(key).filter(|name| Target::of(name).is_some()) else { return };
        let mut value = Some(value);
        if let Some(descriptor) = value.filter(|value| value.kind_id() == grammar.object) {
            let pairs: Vec<Node> = descriptor.named_children().take(8).collect();
            value = pairs.into_iter().find_map(|pair| {
                let key = pair.child_by_field_id(grammar.key)?;
                let tells = matches!(self.text_of(key), "get" | "value");
                pair.child_by_field_id(grammar.value).filter(|_| tells)
            });
        }
        if let Some(value) = value.filter(|value| grammar.is_function_value(value.kind_id())) {
            let prefix = target.path.join(".");
            let whole = self.whole(node, depth);
            self.name_value(
                value,
                Named { prefix, name: name.to_owned(), member: true, whole, ..Named::default() },
            );
        }
    }

    /// Notes a name that is given a value or a type.
    fn bind(&mut self, owner: Option<u32>, name: &str, mut type_name: String, value: Option<Node>) {
        let value = value.map(|value| self.value_of(value).0);
        if let Some(value) = value.filter(|value| value.kind_id() == self.grammar.new)
            && let Some(constructor) = value.child_by_field_id(self.grammar.constructor)
            && let Some(written) = self.left_side(constructor)
        {
            type_name = written.to_owned();
        }
        // A name is missing in broken code.
        if !name.is_empty() && (value.is_some() || !type_name.is_empty()) {
            let value = value.map(span).unwrap_or_default();
            self.outline.bindings.push(Binding {
                owner,
                name: name.into(),
                type_name: type_name.into(),
                value,
            });
        }
    }

    pub(super) fn enter_declaration(&mut self, depth: u32) {
        self.open.push(Open { depth, what: What::Declared { test: self.test } });
    }

    fn enter_unnamed(&mut self, depth: u32) {
        self.unnamed += 1;
        self.open.push(Open { depth, what: What::Unnamed });
    }

    /// Adds a callable and makes it the innermost one.
    pub(super) fn declare(&mut self, kind: CallableKind, named: Named, header: Header, node: Node) -> u32 {
        let index = self.outline.callables.len() as u32;
        let mut whole = named.whole;
        // Declarations come in the order of their starts, whatever a hostile statement holds before this one.
        if self.outline.callables.last().is_some_and(|last| last.span.start > whole.span.start) {
            whole = Whole { depth: 0, span: span(node), lines: lines(node) };
        }
        let parent = self.innermost;
        let around = parent.and_then(|parent| self.extents.get(parent as usize)).copied().unwrap_or_default();
        let start = if header.annotations.is_empty() { whole.span.start } else { header.start };
        let end = header.body.map_or(whole.span.end, |body| body.start);
        let local = join(&named.prefix, &named.name);
        self.outline.callables.push(Callable {
            kind,
            qualified_name: self.qualified(kind, &local),
            name: named.name,
            parent,
            span: whole.span,
            lines: whole.lines,
            signature: trimmed(self.text, start, end),
            body: header.body,
            modifiers: header.modifiers,
            annotations: header.annotations,
            has_test_marker: false,
            parameters: header.parameters,
            return_type: header.return_type,
            supertypes: header.supertypes,
            role: if named.hooks { hook(&local) } else { Role::Plain },
            has_error: node.has_error(),
            recovered: self.open_errors > around.errors,
        });
        self.extents.push(Extent { errors: self.open_errors, ..around });
        self.innermost = Some(index);
        if let Some(export) = named.export {
            self.note_export(&export, &format!("#{index}"));
        }
        index
    }

    /// Below a test block names are joined by ` > `, since titles have dots of their own.
    fn qualified(&self, kind: CallableKind, name: &str) -> String {
        let around = self.innermost.and_then(|index| self.outline.callables.get(index as usize));
        match around {
            Some(around) if around.qualified_name.len() + name.len() < MAX_QUALIFIED_NAME => {
                let block = kind == CallableKind::Block || around.kind == CallableKind::Block;
                let joint = if block { " > " } else { "." };
                format!("{}{joint}{name}", around.qualified_name)
            }
            _ => name.to_owned(),
        }
    }
}

/// A property of an object that has a name.
fn property(object: &Named, key: &str, whole: Whole) -> Named {
    let prefix = object.path();
    Named {
        value: 0,
        member: !prefix.is_empty() || object.hooks,
        prefix,
        name: key.to_owned(),
        export: object.is_exports().then(|| key.to_owned()),
        hooks: object.hooks,
        whole,
    }
}

fn hook(name: &str) -> Role {
    match name {
        "before" | "beforeEach" | "setup" => Role::Setup,
        "after" | "afterEach" | "teardown" => Role::Teardown,
        _ => Role::Plain,
    }
}
