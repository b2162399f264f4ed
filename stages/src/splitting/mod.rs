//! Splitting: train, validation and test, by project and at random.

use serde::{Deserialize, Serialize};

/// Settings of splitting.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Shares of train, validation and test; any positive numbers.
    pub ratios: [f64; 3],
    /// Seed.
    pub seed: u64,
    /// Two repositories are copies of each other where this share of the smaller one's source files, by
    /// blob, is in the other too.
    pub copy_threshold: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ratios: [0.8, 0.1, 0.1], seed: 1, copy_threshold: 0.3 }
    }
}
