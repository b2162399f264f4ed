//! What one rule said of one test case.

use super::record;
use compact_str::CompactString;

record! {
    /// The answer of one matching rule for one test case. Provenance is the test's.
    pub struct Vote placed "votes" version 2 {
        /// Id of the test case.
        test_id: String,
        /// Qualified name of the test.
        test_name: String,
        /// Reproduction mode that the rule belongs to (`methods2test`, `unittests-python` …).
        mode: CompactString,
        /// Rule inside the mode (`focal_class`, `name`, `unique_call`).
        rule: CompactString,
        /// `matched`, or the reason why the rule gave no focal method.
        answer: CompactString,
        /// How likely the focal callable is right, where the mode says so.
        confidence: Option<f64>,
        /// Id of the focal callable; empty if none.
        focal_id: String,
        /// Path of the focal file or callable; empty if none.
        focal_path: String,
        /// Qualified name of the focal callable; empty if none.
        focal_name: String,
        /// Line of the focal callable; 0 if none.
        focal_line: u32,
        /// What the rule compared, for people.
        detail: String,
    }
}

record! {
    /// The columns of [`Vote`] that tell for which tests a mode found a focal method.
    pub struct VoteOutcome "votes" version 2 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Test.
        test_id: String,
        /// Mode.
        mode: String,
        /// `matched`, or why not.
        answer: String,
        /// Id of the focal callable; empty if none.
        focal_id: String,
    }
}
