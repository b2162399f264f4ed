//! Subword vocabularies and tokenised forms of code, through the crate tokenizers.
//!
//! A text here is words separated by single blanks, among them tags (`<[kind]>`), which stay whole. What the words
//! mean is no business of this crate.

mod count;
mod training;
mod vocabulary;

pub use count::{CountError, Counter};
pub use training::Words;
pub use vocabulary::{TokensError, Vocabulary, spaced};
