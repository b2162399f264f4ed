//! Subword vocabularies and tokenised forms of code, through the crate tokenizers.

mod count;

pub use count::{CountError, Counter};
