//! The columns that evaluation reads of a run's tables.

use crate::records::record;

record! {
    /// A declaration, as labels name it.
    pub struct DeclarationRow "callables" version 2 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Path.
        path: String,
        /// First line.
        first_line: u32,
        /// Last line.
        last_line: u32,
        /// Identity.
        id: String,
        /// Language.
        language: String,
        /// Own name.
        name: String,
        /// Names from the outermost declaration inwards.
        qualified_name: String,
        /// Parameter types as written.
        parameter_types: Vec<String>,
        /// Part in the test suite.
        role: String,
    }
}

record! {
    /// What a rule answered for a test.
    pub struct VoteAnswer "votes" version 2 {
        /// Id of the test.
        test_id: String,
        /// Mode.
        mode: String,
        /// `matched`, or why there is no focal callable.
        answer: String,
        /// How likely the focal callable is right, where the mode says so.
        confidence: Option<f64>,
        /// Id of the focal callable; empty if none.
        focal_id: String,
        /// Its path; empty if none.
        focal_path: String,
        /// Its qualified name.
        focal_name: String,
        /// What the rule compared.
        detail: String,
    }
}

record! {
    /// A pair of the run.
    pub struct PairAnswer "pairs" version 2 {
        /// Id of the test.
        test_id: String,
        /// Id of the focal callable.
        focal_id: String,
        /// Its qualified name.
        focal_name: String,
    }
}
