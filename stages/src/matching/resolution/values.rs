//! What names, receivers and types mean.

use super::super::index::CallSite;
use super::{Found, Key, Resolution};

/// What an expression is, as far as members can be looked up in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// An object of this type.
    Object(Key),
    /// The type itself.
    Class(Key),
    /// A function.
    Function(Key),
    /// A module or package, by a file of it.
    Module(u32),
    /// Something from outside the repository.
    External,
    Unknown,
}

impl Value {
    /// A value of the type that this names.
    pub(super) fn instance(self) -> Self {
        match self {
            Self::Class(key) => Self::Object(key),
            Self::Module(_) | Self::Function(_) => Self::Unknown,
            other => other,
        }
    }

    /// This, or where it is unknown what `other` says.
    pub(super) fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Unknown { other() } else { self }
    }
}

/// Where a name stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) file: u32,
    /// The innermost declaration around.
    pub(super) around: Option<u32>,
    /// Position in the text: what is bound later does not count.
    pub(super) at: u32,
}

/// Longest receiver that parsing keeps; one of that length may have been cut.
pub(super) const MAX_RECEIVER: usize = 80;

impl<'a> Resolution<'a> {
    /// What stands before the name of a call.
    pub(super) fn receiver(&self, scope: Scope, position: usize, site: &CallSite<'a>) -> Value {
        let mut text = site.receiver;
        let mut start = site.start;
        while let Some(rest) = text.strip_prefix('(').or_else(|| text.strip_prefix("await ")) {
            start += (text.len() - rest.len()) as u32;
            text = rest;
        }
        if let Some((cast, _)) = text.split_once(')').filter(|(cast, rest)| is_path(cast) && !rest.is_empty())
        {
            // `((Type) value).call()`
            if start > site.start && site.receiver.starts_with("((") {
                return self.type_of(scope, cast).instance();
            }
        }
        let whole = text.len() < MAX_RECEIVER;
        let bare = without_indices(text.trim_end_matches(')').trim_end_matches(['!', '?']));
        if whole && is_path(&bare) {
            return self.path(scope, &bare);
        }
        let end = if whole { start + text.len() as u32 } else { site.end };
        match self.names.call_before(scope.file, self.index, (start, end, site.end)) {
            Some((inner, inner_end)) if inner != position => {
                let value = self.result(scope.file, inner);
                let rest = text.get((inner_end - start) as usize..).unwrap_or_default();
                let rest = rest.trim_start_matches([')', '!', '?']);
                rest.split('.').skip(1).map(str::trim).filter(|part| !part.is_empty()).fold(
                    value,
                    |value, part| {
                        if is_path(part) { self.member(value, part, scope) } else { Value::Unknown }
                    },
                )
            }
            _ if text.starts_with(['[', '{']) || is_literal(text) => Value::External,
            _ => Value::Unknown,
        }
    }

    /// `a.b.c`.
    pub(super) fn path(&self, scope: Scope, path: &str) -> Value {
        let mut parts = path.split('.').map(|part| part.trim_matches(|c: char| !is_name_character(c)));
        let Some(first) = parts.next() else { return Value::Unknown };
        let value = self.deeper(|| self.name(scope, first)).unwrap_or(Value::Unknown);
        let value = parts.fold(value, |value, part| self.member(value, part, scope));
        value.or(|| self.qualified(path))
    }

    /// What a plain name means.
    pub(super) fn name(&self, scope: Scope, name: &str) -> Value {
        if self.rules.this.contains(&name) && !self.is_rebound(scope, name) {
            let own = if self.rules.own_class.contains(&name) { Value::Class } else { Value::Object };
            let class = self.type_around(scope).map_or(Value::Unknown, own);
            if class != Value::Unknown {
                return class;
            }
        }
        if self.rules.superior.contains(&name) {
            let class = self.type_around(scope);
            return class.map_or(Value::Unknown, |class| self.superclass(class));
        }
        let mut around = scope.around;
        while let Some(key) = around.map(|ordinal| Key { file: scope.file, ordinal }) {
            let Some(declaration) = self.declaration(key) else { break };
            let found = if !is_type(declaration) {
                self.local(scope, key, name)
            } else if self.rules.implicit_members {
                self.field(key, name)
            } else {
                None
            };
            if let Some(value) = found {
                return value;
            }
            around = declaration.parent;
        }
        let of_file = self.binding(scope, None, name).map(|at| self.bound(scope.file, at));
        let given = of_file.is_none() && self.rules.surroundings.contains(&name);
        of_file
            .unwrap_or(Value::Unknown)
            .or(|| (self.rules.global)(self, scope, name))
            .or(|| if given { Value::External } else { Value::Unknown })
    }

