//! Go: packages are folders, methods are declared beside their types, embedded types lend their methods.

use super::names::folder;
use super::paths::aliased_before;
use super::rules::{PLAIN, Rules};
use super::values::{Scope, Value};
use super::{Found, Key, Resolution};

pub(super) static RULES: Rules = Rules {
    language: "go",
    // A call with braces makes a value; it has no constructor.
    has_new: true,
    structural: true,
    unnamed_calls: &["String", "Error", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"],
    test_handles: &["testing.T", "testing.B", "testing.F", "testing.TB", "testing.M"],
    type_path,
    functions,
    global,
    module_member,
    outer_methods,
    ..PLAIN
};

/// `[]*pkg.Foo[T]` is `pkg.Foo`; of several results the first counts.
fn type_path(written: &str) -> &str {
    let mut path = written.trim();
    path =
        path.strip_prefix('(').map_or(path, |inner| inner.split([',', ')']).next().unwrap_or(inner)).trim();
    // What a generic type is made for may have blanks of its own: `Cart[Key, Value]`.
    let is_name = |before: &str| before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    let generic = path.find('[').and_then(|at| path.get(..at)).filter(|before| is_name(before));
    path = generic.filter(|before| !before.ends_with("map")).unwrap_or(path);
    // A named result: `(cart *Cart, err error)`.
    path = path.rsplit(char::is_whitespace).next().unwrap_or(path);
    if ["map[", "func(", "chan", "struct", "interface"].iter().any(|start| path.starts_with(start)) {
        return "";
    }
    loop {
        let bare = path.trim_start_matches(['*', '&', '.']);
        let bare = match bare.strip_prefix('[') {
            Some(rest) => rest.split_once(']').map_or("", |(_, rest)| rest),
            None => bare,
        };
        if bare == path {
            break;
        }
        path = bare;
    }
    path.split('[').next().unwrap_or(path)
}

/// `new(Cart)` makes a value of the type that it names.
fn functions(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Found {
    let text = resolution.file(scope.file).and_then(|file| file.text.get(scope.at as usize..));
    let inner = text.filter(|_| name == "new").and_then(|text| text.strip_prefix("new("));
    let Some((written, _)) = inner.and_then(|inner| inner.split_once(')')) else { return Found::Unknown };
    match resolution.type_of(scope, written) {
        Value::Class(key) => Found::Some(vec![key]),
        _ => Found::Unknown,
    }
}

fn global(resolution: &Resolution<'_>, scope: Scope, name: &str) -> Value {
    let Some(file) = resolution.file(scope.file) else { return Value::Unknown };
    let mut around = scope.around;
    while let Some(ordinal) = around {
        let mut types = resolution.names.types_in(scope.file, name).iter();
        let local = |key: &&Key| resolution.declaration(**key).is_some_and(|it| it.parent == Some(ordinal));
        if let Some(key) = types.find(local) {
            return Value::Class(*key);
        }
        around = resolution.declaration(Key { file: scope.file, ordinal }).and_then(|it| it.parent);
    }
    let own = in_folder(resolution, folder(&file.row.path), name);
    if own != Value::Unknown {
        return own;
    }
    for import in &file.row.imports {
        let (alias, path) = aliased_before(import);
        match alias {
            Some(".") => {
                let found = package(resolution, path)
                    .map_or(Value::Unknown, |at| module_member(resolution, at, name));
                if found != Value::Unknown {
                    return found;
                }
            }
            Some(alias) if alias == name => {
                return package(resolution, path).map_or(Value::External, Value::Module);
            }
            Some(_) => {}
            None => {
                let found = package(resolution, path);
                let own = found.and_then(|at| resolution.file(at)).map(|file| file.row.package.as_str());
                if own.is_some_and(|own| own == name) || (own.is_none() && last_part(path) == name) {
                    return found.map_or(Value::External, Value::Module);
                }
            }
        }
    }
    Value::Unknown
}

/// `a.com/b/v2` as `b`.
fn last_part(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last.strip_prefix('v').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    if is_version { parts.next().unwrap_or(last) } else { last }
}

/// The first file of a package that is no test: the longest ending of the import's path that is a folder
/// here, and for the path of the module itself the root.
fn package(resolution: &Resolution<'_>, path: &str) -> Option<u32> {
    // Paths of the standard library have no host.
    if !path.split('/').next().is_some_and(|host| host.contains('.')) {
        return None;
    }
    let first = |folder: &str| {
        let files = resolution.names.folder(folder);
        let is_source = |file: &&u32| resolution.file(**file).is_some_and(|file| !file.row.is_test_path);
        files.iter().find(is_source).or(files.first()).copied()
    };
    let endings = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    let inside = endings.skip(1).find_map(first);
    inside.or_else(|| {
        let root = first("")?;
        let own = resolution.file(root)?.row.package.as_str();
        (last_part(path) == own || last_part(path).trim_start_matches("go-") == own).then_some(root)
    })
}

fn in_folder(resolution: &Resolution<'_>, folder: &str, name: &str) -> Value {
    let of_folder = |key: &&Key| {
        resolution.file(key.file).is_some_and(|file| super::names::folder(&file.row.path) == folder)
            && resolution.declaration(**key).is_some_and(|it| it.parent.is_none() && it.kind != "method")
    };
    if let Some(key) = resolution.names.types(name).iter().find(of_folder) {
        return Value::Class(*key);
    }
    if let Some(key) = resolution.names.callables(name).iter().find(of_folder) {
        return Value::Function(*key);
    }
    let binding = resolution.names.binding_in(folder, resolution.index, name);
    binding.map_or(Value::Unknown, |(file, binding)| resolution.bound(file, binding))
}

fn module_member(resolution: &Resolution<'_>, module: u32, name: &str) -> Value {
    let path = resolution.file(module).map(|file| folder(&file.row.path));
    path.map_or(Value::Unknown, |path| in_folder(resolution, path, name))
}

/// Methods, which stand in any file of the type's package.
fn outer_methods(resolution: &Resolution<'_>, class: Option<Key>, name: &str, _: Scope) -> Vec<Key> {
    let Some(class) = class else { return Vec::new() };
    let (Some(file), Some(own)) = (resolution.file(class.file), resolution.declaration(class)) else {
        return Vec::new();
    };
    let home = folder(&file.row.path);
    let is_method = |key: &&Key| {
        resolution.declaration(**key).is_some_and(|it| {
            it.parent.is_none()
                && it.kind == "method"
                && it.supertypes.first().is_some_and(|of| type_path(of) == own.name)
        }) && resolution.file(key.file).is_some_and(|file| folder(&file.row.path) == home)
    };
    resolution.names.callables(name).iter().filter(is_method).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_stripped() {
        for written in [
            "Foo",
            "*Foo",
            "[]*Foo",
            "[3]Foo",
            "...Foo",
            "Foo[T]",
            "Foo[K, V[T]]",
            "(*Foo, error)",
            "(f *Foo, err error)",
            "(f *Foo[K, V], err error)",
        ] {
            assert_eq!(type_path(written), "Foo", "{written}");
        }
        assert_eq!(type_path("map[string]Foo"), "");
        assert_eq!((last_part("a.com/b/v2"), last_part("fmt")), ("b", "fmt"));
    }
}
