//! The rule of UniTSyn (He et al., 2024): a test is about the last call before its first assertion, or inside
//! that, whose definition is in the repository.
//!
//! As in the original, what runs last counts as last (`f` in `f(g())`), calls that are defined elsewhere are
//! passed over, making an object by `new` is no call, and a test without assertions is about the last call of
//! all. Unlike there, what test files declare is passed over too.

use super::index::File;
use super::last_call::{backwards, first_declared};
use super::resolution::Resolution;
use super::tables::Declaration;
use super::test_calls::test_calls;
use super::verdict::{Ballot, Matcher, Mode, Prepare, Verdict};

pub(super) static MODE: Mode = Mode {
    name: "unitsyn",
    language: None,
    prepare: Prepare::Calls(|resolution| Box::new(UniTSyn { resolution })),
};

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
        let first_end = file.test_case(test).and_then(|case| case.assertion_ends.first().copied());
        let mut calls = test_calls(file, test);
        calls.retain(|call| first_end.is_none_or(|end| call.end <= end));
        backwards(&mut calls);
        first_declared(LAST_CALL, self.resolution, file, test, &calls)
    }
}
