//! Filtering: which pairs are fit for a data set (UnitTests, see the settings).

mod cap;
mod digest;
mod filters;
#[cfg(test)]
mod tests;

pub use filters::{Candidate, Filter, filters};

use crate::export::contest::Sample;
use crate::export::{Dataset, FileViews, unit_tests};
use crate::records::{CallableRow, Dropped, Pair, Record, Repository, Schema, Segment, SourceFile};
use crate::{Input, Output, RepositoryStage, StageError, TableError, Work, stage};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Settings of filtering, the rules of UnitTests (MERA Code) by default. A limit of 0 switches a filter off.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// SPDX identifiers of the licences that a repository may have; none allows all, unknown ones too.
    pub licences: Vec<String>,
    /// Drop tests whose body holds no statement.
    pub empty_tests: bool,
    /// Drop tests with syntax errors.
    pub syntax_errors: bool,
    /// A test must be shorter than this, in characters.
    pub max_test_characters: u32,
    /// Focal text and both contexts must together be shorter than this, in characters.
    pub max_input_characters: u32,
    /// Most occurrences of `assert` in a test.
    pub max_assertions: u32,
    /// Drop pairs whose test can be read in its own contexts.
    pub tests_in_own_context: bool,
    /// Most pairs of one repository; which ones is decided by seeded hash.
    pub max_pairs_per_repository: u32,
    /// Seed of that choice.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            licences: Vec::new(),
            empty_tests: true,
            syntax_errors: true,
            max_test_characters: 5_000,
            max_input_characters: 70_000,
            max_assertions: 20,
            tests_in_own_context: true,
            max_pairs_per_repository: 200,
            seed: 1,
        }
    }
}

/// Whether the settings make sense.
pub fn check(settings: &Settings) -> Result<(), String> {
    filters::licence::check(settings)
}

/// The stage.
pub struct Filtering;

const NAME: &str = "filtering";

impl RepositoryStage for Filtering {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        3
    }

    fn reads(&self) -> &'static [&'static str] {
        &["parsing", "matching", "segmentation"]
    }

    fn writes(&self) -> &'static [&'static Schema] {
        &[&Pair::SCHEMA, &Dropped::SCHEMA]
    }

    fn settings(&self, settings: &crate::Settings) -> serde_json::Value {
        serde_json::json!({ "filters": settings.filtering, "dataset": settings.export.dataset })
    }

    fn process(
        &self,
        work: &Work<'_>,
        input: &mut dyn Input,
        output: &mut dyn Output,
    ) -> Result<(), StageError> {
        let mut pairs: Vec<Pair> = stage::read(input, "matching")?;
        let segments = read_segments(work, input, &mut pairs)?;
        let (files, callables) = read_files(input, &pairs, &segments)?;
        let views = FileViews::new(&files, &callables);
        let (kept, dropped) = filter(&work.settings.filtering, work.repository, pairs, &segments, &views)?;
        stage::write(output, &Pair::SCHEMA, &kept)?;
        stage::write(output, &Dropped::SCHEMA, &dropped)?;
        Ok(())
    }
}

/// Segments by the ids of their pairs.
type Segments = HashMap<String, Segment>;

/// The segments of the data set that is made of them; the pairs that have none were dropped by segmentation.
fn read_segments(
    work: &Work<'_>,
    input: &mut dyn Input,
    pairs: &mut Vec<Pair>,
) -> Result<Segments, TableError> {
    if work.settings.export.dataset != Dataset::Contest {
        return Ok(Segments::new());
    }
    let segments: Vec<Segment> = stage::read(input, "segmentation")?;
    let segments: Segments = segments.into_iter().map(|segment| (segment.id.clone(), segment)).collect();
    pairs.retain(|pair| segments.contains_key(&pair.id));
    Ok(segments)
}

/// The files of both sides, those of contexts too, and the declarations of the test files; everything else is dropped while it
/// is read.
fn read_files(
    input: &mut dyn Input,
    pairs: &[Pair],
    segments: &Segments,
) -> Result<(Vec<SourceFile>, Vec<CallableRow>), TableError> {
    if pairs.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let tests: HashSet<&str> = pairs.iter().map(|pair| pair.path.as_ref()).collect();
    let of_methods = segments.values().flat_map(|segment| &segment.method_paths);
    let focal = pairs.iter().map(|pair| &pair.focal_path);
    let others: HashSet<&str> = focal.chain(of_methods).map(String::as_str).collect();
    let files = stage::read_if(input, "parsing", |file: &SourceFile| {
        tests.contains(file.path.as_ref()) || others.contains(file.path.as_ref())
    })?;
    let callables =
        stage::read_if(input, "parsing", |callable: &CallableRow| tests.contains(callable.path.as_ref()))?;
    Ok((files, callables))
}

/// Applies the filters in their order, then the cap. Both answers are sorted by path and position.
fn filter(
    settings: &Settings,
    repository: &Repository,
    mut pairs: Vec<Pair>,
    segments: &Segments,
    views: &FileViews<'_>,
) -> Result<(Vec<Pair>, Vec<Dropped>), TableError> {
    pairs.sort_by(|a, b| (&a.path, a.start_byte, &a.id).cmp(&(&b.path, b.start_byte, &b.id)));
    let mut kept = Vec::with_capacity(pairs.len());
    let mut dropped: Vec<(Pair, &'static str, String)> = Vec::new();
    for mut pair in pairs {
        let (test, focal) = views.sides(&pair)?;
        let sample = segments.get(&pair.id).map(|segment| Sample::new(&pair, segment, views)).transpose()?;
        let candidate =
            Candidate { sample: sample.as_ref(), ..Candidate::new(repository, &pair, test, focal) };
        let verdict =
            filters().iter().find_map(|filter| Some((filter.reason, (filter.drops)(settings, &candidate)?)));
        if let Some((reason, detail)) = verdict {
            dropped.push((pair, reason, detail));
            continue;
        }
        let text_digest = match &sample {
            Some(sample) => digest::digest(&sample.texts()),
            None => digest::digest(&[candidate.text, "\0", unit_tests::focal_text(&pair, focal)]),
        };
        let test_digest = digest::digest(&[candidate.text]);
        let characters = candidate.input_characters() + candidate.text.chars().count();
        (pair.test_digest, pair.text_digest) = (test_digest, text_digest);
        pair.characters = u32::try_from(characters).unwrap_or(u32::MAX);
        kept.push(pair);
    }
    let over = cap::over(settings, &mut kept);
    let detail = format!("the repository has more than {} pairs", settings.max_pairs_per_repository);
    dropped.extend(over.into_iter().map(|pair| (pair, cap::REASON, detail.clone())));
    dropped.sort_by(|(a, ..), (b, ..)| (&a.path, a.start_byte, &a.id).cmp(&(&b.path, b.start_byte, &b.id)));
    Ok((
        kept,
        dropped
            .into_iter()
            .map(|(pair, reason, detail)| Dropped::pair(&pair, NAME, reason, &detail))
            .collect(),
    ))
}
