//! The leakage audit: whether what a model is judged by can be learned from what it is trained on. Looks at the
//! rows as they are handed out and at nothing that an earlier stage believed of them.
//!
//! A finding is one row of `validation` or `test` and one way in which `train` (for `test` also `validation`) gives it
//! away, or a row of any split and a benchmark that it overlaps with.
//!
//! Memory: about 150 bytes per row and what two [`Detector`]s take; texts are not kept.

mod benchmark;
mod context;
mod report;
mod shared;
#[cfg(test)]
mod tests;

pub use benchmark::{Benchmark, Item};
pub use report::{Finding, Kind, Report};

use crate::records::identity;
use crate::splitting::Split;
use serde::Serialize;
use std::collections::HashSet;
use std::fs::File;
use trefoil_duplicates::{Comments, Detector, DuplicatesError, Text};

/// What counts as a leak.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Least Jaccard index of near-duplicates.
    pub threshold: f64,
    /// Focal methods with fewer tokens are no duplicates of each other: strangers write the same getter.
    pub least_focal_tokens: usize,
    /// Tokens of an n-gram for the overlap with benchmarks. GPT-3 took 13 words (Brown et al. 2020, appendix C).
    pub gram: usize,
    /// Share of the smaller text's n-grams that a row and a benchmark may not have in common.
    pub most_overlap: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threshold: 0.7, least_focal_tokens: 15, gram: 13, most_overlap: 0.5 }
    }
}

/// A row as it is handed out.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Pair id.
    pub id: &'a str,
    /// Where it is.
    pub split: Split,
    /// `host/owner/name`.
    pub repository: &'a str,
    /// Key of the repository that stands for its forks, copies and mirrors.
    pub cluster: &'a str,
    /// What names the focal method within its repository: path, name and place.
    pub focal_place: &'a str,
    /// The test.
    pub test: &'a str,
    /// The focal method.
    pub focal: &'a str,
    /// What a model is given beside the focal method.
    pub contexts: [&'a str; 2],
    /// How comments begin in its language.
    pub comments: Comments,
}

/// An audit in progress.
pub struct Audit {
    settings: Settings,
    benchmark: Benchmark,
    ids: Vec<String>,
    splits: Vec<Split>,
    /// Digests of what two rows may share, in the order of [`Kind::SHARED`].
    shared: [Vec<u64>; Kind::SHARED.len()],
    tests: Detector,
    focal: Detector,
    findings: Vec<Finding>,
}

impl Audit {
    /// Starts an audit; what does not fit into memory goes to the two files.
    pub fn new(settings: &Settings, benchmark: Benchmark, scratch: [Option<File>; 2]) -> Self {
        let detector = |least_tokens, file| {
            let settings = trefoil_duplicates::Settings {
                threshold: settings.threshold,
                least_tokens,
                memory_bytes: 256 << 20,
                ..Default::default()
            };
            Detector::new(&settings, file)
        };
        let [tests, focal] = scratch;
        Self {
            tests: detector(0, tests),
            focal: detector(settings.least_focal_tokens, focal),
            settings: settings.clone(),
            benchmark,
            ids: Vec::new(),
            splits: Vec::new(),
            shared: Default::default(),
            findings: Vec::new(),
        }
    }

    /// Adds rows; some hundred at a time keep all threads busy.
    pub fn add(&mut self, rows: &[Row<'_>]) -> Result<(), DuplicatesError> {
        for row in rows {
            if let Some(which) = context::own_context(row) {
                self.findings.push(Finding::of_row(Kind::TestInOwnContext, row, which));
            }
            self.findings.extend(self.benchmark.overlaps(row, &self.settings));
            let is_trivial = context::token_count(row.focal, row.comments) < self.settings.least_focal_tokens;
            for (kind, digests) in Kind::SHARED.into_iter().zip(&mut self.shared) {
                digests.push(shared::digest(kind, row, is_trivial));
            }
            self.ids.push(row.id.to_owned());
            self.splits.push(row.split);
        }
        let tests: Vec<Text<'_>> =
            rows.iter().map(|row| Text { code: row.test, comments: row.comments }).collect();
        let focal: Vec<Text<'_>> =
            rows.iter().map(|row| Text { code: row.focal, comments: row.comments }).collect();
        self.tests.add(&tests)?;
        self.focal.add(&focal)
    }

    /// What the audit has found.
    pub fn finish(mut self) -> Result<Report, DuplicatesError> {
        let mut findings = std::mem::take(&mut self.findings);
        let (ids, splits) = (&self.ids, &self.splits);
        let mut exact = HashSet::new();
        for (kind, digests) in Kind::SHARED.into_iter().zip(&self.shared) {
            for (row, other) in shared::across(digests, splits) {
                exact.insert((kind, row));
                findings.push(Finding::of_two(kind, ids, splits, row, other, None));
            }
        }
        for (detector, kind, copy) in [
            (&mut self.tests, Kind::NearTest, Kind::SameTest),
            (&mut self.focal, Kind::NearFocal, Kind::SameFocal),
        ] {
            for (row, other, likeness) in shared::near(detector, splits, self.settings.threshold)? {
                // A copy is a near-duplicate, too; it has been said already.
                let is_said = exact.contains(&(copy, row))
                    || kind == Kind::NearFocal && exact.contains(&(Kind::SharedFocalMethod, row));
                if !is_said {
                    findings.push(Finding::of_two(kind, ids, splits, row, other, Some(likeness)));
                }
            }
        }
        Ok(Report::new(&self.settings, &self.splits, findings))
    }
}

/// 64 bits of the digest of parts.
fn digest(parts: &[&str]) -> u64 {
    let digest = identity(parts);
    digest.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}