    /// Whether `cls` is any variable or parameter of the function around, and not the class of a method.
    fn is_rebound(&self, scope: Scope, name: &str) -> bool {
        if !self.rules.own_class.contains(&name) {
            return false;
        }
        let around = scope.around.and_then(|ordinal| self.declaration(Key { file: scope.file, ordinal }));
        let is_other = |own: &super::Declaration| own.parameter_names.iter().skip(1).any(|own| own == name);
        around.is_some_and(is_other) || self.binding(scope, scope.around, name).is_some()
    }

    /// A variable, parameter or function of a function around.
    fn local(&self, scope: Scope, function: Key, name: &str) -> Option<Value> {
        if let Some(at) = self.binding(scope, Some(function.ordinal), name) {
            return Some(self.bound(scope.file, at));
        }
        let declaration = self.declaration(function)?;
        if let Some(at) = declaration.parameter_names.iter().position(|own| own == name) {
            let inside = Scope { around: Some(function.ordinal), ..scope };
            return Some(match declaration.parameter_types.get(at).map(|name| name.as_str()) {
                Some("") | None => (self.rules.parameter)(self, function, name),
                Some(written) => self.type_of(inside, written).instance(),
            });
        }
        let own = |key: &&Key| self.declaration(**key).is_some_and(|it| it.parent == Some(function.ordinal));
        let inner = self.names.callables_in(function.file, name).iter().find(own);
        let class = || self.names.types_in(function.file, name).iter().find(own);
        inner.map(|key| Value::Function(*key)).or_else(|| class().map(|key| Value::Class(*key)))
    }

    /// The last binding of a name by `owner` before the position, or the first after it.
    fn binding(&self, scope: Scope, owner: Option<u32>, name: &str) -> Option<usize> {
        let file = self.file(scope.file)?;
        let row = file.row;
        let own = |at: &usize| row.binding_owners.0.get(*at).is_some_and(|own| *own == owner);
        let ends_before = |at: &usize| row.binding_value_ends.get(*at).is_some_and(|end| *end <= scope.at);
        // `client := client` takes its value from what had the name before.
        let is_itself = |at: &usize| {
            row.binding_value_ends.get(*at).is_some_and(|end| *end > 0)
                && row.binding_value_starts.get(*at) == Some(&scope.at)
        };
        let others = self.names.bindings(scope.file, file, name).filter(|at| !is_itself(at));
        let all: Vec<usize> = others.filter(own).collect();
        let told = |at: &&usize| {
            row.binding_value_ends.get(**at).is_some_and(|end| *end > 0) || {
                row.binding_types.get(**at).is_some_and(|own| !own.is_empty())
            }
        };
        let before = all.iter().rev().filter(|at| ends_before(at));
        let found = before.clone().find(told).or_else(|| all.iter().find(told)).copied();
        // Declared here, given its value elsewhere: by a set-up function.
        let elsewhere = || {
            let inside = |at: &usize| {
                let around = row.binding_owners.0.get(*at).copied().flatten();
                self.is_inside(scope.file, around, owner)
            };
            let mut others = self.names.bindings(scope.file, file, name);
            others.find(|at| inside(at) && told(&at))
        };
        found.or_else(|| all.first().and_then(|first| elsewhere().or(Some(*first))))
    }

    /// The type that a variable or parameter is declared with, the span of its value, and where it stands.
    pub(super) fn written_type(&self, scope: Scope, name: &str) -> Option<(&'a str, (u32, u32), Scope)> {
        let mut around = scope.around;
        loop {
            let file = self.file(scope.file)?;
            if let Some(at) = self.binding(Scope { around, ..scope }, around, name) {
                let row = file.row;
                let span = (*row.binding_value_starts.get(at)?, *row.binding_value_ends.get(at)?);
                let owner = row.binding_owners.0.get(at).copied().flatten();
                let at_value = Scope { around: owner, at: span.0, ..scope };
                return Some((row.binding_types.get(at)?, span, at_value));
            }
            let declaration = file.declaration(around?)?;
            if let Some(at) = declaration.parameter_names.iter().position(|own| own == name) {
                return Some((declaration.parameter_types.get(at)?, (0, 0), Scope { around, ..scope }));
            }
            around = declaration.parent;
        }
    }

    fn is_inside(&self, file: u32, mut around: Option<u32>, owner: Option<u32>) -> bool {
        let Some(owner) = owner else { return true };
        while let Some(ordinal) = around {
            if ordinal == owner {
                return true;
            }
            around = self.declaration(Key { file, ordinal }).and_then(|it| it.parent);
        }
        false
    }

