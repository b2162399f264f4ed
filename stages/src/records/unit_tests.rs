//! The row of the UnitTests data set (MERA Code, `unit_tests`): nested as published, with provenance added
//! to `meta`.

use super::record;

record! {
    /// What the model is given.
    pub struct UnitTestsInputs "inputs" version 2 {
        /// Text of the focal function or method.
        focal_func: String,
        /// What is to be written, in the words of the prompt: `method`, `тестовую функцию` …
        test_func_type: String,
        /// Context from the test file, without any test.
        test_func_context: String,
        /// `python`, `java`, `csharp`, `js` or `go`.
        language: String,
        /// Path of the focal file.
        focal_file_path: String,
        /// Path of the test file.
        test_file_path: String,
        /// The focal file with the focal text replaced by a placeholder.
        focal_func_context: String,
        /// Test framework; empty for other languages than JavaScript.
        test_framework: String,
    }
}

record! {
    /// Where the row comes from.
    pub struct UnitTestsMeta "meta" version 2 {
        /// Number of the row, made of the pair's id.
        id: u64,
        /// `host/owner/name`.
        repo_id: String,
        /// `method` or `function`.
        focal_func_type: String,
        /// Pair id, which `explain` and `inspect` know too.
        pair_id: String,
        /// SPDX expression of the repository's licence; empty where it is not known.
        licence: String,
        /// Commit.
        commit: String,
        /// Qualified name of the test.
        test_name: String,
        /// Blob id of the test file.
        test_blob_id: String,
        /// First byte of the test.
        test_start_byte: u32,
        /// End of the test.
        test_end_byte: u32,
        /// First line of the test.
        test_first_line: u32,
        /// Last line of the test.
        test_last_line: u32,
        /// Qualified name of the focal method.
        focal_name: String,
        /// Blob id of the focal file.
        focal_blob_id: String,
        /// First byte of the focal method.
        focal_start_byte: u32,
        /// End of the focal method.
        focal_end_byte: u32,
        /// First line of the focal method.
        focal_first_line: u32,
        /// Last line of the focal method.
        focal_last_line: u32,
        /// Mode that matched them.
        mode: String,
        /// Rule that matched them.
        rule: String,
        /// How likely the pair is right, where the mode says so.
        confidence: Option<f64>,
    }
}

record! {
    /// One exported row.
    pub struct UnitTestsRow "unit_tests" version 3 {
        /// The prompt, with places for the inputs.
        instruction: String,
        /// Inputs.
        inputs: UnitTestsInputs,
        /// The test that is asked for.
        outputs: String,
        /// Provenance.
        meta: UnitTestsMeta,
    }
}

record! {
    /// The inputs that an audit reads.
    pub struct AuditedInputs "inputs" version 2 {
        /// Text of the focal function or method.
        focal_func: String,
        /// Context from the test file.
        test_func_context: String,
        /// Language.
        language: String,
        /// Path of the focal file.
        focal_file_path: String,
        /// The focal file around the focal text.
        focal_func_context: String,
    }
}

record! {
    /// The provenance that an audit reads.
    pub struct AuditedMeta "meta" version 2 {
        /// `host/owner/name`.
        repo_id: String,
        /// Pair id.
        pair_id: String,
        /// Qualified name of the focal method.
        focal_name: String,
        /// First byte of the focal method.
        focal_start_byte: u32,
    }
}

record! {
    /// The columns of [`UnitTestsRow`] that an audit reads.
    pub struct AuditedRow "unit_tests" version 3 {
        /// Inputs.
        inputs: AuditedInputs,
        /// The test.
        outputs: String,
        /// Provenance.
        meta: AuditedMeta,
    }
}
