//! What was left out, and why.

use super::record;

record! {
    /// A file, test case or pair that does not go on. Nothing disappears without such a row.
    pub struct Dropped placed "dropped" version 1 {
        /// Stage that dropped it.
        stage: String,
        /// What was dropped: `file`, `test_case`, `pair` (see [`Subject`]).
        subject: String,
        /// Id of the test case or pair; empty for files.
        id: String,
        /// Language; empty if unknown.
        language: String,
        /// Qualified name of the test; empty for files.
        name: String,
        /// Stable reason word.
        reason: String,
        /// The particulars, for people.
        detail: String,
    }
}

/// The kinds of things that are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A source file.
    File,
    /// A test case.
    TestCase,
    /// A pair.
    Pair,
}

impl Subject {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::TestCase => "test_case",
            Self::Pair => "pair",
        }
    }
}

record! {
    /// The columns of [`Dropped`] that are counted.
    pub struct DroppedKey "dropped" version 1 {
        /// Language.
        language: String,
        /// Reason.
        reason: String,
    }
}
