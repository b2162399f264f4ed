//! Scores of predicted text against reference text: BLEU, ROUGE, exact match, edit distance.

mod rates;

pub use rates::{ContextUtilisation, Rate};
