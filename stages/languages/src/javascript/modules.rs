//! Imports and exports, of ES modules and of CommonJS.

use super::names::{Named, cut, unquoted};
use super::walk::{Walk, Whole, lines, span};
use crate::{Region, RegionKind};
use trefoil_syntax::Node;

/// Functions that load a module as `require` does; the last ones load it with parts replaced.
const REQUIRE: [&str; 5] = ["require", "jest.requireActual", "jest.requireMock", "proxyquire", "rewire"];

/// A module that an expression loads.
struct Loaded<'text> {
    module: &'text str,
    /// The member that is taken of it at once.
    member: Option<&'text str>,
    /// By `import(…)`, which gives the names of an ES module.
    dynamic: bool,
}

impl Loaded<'_> {
    /// As written in imports and re-exports.
    fn written(&self) -> String {
        let all = if self.dynamic { "*" } else { "=" };
        format!("{}:{}", self.module, self.member.unwrap_or(all))
    }
}

impl<'text> Walk<'text> {
    /// An import statement.
    pub(super) fn import(&mut self, node: Node, depth: u32) {
        if depth == 1 {
            let region = Region { kind: RegionKind::Import, span: span(node), parent: None };
            self.outline.regions.push(region);
        }
        let grammar = self.grammar;
        let children: Vec<Node> = node.named_children().collect();
        let source = node.child_by_field_id(grammar.source).or_else(|| {
            let required = children.iter().find(|child| child.kind_id() == grammar.import_require)?;
            required.child_by_field_id(grammar.source)
        });
        let Some(source) = source else { return };
        let module = cut(unquoted(self.text_of(source)));
        let before = self.outline.imports.len();
        for child in children {
            if child.kind_id() == grammar.import_clause {
                self.import_clause(module, child);
            } else if child.kind_id() == grammar.import_require
                && let Some(name) = child.named_child(0)
            {
                self.outline.imports.push(format!("{module}:= as {}", cut(self.text_of(name))));
            }
        }
        if self.outline.imports.len() == before {
            self.outline.imports.push(module.to_owned());
        }
    }

    fn import_clause(&mut self, module: &str, clause: Node) {
        let grammar = self.grammar;
        let parts: Vec<Node> = clause.named_children().collect();
        for part in parts {
            let kind = part.kind_id();
            if kind == grammar.identifier {
                self.outline.imports.push(format!("{module}:default as {}", cut(self.text_of(part))));
            } else if kind == grammar.namespace_import
                && let Some(name) = part.named_child(0)
            {
                self.outline.imports.push(format!("{module}:* as {}", cut(self.text_of(name))));
            } else if kind == grammar.named_imports {
                let specifiers: Vec<Node> = part.named_children().collect();
                for specifier in specifiers {
                    if let Some((name, alias)) = self.specifier(specifier) {
                        self.outline.imports.push(named_import(module, name, alias));
                    }
                }
            }
        }
    }

    /// `a as b` as `a` and `b`, `a` as `a` and `a`.
    fn specifier(&self, node: Node) -> Option<(&'text str, &'text str)> {
        let name = node.child_by_field_id(self.grammar.name)?;
        let alias = node.child_by_field_id(self.grammar.alias).unwrap_or(name);
        let word = |node: Node| {
            let text = self.text_of(node);
            cut(if node.kind_id() == self.grammar.string { unquoted(text) } else { text })
        };
        Some((word(name), word(alias)))
    }

    /// A value that loads a module, and what it is bound to.
    pub(super) fn require(&mut self, left: Option<Node>, value: Node) {
        let grammar = self.grammar;
        let Some((loaded, call)) = self.loaded(value) else {
            // `require('debug')('app')` loads a module, too, and gives it no name.
            let (value, _) = self.value_of(value);
            self.requires += usize::from(self.text_of(value).starts_with("require("));
            return;
        };
        self.requires += 1;
        let Some(left) = left else { return };
        let kind = left.kind_id();
        if kind == grammar.identifier {
            let name = cut(self.text_of(left));
            let import = match loaded.member {
                Some(member) => named_import(loaded.module, member, name),
                None => format!("{} as {name}", loaded.written()),
            };
            self.outline.imports.push(import);
        } else if kind == grammar.object_pattern && loaded.member.is_none() {
            let parts: Vec<Node> = left.named_children().collect();
            for part in parts {
                if let Some((name, alias)) = self.pattern_part(part) {
                    self.outline.imports.push(named_import(loaded.module, name, alias));
                }
            }
        } else {
            return;
        }
        self.taken = Some(call);
    }

