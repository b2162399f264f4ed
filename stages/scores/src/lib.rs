//! Scores of predicted text against reference text. Knows tokens and texts, no languages, data sets or files.

pub mod bleu;
pub mod rouge;
mod tokens;

pub use tokens::Tokens;
