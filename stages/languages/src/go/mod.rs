//! Go: one walk over the tree that collects everything, then one pass that tells which callables are tests.
//!
//! The walk knows syntax, and in test files what an assertion looks like; which function is a test stands in
//! `suite`. A file knows nothing of the rest of its package: a method's type may be declared elsewhere.

mod assertions;
mod bindings;
mod calls;
mod declarations;
mod header;
mod kinds;
mod suite;
mod walk;

use crate::{Language, Outline};

/// The table of Go.
pub(crate) static GO: Language = Language {
    name: "go",
    extensions: &["go"],
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    test_marker: "",
    is_test_path,
    is_minified: |_, _| false,
    readings: None,
    extract,
    project_file: None,
};

/// The rule of `go test`.
fn is_test_path(path: &str) -> bool {
    path.ends_with("_test.go")
}

fn extract(tree: &tree_sitter::Tree, text: &str, path: &str) -> Outline {
    let in_test_file = is_test_path(path);
    let (mut outline, of_tests) = walk::walk(tree, text, in_test_file);
    suite::classify(&mut outline, in_test_file, of_tests, text);
    outline
}
