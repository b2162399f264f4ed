//! The rule of UniTSyn (He et al., 2024): a test is about the last call before its first assertion, or inside
//! that, whose definition is in the repository.
//!
//! As in the original, what runs last counts as last (`f` in `f(g())`), calls that are defined elsewhere are
//! passed over, making an object by `new` is no call, and a test without assertions is about the last call of
//! all. Unlike there, what test files declare is passed over too.

use super::index::File;
use super::location::locate;
use super::resolution::Resolution;
use super::tables::Declaration;
use super::test_calls::backwards_from_first_assertion;
use super::verdict::{Ballot, Matcher, Mode, Verdict};

pub(super) static MODE: Mode =
    Mode { name: "unitsyn", language: None, prepare: |resolution| Box::new(UniTSyn { resolution }) };

const LAST_CALL: &str = "last_call";

struct UniTSyn<'a> {
    resolution: &'a Resolution<'a>,
}

impl<'a> Matcher<'a> for UniTSyn<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}

impl<'a> UniTSyn<'a> {
    fn ballot(&self, file: &File<'a>, test: &Declaration) -> Ballot<'a> {
        let mut calls = backwards_from_first_assertion(file, test);
        calls.retain(|call| !call.is_constructor || !self.resolution.has_new());
        for (passed_over, call) in calls.iter().enumerate() {
            if let Ok((focal_file, focal)) = locate(self.resolution, file, test, call) {
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
