//! Export: rows of a data set from pairs and texts.

use serde::{Deserialize, Serialize};

/// Settings of export.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Wanted size of a Parquet shard, in characters of text before compression.
    pub shard_characters: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { shard_characters: 512 << 20 }
    }
}
