//! A parsed source file with its text, which is kept here and nowhere else.

use super::record;
use compact_str::CompactString;

record! {
    /// One file of a known language that was parsed.
    pub struct SourceFile placed "source_files" version 2 {
        /// Language.
        language: CompactString,
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
        region_kinds: Vec<CompactString>,
        /// Their first bytes.
        region_starts: Vec<u32>,
        /// Their ends.
        region_ends: Vec<u32>,
        /// Ordinal in the file of the class that each belongs to, plus one; 0 for none.
        region_parents: Vec<u32>,
        /// What the file hands out to those who import it (JavaScript).
        exports: Vec<String>,
        /// Ordinals of the callables that run the calls, plus one; 0 for code of the file itself. Calls
        /// stand in the order of their names; see [`trefoil_languages::CallRanges`] for those of a callable.
        call_owners: Vec<u32>,
        /// Called names.
        call_names: Vec<CompactString>,
        /// Receivers of the calls.
        call_receivers: Vec<CompactString>,
        /// Argument counts of the calls.
        call_arguments: Vec<u32>,
        /// First bytes of the calls.
        call_starts: Vec<u32>,
        /// Ends of the calls.
        call_ends: Vec<u32>,
        /// Bit 0: constructor call; bit 1: inside an assertion.
        call_flags: Vec<u32>,
        /// Ordinals of the callables that the bindings stand in, plus one; 0 for those of the file itself.
        binding_owners: Vec<u32>,
        /// Left sides of the bindings.
        binding_names: Vec<CompactString>,
        /// Types of the bindings, empty where none is written.
        binding_types: Vec<CompactString>,
        /// First bytes of the values.
        binding_value_starts: Vec<u32>,
        /// Ends of the values.
        binding_value_ends: Vec<u32>,
        /// The whole text; all byte ranges of this repository's rows point into it.
        text: String,
    }
}

/// Bit of [`SourceFile::call_flags`]: `new Foo()`.
pub const CALL_CONSTRUCTOR: u32 = 1;
/// Bit of [`SourceFile::call_flags`]: inside an assertion.
pub const CALL_IN_ASSERTION: u32 = 2;

record! {
    /// What matching needs of a file: everything but its text and regions.
    pub struct SourceFileKey "source_files" version 2 {
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

record! {
    /// The text of a file.
    pub struct SourceText "source_files" version 2 {
        /// Path.
        path: String,
        /// The whole text.
        text: String,
    }
}
