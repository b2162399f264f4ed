//! Java: packages, imports, types nested and inherited, static imports.

use super::rules::{PLAIN, Rules};
use super::values::{Scope, Value, is_type};
use super::{Found, Key, Resolution};

pub(super) static RULES: Rules = Rules {
    language: "java",
    has_new: true,
    implicit_members: true,
    has_overloads: true,
    hidden: &["private"],
    unnamed_calls: &["equals", "hashCode", "toString", "compareTo"],
    reference_sign: "::",
    this: &["this"],
    superior: &["super"],
    type_path,
    global,
    functions,
    ..PLAIN
};

/// `java.util.List<Foo>[]` is `java.util.List`; annotations and `final` before it are left out.
pub(super) fn type_path(written: &str) -> &str {
    let bare = written.split(['<', '[']).next().unwrap_or(written).trim_end_matches("...").trim();
    bare.rsplit(char::is_whitespace).next().unwrap_or(bare)
}

fn global(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Value {
    if let Some(key) = nested(resolution, scope, name) {
        return Value::Class(key);
    }
    let Some(file) = resolution.file(scope.file) else { return Value::Unknown };
    let top = |key: &Key| resolution.declaration(*key).is_some_and(|it| it.parent.is_none());
    if let Some(key) = resolution.names.types_in(scope.file, name).iter().copied().find(top) {
        return Value::Class(key);
    }
    for import in &file.row.imports {
        let path = import.strip_prefix("static ").unwrap_or(import);
        if path.rsplit_once('.').is_some_and(|(_, last)| last == name) {
            if let Some(key) = by_path(resolution, path) {
                return Value::Class(key);
            }
            if let Some(value) = static_field(resolution, import, name) {
                return value;
            }
            return Value::External;
        }
    }
    let in_package = |package: &str| {
        let mut types = resolution.names.types(name).iter().copied().filter(top);
        types.find(|key| resolution.file(key.file).is_some_and(|file| file.row.package == package))
    };
    if let Some(key) = in_package(&file.row.package) {
        return Value::Class(key);
    }
    for package in file.row.imports.iter().filter_map(|import| import.strip_suffix(".*")) {
        let class = package.strip_prefix("static ").unwrap_or(package);
        let inner = || by_path(resolution, class).and_then(|outer| resolution.inner_type(outer, name));
        if let Some(key) = in_package(class).or_else(inner) {
            return Value::Class(key);
        }
        if package.starts_with("static ")
            && let Some(value) = by_path(resolution, class).and_then(|class| resolution.field(class, name))
        {
            return value;
        }
    }
    // What is neither here nor imported is of java.lang or of a package imported as a whole; a name in
    // capitals may be a type parameter.
    let is_class =
        name.len() > 2 && name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    if is_class { Value::External } else { Value::Unknown }
}

/// A type around, or one that is declared in it or inherited by it.
pub(super) fn nested(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Option<Key> {
    if resolution.names.types(name).is_empty() {
        return None;
    }
    let mut around = scope.around;
    while let Some(key) = around.map(|ordinal| Key { file: scope.file, ordinal }) {
        let declaration = resolution.declaration(key)?;
        if is_type(declaration) {
            if declaration.name == name {
                return Some(key);
            }
            if let Some(inner) = resolution.inner_type(key, name) {
                return Some(inner);
            }
        } else {
            let mut local = resolution.names.types_in(scope.file, name).iter().copied();
            let own = |key: &Key| resolution.declaration(*key).is_some_and(|it| it.parent == around);
            if let Some(local) = local.find(own) {
                return Some(local);
            }
        }
        around = declaration.parent;
    }
    None
}

/// A type by its full name.
pub(super) fn by_path(resolution: &Resolution<'_>, path: &str) -> Option<Key> {
    match resolution.qualified(path) {
        Value::Class(key) => Some(key),
        _ => None,
    }
}

fn static_field(resolution: &Resolution<'_>, import: &str, name: &str) -> Option<Value> {
    let (class, _) = import.strip_prefix("static ")?.rsplit_once('.')?;
    resolution.field(by_path(resolution, class)?, name)
}

/// Methods by static imports.
fn functions(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Found {
    let Some(file) = resolution.file(scope.file) else { return Found::Unknown };
    let mut found = Vec::new();
    let mut outside = false;
    for import in file.row.imports.iter().filter_map(|import| import.strip_prefix("static ")) {
        let Some((class, member)) = import.rsplit_once('.') else { continue };
        if member != name && member != "*" {
            continue;
        }
        match by_path(resolution, class) {
            Some(key) => found.extend(resolution.methods(key, name, scope)),
            None => outside = true,
        }
    }
    match (found.is_empty(), outside) {
        (false, _) => Found::Some(found),
        (true, true) => Found::External,
        (true, false) => Found::Unknown,
    }
}
