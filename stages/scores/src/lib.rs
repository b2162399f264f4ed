//! Scores of predicted text against reference text. Knows tokens and texts, no languages, data sets or files.

pub mod bleu;
mod rates;
pub mod rouge;
mod tokens;

pub use rates::{ContextUtilisation, Rate};
pub use tokens::Tokens;
