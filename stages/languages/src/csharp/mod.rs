//! C#.
//!
//! What an outline of C# leaves open in the contract: operators are methods named `operator +` or `implicit
//! operator int`; properties, indexers, events and delegates are fields and destructors initialisers, since
//! nothing calls them by name; what their bodies call belongs to the type. Names are without the `@` that lets
//! a keyword be one. The type of a parameter has its modifiers (`this string`, `params int[]`, `out int`), so
//! that extension methods can be told. The body of `=> x` is that clause. Where conditional compilation leaves
//! both branches readable, both are in the outline; using directives under `#if` are one region.

mod bindings;
mod calls;
mod conditional;
mod file_level;
mod fragments;
mod grammar;
mod header;
mod marks;
mod test_cases;
mod walk;

use crate::Language;

/// The table of C#.
pub(crate) static CSHARP: Language = Language {
    name: "csharp",
    extensions: &["cs"],
    line_comment: "//",
    grammar: |_| tree_sitter_c_sharp::LANGUAGE.into(),
    test_marker: "",
    is_test_path,
    is_minified: |_, _| false,
    readings: Some(conditional::readings),
    extract: |tree, text, path| {
        let (mut outline, details) = walk::outline(tree, text, is_test_path(path));
        test_cases::find(&mut outline, &details);
        outline
    },
    extract_named: None,
    fragments: &fragments::RULES,
    project_files: &[],
};

/// Projects, folders and files are named after the tests in them: `Shop.Tests/`, `test/`, `CartTests.cs`.
fn is_test_path(path: &str) -> bool {
    let path = path.strip_suffix(".cs").unwrap_or(path);
    path.split(['/', '.']).any(is_test_word)
}

/// `Tests`, `CartTest`, `cart_tests`, `UnitTest1`, `UnitTestProject`; not `Latest` and not `TestPlatform`.
fn is_test_word(word: &str) -> bool {
    let stem = word.trim_end_matches(|last: char| last.is_ascii_digit());
    let stem = stem.strip_suffix(['s', 'S']).unwrap_or(stem);
    let Some(before) = stem.len().checked_sub("test".len()).and_then(|at| stem.get(..at)) else {
        return false;
    };
    let end = stem.get(before.len()..).unwrap_or_default();
    let apart = before.is_empty() || before.ends_with(['_', '-']);
    end == "Test" || (apart && end.eq_ignore_ascii_case("test")) || word.contains("UnitTest")
}

#[cfg(test)]
mod tests {
    use super::is_test_path;

    #[test]
    fn test_paths_go_by_project_folder_and_file() {
        for path in [
            "src/Shop.Tests/Cart.cs",
            "test/Cart.cs",
            "Tests/Data.cs",
            "a/CartTests.cs",
            "CartTest.cs",
            "ShopUnitTests/Cart.cs",
            "a/CartTests.Adding.cs",
            "UnitTestProject1/UnitTest1.cs",
            "shop-tests/a.cs",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in
            ["src/Shop/Cart.cs", "Latest.cs", "Contest/A.cs", "src/TestPlatform/A.cs", "Testing.cs", "s.cs"]
        {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
