//! JavaScript: modules by path, what they export under names, as default or as a whole, and re-exports.

use super::names::folder;
use super::paths::{aliased, join};
use super::rules::{PLAIN, Rules};
use super::values::{Scope, Value};
use super::{Key, Resolution};

pub(super) static RULES: Rules = Rules {
    language: "javascript",
    has_new: true,
    inherits_constructors: true,
    unnamed_calls: &["toString", "toJSON", "valueOf"],
    surroundings: &[
        "process",
        "console",
        "Math",
        "JSON",
        "Object",
        "Array",
        "String",
        "Number",
        "Boolean",
        "Date",
        "Promise",
        "Reflect",
        "Symbol",
        "RegExp",
        "Buffer",
        "globalThis",
        "window",
        "document",
    ],
    this: &["this"],
    superior: &["super"],
    type_path,
    global,
    module_member,
    outer_methods,
    ..PLAIN
};

/// The name by which a module as a whole is exported.
const WHOLE: &str = "=";

/// `Promise<Foo>` is `Foo`.
fn type_path(written: &str) -> &str {
    let bare = written.trim().trim_start_matches(':').trim();
    let bare = bare.strip_prefix("Promise<").and_then(|inner| inner.strip_suffix('>')).unwrap_or(bare);
    bare.split(['<', '[', '|', '&']).next().unwrap_or(bare).trim()
}