    /// The value of a binding, by its value where that is made by a call, else by its type.
    pub(super) fn bound(&self, file: u32, binding: usize) -> Value {
        self.deeper(|| self.bound_here(file, binding)).unwrap_or(Value::Unknown)
    }

    fn bound_here(&self, file: u32, binding: usize) -> Value {
        let Some(source) = self.file(file) else { return Value::Unknown };
        let row = source.row;
        let number = |column: &Vec<u32>| column.get(binding).copied().unwrap_or_default();
        let (start, end) = (number(&row.binding_value_starts), number(&row.binding_value_ends));
        let written = row.binding_types.get(binding).map_or("", |name| name.as_str());
        let around = row.binding_owners.0.get(binding).copied().flatten();
        let scope = Scope { file, around, at: start };
        let call = self.names.call_at(file, self.index, start, end);
        let made = call.map_or(Value::Unknown, |call| self.result(file, call));
        if written.is_empty() {
            return made.or(|| {
                let text = source.text.get(start as usize..end as usize).unwrap_or_default();
                if is_literal(text) {
                    return Value::External;
                }
                if text.len() < MAX_RECEIVER && is_path(text) {
                    self.path(scope, text)
                } else {
                    Value::Unknown
                }
            });
        }
        let declared = self.type_of(scope, written).instance();
        match (made, declared) {
            // The object is of the class that made it, which says more than what it is declared as.
            (Value::Object(own), Value::Object(of)) if self.ancestors(own).contains(&of) => made,
            (_, Value::Unknown) => made,
            _ => declared,
        }
    }

    /// What a call gives.
    pub(super) fn result(&self, file: u32, position: usize) -> Value {
        match self.found(file, position) {
            Found::Some(keys) => {
                let site = self.file(file).and_then(|file| file.call(position));
                let made = site.is_some_and(|it| it.is_constructor);
                if let Some(object) = site.and_then(|site| self.constructed(file, position, &site, &keys)) {
                    return object;
                }
                let mut results = keys.iter().map(|key| match self.declaration(*key) {
                    // `new` makes an object of a function too.
                    Some(own) if made && own.kind != "constructor" => Value::Object(*key),
                    _ => self.returned(*key),
                });
                results.find(|value| *value != Value::Unknown).unwrap_or(Value::Unknown)
            }
            Found::External => Value::External,
            Found::Unknown => Value::Unknown,
        }
    }

    /// What a call makes that a constructor answers, which may be inherited.
    fn constructed(&self, file: u32, position: usize, site: &CallSite<'a>, keys: &[Key]) -> Option<Value> {
        let is_constructor = |key: &Key| self.declaration(*key).is_some_and(makes_objects);
        if !self.rules.inherits_constructors || !keys.first().is_some_and(is_constructor) {
            return None;
        }
        let around = self.file(file).and_then(|file| file.owner_of_call(position));
        let scope = Scope { file, around, at: site.start };
        let class = if site.is_constructor && self.rules.has_new {
            let path = if site.receiver.is_empty() {
                site.name.to_owned()
            } else {
                format!("{}.{}", site.receiver, site.name)
            };
            self.type_of(scope, &path)
        } else if site.receiver.is_empty() {
            self.name(scope, site.name)
        } else {
            self.member(self.receiver(scope, position, site), site.name, scope)
        };
        match class {
            Value::Class(key) => Some(Value::Object(key)),
            _ => None,
        }
    }

    /// The value of the first argument of a call, whose arguments begin behind the bracket of `rest`.
    pub(super) fn first_argument(&self, scope: Scope, start: u32, rest: &str) -> Value {
        let inner = rest.get(1..).unwrap_or_default();
        let mut depth = 0_i32;
        let end = inner.find(|letter| {
            depth +=
                i32::from(matches!(letter, '(' | '[' | '{')) - i32::from(matches!(letter, ')' | ']' | '}'));
            depth < 0 || (depth == 0 && letter == ',')
        });
        let text = inner.get(..end.unwrap_or_default()).unwrap_or_default().trim_end();
        let bare = text.trim_start();
        let (start, text) = (start + (text.len() - bare.len()) as u32, bare);
        if text.len() < MAX_RECEIVER && is_path(text) {
            return self.path(scope, text);
        }
        let call = self.names.call_at(scope.file, self.index, start, start + text.len() as u32);
        call.map_or(Value::Unknown, |call| self.result(scope.file, call))
    }

