//! Python: modules, imports with re-exports, fixtures of pytest.

use super::names::folder;
use super::paths::{aliased, join};
use super::rules::{PLAIN, Rules};
use super::values::{Scope, Value};
use super::{Found, Key, Resolution};
use compact_str::CompactString;

pub(super) static RULES: Rules = Rules {
    language: "python",
    inherits_constructors: true,
    this: &["self", "cls"],
    own_class: &["cls"],
    class_field: "__class__",
    forwarding: "__getattr__",
    property_marks: &["property", "cached_property", "lazy_property", "hybrid_property", "classproperty"],
    superior: &["super()", "super"],
    type_path,
    global,
    functions,
    module_member,
    parameter,
    given_field,
    modules,
    ..PLAIN
};

/// Generic types that stand for what is in them.
const WRAPPERS: [&str; 14] = [
    "Optional",
    "Union",
    "Type",
    "type",
    "Annotated",
    "Generator",
    "Iterator",
    "Iterable",
    "AsyncGenerator",
    "AsyncIterator",
    "ContextManager",
    "Awaitable",
    "Final",
    "ClassVar",
];

/// `t.Optional["Foo"]` and `Foo | None` are `Foo`.
fn type_path(written: &str) -> &str {
    let mut path = written.trim();
    // Each round takes something off.
    for _ in 0..6 {
        path = path.trim_matches(|c: char| matches!(c, '"' | '\'') || c.is_whitespace());
        let Some((outer, inner)) = path.split_once('[') else { break };
        let name = outer.rsplit('.').next().unwrap_or(outer).trim();
        if !WRAPPERS.contains(&name) {
            path = outer;
            break;
        }
        path = first_part(inner.strip_suffix(']').unwrap_or(inner));
    }
    let mut parts = path.split('|').map(str::trim);
    parts.find(|part| *part != "None").unwrap_or(path)
}

/// `A[x, y], B` up to the comma that parts the two.
fn first_part(inner: &str) -> &str {
    let mut depth = 0_i32;
    let end = inner.find(|letter| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ',' && depth == 0
    });
    inner.get(..end.unwrap_or(inner.len())).unwrap_or(inner)
}

/// Every ending of the path can be the name of the module, depending on where imports start from.
fn modules(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let starts = std::iter::once(0).chain(stem.match_indices('/').map(|(at, _)| at + 1)).take(12);
    starts.filter_map(|start| Some(stem.get(start..)?.replace('/', "."))).collect()
}

/// The file of a module; one whose folder is a package would have the package's name before its own.
fn module(resolution: &Resolution<'_>, name: &str) -> Option<u32> {
    let is_top = |file: &&u32| {
        let Some(path) = resolution.file(**file).map(|file| file.row.path.as_str()) else { return false };
        let own = path.strip_suffix(".py").unwrap_or(path);
        let own = own.strip_suffix("/__init__").unwrap_or(own);
        let root = own.len().checked_sub(name.len()).and_then(|len| own.get(..len)).unwrap_or_default();
        root.is_empty() || resolution.names.file(&format!("{root}__init__.py")).is_none()
    };
    resolution.names.modules(name).iter().find(is_top).copied()
}

/// A module by its name as it is written in an import, with the dots of a relative one.
fn imported_module(resolution: &Resolution<'_>, file: u32, name: &str) -> Option<u32> {
    let bare = name.trim_start_matches('.');
    let dots = name.len() - bare.len();
    if dots == 0 {
        return module(resolution, bare);
    }
    let up = format!("{}{}", "../".repeat(dots - 1), bare.replace('.', "/"));
    at_path(resolution, &join(folder(&resolution.file(file)?.row.path), &up)?)
}

fn at_path(resolution: &Resolution<'_>, path: &str) -> Option<u32> {
    let package = if path.is_empty() { "__init__.py".to_owned() } else { format!("{path}/__init__.py") };
    resolution.names.file(&format!("{path}.py")).or_else(|| resolution.names.file(&package))
}

