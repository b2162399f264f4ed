//! A test case.

use super::record;
use compact_str::CompactString;

record! {
    /// One test case; its declaration is the callable with the same id.
    pub struct TestCaseRow placed "test_cases" version 2 {
        /// Identity, the same as its callable's.
        id: String,
        /// Ordinal of its callable in the file.
        ordinal: u32,
        /// Language.
        language: CompactString,
        /// Own name.
        name: String,
        /// Qualified name.
        qualified_name: String,
        /// Framework.
        framework: CompactString,
        /// `plain`, `parametrised`, `repeated`, `factory`.
        kind: CompactString,
        /// Switched off by its author.
        disabled: bool,
        /// Names of the assertions in source order.
        assertion_names: Vec<CompactString>,
        /// Their first bytes.
        assertion_starts: Vec<u32>,
        /// Their ends.
        assertion_ends: Vec<u32>,
        /// First bytes of the statements of its body, if that is a list that reads alike by itself.
        statement_starts: Vec<u32>,
        /// Their ends, with the separator behind each and a comment on its last line.
        statement_ends: Vec<u32>,
    }
}

record! {
    /// The columns of [`TestCaseRow`] that are counted.
    pub struct TestCaseKey "test_cases" version 2 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Language.
        language: String,
    }
}

record! {
    /// The columns of [`TestCaseRow`] that name its framework.
    pub struct TestCaseFramework "test_cases" version 2 {
        /// Identity.
        id: String,
        /// Framework.
        framework: String,
    }
}
