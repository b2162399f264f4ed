//! What an audit found, one by one and in numbers.

use super::{Row, Settings};
use crate::splitting::Split;
use serde::Serialize;
use std::collections::BTreeMap;

/// A way in which something leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The same row is in two splits.
    SameRow,
    /// The same test, white space aside.
    SameTest,
    /// A test with most of its shingles in common.
    NearTest,
    /// The same focal text under another name or place.
    SameFocal,
    /// A focal method with most of its shingles in common.
    NearFocal,
    /// One focal method in two splits.
    SharedFocalMethod,
    /// One repository in two splits.
    SharedRepository,
    /// A repository and its fork, copy or mirror.
    SharedProject,
    /// Two repositories of one owner.
    SharedOwner,
    /// The test stands in what a model is given to write it.
    TestInOwnContext,
    /// It has n-grams in common with a benchmark.
    BenchmarkGrams,
    /// It is a near-duplicate of an item of a benchmark.
    BenchmarkNear,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::SameRow,
        Self::SameTest,
        Self::NearTest,
        Self::SameFocal,
        Self::NearFocal,
        Self::SharedFocalMethod,
        Self::SharedRepository,
        Self::SharedProject,
        Self::SharedOwner,
        Self::TestInOwnContext,
        Self::BenchmarkGrams,
        Self::BenchmarkNear,
    ];

    /// Those that are found by something that two rows share.
    pub(super) const SHARED: [Self; 7] = [
        Self::SameRow,
        Self::SameTest,
        Self::SameFocal,
        Self::SharedFocalMethod,
        Self::SharedRepository,
        Self::SharedProject,
        Self::SharedOwner,
    ];

    /// The word in reports and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SameRow => "same_row",
            Self::SameTest => "same_test",
            Self::NearTest => "near_test",
            Self::SameFocal => "same_focal",
            Self::NearFocal => "near_focal",
            Self::SharedFocalMethod => "shared_focal_method",
            Self::SharedRepository => "shared_repository",
            Self::SharedProject => "shared_project",
            Self::SharedOwner => "shared_owner",
            Self::TestInOwnContext => "test_in_own_context",
            Self::BenchmarkGrams => "benchmark_grams",
            Self::BenchmarkNear => "benchmark_near",
        }
    }
}

/// One leak.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// In which way.
    pub kind: Kind,
    /// Pair id of the row.
    pub row: String,
    /// Its split.
    pub split: &'static str,
    /// Pair id of the other row, name of the benchmark's item, or of the context.
    pub other: String,
    /// Split of the other row, if it is a row.
    pub other_split: Option<&'static str>,
    /// How alike they are, where that is measured.
    pub likeness: Option<f64>,
}

impl Finding {
    pub(super) fn of_row(kind: Kind, row: &Row<'_>, other: &str) -> Self {
        Self {
            kind,
            row: row.id.to_owned(),
            split: row.split.as_str(),
            other: other.to_owned(),
            other_split: None,
            likeness: None,
        }
    }

    pub(super) fn of_benchmark(kind: Kind, row: &Row<'_>, item: &str, likeness: f64) -> Self {
        Self { likeness: Some(likeness), ..Self::of_row(kind, row, item) }
    }

    pub(super) fn of_two(
        kind: Kind,
        ids: &[String],
        splits: &[Split],
        row: u32,
        other: u32,
        likeness: Option<f64>,
    ) -> Self {
        let id = |row: u32| ids.get(row as usize).cloned().unwrap_or_default();
        let split = |row: u32| splits.get(row as usize).copied().unwrap_or(Split::Train).as_str();
        Self {
            kind,
            row: id(row),
            split: split(row),
            other: id(other),
            other_split: Some(split(other)),
            likeness,
        }
    }
}

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What counted as a leak.
    pub settings: Settings,
    /// Rows of each split.
    pub rows: BTreeMap<&'static str, u64>,
    /// Findings of each kind; a kind without any is there with 0.
    pub counts: BTreeMap<Kind, u64>,
    /// All findings, by kind and row.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(settings: &Settings, splits: &[Split], mut findings: Vec<Finding>) -> Self {
        findings.sort_by(|a, b| (a.kind, &a.row, &a.other).cmp(&(b.kind, &b.row, &b.other)));
        let mut rows: BTreeMap<&'static str, u64> = Split::ALL.map(|split| (split.as_str(), 0)).into();
        splits.iter().for_each(|split| *rows.entry(split.as_str()).or_default() += 1);
        let mut counts: BTreeMap<Kind, u64> = Kind::ALL.map(|kind| (kind, 0)).into();
        findings.iter().for_each(|finding| *counts.entry(finding.kind).or_default() += 1);
        Self { settings: settings.clone(), rows, counts, findings }
    }
}
