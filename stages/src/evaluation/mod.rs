//! Evaluation: how well the modes of matching do, measured on tests whose focal methods people have named.
//!
//! [`Labels`] reads what people wrote, [`Truth`] finds it among the declarations of a run, and [`Scores`]
//! compares. [`Reliability`] holds confidence against how often it is right. The module knows neither Parquet nor the folder of a run: whoever has the rows hands them in.

mod candidates;
mod csv;
mod labels;
mod reliability;
mod rows;
mod scores;
#[cfg(test)]
mod tests;
mod truth;

pub use candidates::candidates_csv;
pub use labels::{LabelError, Labels};
pub use reliability::{Bin, Reliability};
pub use rows::{DeclarationRow, PairAnswer, VoteAnswer};
pub use scores::{LanguageScores, LinkScore, ModeScore, Scores};
pub use truth::{Truth, Unmatched};
