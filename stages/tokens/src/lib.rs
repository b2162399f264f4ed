//! Subword vocabularies and tokenised forms of code, through the crate tokenizers.
