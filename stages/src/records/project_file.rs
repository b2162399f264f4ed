//! A file that describes a project, with its text.

use super::record;

record! {
    /// One file that describes the project in its folder (`package.json`, `go.mod`).
    pub struct ProjectFileRow placed "project_files" version 1 {
        /// Language.
        language: String,
        /// File name.
        name: String,
        /// The whole text.
        text: String,
    }
}
