//! What the walk looks for in a text to pass by subtrees that cannot hold anything of interest.

use crate::marks::{Sign, Signs};

/// Calls and functions have a `(` or `=>`, classes and objects a `{`, creations the word `new`, comments `//`
/// or `/*`. Statements that are of interest without any of them are entered whatever their text.
pub(super) static SIGNS: Signs = Signs {
    characters: *b"({/",
    words: &[Sign { word: "=>", mark: 1, before: 0 }, Sign { word: "new", mark: 2, before: 0 }],
};
