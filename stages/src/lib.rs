//! The stages of the pipeline, one folder each, in the order of the way of the data, and the records that
//! they pass on. Nothing here knows Parquet, processes or the command line.

pub mod cloning;
pub mod dedup;
pub mod export;
pub mod filtering;
pub mod matching;
pub mod parsing;
pub mod records;
mod settings;

pub mod splitting;
pub mod stage;

pub use settings::Settings;
pub use stage::{Input, Output, RepositoryStage, StageError, TableError, Work};
