//! The rule of UniTSyn (He et al., 2024): a test is about the last call before its first assertion, or inside
//! that, whose definition is in the repository.
//!
//! As in the original, what runs last counts as last (`f` in `f(g())`), calls that are defined elsewhere are
//! passed over, and a test without assertions is about the last call of all.

use super::index::File;
use super::location::Locator;
use super::tables::Declaration;
use super::test_calls::backwards_from_first_assertion;
use super::verdict::{Ballot, Matcher, Mode, Verdict};

pub(super) static MODE: Mode = Mode {
    name: "unitsyn",
    language: None,
    prepare: |index, language| Box::new(UniTSyn { locator: Locator::new(index, language) }),
};

const LAST_CALL: &str = "last_call";

struct UniTSyn<'a> {
    locator: Locator<'a>,
}

impl<'a> Matcher<'a> for UniTSyn<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}

impl<'a> UniTSyn<'a> {
    fn ballot(&self, file: &File<'a>, test: &Declaration) -> Ballot<'a> {
        let calls = backwards_from_first_assertion(file, test);
        for (passed_over, call) in calls.iter().enumerate() {
            if let Ok((focal_file, focal)) = self.locator.locate(file, test, call) {
                let detail = format!("call {} from the first assertion backwards", passed_over + 1);
                return Ballot::callable(LAST_CALL, focal_file, focal, detail);
            }
        }
        if calls.is_empty() {
            return Ballot::none(LAST_CALL, "no_calls", "calls nothing up to its first assertion".to_owned());
        }
        let detail = format!("{} calls up to the first assertion", calls.len());
        Ballot::none(LAST_CALL, "not_in_repository", detail)
    }
}
