//! The ConTest data set (Villmow et al., NLP4Prog 2021): predict a test's assertions from its set-up, the focal
//! method and what both call.

use serde::{Deserialize, Serialize};

/// Settings of the data set.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Whose methods are context.
    pub context: ContextOf,
    /// Most bytes of each of a test's two contexts where the whole repository is context.
    pub context_budget_bytes: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { context: ContextOf::default(), context_budget_bytes: 20_000 }
    }
}

/// Whose methods are context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextOf {
    /// Those of the test's and of the focal method's file (the paper).
    #[default]
    Contest,
    /// Those of all files, as far as the budget goes.
    Repository,
}