    /// A part of `{ a, b: c, d = 1 }`: the property and the name that it gets.
    fn pattern_part(&self, part: Node) -> Option<(&'text str, &'text str)> {
        let grammar = self.grammar;
        let kind = part.kind_id();
        if kind == grammar.shorthand_pattern {
            let name = cut(self.text_of(part));
            Some((name, name))
        } else if kind == grammar.object_assignment_pattern {
            let name = cut(self.text_of(part.child_by_field_id(grammar.left)?));
            Some((name, name))
        } else if kind == grammar.pair_pattern {
            let value = part.child_by_field_id(grammar.value)?;
            let name = (value.kind_id() == grammar.identifier).then(|| cut(self.text_of(value)))?;
            Some((self.key(part.child_by_field_id(grammar.key)?)?, name))
        } else {
            None
        }
    }

    /// The module that a value loads, and the id of the call that does.
    fn loaded(&self, value: Node) -> Option<(Loaded<'text>, usize)> {
        let grammar = self.grammar;
        let (value, _) = self.value_of(value);
        let (call, member) = if value.kind_id() == grammar.member {
            let member = cut(self.text_of(value.child_by_field_id(grammar.property)?));
            (self.value_of(value.child(0)?).0, Some(member))
        } else {
            (value, None)
        };
        let (module, dynamic) = self.module_of_call(call)?;
        Some((Loaded { module, member, dynamic }, call.id()))
    }

    /// The module of `require('…')` or `import('…')`.
    fn module_of_call(&self, call: Node) -> Option<(&'text str, bool)> {
        let grammar = self.grammar;
        if call.kind_id() != grammar.call {
            return None;
        }
        let callee = call.child(0)?;
        let dynamic = callee.kind_id() == grammar.import;
        if !dynamic && !REQUIRE.contains(&self.left_side(callee)?) {
            return None;
        }
        let module = call.last_child()?.named_child(0)?;
        let is_text = module.kind_id() == grammar.string;
        is_text.then(|| (cut(unquoted(self.text_of(module))), dynamic))
    }

    /// A call that loads a module without giving it a name.
    pub(super) fn bare_require(&mut self, call: Node) {
        if let Some((module, _)) = self.module_of_call(call).filter(|_| self.taken != Some(call.id())) {
            self.requires += usize::from(self.whole.depth > 0 && same_start_as(self.whole, call));
            self.outline.imports.push(module.to_owned());
        }
    }

    /// An export statement.
    pub(super) fn export(&mut self, node: Node, depth: u32) {
        self.statement(node, depth);
        self.whole = Whole { depth: depth + 1, span: span(node), lines: lines(node) };
        let grammar = self.grammar;
        let source = node.child_by_field_id(grammar.source).map(|source| cut(unquoted(self.text_of(source))));
        let children: Vec<Node> = node.children().collect();
        let has = |word: &str| children.iter().any(|child| !child.is_named() && self.text_of(*child) == word);
        let (default, all) = (has("default"), has("*"));
        let assigned = has("=");
        if let Some(declaration) = node.child_by_field_id(grammar.declaration) {
            self.export_declaration(declaration, default);
        } else if let Some(value) = node.child_by_field_id(grammar.value) {
            self.export_default(value, self.whole);
        } else if let Some(clause) = children.iter().find(|child| child.kind_id() == grammar.export_clause) {
            self.export_clause(*clause, source);
        } else if let Some(namespace) = children.iter().find(|c| c.kind_id() == grammar.namespace_export) {
            if let (Some(name), Some(source)) = (namespace.named_child(0), source) {
                self.note_export(cut(self.text_of(name)), &format!("{source}:*"));
            }
        } else if let Some(source) = source.filter(|_| all) {
            self.note_export("*", source);
        } else if let Some(value) = children.iter().find(|child| child.is_named()).filter(|_| assigned) {
            let local = if value.kind_id() == grammar.identifier { self.text_of(*value) } else { "" };
            self.note_export("", cut(local)); // `export = name`
        }
    }

