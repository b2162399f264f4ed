//! Cloning: from the place of a repository to pinned, readable objects.

use serde::{Deserialize, Serialize};

/// Settings of cloning.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Most bytes of source text of one repository.
    pub max_repository_bytes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_repository_bytes: 1 << 30 }
    }
}
