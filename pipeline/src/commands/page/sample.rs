//! The rows of the browser: which they are, and what is read of their tests.

use super::row::PageRow;
use crate::engine::plan::RunContext;
use crate::engine::rows_of;
use anyhow::Result;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use trefoil_stages::records::{TestCaseRow, identity};
use trefoil_stages::splitting::Split;

/// The rows with the smallest hashes.
pub struct Sample<R> {
    wanted: usize,
    drawn: BTreeMap<String, (Split, R)>,
}

impl<R: PageRow> Sample<R> {
    /// Of so many rows at most.
    pub fn new(wanted: usize) -> Self {
        Self { wanted, drawn: BTreeMap::new() }
    }

    /// Considers a row.
    pub fn add(&mut self, split: Split, row: R) {
        let place = identity(&["report", row.id()]);
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
        let mut by_repository: BTreeMap<String, Vec<(String, Split, R)>> = BTreeMap::new();
        for (place, (split, row)) in self.drawn {
            by_repository.entry(row.repository().to_owned()).or_default().push((place, split, row));
        }
        let mut made = BTreeMap::new();
        for (key, rows) in by_repository {
            let wanted: HashSet<(&str, u32)> = rows.iter().filter_map(|(_, _, row)| row.test()).collect();
            let tests = match wanted.is_empty() {
                true => Vec::new(),
                false => rows_of::<TestCaseRow>(context, "parsing", &key, |test| {
                    wanted.contains(&(&*test.path, test.start_byte))
                })?,
            };
            let tests: HashMap<(&str, u32), &TestCaseRow> =
                tests.iter().map(|test| ((&*test.path, test.start_byte), test)).collect();
            for (place, split, row) in &rows {
                let test = row.test().and_then(|place| tests.get(&place).copied());
                made.insert(place.clone(), row.shown(*split, test));
            }
        }
        Ok(made.into_values().collect())
    }
}
