//! Python: one walk over the tree that collects everything, then one pass that tells which callables are tests.
//!
//! The walk knows syntax only; what a name means in a test suite stands in `suite`.

mod bindings;
mod calls;
mod declarations;
mod fragments;
mod kinds;
mod regions;
mod settings;
mod suite;
mod walk;

use crate::{Language, Outline, TestNames};
use trefoil_syntax::Tree;

/// The table of Python.
pub(crate) static PYTHON: Language = Language {
    name: "python",
    extensions: &["py"],
    line_comment: "#",
    grammar: |_| tree_sitter_python::LANGUAGE.into(),
    test_marker: "",
    is_test_path,
    is_minified: |_, _| false,
    readings: None,
    extract: |tree, text, path| extract(tree, text, path, &TestNames::default()),
    extract_named: Some(extract),
    fragments: &fragments::RULES,
    project_files: &settings::FILES,
};

/// The naming convention of pytest: `test_*.py` and `*_test.py`. `conftest.py` holds fixtures and no tests.
fn is_test_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".py").is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
}

/// Test files, and the fixtures and helpers beside them.
fn holds_tests(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let in_test_folder = folders.split('/').any(|folder| matches!(folder, "test" | "tests" | "testing"));
    is_test_path(path) || name == "conftest.py" || in_test_folder
}

fn extract(tree: &Tree, text: &str, path: &str, names: &TestNames) -> Outline {
    let in_test_file = names.is_file(path).unwrap_or_else(|| is_test_path(path));
    let (mut outline, assertions) = walk::walk(tree, text, in_test_file || holds_tests(path));
    suite::classify(&mut outline, in_test_file, names, assertions);
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline {
        let tree = Tree::parse(&(PYTHON.grammar)(""), text, trefoil_syntax::Limits::NONE).unwrap();
        extract(&tree, text, "test_it.py", &TestNames::default())
    }

    #[test]
    fn test_files_are_named_as_pytest_names_them() {
        for path in ["test_a.py", "a/b/test_.py", "a/b_test.py"] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "conftest.py",
            "tests/a.py",
            "test.py",
            "test_a/b.py",
            "a/tests.py",
            "test_a.pyi",
            "contest_a.py",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn depth_of_the_tree_costs_no_machine_stack() {
        let depth = 50_000;
        let calls = format!("def f():\n    {}{}\n", "g(".repeat(depth), ")".repeat(depth));
        let unclosed = "class A:\n    x = ".to_owned() + &"f([".repeat(depth);
        let chain = format!("def f():\n    a{}\n", ".b(1)".repeat(depth));
        let work = move || (outline(&calls), outline(&unclosed), outline(&chain));
        let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap();
        let (calls, unclosed, chain) = thread.join().unwrap();
        assert_eq!((calls.calls.len(), calls.error_count), (depth, 0));
        assert!(unclosed.error_count > 0);
        assert_eq!(chain.calls.len(), depth);
    }

    #[test]
    fn nesting_and_long_names_do_not_multiply_the_outline() {
        let mut text = format!("class {}:\n", "N".repeat(100_000));
        for level in 1..200 {
            text += &format!("{}def f():\n", " ".repeat(level));
        }
        text += &format!("{}call()\n", " ".repeat(200));
        let found = outline(&text);
        assert_eq!(found.callables.len(), 200);
        assert!(found.callables.iter().all(|callable| callable.qualified_name.len() <= 1_001));
        assert_eq!(found.calls.len(), 1);
    }
}
