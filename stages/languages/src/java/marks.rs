//! What the walk looks for in a text to pass by subtrees that cannot hold anything of interest.

use crate::marks::{Sign, Signs};

/// Every call, creation and method has a `(`, every type and initialiser a `{`, every comment a `//` or `/*`,
/// every assert statement its word.
/// Fields, enum constants and imports have none of them; the bodies that hold them are always entered.
pub(super) static SIGNS: Signs =
    Signs { characters: *b"({/", words: &[Sign { word: "assert", mark: 0, before: 0 }] };
