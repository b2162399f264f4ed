//! Python: one walk over the tree that collects everything, then one pass that tells which callables are tests.
//!
//! The walk knows syntax only; what a name means in a test suite stands in `suite`.

mod calls;
mod declarations;
mod kinds;
mod regions;
mod suite;
mod walk;

use crate::{Language, Outline};

/// The table of Python.
pub(crate) static PYTHON: Language = Language {
    name: "python",
    extensions: &["py"],
    grammar: || tree_sitter_python::LANGUAGE.into(),
    test_marker: "",
    is_test_path,
    extract,
};

/// The naming convention of pytest: `test_*.py` and `*_test.py`. `conftest.py` holds fixtures and no tests.
fn is_test_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".py").is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
}

fn extract(tree: &tree_sitter::Tree, text: &str, path: &str) -> Outline {
    let (mut outline, assertions) = walk::walk(tree, text);
    suite::classify(&mut outline, is_test_path(path), assertions);
    outline
}
