//! The settings of all stages, one section each; what a config file holds beside its repositories.

use serde::{Deserialize, Serialize};

/// All sections. Unknown keys are refused.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Reading repositories.
    pub cloning: crate::cloning::Settings,
    /// Parsing files.
    pub parsing: crate::parsing::Settings,
    /// Matching tests to focal methods.
    pub matching: crate::matching::Settings,
    /// Filtering pairs.
    pub filtering: crate::filtering::Settings,
    /// Dropping duplicates.
    pub dedup: crate::dedup::Settings,
    /// Splitting.
    pub splitting: crate::splitting::Settings,
    /// Writing data sets.
    pub export: crate::export::Settings,
}