    fn export_default(&mut self, value: Node, whole: Whole) {
        let (value, _) = self.value_of(value);
        let declared = self.export_value("default", value);
        let is_object = value.kind_id() == self.grammar.object;
        let name = if is_object { String::new() } else { "default".to_owned() };
        let export = (!declared).then(|| "default".to_owned());
        self.name_value(value, Named { name, export, whole, ..Named::default() });
    }

    fn export_declaration(&mut self, declaration: Node, default: bool) {
        let grammar = self.grammar;
        if let Some(name) = declaration.child_by_field_id(grammar.name) {
            let name = cut(self.text_of(name));
            self.note_export(if default { "default" } else { name }, name);
            return;
        }
        let declarators: Vec<Node> = declaration.named_children().collect();
        for declarator in declarators {
            let Some(name) = declarator.child_by_field_id(grammar.name) else { continue };
            if name.kind_id() == grammar.identifier {
                let name = cut(self.text_of(name));
                self.note_export(name, name);
            } else if name.kind_id() == grammar.object_pattern {
                let parts: Vec<Node> = name.named_children().collect();
                for (_, name) in
                    parts.into_iter().filter_map(|part| self.pattern_part(part)).collect::<Vec<_>>()
                {
                    self.note_export(name, name);
                }
            }
        }
    }

    fn export_clause(&mut self, clause: Node, source: Option<&str>) {
        let specifiers: Vec<Node> = clause.named_children().collect();
        for specifier in specifiers {
            let Some((name, alias)) = self.specifier(specifier) else { continue };
            match source {
                Some(source) => self.note_export(alias, &format!("{source}:{name}")),
                None => self.note_export(alias, name),
            }
        }
    }

    /// Notes what `value` hands out under a name, unless it is a function or class, whose place among the
    /// callables is not known yet, or an object that is all that the file hands out.
    pub(super) fn export_value(&mut self, export: &str, value: Node) -> bool {
        let grammar = self.grammar;
        let kind = value.kind_id();
        if grammar.is_function_value(kind) || kind == grammar.class {
            return false;
        }
        if kind == grammar.object && export.is_empty() {
            self.export_members(value);
            return false;
        }
        let local = if kind == grammar.identifier {
            cut(self.text_of(value)).to_owned()
        } else {
            self.loaded(value).map(|(loaded, _)| loaded.written()).unwrap_or_default()
        };
        self.note_export(export, &local);
        true
    }

    /// `module.exports = { a, b: c }`; functions among the members are noted where they are declared.
    fn export_members(&mut self, object: Node) {
        let grammar = self.grammar;
        let members: Vec<Node> = object.named_children().collect();
        for member in members {
            let kind = member.kind_id();
            if kind == grammar.shorthand {
                let name = cut(self.text_of(member));
                self.note_export(name, name);
            } else if kind == grammar.pair
                && let Some(key) = member.child_by_field_id(grammar.key).and_then(|key| self.key(key))
                && let Some(value) = member.child_by_field_id(grammar.value)
            {
                let (value, _) = self.value_of(value);
                self.export_value(key, value);
            }
        }
    }

    /// `name` is empty for all that the file hands out.
    pub(super) fn note_export(&mut self, name: &str, local: &str) {
        let name = if name.is_empty() { "=" } else { name };
        let export = format!("{name}={local}");
        // The overloads of a function of TypeScript are exported one by one.
        if self.outline.exports.last() != Some(&export) {
            self.outline.exports.push(export);
        }
    }
}

fn named_import(module: &str, name: &str, alias: &str) -> String {
    if name == alias { format!("{module}:{name}") } else { format!("{module}:{name} as {alias}") }
}

fn same_start_as(whole: Whole, node: Node) -> bool {
    whole.span.start == span(node).start
}

/// Whether a call of this name may load a module.
pub(super) fn loads(receiver: &str, name: &str) -> bool {
    match receiver {
        "" => matches!(name, "require" | "proxyquire" | "rewire"),
        "jest" => matches!(name, "requireActual" | "requireMock"),
        _ => false,
    }
}
