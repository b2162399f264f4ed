//! Tests cut out of their modules, and what is asked of the sandbox about them.
//!
//! Plain data: `problems.jsonl` holds one [`Problem`] a line, a batch for `verify` or `cov` one [`Case`] a line,
//! the answer of `verify` one [`Verdict`] a line.

use crate::coverage::Outcome;
use serde::{Deserialize, Serialize};

/// A test with exactly the setup that it needs, in a file of its own beside the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// `tests/test_a.py::TestB::test_c`.
    pub id: String,
    /// File that the test stands in.
    pub test_path: String,
    /// File that the cut module is run as: in the same directory, `tmp_test_a_0012.py`.
    pub path: String,
    /// Classes around the function, outermost first.
    pub classes: Vec<String>,
    /// Name of the test function.
    pub function: String,
    /// First and last line of the function, decorators included, in `source`.
    pub span: (u32, u32),
    /// First line of its body in `source`, a docstring included.
    pub body: u32,
    /// The cut module.
    pub source: String,
    /// How much was cut away.
    pub cut: Cut,
    /// How the cut module ended.
    pub outcome: Outcome,
    /// Every item of the test: its name without the file (`TestB::test_c[x]`) and its outcome; the same as in the
    /// original module where `reason` is empty.
    pub items: Vec<Item>,
    /// Why the test is left out; empty where it is fit for use. Stable snake_case.
    pub reason: String,
    /// Particulars of the reason.
    pub detail: String,
}

/// How much of a module was cut away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// Everything that the test does not need.
    Needed,
    /// Other tests only: with less than that the test does not run as it did.
    OtherTests,
}

/// One item of a test function, as parametrisation makes them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Item {
    /// Name without the file: `TestB::test_c[x]`.
    pub name: String,
    /// Its outcome.
    pub outcome: Outcome,
}

/// A test file to run in place: what a model proposes, or a cut module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Names the answer.
    pub id: String,
    /// Where the file is put in the repository, relative, with `/`.
    pub path: String,
    /// Its text.
    pub source: String,
    /// Name of the function whose items are to run; every item of the file where it is empty.
    #[serde(default)]
    pub function: String,
}

/// The answer of `verify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Id of the case.
    pub id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// One line about an outcome other than passed.
    pub detail: String,
    /// The items that reported.
    pub items: Vec<Item>,
    /// End of what it printed, and of what pytest said.
    pub log: String,
    /// Paths that it wrote, changed or removed in the repository; all undone before the next.
    pub wrote: Vec<String>,
    /// What the sandbox enforced while it ran.
    pub limits: String,
}

impl From<&Problem> for Case {
    fn from(problem: &Problem) -> Self {
        Self {
            id: problem.id.clone(),
            path: problem.path.clone(),
            source: problem.source.clone(),
            function: problem.function.clone(),
        }
    }
}
