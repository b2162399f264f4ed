//! JavaScript, and TypeScript beside it: one walk for three grammars that share nearly all of their names.
//!
//! The walk knows syntax and the words of test frameworks; which framework a project uses is told by its
//! imports or by the nearest `package.json` (see [`project`]).

mod blocks;
mod calls;
mod declarations;
mod fragments;
mod grammar;
mod header;
mod marks;
mod modules;
mod names;
mod project;
mod returns;
mod walk;

use crate::{Framework, Language, Outline, ProjectFile, TestCase};
use trefoil_syntax::Tree;

/// The table of JavaScript.
pub(crate) static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx"],
    line_comment: "//",
    grammar: grammar::language,
    test_marker: "",
    is_test_path,
    is_minified,
    readings: None,
    extract,
    extract_named: None,
    fragments: &fragments::RULES,
    project_files: &[ProjectFile {
        name: "package.json",
        framework: project::framework,
        test_names: |_| None,
    }],
};

/// Folders whose files are tests or belong to them.
const TEST_FOLDERS: [&str; 5] = ["test", "tests", "__tests__", "spec", "specs"];

/// `*test*/**/*.[tj]s` and `**/*[test|spec].[tj]s` of the UnitTests data set, read as whole words: a folder or
/// the last word of a file name is `test`, `tests`, `spec` … or has it as a part (`unit-tests`, `foo_test.js`).
fn is_test_path(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let last = stem.rsplit(['.', '-', '_']).next().unwrap_or(stem);
    let named =
        matches!(last, "test" | "tests" | "spec" | "specs" | "unit" | "e2e") && last.len() < stem.len();
    named || is_camel_test(stem) || matches!(stem, "test" | "tests") || parts.any(is_test_folder)
}

/// `FooTest.js`, `fooSpec.js`
fn is_camel_test(stem: &str) -> bool {
    ["Test", "Tests", "Spec"].iter().any(|word| stem.len() > word.len() && stem.ends_with(word))
}

fn is_test_folder(folder: &str) -> bool {
    TEST_FOLDERS.contains(&folder)
        || folder.split(['-', '_', '.']).any(|part| matches!(part, "test" | "tests" | "spec" | "specs"))
}

/// Shortest text that is looked at for being minified, in bytes.
const MINIFIED_FROM: usize = 5_000;
/// Mean length of the lines from which on a file is taken for minified: no person writes such lines.
const MINIFIED_LINE: usize = 500;

/// Minified files are the output of a program; what they declare is declared elsewhere, under better names.
fn is_minified(path: &str, text: &str) -> bool {
    let lines = || text.bytes().filter(|&byte| byte == b'\n').count() + 1;
    text.len() >= MINIFIED_FROM
        && (path.ends_with(".min.js") || path.ends_with(".min.mjs") || text.len() / lines() > MINIFIED_LINE)
}

fn extract(tree: &Tree, text: &str, path: &str) -> Outline {
    let mut walk = walk::Walk::new(text, path, is_test_path(path));
    walk.run(tree);
    walk.finish_calls();
    let walk::Walk { mut outline, calls, mut assertions, tests, uses_qunit, .. } = walk;
    outline.calls = calls.into_iter().map(|(_, call)| call).collect();
    outline.error_count = walk::errors(tree);
    let framework = framework(&outline.imports, uses_qunit);
    // Stable, so that those of one test stay in the order of the source.
    assertions.sort_by_key(|(test, _)| *test);
    let mut assertions = assertions.into_iter().peekable();
    for test in tests {
        while assertions.next_if(|(owner, _)| *owner < test.callable).is_some() {}
        let own = std::iter::from_fn(|| assertions.next_if(|(owner, _)| *owner == test.callable));
        outline.test_cases.push(TestCase {
            callable: test.callable,
            framework,
            kind: test.kind,
            assertions: own.map(|(_, assertion)| assertion).collect(),
            statements: Vec::new(),
            disabled: test.disabled,
        });
    }
    outline
}

/// The framework that the file's imports tell.
fn framework(imports: &[String], uses_qunit: bool) -> Framework {
    let told = |import: &String| {
        let module = match import.strip_prefix("node:") {
            Some(rest) => return (rest.split(':').next() == Some("test")).then_some(Framework::NodeTest),
            None => import.split(':').next().unwrap_or(import),
        };
        project::of_package(module)
    };
    let by_import = imports.iter().find_map(told);
    by_import.unwrap_or(if uses_qunit { Framework::Qunit } else { Framework::UnknownJavascript })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_paths_go_by_folder_and_by_file_name() {
        for path in [
            "test/a.js",
            "packages/a/tests/b.mjs",
            "src/__tests__/a.tsx",
            "a.test.js",
            "a.spec.ts",
            "a_test.js",
            "a-test.cjs",
            "unit-tests/a.js",
            "src/FooTest.js",
            "lib/fooSpec.js",
            "spec/a.js",
            "test.js",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["src/a.js", "latest/a.js", "contest.js", "src/testing.js", "lib/attest.js", "inspect.js"]
        {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn minified_files_have_long_lines_or_say_so() {
        assert!(is_minified("a.js", &"f();".repeat(3_000)));
        assert!(is_minified("a.min.js", &"f();\n".repeat(3_000)));
        assert!(!is_minified("a.js", &"f();\n".repeat(3_000)));
        assert!(!is_minified("a.min.js", "f();"));
    }

    #[test]
    fn imports_tell_the_framework() {
        let told = |import: &str| framework(&[import.to_owned()], false);
        assert_eq!(told("vitest:test"), Framework::Vitest);
        assert_eq!(told("node:test:default as test"), Framework::NodeTest);
        assert_eq!(told("@jest/globals:expect"), Framework::Jest);
        assert_eq!(told("ava:= as test"), Framework::Ava);
        assert_eq!(told("./mocha:a"), Framework::UnknownJavascript);
        assert_eq!(framework(&[], true), Framework::Qunit);
    }
}
