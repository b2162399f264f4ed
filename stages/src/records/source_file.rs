//! A parsed source file with its text, which is kept here and nowhere else.

use super::record;

record! {
    /// One file of a known language that was parsed.
    pub struct SourceFile placed "source_files" version 1 {
        /// Language.
        language: String,
        /// Size in bytes.
        bytes: u64,
        /// The path names a test file by the language's convention.
        is_test_path: bool,
        /// The text contains the language's test marker (`@Test`).
        has_test_marker: bool,
        /// Package, if the language has them.
        package: String,
        /// Imported names as written.
        imports: Vec<String>,
        /// Error and missing nodes in the syntax tree.
        error_count: u32,
        /// Kinds of the regions outside callables (`import`, `field`, `comment` …).
        region_kinds: Vec<String>,
        /// Their first bytes.
        region_starts: Vec<u32>,
        /// Their ends.
        region_ends: Vec<u32>,
        /// Ordinal in the file of the class that each belongs to, plus one; 0 for none.
        region_parents: Vec<u32>,
        /// The whole text; all byte ranges of this repository's rows point into it.
        text: String,
    }
}

record! {
    /// What matching needs of a file: everything but its text and regions.
    pub struct SourceFileKey "source_files" version 1 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Path.
        path: String,
        /// Blob id.
        blob_id: String,
        /// Language.
        language: String,
        /// The path names a test file.
        is_test_path: bool,
        /// The text contains the test marker.
        has_test_marker: bool,
        /// Size in bytes.
        bytes: u64,
    }
}
