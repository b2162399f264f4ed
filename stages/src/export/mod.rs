//! Export: rows of a data set from pairs and texts. Pure: reading tables and writing shards is the
//! business of the engine.

mod file_view;
#[cfg(test)]
pub(crate) mod samples;
pub mod training;
pub mod unit_tests;

pub use file_view::{FileView, FileViews};

use crate::TableError;
use crate::records::{CallableRow, Pair, SourceFile, UnitTestsRow};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use unit_tests::{PromptBook, Surroundings};

/// Settings of export.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Wanted size of a Parquet shard, in characters of text before compression.
    pub shard_characters: u64,
    /// The UnitTests data set.
    pub unit_tests: unit_tests::Settings,
}

impl Default for Settings {
    fn default() -> Self {
        Self { shard_characters: 512 << 20, unit_tests: unit_tests::Settings::default() }
    }
}

/// What is known of one repository.
pub struct RepositoryRows<'a> {
    /// SPDX expression of its licence.
    pub licence: &'a str,
    /// The files of both sides of every pair; others do no harm.
    pub files: &'a [SourceFile],
    /// The declarations of the test files; others do no harm.
    pub callables: &'a [CallableRow],
    /// Frameworks of its tests by their ids.
    pub frameworks: &'a HashMap<String, String>,
}

/// The UnitTests rows of one repository's pairs, in the order of `pairs`.
pub fn rows(
    pairs: &[Pair],
    repository: &RepositoryRows<'_>,
    prompts: &PromptBook,
) -> Result<Vec<UnitTestsRow>, TableError> {
    let views = FileViews::new(repository.files, repository.callables);
    let row = |pair: &Pair| {
        let (test, focal) = views.sides(pair)?;
        let around = Surroundings {
            licence: repository.licence,
            framework: repository.frameworks.get(&pair.test_id).map_or("", String::as_str),
            prompt: prompts.of(&pair.id),
        };
        Ok(unit_tests::row(pair, test, focal, around))
    };
    pairs.iter().map(row).collect()
}
