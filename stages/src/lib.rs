//! The stages of the pipeline, one folder each, in the order of the way of the data, and the records that
//! they pass on. Nothing here knows Parquet, processes or the command line.

pub mod audit;
pub mod cloning;
pub mod dedup;
pub mod evaluation;
pub mod export;
pub mod filtering;
pub mod matching;
pub mod parsing;
pub mod records;
pub mod segmentation;
mod settings;
pub mod sources;

pub mod splitting;
pub mod stage;

pub use settings::Settings;
pub use stage::{Input, Output, RepositoryStage, StageError, TableError, Work};
/// THE list of repository-local stages, in order.
pub fn all() -> &'static [&'static dyn RepositoryStage] {
    static ALL: [&dyn RepositoryStage; 5] = [
        &cloning::Cloning,
        &parsing::Parsing,
        &matching::Matching,
        &segmentation::Segmentation,
        &filtering::Filtering,
    ];
    &ALL
}
