//! Parsing of a folder, as a run does it.

use super::*;
use crate::records::Column;
use crate::records::Repository;
use crate::stage::TableError;
use std::path::Path;

struct NoInput;

impl Input for NoInput {
    fn visit(
        &mut self,
        _: &'static str,
        _: &Schema,
        _: &mut dyn FnMut(&[Column<'_>], usize),
    ) -> Result<(), TableError> {
        Ok(())
    }
}

/// What tests look at of the tables.
#[derive(Default)]
struct Written {
    frameworks: Vec<(String, String)>,
    tests: Vec<String>,
    project_files: Vec<String>,
    dropped: Vec<(String, String)>,
}

impl Output for Written {
    fn write(
        &mut self,
        schema: &'static Schema,
        columns: Vec<Column<'_>>,
        rows: usize,
    ) -> Result<(), TableError> {
        for row in 0..rows {
            if *schema == TestCaseRow::SCHEMA {
                let case = TestCaseRow::from_columns(&columns, row).unwrap();
                self.tests.push(format!("{}: {}", case.path, case.qualified_name));
                self.frameworks.push((case.path.to_string(), case.framework.to_string()));
            } else if *schema == ProjectFileRow::SCHEMA {
                self.project_files
                    .push(ProjectFileRow::from_columns(&columns, row).unwrap().path.to_string());
            } else if *schema == Dropped::SCHEMA {
                let dropped = Dropped::from_columns(&columns, row).unwrap();
                self.dropped.push((dropped.path.to_string(), dropped.reason));
            }
        }
        Ok(())
    }
}

fn parse_folder(folder: &Path) -> Written {
    let settings = crate::Settings::default();
    let repository: Repository = cloning::resolve(&folder.display().to_string(), "", "", "", &settings);
    let work = Work { repository: &repository, settings: &settings, clones: folder, credentials: None };
    let mut written = Written::default();
    Parsing.process(&work, &mut NoInput, &mut written).unwrap();
    written
}

#[test]
fn the_nearest_project_file_that_tells_names_the_framework() {
    let folder = tempfile::tempdir().unwrap();
    let test = "test('a', () => {})\n";
    let files = [
        ("package.json", r#"{"workspaces": ["packages/*"], "scripts": {"test": "mocha"}}"#),
        ("a.test.js", test),
        ("packages/quiet/package.json", r#"{"name": "quiet"}"#),
        ("packages/quiet/src/a.test.js", test),
        ("packages/own/package.json", r#"{"devDependencies": {"jest": "29"}}"#),
        ("packages/own/src/deep/a.test.ts", test),
        ("packages/own/src/deep/b.test.ts", "import { test } from 'vitest'\ntest('a', () => {})\n"),
        ("packages/broken/package.json", "{"),
        ("packages/broken/a.test.js", test),
        ("tools/go.mod", "module example.org/tools\n"),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let written = parse_folder(folder.path());
    let frameworks: Vec<(&str, &str)> =
        written.frameworks.iter().map(|(path, framework)| (path.as_str(), framework.as_str())).collect();
    assert_eq!(
        frameworks,
        [
            ("a.test.js", "mocha"),
            ("packages/broken/a.test.js", "mocha"),
            ("packages/own/src/deep/a.test.ts", "jest"),
            ("packages/own/src/deep/b.test.ts", "vitest"),
            ("packages/quiet/src/a.test.js", "mocha"),
        ]
    );
    let expected =
        ["package.json", "packages/own/package.json", "packages/quiet/package.json", "tools/go.mod"];
    assert_eq!(written.project_files, expected);
    let broken = ("packages/broken/package.json".to_owned(), "broken_project_file".to_owned());
    assert_eq!(written.dropped, [broken]);
}

#[test]
fn the_settings_of_pytest_name_the_tests_of_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let unit =
        "class CartSuite:\n    def it_adds(self):\n        assert 1\n\n\ndef test_plain():\n    assert 1\n";
    let files = [
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\npython_files = [\"tests.py\"]\npython_classes = \"*Suite\"\npython_functions = [\"it_\"]\n",
        ),
        ("shop/tests.py", unit),
        ("shop/test_cart.py", unit),
        ("other/tox.ini", "[tox]\nenvlist = py\n[pytest]\npython_classes = Never\n"),
        ("other/test_cart.py", unit),
    ];
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let written = parse_folder(folder.path());
    assert_eq!(written.tests, ["other/test_cart.py: test_plain", "shop/tests.py: CartSuite.it_adds"]);
}
