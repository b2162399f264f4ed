//! A repository that could not be worked on.

use super::record;

record! {
    /// A stage's failure on one repository; the run goes on without it.
    pub struct Failure "failures" version 1 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Commit, if it is known.
        commit: String,
        /// Stage that failed.
        stage: String,
        /// Stable reason word.
        reason: String,
        /// The particulars, with what to do.
        detail: String,
    }
}
