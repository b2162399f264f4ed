//! The rule of ConTest (Villmow et al., NLP4Prog 2021): a test is about the called method whose name has most
//! of the words of the test's name, or, where that does not tell, of its class's name.
//!
//! Candidates are the unique names of the methods called in the test, calls that assert left out. The paper
//! ranks them by the share of the test's words that the candidate has, wants more than .1 and no other
//! candidate with as many, and then looks for the declaration; a test whose candidate is declared outside the
//! repository is dropped.
//!
//! The title of a JavaScript test is a text; its words count like those of a name, and the `describe` blocks
//! around it are its classes, the innermost first. A function that stands in no class has its file's name
//! instead.

use super::index::{CallSite, File};
use super::location::{class_names, locate};
use super::resolution::Resolution;
use super::tables::Declaration;
use super::test_calls::test_calls;
use super::verdict::{Ballot, Matcher, Mode, Prepare, Verdict};
use super::words::{Vocabulary, WordSet, words};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) static MODE: Mode = Mode {
    name: "contest",
    language: None,
    prepare: Prepare::Calls(|resolution| Box::new(Contest::new(resolution))),
};

const TEST_NAME: &str = "test_name";
const TEST_CLASS: &str = "test_class";
/// A candidate needs a larger share of the words than this (δ of the paper), as a fraction.
const THRESHOLD: (usize, usize) = (1, 10);

struct Contest<'a> {
    resolution: &'a Resolution<'a>,
    vocabulary: Vocabulary<'a>,
}

impl<'a> Matcher<'a> for Contest<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}

impl<'a> Contest<'a> {
    fn new(resolution: &'a Resolution<'a>) -> Self {
        Self { resolution, vocabulary: Vocabulary::new(words) }
    }

    fn ballot(&self, file: &'a File<'a>, test: &'a Declaration) -> Ballot<'a> {
        let calls = test_calls(file, test);
        let candidates = self.candidates(&calls);
        if candidates.is_empty() {
            return Ballot::none(TEST_NAME, "no_calls", "calls nothing but assertions".to_owned());
        }
        let ranked = self.best(&test.name, &candidates).map(|best| (TEST_NAME, best));
        let by_class = || class_names(file, test).find_map(|class| self.best(class, &candidates));
        let ranked = ranked.or_else(|| by_class().map(|best| (TEST_CLASS, best)));
        let Some((rule, (name, shared, all))) = ranked else {
            let detail = "no call has most of the words of the test or its class".to_owned();
            return Ballot::none(TEST_CLASS, "unresolvable", detail);
        };
        let detail = format!("`{name}` has {shared} of {all} words");
        let mut reason = None;
        for call in calls.iter().filter(|call| is_candidate(call) && call.name == name) {
            match locate(self.resolution, file, test, call) {
                Ok((focal_file, focal)) => return Ballot::callable(rule, focal_file, focal, detail),
                Err(unlocated) => reason = reason.or(Some(unlocated.as_str())),
            }
        }
        Ballot::none(rule, reason.unwrap_or_default(), detail)
    }

    fn candidates(&self, calls: &[CallSite<'a>]) -> Vec<(&'a str, Rc<WordSet>)> {
        let names: BTreeSet<&str> =
            calls.iter().filter(|call| is_candidate(call)).map(|call| call.name).collect();
        names.into_iter().map(|name| (name, self.vocabulary.words(name))).collect()
    }

    /// The candidate that has more of the words of `name` than every other, with the number that it has and
    /// the number that there are.
    fn best(&self, name: &'a str, candidates: &[(&'a str, Rc<WordSet>)]) -> Option<(&'a str, usize, usize)> {
        let wanted = self.vocabulary.words(name);
        let most = candidates.iter().map(|(_, words)| words.shared(&wanted)).max()?;
        let (part, whole) = THRESHOLD;
        if most * whole <= wanted.len() * part {
            return None;
        }
        let mut with_most = candidates.iter().filter(|(_, words)| words.shared(&wanted) == most);
        match (with_most.next(), with_most.next()) {
            (Some((name, _)), None) => Some((name, most, wanted.len())),
            _ => None,
        }
    }
}

fn is_candidate(call: &CallSite<'_>) -> bool {
    !call.is_constructor && !call.name.is_empty()
}
