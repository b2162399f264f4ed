//! What the settings of pytest say of the names of tests: `python_files`, `python_classes` and `python_functions`, in
//! any of the files that pytest reads, which are in the form of INI or of TOML.

use crate::{ProjectFile, TestNames};

/// In the order in which pytest asks them.
pub(super) static FILES: [ProjectFile; 4] = [
    file("pytest.ini", |text| of_section(text, "pytest")),
    file("pyproject.toml", |text| {
        of_section(text, "tool.pytest.ini_options").or_else(|| of_section(text, "tool.pytest"))
    }),
    file("tox.ini", |text| of_section(text, "pytest")),
    file("setup.cfg", |text| of_section(text, "tool:pytest")),
];

const fn file(name: &'static str, test_names: fn(&str) -> Option<TestNames>) -> ProjectFile {
    ProjectFile { name, framework: |_| Ok(None), test_names }
}

/// The names that a section tells, if it is there and tells any.
fn of_section(text: &str, section: &str) -> Option<TestNames> {
    let names = TestNames {
        files: values(text, section, "python_files"),
        classes: values(text, section, "python_classes"),
        functions: values(text, section, "python_functions"),
    };
    (names != TestNames::default()).then_some(names)
}

/// The words of a key's value, which may go on over lines that are indented or in brackets.
fn values(text: &str, section: &str, key: &str) -> Vec<String> {
    let mut inside = false;
    let mut value: Option<String> = None;
    let mut open = false;
    for line in text.lines() {
        let bare = line.split([';', '#']).next().unwrap_or_default().trim_end();
        if let Some(value) = &mut value {
            let goes_on = open || line.starts_with([' ', '\t']) || bare.is_empty();
            if !goes_on {
                break;
            }
            value.push(' ');
            value.push_str(bare);
            open &= !bare.contains(']');
            continue;
        }
        if let Some(name) = bare.trim_start().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            inside = name.trim() == section;
        }
        let is_key = |name: &str| name.strip_prefix("ini_options.").unwrap_or(name) == key;
        let told = bare.split_once(['=', ':']).filter(|(name, _)| inside && is_key(name.trim()));
        if let Some((_, told)) = told {
            open = told.trim_start().starts_with('[') && !told.contains(']');
            value = Some(told.to_owned());
        }
    }
    let value = value.unwrap_or_default();
    let words = value.split(|c: char| c.is_whitespace() || "[],\"'".contains(c));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> Option<TestNames> {
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
        assert_eq!(told("setup.cfg", ini), Some(expected.clone()));
        assert_eq!(told("pyproject.toml", toml), Some(expected));
        let dotted = "[tool.pytest]\nini_options.python_classes = \"*Suite\"\n";
        assert_eq!(told("pyproject.toml", dotted).unwrap().classes, ["*Suite"]);
        assert_eq!(told("pytest.ini", "[pytest]\naddopts = -q\n"), None);
        assert_eq!(told("tox.ini", "python_files = a.py\n[pytest"), None);
    }
}
