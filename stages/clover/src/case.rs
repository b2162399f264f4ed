//! What the tasks are made of: tests that were cut out of their modules and run, with the lines that each covers.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A repository at a commit: where cases come from and what they may cover.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Host (`github.com`).
    pub host: String,
    /// Name on the host (`owner/name`).
    pub repository: String,
    /// Commit.
    pub commit: String,
    /// The text of every source file, by path; files of tests are not among them ([`is_source`]).
    pub sources: BTreeMap<String, Arc<str>>,
}

/// The cases of one test module: the peers of each other (CLOVER, section 3.1).
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct TestModule {
    /// Path of the module.
    pub path: String,
    /// Git's id of its bytes.
    pub blob_id: String,
    /// One case for each test function.
    pub cases: Vec<Case>,
}

/// A test that was cut out of its module with what it needs.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Case {
    /// Name from the outermost class inwards, joined by `::` as pytest does (`TestForm::test_empty`).
    pub name: String,
    /// Bytes of the test in its module.
    pub bytes: (u32, u32),
    /// First and last line of the test in its module, counted from 1.
    pub lines: (u32, u32),
    /// The module without the other tests, which runs in the module's place.
    pub file: String,
    /// What running it covers.
    pub base: Coverage,
    /// What an empty test at the same place covers.
    pub empty: Arc<Coverage>,
}

/// Lines by path of the file.
pub type Coverage = BTreeMap<String, FileLines>;

/// The statements of a file in one run, each by its first line; both lists ascend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct FileLines {
    /// Those that ran.
    pub hit: Vec<u32>,
    /// Those that did not.
    pub missed: Vec<u32>,
}

impl Case {
    /// The names from the outermost class inwards.
    pub fn names(&self) -> Vec<&str> {
        self.name.split("::").collect()
    }
}

/// The lines of a file that ran, if any did.
pub fn hits<'a>(coverage: &'a Coverage, path: &str) -> &'a [u32] {
    coverage.get(path).map_or(&[], |lines| &lines.hit)
}

/// Whether a path is one of the source files `X` of the paper: Python, and neither a test nor beside tests.
pub fn is_source(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let beside_tests =
        folders.split('/').any(|folder| matches!(folder, "test" | "tests") || folder.starts_with("test_"));
    let is_test = name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py";
    name.ends_with(".py") && !beside_tests && !is_test
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_from_tests_by_path() {
        for path in ["src/flask/app.py", "src/flask/testing.py", "jinja2/tests.py", "setup.py"] {
            assert!(is_source(path), "{path}");
        }
        for path in ["tests/a.py", "a/test/b.py", "test_elasticsearch/run.py", "a/test_b.py", "conftest.py", "a.txt"] {
            assert!(!is_source(path), "{path}");
        }
    }
}
