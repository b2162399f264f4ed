//! How a project names its tests where its own settings say so. Knows no syntax of settings.

use std::str::Chars;

/// Patterns by which tests are found. An empty list says nothing: then the convention holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestNames {
    /// Of files: of their names, or of the ends of their paths where a pattern has a `/`.
    pub files: Vec<String>,
    /// Of classes: beginnings of their names, or of whole names where there is a `*` or `?`.
    pub classes: Vec<String>,
    /// Of functions and methods, as those of classes.
    pub functions: Vec<String>,
}

impl TestNames {
    /// Whether a path names a test file; nothing where that is not said.
    pub fn is_file(&self, path: &str) -> Option<bool> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let fits = |pattern: &String| {
            let whole = pattern.contains('/');
            is_like(pattern, if whole { path } else { name })
                || (whole && is_like(&format!("*/{pattern}"), path))
        };
        (!self.files.is_empty()).then(|| self.files.iter().any(fits))
    }

    /// Whether a class of this name holds tests; nothing where that is not said.
    pub fn is_class(&self, name: &str) -> Option<bool> {
        any(&self.classes, name)
    }

    /// Whether a function or method of this name is a test; nothing where that is not said.
    pub fn is_function(&self, name: &str) -> Option<bool> {
        any(&self.functions, name)
    }
}

fn any(patterns: &[String], name: &str) -> Option<bool> {
    let fits = |pattern: &String| {
        let open = pattern.contains(['*', '?']);
        if open { is_like(pattern, name) } else { name.starts_with(pattern.as_str()) }
    };
    (!patterns.is_empty()).then(|| patterns.iter().any(fits))
}

/// Whether a text is as a pattern says, where `*` stands for anything and `?` for one character.
fn is_like(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // What follows the last star, and the text behind what it stands for so far.
    let mut star: Option<(Chars<'_>, Chars<'_>)> = None;
    loop {
        let (own, next) = (pattern.next(), text.clone().next());
        match (own, next) {
            (Some('*'), _) => star = Some((pattern.clone(), text.clone())),
            (None, None) => return true,
            (Some(own), Some(next)) if own == '?' || own == next => _ = text.next(),
            _ => {
                let Some((behind, taken)) = &mut star else { return false };
                if taken.next().is_none() {
                    return false;
                }
                (pattern, text) = (behind.clone(), taken.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_beginnings_or_have_stars() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let names = TestNames {
            files: words("tests.py check_*.py unit/*.py"),
            classes: words("Describe *Suite"),
            functions: words("it_ ?est_*"),
        };
        let files = |path: &str| names.is_file(path).unwrap();
        assert!(files("a/tests.py") && files("check_a.py") && files("a/unit/b.py") && files("unit/b.py"));
        assert!(!files("a/test_a.py") && !files("checks.py") && !files("a/reunit/b.py"));
        assert_eq!((names.is_class("DescribeCart"), names.is_class("CartSuite")), (Some(true), Some(true)));
        assert_eq!((names.is_class("TestCart"), names.is_function("it_adds")), (Some(false), Some(true)));
        assert_eq!((names.is_function("best_of"), names.is_function("test")), (Some(true), Some(false)));
        assert_eq!(TestNames::default().is_class("TestCart"), None);
    }
}
