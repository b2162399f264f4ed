//! What a test did: its outcome and the lines of the repository's own files that it ran.
//!
//! Plain data, and the lines of the files that hold it (`coverage.jsonl`, one [`CaseCoverage`] a line). It knows
//! nothing of how a test is run.

use crate::LineSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the run of a test ended. Everything but `Infrastructure` says something about the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// At least one item ran, and each passed, was skipped or failed as it was expected to.
    Passed,
    /// An item failed in the test itself.
    Failed,
    /// The file could not be collected, or set-up or tear-down failed.
    Error,
    /// Every item was skipped, or none was found.
    Skipped,
    /// It ran for longer than it may.
    TimedOut,
    /// It wanted more memory than it may have.
    OutOfMemory,
    /// Its process ended before it had reported: a signal, an exit, or a report that is not ours.
    Crashed,
    /// The sandbox failed; says nothing about the test.
    Infrastructure,
}

impl Outcome {
    /// The word that rows use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Skipped => "skipped",
            Self::TimedOut => "timed_out",
            Self::OutOfMemory => "out_of_memory",
            Self::Crashed => "crashed",
            Self::Infrastructure => "infrastructure",
        }
    }
}

/// How lines were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// A fork per test of a process that has loaded the directory's conftest files under the tracer.
    Zygote,
    /// One process for all tests: an estimate, since imports and caches of earlier tests are there already.
    Plugin,
    /// A pytest process with pytest-cov for each test, as CLOVER does (section 3.1).
    Clover,
}

impl Engine {
    /// True where the lines are those that a process of its own would give.
    pub fn is_exact(self) -> bool {
        self != Self::Plugin
    }
}

/// What kind of run it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseKind {
    /// A test of the repository, or one that somebody proposes.
    Test,
    /// `def test(): assert True` in a directory, which calibration subtracts (CLOVER, section 3.1): one row for
    /// each directory that holds tests.
    Empty,
}

/// Lines of one source file. Together they are all its statements, as coverage.py counts them: a statement is
/// known by its first line, and what is marked `pragma: no cover` is in neither.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLines {
    /// Ran.
    pub hit: LineSet,
    /// Did not run.
    pub missed: LineSet,
}

/// One test's outcome and lines: the answer of `cov`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseCoverage {
    /// `tests/test_a.py::TestB::test_c` of the original test; `tests::` for the empty run of the directory.
    pub id: String,
    /// Test or empty run.
    pub kind: CaseKind,
    /// How it ended. A test that failed or was killed has lines all the same.
    pub outcome: Outcome,
    /// One line about an outcome other than passed.
    pub detail: String,
    /// How the lines were found.
    pub engine: Engine,
    /// False where the lines are an estimate ([`Engine::is_exact`]).
    pub exact: bool,
    /// Every source file of the repository, by its path with `/`. Files that were never imported are there too,
    /// with no line hit. Test files are not.
    pub files: BTreeMap<String, FileLines>,
    /// What the sandbox enforced while it ran.
    pub limits: String,
}
