//! Go: one walk over the tree that collects everything, then one pass that tells which callables are tests.
//!
//! The walk knows syntax, and in test files what an assertion looks like; which function is a test stands in
//! `suite`. A file knows nothing of the rest of its package: a method's type may be declared elsewhere.

mod assertions;
mod bindings;
mod calls;
mod declarations;
mod fragments;
mod header;
mod kinds;
mod suite;
mod walk;

use crate::{Language, Outline, ProjectFile};
use trefoil_syntax::Tree;

/// The table of Go.
pub(crate) static GO: Language = Language {
    name: "go",
    extensions: &["go"],
    line_comment: "//",
    grammar: |_| tree_sitter_go::LANGUAGE.into(),
    test_marker: "",
    is_test_path,
    is_minified: |_, _| false,
    readings: None,
    extract,
    extract_named: None,
    fragments: &fragments::RULES,
    // Says the path that imports of the module's packages begin with, and nothing of tests.
    project_files: &[ProjectFile { name: "go.mod", framework: |_| Ok(None), test_names: |_| None }],
};

/// The rule of `go test`.
fn is_test_path(path: &str) -> bool {
    path.ends_with("_test.go")
}

fn extract(tree: &Tree, text: &str, path: &str) -> Outline {
    let in_test_file = is_test_path(path);
    let (mut outline, of_tests) = walk::walk(tree, text, in_test_file);
    suite::classify(&mut outline, in_test_file, of_tests, text);
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline {
        let tree = Tree::parse(&(GO.grammar)(""), text, trefoil_syntax::Limits::NONE).unwrap();
        extract(&tree, text, "it_test.go")
    }

    #[test]
    fn test_files_are_named_as_go_names_them() {
        for path in ["a_test.go", "a/b/c_test.go", "_test.go"] {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["a.go", "test.go", "a_test.go/b.go", "a_test.gox", "test_a.go"] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn depth_of_the_tree_costs_no_machine_stack() {
        let depth = 50_000;
        let calls = format!("package a\nfunc f() {{ {}{} }}\n", "g(".repeat(depth), ")".repeat(depth));
        let chain = format!("package a\nfunc f() {{ a{} }}\n", ".b(1)".repeat(depth));
        let unclosed = "package a\nfunc f() { x := ".to_owned() + &"f([".repeat(depth);
        let work = move || (outline(&calls), outline(&chain), outline(&unclosed));
        let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap();
        let (calls, chain, unclosed) = thread.join().unwrap();
        assert_eq!((calls.calls.len(), calls.error_count), (depth, 0));
        assert_eq!(chain.calls.len(), depth);
        assert!(unclosed.error_count > 0);
    }

    #[test]
    fn nesting_and_long_names_do_not_multiply_the_outline() {
        let long = "N".repeat(100_000);
        let nested = format!("{}{}", "f := func() {\n".repeat(200), "}\n".repeat(200));
        let names = vec!["n"; 10_000].join(", ");
        let text = format!(
            "package a\nfunc (r *{long}) Test{long}() {{\n{nested}}}\n\
             type {long} struct {{ {names} {long} }}\nfunc g({names} {long}) {{}}\n"
        );
        let found = outline(&text);
        assert_eq!(found.callables.len(), 203);
        assert!(found.callables.iter().all(|callable| callable.qualified_name.len() <= 1_001));
        let of_names = found.callables.iter().flat_map(|callable| &callable.parameters);
        let types = of_names.map(|parameter| parameter.type_name.len());
        assert!(types.chain(found.bindings.iter().map(|b| b.type_name.len())).sum::<usize>() < 200_000);
    }
}
