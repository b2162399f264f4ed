//! What the walk looks for in a text to pass by subtrees that cannot hold anything of interest.

use crate::marks::{Sign, Signs};

/// Every call and method has a `(`, every creation the word `new`, every comment a `//` or `/*`.
/// Declarations without them are found since the bodies that hold them are always entered.
///
/// A creation is the first thing in many a node around it; so its mark is the second byte of its word.
pub(super) static SIGNS: Signs =
    Signs { characters: *b"((/", words: &[Sign { word: "new", mark: 1, before: 1 }] };