fn global(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Value {
    let own = declared(resolution, scope.file, name);
    own.or(|| imported(resolution, scope.file, name))
}

/// Functions of Python that call a method of what they are given.
const BY_SYNTAX: [(&str, &str); 20] = [
    ("abs", "__abs__"),
    ("bool", "__bool__"),
    ("bytes", "__bytes__"),
    ("dict", "__iter__"),
    ("dir", "__dir__"),
    ("float", "__float__"),
    ("hash", "__hash__"),
    ("hasattr", "__getattr__"),
    ("int", "__int__"),
    ("iter", "__iter__"),
    ("len", "__len__"),
    ("list", "__iter__"),
    ("next", "__next__"),
    ("repr", "__repr__"),
    ("reversed", "__reversed__"),
    ("round", "__round__"),
    ("set", "__iter__"),
    ("sorted", "__iter__"),
    ("str", "__str__"),
    ("tuple", "__iter__"),
];

/// `len(cart)` where the cart's class says how.
fn functions(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Found {
    let Some((_, method)) = BY_SYNTAX.iter().find(|(own, _)| *own == name) else { return Found::Unknown };
    let text = resolution.file(scope.file).and_then(|file| file.text.get(scope.at as usize..));
    let Some(rest) = text.and_then(|text| text.strip_prefix(name)).filter(|rest| rest.starts_with('('))
    else {
        return Found::Unknown;
    };
    match resolution.first_argument(scope, scope.at + name.len() as u32 + 1, rest) {
        Value::Object(key) => match resolution.methods(key, method, scope) {
            methods if methods.is_empty() => Found::Unknown,
            methods => Found::Some(methods),
        },
        _ => Found::Unknown,
    }
}

/// A class or function at the top level of a file.
fn declared(resolution: &Resolution<'_>, file: u32, name: &str) -> Value {
    let top = |key: &&Key| resolution.declaration(**key).is_some_and(|it| it.parent.is_none());
    if let Some(key) = resolution.names.types_in(file, name).iter().find(top) {
        return Value::Class(*key);
    }
    // The last definition is the one that stays, but for those that only announce a signature.
    let functions = resolution.names.callables_in(file, name);
    functions.iter().rev().find(top).map_or(Value::Unknown, |key| Value::Function(*key))
}

fn imported(resolution: &Resolution<'_>, file: u32, name: &str) -> Value {
    let Some(row) = resolution.file(file).map(|file| file.row) else { return Value::Unknown };
    let mut from_everything = Vec::new();
    for import in &row.imports {
        let (path, alias) = aliased(import);
        match path.split_once(':') {
            Some((from, "*")) => from_everything.push(from),
            Some((from, member)) if alias.unwrap_or(member) == name => {
                let Some(module) = imported_module(resolution, file, from) else { return Value::External };
                return resolution
                    .deeper(|| module_member(resolution, module, member))
                    .unwrap_or(Value::Unknown);
            }
            None if alias == Some(name) => {
                return imported_module(resolution, file, path).map_or(Value::External, Value::Module);
            }
            None if alias.is_none() && path.split('.').next() == Some(name) => {
                return module(resolution, name).map_or(Value::External, Value::Module);
            }
            _ => {}
        }
    }
    let mut outside = true;
    // What is bound last stays.
    for from in from_everything.into_iter().rev() {
        let Some(module) = imported_module(resolution, file, from) else { continue };
        let found = resolution.deeper(|| module_member(resolution, module, name)).unwrap_or(Value::Unknown);
        if found != Value::Unknown && found != Value::External {
            return found;
        }
        outside = false;
    }
    // A name that nothing here binds is a builtin.
    if outside { Value::External } else { Value::Unknown }
}

fn module_member(resolution: &Resolution<'_>, module: u32, name: &str) -> Value {
    let Some(file) = resolution.file(module) else { return Value::Unknown };
    let own = declared(resolution, module, name);
    if own != Value::Unknown {
        return own;
    }
    // `s = attributes = attrs`: another name for something of the module.
    let alias = |export: &&CompactString| export.split_once('=').is_some_and(|(own, _)| own == name);
    if let Some((_, path)) =
        file.row.exports.iter().rev().find(alias).and_then(|export| export.split_once('='))
        && path != name
    {
        let scope = Scope { file: module, around: None, at: u32::MAX };
        return resolution.deeper(|| resolution.path(scope, path)).unwrap_or(Value::Unknown);
    }
    let top = |at: &usize| file.row.binding_owners.0.get(*at).is_some_and(Option::is_none);
    if let Some(at) = resolution.names.bindings(module, file, name).filter(top).last() {
        return resolution.bound(module, at);
    }
    let package = Some(file.row.path.as_str()).filter(|path| path.ends_with("__init__.py"));
    let inner = package.and_then(|path| at_path(resolution, &join(folder(path), name)?));
    if let Some(inner) = inner.filter(|inner| *inner != module) {
        return in_place_of(resolution, module, inner, name).unwrap_or(Value::Module(inner));
    }
    match imported(resolution, module, name) {
        // A module does not hand out builtins.
        Value::External if !file.row.imports.iter().any(|import| import.ends_with(name)) => Value::Unknown,
        other => other,
    }
}

/// What a package hands out under the name of a module inside it: `from .cart import cart` hides the module.
fn in_place_of(resolution: &Resolution<'_>, package: u32, inner: u32, name: &str) -> Option<Value> {
    let imports = &resolution.file(package)?.row.imports;
    let hiding = imports.iter().filter_map(|import| {
        let (path, alias) = aliased(import);
        let (from, member) = path.split_once(':')?;
        let from = imported_module(resolution, package, from).filter(|from| *from != package)?;
        match member {
            "*" => (from == inner).then_some((from, name)),
            _ => (alias.unwrap_or(member) == name).then_some((from, member)),
        }
    });
    let mut found =
        hiding.filter_map(|(from, member)| resolution.deeper(|| module_member(resolution, from, member)));
    found.find(|value| !matches!(value, Value::Unknown | Value::External))
}

/// The object of a method, or the fixture of that name: of the file, of its class, of a conftest.py above.
fn parameter(resolution: &Resolution<'_>, function: Key, name: &str) -> Value {
    let Some(declaration) = resolution.declaration(function) else { return Value::Unknown };
    let class = resolution.owner_type(function);
    if let Some(class) = class.filter(|_| declaration.parameter_names.first().is_some_and(|own| own == name))
    {
        return if name == "cls" { Value::Class(class) } else { Value::Object(class) };
    }
    let asks = matches!(declaration.role.as_str(), "test" | "fixture" | "setup");
    if !asks {
        return Value::Unknown;
    }
    let fixture_of = |file: u32| {
        let is_fixture = |key: &&Key| resolution.declaration(**key).is_some_and(|it| it.role == "fixture");
        let all = resolution.names.callables_in(file, name).iter().filter(is_fixture);
        // That of the own class is nearer than that of the file; nobody else sees that of a class.
        let rank = |key: Key| match resolution.owner_type(key) {
            None => Some(0),
            own if own == class => Some(1),
            _ => None,
        };
        let near = all.copied().filter(|key| *key != function).filter_map(|key| Some((rank(key)?, key)));
        near.max_by_key(|(rank, _)| *rank).map(|(_, key)| key)
    };
    // A parameter of a parametrised test is none.
    let found = fixture_files(resolution, function.file).find_map(fixture_of);
    found.map_or(Value::Unknown, |fixture| resolution.returned(fixture))
}

/// The file and every conftest.py above it, the nearest first: where pytest looks for fixtures.
fn fixture_files(resolution: &Resolution<'_>, file: u32) -> impl Iterator<Item = u32> {
    let path = resolution.file(file).map(|file| folder(&file.row.path));
    let above = std::iter::successors(path, |path| (!path.is_empty()).then(|| folder(path)));
    let conftest = |path: &str| match path {
        "" => resolution.names.file("conftest.py"),
        _ => resolution.names.file(&format!("{path}/conftest.py")),
    };
    std::iter::once(file).chain(above.filter_map(conftest))
}

/// What fixtures of pytest put on the classes of the tests that use them, where they agree:
/// `request.cls.cart = Cart()`.
fn given_field(resolution: &Resolution<'_>, class: Key, name: &str) -> Option<Value> {
    let written = format!("request.cls.{name}");
    fixture_files(resolution, class.file).find_map(|at| {
        let bindings = resolution.names.bindings(at, resolution.file(at)?, &written);
        let mut values = bindings.map(|binding| resolution.bound(at, binding));
        let first = values.next()?;
        Some(if values.all(|other| other == first) { first } else { Value::Unknown })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_unwrapped() {
        for written in
            ["Foo", "'Foo'", "Optional[Foo]", "t.Optional['Foo']", "Foo | None", "Generator[Foo, None, None]"]
        {
            assert_eq!(type_path(written), "Foo", "{written}");
        }
        assert_eq!(type_path("a.Foo[int]"), "a.Foo");
        assert_eq!(type_path("list[Foo]"), "list");
    }

    #[test]
    fn modules_have_the_names_of_every_root() {
        assert_eq!(modules("src/flask/app.py"), ["src.flask.app", "flask.app", "app"]);
        assert_eq!(modules("src/flask/__init__.py"), ["src.flask", "flask"]);
    }
}
