//! What the settings of pytest say of the names of tests: `python_files`, `python_classes` and `python_functions`, in
//! any of the files that pytest reads, which are in the form of INI or of TOML.

use crate::{ProjectFile, TestNames};
use std::iter;
use toml::{Table, Value};

/// In the order in which pytest asks them.
pub(super) static FILES: [ProjectFile; 4] = [
    file("pytest.ini", |text| of_ini(text, "pytest")),
    file("pyproject.toml", of_toml),
    file("tox.ini", |text| of_ini(text, "pytest")),
    file("setup.cfg", |text| of_ini(text, "tool:pytest")),
];

const fn file(name: &'static str, test_names: fn(&str) -> Option<TestNames>) -> ProjectFile {
    ProjectFile { name, framework: |_| Ok(None), test_names }
}

/// How the keys that matter begin; few files have any.
const PREFIX: &str = "python_";

/// The names that settings tell, if they tell any.
fn told(values: impl Fn(&str) -> Vec<String>) -> Option<TestNames> {
    let names = TestNames {
        files: values("python_files"),
        classes: values("python_classes"),
        functions: values("python_functions"),
    };
    (names != TestNames::default()).then_some(names)
}

/// What the settings in TOML tell: strings of words, or lists of them since pytest 9.
fn of_toml(text: &str) -> Option<TestNames> {
    let file: Table = text.contains(PREFIX).then(|| text.parse().ok())??;
    let pytest = file.get("tool")?.get("pytest")?;
    let settings = pytest.get("ini_options").unwrap_or(pytest);
    told(|key| match settings.get(key) {
        Some(Value::String(text)) => words(text),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    })
}

/// What a section of settings in INI tells.
fn of_ini(text: &str, section: &str) -> Option<TestNames> {
    told(|key| words(&ini_value(text, section, key).unwrap_or_default()))
}

/// A key's value, which goes on over lines that are indented.
fn ini_value(text: &str, section: &str, key: &str) -> Option<String> {
    let mut lines = text.lines().map(without_comment);
    lines.find(|line| header(line) == Some(section))?;
    let mut own = lines.take_while(|line| header(line).is_none());
    let first = own.find_map(|line| {
        let (name, value) = line.split_once(['=', ':'])?;
        (name.trim_end() == key).then_some(value)
    })?;
    let more = own.take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
    Some(iter::once(first).chain(more).collect())
}

fn without_comment(line: &str) -> &str {
    line.split([';', '#']).next().unwrap_or_default().trim_end()
}

/// The section that a line begins.
fn header(line: &str) -> Option<&str> {
    Some(line.strip_prefix('[')?.strip_suffix(']')?.trim())
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: &str, text: &str) -> Option<TestNames> {
        let file = FILES.iter().find(|file| file.name == name).unwrap();
        (file.test_names)(text)
    }

    #[test]
    fn ini_and_toml_tell_the_same() {
        let ini = "[flake8]\npython_files = no.py\n[tool:pytest]\naddopts = -q\npython_files =\n    tests.py\n    test_*.py ; both\npython_classes = Test Describe\n[other]\npython_functions = no\n";
        let toml = "[project]\nname = \"a\"\n[tool.pytest.ini_options]\npython_files = [\n  \"tests.py\", # first\n  \"test_*.py\",\n]\npython_classes = [\"Test\", 'Describe']\n\n[tool.other]\npython_functions = [\"no\"]\n";
        let expected = TestNames {
            files: vec!["tests.py".into(), "test_*.py".into()],
            classes: vec!["Test".into(), "Describe".into()],
            functions: Vec::new(),
        };
        assert_eq!(names("setup.cfg", ini), Some(expected.clone()));
        assert_eq!(names("pyproject.toml", toml), Some(expected));
        let lists = "tool.pytest.python_functions = ['check_*']";
        assert_eq!(names("pyproject.toml", lists).unwrap().functions, ["check_*"]);
        assert_eq!(names("pyproject.toml", "[tool.pytest\nini_options"), None);
        let dotted = "[tool.pytest]\nini_options.python_classes = \"*Suite\"\n";
        assert_eq!(names("pyproject.toml", dotted).unwrap().classes, ["*Suite"]);
        assert_eq!(names("pytest.ini", "[pytest]\naddopts = -q\n"), None);
        assert_eq!(names("tox.ini", "python_files = a.py\n[pytest"), None);
    }
}
