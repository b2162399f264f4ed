//! Which failures of an earlier run, or of an earlier round of this one, are taken again.

use serde::{Deserialize, Serialize};
use trefoil_shards::Manifest;

/// Failed repositories that are taken again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retry {
    /// None.
    #[default]
    None,
    /// Those that the network failed.
    Passing,
    /// All.
    All,
}

/// Reasons that may be gone some hours later.
const PASSING: [&str; 2] = ["fetch_failed", "fetch_timed_out"];

impl Retry {
    /// Whether a repository with this failure is taken again.
    pub fn takes(self, failure: &str) -> bool {
        match self {
            Self::None => false,
            Self::Passing => PASSING.contains(&failure),
            Self::All => true,
        }
    }

    /// Whether a shard holds such a repository.
    pub fn concerns(self, manifest: &Manifest) -> bool {
        let mut failures = manifest.repositories.values().filter_map(|entry| entry.failure.as_deref());
        failures.any(|failure| self.takes(failure))
    }
}
