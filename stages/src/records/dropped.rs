//! What was left out, and why.

use super::{Pair, record};

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

impl Dropped {
    /// A pair that a stage drops.
    pub fn pair(pair: &Pair, stage: &str, reason: &str, detail: &str) -> Self {
        Self {
            host: pair.host.clone(),
            repository: pair.repository.clone(),
            commit: pair.commit.clone(),
            path: pair.path.clone(),
            blob_id: pair.blob_id.clone(),
            start_byte: pair.start_byte,
            end_byte: pair.end_byte,
            first_line: pair.first_line,
            last_line: pair.last_line,
            stage: stage.to_owned(),
            subject: Subject::Pair.as_str().to_owned(),
            id: pair.id.clone(),
            language: pair.language.clone(),
            name: pair.test_name.clone(),
            reason: reason.to_owned(),
            detail: detail.to_owned(),
        }
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
