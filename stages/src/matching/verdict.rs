//! What a mode says of a test, and the table that a mode is.

use super::index::{File, Index};
use super::resolution::Resolution;
use super::tables::Declaration;

/// A reproduction mode: one published way to link a test to its focal method.
pub(crate) struct Mode {
    /// Name in settings and records.
    pub(crate) name: &'static str,
    /// The language that it is for; none where it is for all.
    pub(crate) language: Option<&'static str>,
    /// Prepares the files of one language of a repository; only called if there are any.
    pub(crate) prepare: Prepare,
}

/// How a mode prepares itself, by what it looks at.
#[derive(Clone, Copy)]
pub(crate) enum Prepare {
    /// At declarations and at the names of calls.
    Names(for<'a> fn(&'a Index<'a>) -> Box<dyn Matcher<'a> + 'a>),
    /// At what calls lead to, too. All modes resolve them by the same resolution, which reads the texts of tests.
    Calls(for<'a> fn(&'a Resolution<'a>) -> Box<dyn Matcher<'a> + 'a>),
}

impl Mode {
    /// Whether the mode is for a language.
    pub(crate) fn is_for(&self, language: &str) -> bool {
        self.language.is_none_or(|own| own == language)
    }

    /// Whether the mode needs the texts of tests.
    pub(crate) fn resolves(&self) -> bool {
        matches!(self.prepare, Prepare::Calls(_))
    }

    /// The mode, prepared for the files of one language.
    pub(crate) fn matcher<'a>(&self, resolution: &'a Resolution<'a>) -> Box<dyn Matcher<'a> + 'a> {
        match self.prepare {
            Prepare::Names(prepare) => prepare(resolution.index),
            Prepare::Calls(prepare) => prepare(resolution),
        }
    }
}

/// A mode at work on one repository.
pub(crate) trait Matcher<'a> {
    /// The verdicts on the tests of one file: on every test case that parsing found, and on whatever else
    /// the mode takes for a test.
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>>;

    /// The same for a mode that asks what those before it in the list say.
    fn judge_after(&self, file: &'a File<'a>, _: &Earlier<'_, 'a>) -> Vec<Verdict<'a>> {
        self.judge(file)
    }
}

/// What is known when a mode's turn comes.
pub(crate) struct Earlier<'v, 'a> {
    /// The verdicts of the modes before it on the tests of the file.
    pub(crate) verdicts: &'v [(&'static Mode, Verdict<'a>)],
    /// Settings of matching.
    pub(crate) settings: &'v super::Settings,
}

/// What a mode says of one test.
pub(crate) struct Verdict<'a> {
    /// The test.
    pub(crate) test: &'a Declaration,
    /// One ballot per rule, in the order of precedence: the first that names a focal callable makes the
    /// pair, and where none does, the last one's answer is the reason.
    pub(crate) ballots: Vec<Ballot<'a>>,
}

/// What one rule says of one test.
pub(crate) struct Ballot<'a> {
    /// Name of the rule.
    pub(crate) rule: &'static str,
    /// [`MATCHED`] or the reason.
    pub(crate) answer: &'static str,
    /// File of the focal callable.
    pub(crate) focal_file: Option<&'a File<'a>>,
    /// The focal callable.
    pub(crate) focal: Option<&'a Declaration>,
    /// How likely it is that this is right, where the rule says so. All matched ballots that say so make
    /// pairs, not the first only.
    pub(crate) confidence: Option<f64>,
    /// What was compared, for people.
    pub(crate) detail: String,
}

/// The answer of a rule that found what it looks for.
pub(crate) const MATCHED: &str = "matched";

impl<'a> Ballot<'a> {
    /// A rule that found nothing.
    pub(crate) fn none(rule: &'static str, answer: &'static str, detail: String) -> Self {
        Self { rule, answer, focal_file: None, focal: None, confidence: None, detail }
    }

    /// A rule that found a callable.
    pub(crate) fn callable(
        rule: &'static str,
        file: &'a File<'a>,
        focal: &'a Declaration,
        detail: String,
    ) -> Self {
        Self { rule, answer: MATCHED, focal_file: Some(file), focal: Some(focal), confidence: None, detail }
    }

    /// A rule that found a file, in which others look for the callable.
    pub(crate) fn file(rule: &'static str, file: &'a File<'a>, detail: String) -> Self {
        Self { rule, answer: MATCHED, focal_file: Some(file), focal: None, confidence: None, detail }
    }
}
