//! Python.

use crate::{Language, Outline};

/// The table of Python.
pub(crate) static PYTHON: Language = Language {
    name: "python",
    extensions: &["py"],
    grammar: || tree_sitter_python::LANGUAGE.into(),
    test_marker: "",
    is_test_path: |_| false,
    extract: |_, _, _| Outline::default(),
};
