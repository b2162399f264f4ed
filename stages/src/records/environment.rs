//! What became of the environment of a repository's tests.

use super::record;

record! {
    /// Built, or why not, and how the suite went: `outcome.json` of an environment as a row.
    pub struct EnvironmentOutcome "environments" version 1 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Commit, or digest of the content.
        commit: String,
        /// Version of Python (`3.12`); empty where none was found.
        python: String,
        /// The suite ran and at least one test passed.
        built: bool,
        /// Stable reason word; empty where it is built.
        reason: String,
        /// Test files.
        test_files: u64,
        /// Test files that could not be collected.
        broken_files: u64,
        /// Items that passed.
        passed: u64,
        /// Items that failed in the test.
        failed: u64,
        /// Items that failed in set-up or tear-down.
        errors: u64,
        /// Items that were skipped.
        skipped: u64,
        /// False where the suite was stopped for its time.
        finished: bool,
        /// What the sandbox enforced while it ran.
        limits: String,
        /// End of the log.
        log: String,
    }
}
