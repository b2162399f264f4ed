//! Evaluation: how well the modes of matching do, measured on tests whose focal methods people have named.
//!
//! [`Labels`] reads what people wrote, [`Truth`] finds it among the declarations of a run, and [`Scores`]
//! compares. The module knows neither Parquet nor the folder of a run: whoever has the rows hands them in.

mod csv;
mod labels;
mod rows;
mod scores;
#[cfg(test)]
mod tests;
mod truth;

pub use labels::{LabelError, Labels};
pub use rows::{DeclarationRow, PairAnswer, VoteAnswer};
pub use scores::{LanguageScores, LinkScore, ModeScore, Scores};
pub use truth::{Truth, Unmatched};
