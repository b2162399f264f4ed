//! Matching: from test cases to focal methods.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of matching.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The mode that makes the pairs, for each language.
    pub modes: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        let modes = [("java", "methods2test-fixed"), ("python", "unittests-python")];
        Self { modes: modes.map(|(language, mode)| (language.to_owned(), mode.to_owned())).into() }
    }
}
