//! The row of the ConTest data set: the four parts of the input, the target, and where each of them lies.

use super::record;

record! {
    /// Methods that belong to a test, in the order of the calls that lead to them. All lists are equally long.
    pub struct ContestMethods "methods" version 1 {
        /// Their texts, as they are in their files; first lines are not indented.
        texts: Vec<String>,
        /// Qualified names.
        names: Vec<String>,
        /// Paths in the repository.
        paths: Vec<String>,
        /// First bytes.
        start_bytes: Vec<u32>,
        /// Ends.
        end_bytes: Vec<u32>,
        /// First lines.
        first_lines: Vec<u32>,
    }
}

record! {
    /// Where the row comes from.
    pub struct ContestMeta "meta" version 2 {
        /// `host/owner/name`.
        repo_id: String,
        /// SPDX expression of the repository's licence; empty where it is not known.
        licence: String,
        /// Commit.
        commit: String,
        /// Id of the test case.
        test_id: String,
        /// Qualified name of the test.
        test_name: String,
        /// Test framework.
        test_framework: String,
        /// Path of the test file.
        test_path: String,
        /// Its blob id.
        test_blob_id: String,
        /// First byte of the test.
        test_start_byte: u32,
        /// Its end.
        test_end_byte: u32,
        /// First line of the test.
        test_first_line: u32,
        /// Its last line.
        test_last_line: u32,
        /// First byte of the set-up code.
        setup_start_byte: u32,
        /// Its end.
        setup_end_byte: u32,
        /// First byte of the assertion code.
        assertions_start_byte: u32,
        /// Its end.
        assertions_end_byte: u32,
        /// First byte of what of the set-up stands behind the assertions.
        closing_start_byte: u32,
        /// Its end; the same where there is nothing.
        closing_end_byte: u32,
        /// Qualified name of the focal method.
        focal_name: String,
        /// Path of the focal file.
        focal_path: String,
        /// Its blob id.
        focal_blob_id: String,
        /// First byte of the focal method.
        focal_start_byte: u32,
        /// Its end.
        focal_end_byte: u32,
        /// Its first line.
        focal_first_line: u32,
        /// Its last line.
        focal_last_line: u32,
        /// Mode that matched test and focal method.
        mode: String,
        /// Rule that matched them.
        rule: String,
        /// How likely the pair is right, where the mode says so.
        confidence: Option<f64>,
        /// Calls whose meaning is known.
        calls_resolved: u32,
        /// Calls of one of several overloads.
        calls_ambiguous: u32,
        /// Calls of which reading does not tell.
        calls_unknown: u32,
        /// Context methods that the budget left out.
        methods_left_out: u32,
    }
}

record! {
    /// One exported row.
    pub struct ContestRow "contest" version 2 {
        /// Id of the pair, by which predictions are told apart.
        id: String,
        /// Language.
        language: String,
        /// The test up to its body's first line: annotations, signature, opening brace.
        test_head: String,
        /// Set-up code of the test, with the indentation of its first line.
        setup: String,
        /// The last lines of `setup`, where they stand behind the assertions: what ends the loop or block around them.
        setup_closing: String,
        /// The target: assertion code, with the indentation of its first line.
        assertions: String,
        /// What closes the test's body.
        test_tail: String,
        /// Methods and fixtures that run before the test.
        setup_members: ContestMethods,
        /// The focal method.
        focal_method: String,
        /// Methods that set-up code and members call.
        setup_context: ContestMethods,
        /// Methods that the focal method calls.
        focal_context: ContestMethods,
        /// Provenance.
        meta: ContestMeta,
    }
}
