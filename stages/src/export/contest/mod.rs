//! The ConTest data set (Villmow et al., NLP4Prog 2021): predict a test's assertions from its set-up, the focal
//! method and what both call.

mod form;
mod sample;
#[cfg(test)]
mod tests;

pub use form::{Formed, Former, Unparsed, target_code};
pub use sample::{Sample, is_put_together, setup_code};

use super::RepositoryRows;
use super::card::About;
use super::file_view::FileViews;
use crate::TableError;
use crate::records::{ContestMeta, ContestMethods, ContestRow, Pair, Part, Record, Segment};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Settings of the data set.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Whose methods are context.
    pub context: ContextOf,
    /// Most bytes of each of a test's two contexts where the whole repository is context.
    pub context_budget_bytes: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { context: ContextOf::default(), context_budget_bytes: 20_000 }
    }
}

/// Whose methods are context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextOf {
    /// Those of the test's and of the focal method's file (the paper).
    #[default]
    Contest,
    /// Those of all files, as far as the budget goes.
    Repository,
}

/// What the card says.
pub static ABOUT: About = About {
    tags: &["code", "unit-tests", "test-completion"],
    fields: ContestRow::SCHEMA.fields,
    description: "\
Unit tests cut into set-up and assertions, with the method that each of them tests (the focal one) and the methods \
that both call, after the rules of ConTest (Villmow et al., NLP4Prog 2021). The task is to write the assertions.

| field | meaning |
|---|---|
| `id` | identity of the row, which predictions name |
| `setup` | code of the test up to its last call of the focal method; a loop or block around that is whole |
| `setup_closing` | the last lines of `setup` where they stand behind the assertions in the test; mostly empty |
| `setup_members` | methods and fixtures that run before the test |
| `focal_method` | the focal method |
| `setup_context`, `focal_context` | methods called by set-up and focal method, and by these, in the order of the calls |
| `assertions` | what is to be written: the code behind the last call of the focal method |
| `test_head`, `test_tail` | what stands before and behind both in the test; head, set-up without its \
closing, assertions, closing and tail are the test |
| `language` | `csharp`, `go`, `java`, `javascript` or `python` |
| `meta` | where all of it comes from: repository, commit, licence, blob ids, byte and line ranges, the rule that \
paired test and focal method, and how well the calls were understood |

The config `project` keeps each repository, with its forks and copies, within one split; `random` splits pairs at \
random.

```python
from datasets import load_dataset

rows = load_dataset(\"path/to/this/folder\", \"project\")
```",
};

/// The rows of one repository's pairs, in the order of `pairs`; pairs without a segment have none.
pub fn rows(
    pairs: &[Pair],
    segments: &HashMap<String, Segment>,
    repository: &RepositoryRows<'_>,
) -> Result<Vec<ContestRow>, TableError> {
    let views = FileViews::new(repository.files, repository.callables);
    let segmented = pairs.iter().filter_map(|pair| Some((pair, segments.get(&pair.id)?)));
    segmented
        .map(|(pair, segment)| {
            let sample = Sample::new(pair, segment, &views)?;
            let framework = repository.frameworks.get(&pair.test_id).map_or("", String::as_str);
            Ok(row(&sample, repository.licence, framework))
        })
        .collect()
}

fn row(sample: &Sample<'_>, licence: &str, framework: &str) -> ContestRow {
    let Sample { pair, segment, .. } = sample;
    ContestRow {
        id: pair.id.clone(),
        language: pair.language.clone(),
        test_head: sample.head().to_owned(),
        setup: sample.setup().into_owned(),
        setup_closing: sample.closing().to_owned(),
        assertions: sample.assertions().to_owned(),
        test_tail: sample.tail().to_owned(),
        setup_members: methods(sample, Part::SetupMember),
        focal_method: sample.focal().to_owned(),
        setup_context: methods(sample, Part::SetupContext),
        focal_context: methods(sample, Part::FocalContext),
        meta: meta(pair, segment, licence, framework),
    }
}

fn methods(sample: &Sample<'_>, part: Part) -> ContestMethods {
    let segment = sample.segment;
    let positions: Vec<usize> = sample.positions(part).collect();
    let texts = |column: &[String]| positions.iter().filter_map(|at| column.get(*at).cloned()).collect();
    let numbers = |column: &[u32]| positions.iter().filter_map(|at| column.get(*at).copied()).collect();
    ContestMethods {
        texts: sample.methods(part).map(str::to_owned).collect(),
        names: texts(&segment.method_names),
        paths: texts(&segment.method_paths),
        start_bytes: numbers(&segment.method_starts),
        end_bytes: numbers(&segment.method_ends),
        first_lines: numbers(&segment.method_lines),
    }
}

fn meta(pair: &Pair, segment: &Segment, licence: &str, framework: &str) -> ContestMeta {
    ContestMeta {
        repo_id: format!("{}/{}", pair.host, pair.repository),
        licence: licence.to_owned(),
        commit: pair.commit.as_ref().to_owned(),
        test_id: pair.test_id.clone(),
        test_name: pair.test_name.clone(),
        test_framework: framework.to_owned(),
        test_path: pair.path.as_ref().to_owned(),
        test_blob_id: pair.blob_id.as_ref().to_owned(),
        test_start_byte: pair.start_byte,
        test_end_byte: pair.end_byte,
        test_first_line: pair.first_line,
        test_last_line: pair.last_line,
        setup_start_byte: segment.setup_start,
        setup_end_byte: segment.setup_end,
        assertions_start_byte: segment.assertions_start,
        assertions_end_byte: segment.assertions_end,
        closing_start_byte: segment.closing_start,
        closing_end_byte: segment.closing_end,
        focal_name: pair.focal_name.clone(),
        focal_path: pair.focal_path.clone(),
        focal_blob_id: pair.focal_blob_id.clone(),
        focal_start_byte: pair.focal_start_byte,
        focal_end_byte: pair.focal_end_byte,
        focal_first_line: pair.focal_first_line,
        focal_last_line: pair.focal_last_line,
        mode: pair.mode.clone(),
        rule: pair.rule.clone(),
        confidence: pair.confidence,
        calls_resolved: segment.calls_resolved,
        calls_ambiguous: segment.calls_ambiguous,
        calls_unknown: segment.calls_unknown,
        methods_left_out: segment.methods_left_out,
    }
}