fn global(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Value {
    declared(resolution, scope.file, name).or(|| imported(resolution, scope.file, name))
}

/// A class or function at the top level of a file, by its whole name (`res.cookie`).
fn declared(resolution: &Resolution<'_>, file: u32, path: &str) -> Value {
    let name = path.rsplit('.').next().unwrap_or(path);
    let top = |key: &&Key| {
        resolution.declaration(**key).is_some_and(|it| it.parent.is_none() && it.qualified_name == path)
    };
    if let Some(key) = resolution.names.types_in(file, name).iter().find(top) {
        return Value::Class(*key);
    }
    let functions = resolution.names.callables_in(file, name);
    functions.iter().find(top).map_or(Value::Unknown, |key| Value::Function(*key))
}

fn imported(resolution: &Resolution<'_>, file: u32, name: &str) -> Value {
    let Some(row) = resolution.file(file).map(|file| file.row) else { return Value::Unknown };
    for import in &row.imports {
        let (path, alias) = aliased(import);
        let Some((from, member)) = path.rsplit_once(':') else { continue };
        if alias.unwrap_or(member) != name {
            continue;
        }
        let Some(module) = module(resolution, file, from) else { return Value::External };
        return resolution.deeper(|| member_or_all(resolution, module, member)).unwrap_or(Value::Unknown);
    }
    Value::Unknown
}

fn member_or_all(resolution: &Resolution<'_>, module: u32, member: &str) -> Value {
    match member {
        "*" => Value::Module(module),
        WHOLE | "default" => module_member(resolution, module, member).or(|| Value::Module(module)),
        member => module_member(resolution, module, member),
    }
}

/// The file that `from` names as seen from a file: exactly, with an ending, or the index of a folder.
fn module(resolution: &Resolution<'_>, file: u32, from: &str) -> Option<u32> {
    const ENDINGS: [&str; 9] = ["", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".mts", ".cts"];
    if !from.starts_with('.') && !from.starts_with('/') {
        return None;
    }
    let path = join(folder(&resolution.file(file)?.row.path), from)?;
    let at = |path: String| resolution.names.file(&path);
    let named = |path: &str| ENDINGS.iter().find_map(|ending| at(format!("{path}{ending}")));
    let index = |path: &str| {
        let inside = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        // What package.json calls `main` is not known; these are where it points to mostly.
        ["index", "lib/index", "src/index"].iter().find_map(|name| named(&inside(name)))
    };
    // TypeScript is imported by the name that it is compiled to.
    let source = path.strip_suffix(".js").and_then(|stem| at(format!("{stem}.ts")));
    named(&path).or(source).or_else(|| index(&path)).or_else(|| {
        // What a build makes is not kept; what it is made of mostly stands beside it.
        let folder = BUILT.iter().find_map(|built| {
            let at = path.rfind(&format!("/{built}/")).map(|at| at + 1);
            at.or_else(|| path.starts_with(&format!("{built}/")).then_some(0)).map(|at| (at, built.len()))
        });
        let (at, len) = folder?;
        let path = format!("{}src{}", path.get(..at)?, path.get(at + len..)?);
        let stem = path.strip_suffix(".js").unwrap_or(&path);
        named(stem).or_else(|| index(stem))
    })
}

/// Folders that builds write to.
const BUILT: [&str; 6] = ["lib", "dist", "build", "esm", "cjs", "out"];

fn module_member(resolution: &Resolution<'_>, module: u32, name: &str) -> Value {
    let Some(file) = resolution.file(module) else { return Value::Unknown };
    let mut all = Vec::new();
    let mut whole = None;
    for export in &file.row.exports {
        let (own, local) = match export.strip_prefix("==") {
            Some(local) => (WHOLE, local),
            None => export.split_once('=').unwrap_or((export, "")),
        };
        if own == name {
            let found = exported(resolution, module, local);
            if found != Value::Unknown {
                return found;
            }
        }
        if own == WHOLE || own == "default" {
            whole = Some(local);
        }
        if own == "*" {
            all.push(local);
        }
    }
    if matches!(name, WHOLE | "default") {
        let found = whole.map_or(Value::Unknown, |local| exported(resolution, module, local));
        return found;
    }
    // `module.exports = app; app.use = …`, and members of an object that is exported as a whole.
    let own = declared(resolution, module, name);
    if own != Value::Unknown {
        return own;
    }
    if let Some(local) = whole.filter(|local| !local.is_empty()) {
        let member = declared(resolution, module, &format!("{local}.{name}"));
        if member != Value::Unknown {
            return member;
        }
        let value = exported(resolution, module, local);
        if let Value::Module(other) = value
            && other != module
        {
            return resolution.deeper(|| module_member(resolution, other, name)).unwrap_or(Value::Unknown);
        }
    }
    for from in all {
        let Some(other) = self::module(resolution, module, from) else { continue };
        let found = resolution.deeper(|| module_member(resolution, other, name)).unwrap_or(Value::Unknown);
        if found != Value::Unknown {
            return found;
        }
    }
    Value::Unknown
}

/// What an export names: something of the file, or of another module (`./mod:name`).
fn exported(resolution: &Resolution<'_>, module: u32, local: &str) -> Value {
    let Some(file) = resolution.file(module) else { return Value::Unknown };
    if let Some(ordinal) = local.strip_prefix('#').and_then(|number| number.parse().ok()) {
        let key = Key { file: module, ordinal };
        return match resolution.declaration(key) {
            Some(declaration) if super::is_type(declaration) => Value::Class(key),
            Some(_) => Value::Function(key),
            None => Value::Unknown,
        };
    }
    if let Some((from, member)) = local.rsplit_once(':').filter(|(from, _)| from.starts_with('.')) {
        let Some(other) = self::module(resolution, module, from) else { return Value::External };
        return resolution.deeper(|| member_or_all(resolution, other, member)).unwrap_or(Value::Unknown);
    }
    if local.is_empty() {
        return Value::Unknown;
    }
    let found = global(resolution, Scope { file: module, around: None, at: u32::MAX }, local);
    found.or(|| {
        let top = |at: &usize| file.row.binding_owners.0.get(*at).is_some_and(Option::is_none);
        let mut bindings = resolution.names.bindings(module, file, local).filter(top);
        bindings.next().map_or(Value::Unknown, |at| resolution.bound(module, at))
    })
}

/// Functions that are given to a function or class from outside (`Cart.prototype.add = …`, `app.use = …`).
fn outer_methods(resolution: &Resolution<'_>, class: Option<Key>, name: &str, _: Scope) -> Vec<Key> {
    let Some(class) = class else { return Vec::new() };
    let Some(path) = resolution.declaration(class).map(|it| format!("{}.{name}", it.qualified_name)) else {
        return Vec::new();
    };
    let own = |key: &&Key| resolution.declaration(**key).is_some_and(|it| it.qualified_name == path);
    resolution.names.callables_in(class.file, name).iter().filter(own).copied().collect()
}
