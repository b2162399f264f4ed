//! Java.

mod bindings;
mod calls;
mod fragments;
mod grammar;
mod header;
mod marks;
mod test_cases;
mod walk;

use crate::Language;

/// The table of Java.
pub(crate) static JAVA: Language = Language {
    name: "java",
    extensions: &["java"],
    line_comment: "//",
    grammar: |_| tree_sitter_java::LANGUAGE.into(),
    test_marker: TEST_MARKER,
    is_test_path,
    is_minified: |_, _| false,
    readings: None,
    extract: |tree, text, path| {
        let holds_tests = is_test_path(path) || text.contains(TEST_MARKER);
        let (mut outline, assertions) = walk::outline(tree, text, holds_tests);
        test_cases::find(&mut outline, &assertions, text);
        outline
    },
    extract_named: None,
    fragments: &fragments::RULES,
    project_files: &[],
};

const TEST_MARKER: &str = "@Test";

/// The layout of Maven and Gradle, and the names that Surefire and Failsafe run.
fn is_test_path(path: &str) -> bool {
    if path.starts_with("src/test/") || path.contains("/src/test/") {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(class) = name.strip_suffix(".java") else { return false };
    class.starts_with("Test") || ["Test", "Tests", "TestCase", "IT"].iter().any(|end| class.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::is_test_path;

    #[test]
    fn test_paths_go_by_folder_and_by_class_name() {
        for path in ["src/test/java/a/Data.java", "core/src/test/Data.java", "FooTest.java", "a/TestFoo.java"]
        {
            assert!(is_test_path(path), "{path}");
        }
        for path in ["a/FooTests.java", "FooTestCase.java", "it/FooIT.java"] {
            assert!(is_test_path(path), "{path}");
        }
        for path in
            ["src/main/java/a/Foo.java", "mysrc/test/Foo.java", "FooTest.kt", "Latest.java", "test/A.java"]
        {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
