//! What models answered, held against what the tasks ask for.
//!
//! Three steps that know nothing of each other: [`running`] puts answers into their files, has them run and keeps what
//! came of it; [`grading`] judges an answer by what came of it; [`report`] adds up. Grading can be done again, by other
//! rules, from what running kept.

pub mod answer;
pub mod assessment;
pub mod grading;
pub mod journal;
pub mod predictions;
pub mod report;
pub mod running;

pub use assessment::assess;
pub use grading::{Grade, grade};
pub use journal::Journal;
pub use predictions::{BadPredictions, Prediction, Predictions};
pub use report::Report;
pub use running::{Job, Ran, Runner};
