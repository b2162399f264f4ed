//! The rows of the browser, with the places of the assertions in their tests.

use crate::engine::plan::RunContext;
use crate::engine::rows_of;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use trefoil_stages::export::unit_tests::bare;
use trefoil_stages::records::{TestCaseRow, UnitTestsRow, identity};
use trefoil_stages::splitting::Split;

/// Characters of a context that are shown; the middle of a longer one is left out.
const MOST_CONTEXT: usize = 6_000;

/// The rows with the smallest hashes.
pub struct Sample {
    wanted: usize,
    drawn: BTreeMap<String, (Split, UnitTestsRow)>,
}

impl Sample {
    /// Of so many rows at most.
    pub fn new(wanted: usize) -> Self {
        Self { wanted, drawn: BTreeMap::new() }
    }

    /// Considers a row.
    pub fn add(&mut self, split: Split, row: UnitTestsRow) {
        let place = identity(&["report", &row.meta.pair_id]);
        let last = self.drawn.last_key_value().map(|(last, _)| last.clone());
        if self.drawn.len() >= self.wanted && last.is_none_or(|last| place > last) {
            return;
        }
        self.drawn.insert(place, (split, row));
        if self.drawn.len() > self.wanted {
            self.drawn.pop_last();
        }
    }

    /// The rows as the page reads them.
    pub fn rows(self, context: &RunContext) -> Result<Vec<Value>> {
        let mut by_repository: BTreeMap<String, Vec<(String, Split, UnitTestsRow)>> = BTreeMap::new();
        for (place, (split, row)) in self.drawn {
            by_repository.entry(row.meta.repo_id.clone()).or_default().push((place, split, row));
        }
        let mut made = BTreeMap::new();
        for (key, rows) in by_repository {
            let wanted: HashMap<(&str, u32), ()> =
                rows.iter().map(|(_, _, row)| (place_of(row), ())).collect();
            let tests = rows_of::<TestCaseRow>(context, "parsing", &key, |test| {
                wanted.contains_key(&(&*test.path, test.start_byte))
            })?;
            let tests: HashMap<(&str, u32), &TestCaseRow> =
                tests.iter().map(|test| ((&*test.path, test.start_byte), test)).collect();
            for (place, split, row) in &rows {
                made.insert(place.clone(), shown(*split, row, tests.get(&place_of(row)).copied()));
            }
        }
        Ok(made.into_values().collect())
    }
}

/// Path and first byte of the row's test.
fn place_of(row: &UnitTestsRow) -> (&str, u32) {
    (&row.inputs.test_file_path, row.meta.test_start_byte)
}

fn shown(split: Split, row: &UnitTestsRow, test: Option<&TestCaseRow>) -> Value {
    let UnitTestsRow { inputs, outputs, meta, .. } = row;
    json!({
        "id": meta.pair_id,
        "split": split.as_str(),
        "language": inputs.language,
        "repository": meta.repo_id,
        "commit": meta.commit,
        "licence": meta.licence,
        "test": meta.test_name,
        "focal": meta.focal_name,
        "test_place": format!("{}:{}-{}", inputs.test_file_path, meta.test_first_line, meta.test_last_line),
        "focal_place": format!("{}:{}-{}", inputs.focal_file_path, meta.focal_first_line, meta.focal_last_line),
        "rule": format!("{} / {}", meta.mode, meta.rule),
        "confidence": meta.confidence,
        "focal_text": bare(&inputs.focal_func),
        "parts": parts(outputs, meta.test_start_byte, test),
        "test_context": shortened(bare(&inputs.test_func_context)),
        "focal_context": shortened(bare(&inputs.focal_func_context)),
    })
}

/// The test in pieces that are assertions (`true`) or not; what stands before the first is its set-up.
fn parts(text: &str, start: u32, test: Option<&TestCaseRow>) -> Vec<(bool, String)> {
    let none: (&[u32], &[u32]) = (&[], &[]);
    let (starts, ends) = test.map_or(none, |test| (&test.assertion_starts, &test.assertion_ends));
    let mut spans: Vec<(usize, usize)> = starts
        .iter()
        .zip(ends)
        .filter_map(|(from, to)| Some((from.checked_sub(start)? as usize, to.checked_sub(start)? as usize)))
        .collect();
    spans.sort_unstable();
    let mut parts = Vec::new();
    let mut at = 0;
    for (from, to) in spans {
        // One inside another is part of it.
        let (Some(before), Some(inside)) = (text.get(at..from), text.get(from.max(at)..to)) else { continue };
        parts.push((false, before.to_owned()));
        parts.push((true, inside.to_owned()));
        at = to;
    }
    parts.push((false, text.get(at..).unwrap_or_default().to_owned()));
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

fn shortened(text: &str) -> String {
    let characters = text.chars().count();
    if characters <= MOST_CONTEXT {
        return text.to_owned();
    }
    let half = MOST_CONTEXT / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(characters - half).collect();
    format!("{start}\n… {} characters …\n{end}", characters - 2 * half)
}
