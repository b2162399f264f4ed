//! The rule of UnitTests (MERA Code) for Python: in files `test_*.py` and `*_test.py`, a test `test_x` is
//! linked to the only function or method `x` of the repository.
//!
//! Candidates are functions and methods outside test files and `conftest.py` that are neither tests nor
//! fixtures, set-up or tear-down, nor local to a function or a test class, nor mere signatures
//! (`@overload`). Definitions of one qualified name in one file (a fallback under `except ImportError`) count as one, and the first of
//! them is taken.

use super::index::{File, Index};
use super::tables::Declaration;
use super::verdict::{Ballot, Matcher, Mode, Verdict};
use std::collections::HashMap;

pub(super) static MODE: Mode = Mode {
    name: "unittests-python",
    language: Some(LANGUAGE),
    prepare: |index, _| Box::new(Functions::new(index)),
};

const LANGUAGE: &str = "python";
const NAME: &str = "name";
const PREFIX: &str = "test_";

type Candidate<'a> = (&'a File<'a>, &'a Declaration);

/// The candidates of a repository by name.
struct Functions<'a>(HashMap<&'a str, Vec<Candidate<'a>>>);

impl<'a> Functions<'a> {
    fn new(index: &'a Index<'a>) -> Self {
        let mut by_name: HashMap<&str, Vec<Candidate<'_>>> = HashMap::new();
        for file in index.of_language(LANGUAGE).filter(|file| is_focal_file(file)) {
            for function in file.declarations.iter().filter(|declaration| is_focal(file, declaration)) {
                let known = by_name.entry(&function.name).or_default();
                let is_same = |other: &Candidate<'_>| {
                    other.1.path == function.path && other.1.qualified_name == function.qualified_name
                };
                if !known.iter().rev().take_while(|other| other.1.path == function.path).any(is_same) {
                    known.push((file, function));
                }
            }
        }
        Self(by_name)
    }

    fn ballot(&self, file: &File<'_>, test: &Declaration) -> Ballot<'a> {
        if !file.row.is_test_path {
            let detail = format!("`{}` is neither `test_*.py` nor `*_test.py`", file.row.path);
            return Ballot::none(NAME, "not_a_test_file", detail);
        }
        let Some(name) = test.name.strip_prefix(PREFIX) else {
            let detail = format!("`{}` does not begin with `{PREFIX}`", test.name);
            return Ballot::none(NAME, "not_named_test_", detail);
        };
        match self.0.get(name).map_or(&[][..], Vec::as_slice) {
            [] => Ballot::none(
                NAME,
                "no_function_of_that_name",
                format!("no function or method `{name}` outside test files"),
            ),
            [(focal_file, focal)] => Ballot::callable(
                NAME,
                focal_file,
                focal,
                format!("`{name}` is the only one of its name outside test files"),
            ),
            several => Ballot::none(NAME, "several_functions_of_that_name", listing(name, several)),
        }
    }
}

impl<'a> Matcher<'a> for Functions<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}

fn is_focal_file(file: &File<'_>) -> bool {
    !file.row.is_test_path && file.row.path.rsplit('/').next() != Some("conftest.py")
}

fn is_focal(file: &File<'_>, declaration: &Declaration) -> bool {
    matches!(declaration.kind.as_str(), "function" | "method" | "constructor")
        && declaration.role == "plain"
        && !is_overload(declaration)
        && !is_local(file, declaration)
}

/// Whether the declaration only announces a signature to type checkers (`typing.overload`).
fn is_overload(declaration: &Declaration) -> bool {
    declaration.annotations.iter().any(|name| name == "overload" || name.ends_with(".overload"))
}

/// Whether the declaration stands inside a function, where no test can reach it, or inside a test class.
fn is_local(file: &File<'_>, declaration: &Declaration) -> bool {
    std::iter::successors(file.parent(declaration), |outer| file.parent(outer))
        .any(|outer| outer.kind != "class" || outer.role == "test_class")
}

fn listing(name: &str, several: &[Candidate<'_>]) -> String {
    let places: Vec<String> =
        several.iter().take(5).map(|(_, focal)| format!("{}:{}", focal.path, focal.first_line)).collect();
    let more = if several.len() > places.len() { " …" } else { "" };
    format!("{} are called `{name}`: {}{more}", several.len(), places.join(", "))
}
