//! Export: rows of a data set from pairs and texts. Pure: reading tables and writing shards is the
//! business of the engine.

pub mod card;
pub mod contest;
mod file_view;
#[cfg(test)]
pub(crate) mod samples;
pub mod training;
pub mod unit_tests;

pub use file_view::{FileView, FileViews};

use crate::TableError;
use crate::records::{CallableRow, ContestRow, Pair, Record, Schema, SourceFile, UnitTestsRow};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use unit_tests::{PromptBook, Surroundings};

/// Settings of export.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Which data set is made of the pairs.
    pub dataset: Dataset,
    /// Wanted size of a Parquet shard, in characters of text before compression.
    pub shard_characters: u64,
    /// The UnitTests data set.
    pub unit_tests: unit_tests::Settings,
    /// The ConTest data set.
    pub contest: contest::Settings,
}

/// A data set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dataset {
    /// UnitTests (MERA Code): write the test of a focal method.
    #[default]
    UnitTests,
    /// ConTest: write the assertions of a test.
    Contest,
}

impl Dataset {
    /// The columns of its rows.
    pub fn schema(self) -> &'static Schema {
        match self {
            Self::UnitTests => &UnitTestsRow::SCHEMA,
            Self::Contest => &ContestRow::SCHEMA,
        }
    }

    /// What its card says.
    pub fn about(self) -> &'static card::About {
        match self {
            Self::UnitTests => &unit_tests::ABOUT,
            Self::Contest => &contest::ABOUT,
        }
    }

    /// Its folder below the run's `export`.
    pub fn folder(self) -> &'static str {
        match self {
            Self::UnitTests => "unit-tests",
            Self::Contest => "contest",
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dataset: Dataset::default(),
            shard_characters: 512 << 20,
            unit_tests: unit_tests::Settings::default(),
            contest: contest::Settings::default(),
        }
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
