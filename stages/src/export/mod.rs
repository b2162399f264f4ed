//! Export: rows of a data set from pairs and texts. Pure: reading tables and writing shards is the
//! business of the engine.

mod file_view;
#[cfg(test)]
pub(crate) mod samples;
pub mod unit_tests;

pub use file_view::{FileView, FileViews};

use crate::TableError;
use crate::records::{CallableRow, Pair, SourceFile, UnitTestsRow};
use serde::{Deserialize, Serialize};

/// Settings of export.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Wanted size of a Parquet shard, in characters of text before compression.
    pub shard_characters: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { shard_characters: 512 << 20 }
    }
}

/// The UnitTests rows of one repository's pairs, in the order of `pairs`. `files` must hold the files of
/// both sides of every pair and `callables` the declarations of the test files; others do no harm.
pub fn rows(
    pairs: &[Pair],
    files: &[SourceFile],
    callables: &[CallableRow],
) -> Result<Vec<UnitTestsRow>, TableError> {
    let views = FileViews::new(files, callables);
    pairs
        .iter()
        .map(|pair| {
            let (test, focal) = views.sides(pair)?;
            Ok(unit_tests::row(pair, test, focal))
        })
        .collect()
}
