//! A class, function or method.

use super::record;
use compact_str::CompactString;

record! {
    /// One declaration. Signature and body are byte ranges of the file's text.
    pub struct CallableRow placed "callables" version 2 {
        /// Identity: host, repository, path, qualified name and the ordinal among equal names in the file.
        id: String,
        /// Position among the file's declarations, from 0; parents come before their members.
        ordinal: u32,
        /// Language.
        language: CompactString,
        /// `class`, `interface`, `enum`, `record`, `function`, `method`, `constructor` …
        kind: CompactString,
        /// Own name.
        name: String,
        /// Names from the outermost declaration inwards, joined by `.`.
        qualified_name: String,
        /// Ordinal of the declaration around this one.
        parent: Option<u32>,
        /// First byte of the signature.
        signature_start: u32,
        /// End of the signature.
        signature_end: u32,
        /// First byte of the body, if there is one.
        body_start: Option<u32>,
        /// End of the body.
        body_end: Option<u32>,
        /// Modifiers without annotations.
        modifiers: Vec<String>,
        /// Names of annotations or decorators.
        annotations: Vec<String>,
        /// The modifiers' text contains the language's test marker.
        has_test_marker: bool,
        /// Parameter names.
        parameter_names: Vec<String>,
        /// Parameter types, empty where none is written.
        parameter_types: Vec<String>,
        /// Return type as written.
        return_type: String,
        /// Superclass and interfaces as written.
        supertypes: Vec<String>,
        /// Part in the test suite: `plain`, `test`, `setup`, `teardown`, `fixture`, `test_class`.
        role: CompactString,
        /// A syntax error lies inside.
        has_error: bool,
        /// Found below an error node.
        recovered: bool,
    }
}

record! {
    /// The columns of [`CallableRow`] by which test classes are counted.
    pub struct CallableRole "callables" version 2 {
        /// Language.
        language: String,
        /// Part in the test suite.
        role: String,
    }
}
