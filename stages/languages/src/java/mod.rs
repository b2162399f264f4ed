//! Java.

use crate::{Language, Outline};

/// The table of Java.
pub(crate) static JAVA: Language = Language {
    name: "java",
    extensions: &["java"],
    grammar: || tree_sitter_java::LANGUAGE.into(),
    test_marker: "@Test",
    is_test_path: |_| false,
    extract: |_, _, _| Outline::default(),
};
