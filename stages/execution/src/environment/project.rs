//! What a project says of itself, as `project.py` reads it.

use serde::{Deserialize, Serialize};

/// What matters for installing a project and running its tests. All paths are relative, with `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// `>=3.8`; empty where it says nothing.
    pub requires_python: String,
    /// Whether it says how it is installed.
    pub installable: bool,
    /// Requirement files for everybody, then those for tests.
    pub requirement_files: Vec<String>,
    /// Extras named for tests.
    pub extras: Vec<String>,
    /// Dependency groups named for tests.
    pub groups: Vec<String>,
    /// Requirements for tests from poetry's and tox's sections.
    pub other_requirements: Vec<String>,
    /// Options of its pytest configuration that change what is loaded.
    pub options: Vec<String>,
    /// Source files, in order: those whose lines are measured.
    pub sources: Vec<String>,
    /// Test files, in order.
    pub tests: Vec<String>,
    /// Templates of files that are not there, beside test files, with the file that each is for.
    #[serde(default)]
    pub templates: Vec<(String, String)>,
}
