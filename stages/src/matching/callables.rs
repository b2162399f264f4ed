//! The callables of a repository that tests can be about, by their names.

use super::hash::HashMap;
use super::index::{File, Index};
use super::tables::Declaration;
use trefoil_languages::CallableKind;

/// A callable with its file.
pub(crate) type Candidate<'a> = (&'a File<'a>, &'a Declaration);

/// Candidates by name, in the order of their places.
pub(crate) struct Callables<'a>(HashMap<&'a str, Vec<Candidate<'a>>>);

impl<'a> Callables<'a> {
    /// The callables of a language that `is_focal` accepts. Of those of one qualified name in a file
    /// (overloads, a fallback under `except ImportError`) the first stands for all.
    pub(crate) fn new(
        index: &'a Index<'a>,
        language: &str,
        is_focal: impl Fn(&File<'a>, &Declaration) -> bool,
    ) -> Self {
        let mut by_name: HashMap<&str, Vec<Candidate<'_>>> = HashMap::default();
        for file in index.of_language(language) {
            for callable in file.declarations.iter().filter(|declaration| is_focal(file, declaration)) {
                let known = by_name.entry(&callable.name).or_default();
                let is_same = |other: &Candidate<'_>| other.1.qualified_name == callable.qualified_name;
                if !known.iter().rev().take_while(|other| other.1.path == callable.path).any(is_same) {
                    known.push((file, callable));
                }
            }
        }
        Self(by_name)
    }

    /// The candidates of a name.
    pub(crate) fn named(&self, name: &str) -> &[Candidate<'a>] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Whether a declaration of a file is a function, method or constructor that is no part of a test suite.
pub(crate) fn is_plain_callable(file: &File<'_>, declaration: &Declaration) -> bool {
    !file.row.is_test_path
        && matches!(declaration.kind.as_str(), "function" | "method" | "constructor" | "lambda")
        && declaration.role == "plain"
}

/// Whether a declaration stands inside a function, where no test can reach it, or inside a test class.
pub(crate) fn is_local(file: &File<'_>, declaration: &Declaration) -> bool {
    std::iter::successors(file.parent(declaration), |outer| file.parent(outer)).any(|outer| {
        !CallableKind::from_word(&outer.kind).is_some_and(CallableKind::is_type) || outer.role == "test_class"
    })
}

/// The places of candidates, for the details of ballots.
pub(crate) fn listing(several: &[Candidate<'_>]) -> String {
    let place = |(_, focal): &Candidate<'_>| format!("{} {}:{}", focal.name, focal.path, focal.first_line);
    let places: Vec<String> = several.iter().take(3).map(place).collect();
    let more = if several.len() > places.len() { " …" } else { "" };
    format!("{}: {}{more}", several.len(), places.join(", "))
}
