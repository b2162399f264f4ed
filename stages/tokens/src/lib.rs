//! Subword vocabularies and tokenised forms of code, through the crate tokenizers.

mod ready;

pub use ready::{Ready, ReadyError};
