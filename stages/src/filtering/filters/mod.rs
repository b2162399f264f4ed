//! The filters: one file and one line in the list each. A filter sees one pair and says why it must go.

mod empty_test;
mod input_too_long;
pub(super) mod licence;
mod syntax_error;
mod test_in_own_context;
mod test_too_long;
mod too_many_assertions;

use super::Settings;
use crate::export::contest::Sample;
use crate::export::{FileView, unit_tests};
use crate::records::{CallableRow, Pair, Repository};

/// A pair with what filters look at.
pub struct Candidate<'a> {
    /// The repository, with its licence.
    pub repository: &'a Repository,
    /// The pair.
    pub pair: &'a Pair,
    /// File of the test.
    pub test: &'a FileView<'a>,
    /// File of the focal method.
    pub focal: &'a FileView<'a>,
    /// The test's declaration.
    pub callable: Option<&'a CallableRow>,
    /// The test's whole text, annotations or decorators included.
    pub text: &'a str,
    /// The test in its segments, for the data set that is made of these.
    pub sample: Option<&'a Sample<'a>>,
}

impl<'a> Candidate<'a> {
    /// The pair in its repository and files.
    pub fn new(
        repository: &'a Repository,
        pair: &'a Pair,
        test: &'a FileView<'a>,
        focal: &'a FileView<'a>,
    ) -> Self {
        let callable = test.callable(pair.test_ordinal);
        Self {
            repository,
            pair,
            test,
            focal,
            callable,
            text: unit_tests::test_text(pair, test),
            sample: None,
        }
    }

    /// Characters of what a model is given: focal text and contexts.
    pub fn input_characters(&self) -> usize {
        match self.sample {
            Some(sample) => sample.input_characters(),
            None => unit_tests::input_characters(self.pair, self.test, self.focal),
        }
    }
}

/// A filter.
pub struct Filter {
    /// Stable reason word of what it drops.
    pub reason: &'static str,
    /// The particulars if the pair must go; nothing if it may stay or the filter is switched off.
    pub drops: fn(&Settings, &Candidate<'_>) -> Option<String>,
}

/// The list of filters, in the order in which they are asked; the first that answers decides.
pub fn filters() -> &'static [Filter] {
    static FILTERS: [Filter; 8] = [
        Filter { reason: "licence_not_allowed", drops: licence::is_not_allowed },
        Filter { reason: "licence_unknown", drops: licence::is_unknown },
        Filter { reason: "empty_test", drops: empty_test::drops },
        Filter { reason: "syntax_error", drops: syntax_error::drops },
        Filter { reason: "test_too_long", drops: test_too_long::drops },
        Filter { reason: "too_many_assertions", drops: too_many_assertions::drops },
        Filter { reason: "test_in_own_context", drops: test_in_own_context::drops },
        Filter { reason: "input_too_long", drops: input_too_long::drops },
    ];
    &FILTERS
}
