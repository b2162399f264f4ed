//! C#: namespaces, using directives, partial classes, extension methods.

use super::java::{by_path, nested};
use super::rules::{PLAIN, Rules};
use super::values::{Scope, Value};
use super::{Found, Key, Resolution};

pub(super) static RULES: Rules = Rules {
    language: "csharp",
    has_new: true,
    implicit_members: true,
    has_overloads: true,
    hidden: &["private"],
    unnamed_calls: &["Equals", "GetHashCode", "ToString", "CompareTo"],
    optional_parameters: true,
    this: &["this"],
    superior: &["base"],
    type_path,
    global,
    functions,
    parts,
    outer_methods,
    ..PLAIN
};

/// `ref readonly A.Foo<T>[]?` is `A.Foo`, and `Task<Foo>` is `Foo`.
fn type_path(written: &str) -> &str {
    let mut path = written.trim();
    for task in ["Task<", "ValueTask<"] {
        path = path.strip_prefix(task).and_then(|inner| inner.strip_suffix('>')).unwrap_or(path);
    }
    let bare = path.split(['<', '[', '?']).next().unwrap_or(path).trim();
    bare.rsplit(char::is_whitespace).next().unwrap_or(bare)
}

fn global(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Value {
    if let Some(key) = nested(resolution, scope, name) {
        return Value::Class(key);
    }
    let Some(file) = resolution.file(scope.file) else { return Value::Unknown };
    let top = |key: &Key| resolution.declaration(*key).is_some_and(|it| it.parent.is_none());
    let all: Vec<Key> = resolution.names.types(name).iter().copied().filter(top).take(200).collect();
    if let Some(key) = all.iter().find(|key| key.file == scope.file) {
        return Value::Class(*key);
    }
    let package = |key: &Key| resolution.file(key.file).map_or("", |file| file.row.package.as_str());
    // The own namespace, then those around it.
    let mut own = file.row.package.as_str();
    while !own.is_empty() {
        if let Some(key) = all.iter().find(|key| package(key) == own) {
            return Value::Class(*key);
        }
        own = own.rsplit_once('.').map_or("", |(outer, _)| outer);
    }
    for import in &file.row.imports {
        if let Some((alias, path)) = import.split_once('=').map(|(alias, path)| (alias.trim(), path.trim())) {
            if alias == name {
                return by_path(resolution, path).map_or(Value::External, Value::Class);
            }
        } else if let Some(key) = all.iter().find(|key| package(key) == import) {
            return Value::Class(*key);
        }
    }
    match all.as_slice() {
        // Imported for the whole project, or under a namespace that the file does not show.
        [first, rest @ ..] if rest.iter().all(|key| package(key) == package(first)) => Value::Class(*first),
        [] if name.starts_with(char::is_lowercase) || name.len() < 3 => Value::Unknown,
        [] => Value::External,
        _ => Value::Unknown,
    }
}

/// Methods by `using static`.
fn functions(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Found {
    let Some(file) = resolution.file(scope.file) else { return Found::Unknown };
    let classes = file.row.imports.iter().filter_map(|import| import.strip_prefix("static "));
    let found: Vec<Key> = classes
        .filter_map(|class| by_path(resolution, class))
        .flat_map(|class| resolution.methods(class, name, scope))
        .collect();
    if found.is_empty() { Found::Unknown } else { Found::Some(found) }
}

/// The other parts of a partial type.
fn parts(resolution: &Resolution<'_>, key: Key) -> Vec<Key> {
    let is_partial = |own: &super::Declaration| own.modifiers.iter().any(|modifier| modifier == "partial");
    let Some(own) = resolution.declaration(key).filter(|own| is_partial(own)) else { return Vec::new() };
    let package = |key: Key| resolution.file(key.file).map_or("", |file| file.row.package.as_str());
    let is_part = |other: &&Key| {
        **other != key
            && package(**other) == package(key)
            && resolution
                .declaration(**other)
                .is_some_and(|it| is_partial(it) && it.qualified_name == own.qualified_name)
    };
    resolution.names.types(&own.name).iter().filter(is_part).take(30).copied().collect()
}

/// Extension methods: those for the type, or where the type is not known those of the name.
fn outer_methods(resolution: &Resolution<'_>, class: Option<Key>, name: &str, _: Scope) -> Vec<Key> {
    let class = class.and_then(|class| resolution.declaration(class)).map(|it| it.name.as_str());
    let extends = |key: &&Key| {
        let first = resolution.declaration(**key).and_then(|it| it.parameter_types.first());
        let Some(extended) = first.and_then(|first| first.strip_prefix("this ")) else { return false };
        let of = type_path(extended).rsplit('.').next().unwrap_or(extended);
        // A type parameter takes every type.
        class.is_none_or(|class| class == of || of.len() < 3)
    };
    resolution.names.callables(name).iter().filter(extends).take(40).copied().collect()
}
