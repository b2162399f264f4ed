//! Parsing: from blobs to source files, callables and test cases. Each file is parsed once.

pub mod rows;

use serde::{Deserialize, Serialize};

/// Settings of parsing.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Languages to parse.
    pub languages: Vec<String>,
    /// Largest file, in bytes.
    pub max_file_bytes: u64,
    /// Deepest nesting of syntax nodes.
    pub max_depth: u32,
    /// Most syntax nodes in one file.
    pub max_nodes: u32,
    /// Most parser steps per byte.
    pub max_steps_per_byte: u32,
}

impl Default for Settings {
    fn default() -> Self {
        let guards = trefoil_languages::Guards::default();
        Self {
            languages: trefoil_languages::all().iter().map(|language| language.name.to_owned()).collect(),
            max_file_bytes: guards.max_file_bytes,
            max_depth: guards.max_depth,
            max_nodes: guards.max_nodes,
            max_steps_per_byte: guards.max_steps_per_byte,
        }
    }
}
