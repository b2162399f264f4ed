//! Filtering: which pairs are fit for a data set (UnitTests, see the settings).

use serde::{Deserialize, Serialize};

/// Settings of filtering, the rules of UnitTests (MERA Code) by default. A limit of 0 switches a filter off.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Drop tests whose body holds no statement.
    pub empty_tests: bool,
    /// Drop tests with syntax errors.
    pub syntax_errors: bool,
    /// A test must be shorter than this, in characters.
    pub max_test_characters: u32,
    /// Focal text and both contexts must together be shorter than this, in characters.
    pub max_input_characters: u32,
    /// Most occurrences of `assert` in a test.
    pub max_assertions: u32,
    /// Most pairs of one repository; which ones is decided by seeded hash.
    pub max_pairs_per_repository: u32,
    /// Seed of that choice.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            empty_tests: true,
            syntax_errors: true,
            max_test_characters: 5_000,
            max_input_characters: 70_000,
            max_assertions: 20,
            max_pairs_per_repository: 200,
            seed: 1,
        }
    }
}