    /// What a function gives, or a class when it is called.
    pub(super) fn returned(&self, key: Key) -> Value {
        let Some(declaration) = self.declaration(key) else { return Value::Unknown };
        if is_type(declaration) {
            return Value::Object(key);
        }
        if makes_objects(declaration) {
            return self.owner_type(key).map_or(Value::Unknown, Value::Object);
        }
        let scope = Scope { file: key.file, around: Some(key.ordinal), at: u32::MAX };
        if !declaration.return_type.is_empty() {
            return self
                .deeper(|| self.type_of(scope, &declaration.return_type).instance())
                .unwrap_or(Value::Unknown);
        }
        let Some(file) = self.file(key.file) else { return Value::Unknown };
        let own =
            |at: &usize| file.row.binding_owners.0.get(*at).is_some_and(|own| *own == Some(key.ordinal));
        let mut values =
            self.names.bindings(key.file, file, "return").filter(own).map(|at| self.bound(key.file, at));
        values.find(|value| matches!(value, Value::Object(_))).unwrap_or(Value::Unknown)
    }

    /// A type as written.
    pub(super) fn type_of(&self, scope: Scope, written: &str) -> Value {
        let path = (self.rules.type_path)(written.trim()).trim();
        if path.is_empty() {
            return Value::Unknown;
        }
        let mut parts = path.split('.').map(str::trim);
        let Some(first) = parts.next() else { return Value::Unknown };
        let found = self.deeper(|| (self.rules.global)(self, scope, first)).unwrap_or(Value::Unknown);
        let found = parts.fold(found, |value, part| match value {
            Value::Class(key) => self.inner_type(key, part).map_or(Value::Unknown, Value::Class),
            Value::Module(module) => (self.rules.module_member)(self, module, part),
            other => other,
        });
        match found {
            Value::Class(_) => found,
            Value::Function(_) if self.rules.has_new => found,
            Value::Unknown | Value::External if path.contains('.') => {
                let qualified = self.qualified(path);
                if qualified == Value::Unknown { found } else { qualified }
            }
            Value::External => found,
            _ => Value::Unknown,
        }
    }

    /// A type by its package's name and its own.
    pub(super) fn qualified(&self, path: &str) -> Value {
        let mut before = 0;
        for (dot, _) in path.match_indices('.') {
            let rest = path.get(dot + 1..).unwrap_or_default();
            let (name, inner) = rest.split_once('.').unwrap_or((rest, ""));
            let package = path.get(..dot).unwrap_or_default();
            let found = self.names.types(name).iter().copied().find(|key| {
                self.file(key.file).is_some_and(|file| file.row.package == package)
                    && self.declaration(*key).is_some_and(|it| it.parent.is_none())
            });
            if let Some(found) = found {
                let mut parts = inner.split('.').filter(|part| !part.is_empty());
                let inside = parts.try_fold(found, |key, part| self.inner_type(key, part));
                return inside.map_or(Value::Unknown, Value::Class);
            }
            before += 1;
            if before > 12 {
                break;
            }
        }
        Value::Unknown
    }
}

/// Whether a declaration is what a class is called for.
pub(crate) fn makes_objects(declaration: &super::Declaration) -> bool {
    declaration.kind == "constructor" || declaration.name == "__new__"
}

/// Whether a declaration is a type.
pub(crate) fn is_type(declaration: &super::Declaration) -> bool {
    trefoil_languages::CallableKind::from_word(&declaration.kind)
        .is_some_and(trefoil_languages::CallableKind::is_type)
}

/// Whether a text is a string or number as written, of a type that no repository declares.
fn is_literal(text: &str) -> bool {
    // Letters before the quote say how it is read: `rb"…"`, `$"…"`, `@"…"`.
    let bare = text.trim_start_matches(|c: char| "rRbBfFuU$@".contains(c));
    bare.starts_with(['"', '\'', '`']) || text.starts_with(char::is_numeric)
}

fn is_name_character(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '@' | '#')
}

/// Whether a text is made of names and dots.
pub(super) fn is_path(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_numeric() || c == '.')
        && text
            .chars()
            .all(|c| is_name_character(c) || matches!(c, '.' | '?' | '!' | ' ' | '\n' | '\t' | '\r'))
        && text.split(['.', '?', '!']).all(|part| part.split_whitespace().count() <= 1)
}

/// `a[0].b` as `a.b`: arrays have the type of their elements here.
fn without_indices(text: &str) -> String {
    if !text.contains('[') {
        return text.to_owned();
    }
    let mut depth = 0_u32;
    let kept = text.chars().filter(|letter| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    });
    kept.collect()
}
