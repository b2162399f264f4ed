//! Deduplication: one pair stands for all with the same text.

use serde::{Deserialize, Serialize};

/// What makes two pairs the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// Nothing: every pair is kept.
    None,
    /// Test and focal text, white space aside.
    #[default]
    Pair,
    /// The test's text alone, white space aside.
    Test,
}

/// Settings of deduplication.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What makes two pairs the same.
    pub key: Key,
}
