//! What came of a run: the funnel on the terminal and `report.json`.

mod contest;

pub use contest::ContestFunnel;

use crate::engine::plan::RunContext;
use crate::engine::{ExportPlan, SPLITS};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use trefoil_shards::read_table;
use trefoil_stages::export::Dataset;
use trefoil_stages::records::{
    DedupDecision, DroppedKey, Failure, PairRule, RepositoryKey, SourceFileKey, TestCaseKey, VoteOutcome,
};

type Counts = BTreeMap<String, u64>;

/// Contents of `report.json`. All maps are sorted, nothing depends on time.
#[derive(Default, Serialize, Deserialize)]
pub struct Report {
    /// Counts by language, in the order of the funnel.
    pub languages: BTreeMap<String, Funnel>,
    /// Repositories that were read.
    pub repositories_read: u64,
    /// Failed repositories by stage and reason.
    pub failures: BTreeMap<String, Counts>,
    /// The same one by one.
    pub failed_repositories: Vec<FailedRepository>,
    /// Rows of the data set by config and split.
    pub rows: BTreeMap<String, BTreeMap<String, u64>>,
    /// Pairs that matching made, by repository.
    pub repositories: BTreeMap<String, RepositoryReport>,
    /// The steps of ConTest by language, for that data set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contest: BTreeMap<String, ContestFunnel>,
}

/// One failed repository.
#[derive(Serialize, Deserialize)]
pub struct FailedRepository {
    /// Key.
    pub repository: String,
    /// Stage.
    pub stage: String,
    /// Reason.
    pub reason: String,
    /// The particulars.
    pub detail: String,
}

/// What became of the files, tests and pairs of one language.
#[derive(Default, Serialize, Deserialize)]
pub struct Funnel {
    /// Files parsed.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files left out, by reason.
    pub files_dropped: Counts,
    /// Test cases found.
    pub test_cases: u64,
    /// Pairs by the mode and rule that made them.
    pub matched: Counts,
    /// Test cases without a pair, by reason.
    pub not_matched: Counts,
    /// Pairs that were not cut into set-up and assertions, or set aside, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_segmented: Counts,
    /// Pairs left out by filters, by reason.
    pub filtered: Counts,
    /// Pairs that passed the filters.
    pub passed: u64,
    /// Pairs left out as copies of another.
    pub duplicates: u64,
    /// Pairs in the data set.
    pub rows: u64,
}

/// Tests and pairs of one repository.
#[derive(Default, Serialize, Deserialize)]
pub struct RepositoryReport {
    /// Test cases found.
    pub test_cases: u64,
    /// Those for which each mode found a focal method.
    pub modes: Counts,
    /// Pairs before filters.
    pub pairs: u64,
    /// The same by rule.
    pub rules: Counts,
    /// The focal methods of most pairs, [`FOCAL_NAMES`] at most.
    pub focal_names: Counts,
}

/// Focal methods that are named for each repository.
const FOCAL_NAMES: usize = 10;

fn add(counts: &mut Counts, name: &str) {
    *counts.entry(name.to_owned()).or_default() += 1;
}

/// Keeps the greatest counts, of equal ones those whose names come first.
fn keep_most(counts: &mut Counts) {
    let mut sorted: Vec<(String, u64)> = std::mem::take(counts).into_iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.extend(sorted.into_iter().take(FOCAL_NAMES));
}

impl Report {
    /// Counts the rows of a finished run.
    pub fn of(context: &RunContext) -> Result<Self> {
        let mut report = Self { rows: ExportPlan::load(context)?.rows, ..Self::default() };
        for shard in 0..context.plan.shards {
            report.count_parsing(context, shard)?;
            report.count_pairs(context, shard)?;
            if context.plan.settings.export.dataset == Dataset::Contest {
                contest::count(&mut report.contest, context, shard)?;
            }
            report.count_votes(context, shard)?;
        }
        report.repositories.values_mut().for_each(|repository| keep_most(&mut repository.focal_names));
        let decisions = context.folder.shard("dedup", 0).join("decisions.parquet");
        read_table(&decisions, |row: DedupDecision| {
            let funnel = report.languages.entry(row.language).or_default();
            funnel.passed += 1;
            *(if row.representative == row.id { &mut funnel.rows } else { &mut funnel.duplicates }) += 1;
        })?;
        report.finish_contest();
        Ok(report)
    }

    fn count_parsing(&mut self, context: &RunContext, shard: u32) -> Result<()> {
        let table = |stage: &str, name: &str| path(context, stage, shard, name);
        for stage in ["discovery"].into_iter().chain(trefoil_stages::all().iter().map(|stage| stage.name())) {
            read_table(&table(stage, "failures"), |row: Failure| {
                add(self.failures.entry(row.stage.clone()).or_default(), &row.reason);
                self.failed_repositories.push(FailedRepository {
                    repository: format!("{}/{}", row.host, row.repository),
                    stage: row.stage,
                    reason: row.reason,
                    detail: row.detail,
                });
            })?;
        }
        read_table(&table("cloning", "repositories"), |row: RepositoryKey| {
            self.repositories_read += 1;
            self.repositories.entry(format!("{}/{}", row.host, row.repository)).or_default();
        })?;
        read_table(&table("parsing", "source_files"), |row: SourceFileKey| {
            let funnel = self.languages.entry(row.language).or_default();
            funnel.files += 1;
            funnel.bytes += row.bytes;
        })?;
        read_table(&table("parsing", "dropped"), |row: DroppedKey| {
            let language = if row.language.is_empty() { "other".to_owned() } else { row.language };
            add(&mut self.languages.entry(language).or_default().files_dropped, &row.reason);
        })?;
        read_table(&table("parsing", "test_cases"), |row: TestCaseKey| {
            self.languages.entry(row.language).or_default().test_cases += 1;
            self.repository(&row.host, &row.repository).test_cases += 1;
        })?;
        Ok(())
    }

    fn count_pairs(&mut self, context: &RunContext, shard: u32) -> Result<()> {
        let table = |stage: &str, name: &str| path(context, stage, shard, name);
        read_table(&table("matching", "pairs"), |row: PairRule| {
            let funnel = self.languages.entry(row.language).or_default();
            add(&mut funnel.matched, &format!("{}: {}", row.mode, row.rule));
            let repository = self.repository(&row.host, &row.repository);
            repository.pairs += 1;
            add(&mut repository.rules, &row.rule);
            add(&mut repository.focal_names, &row.focal_name);
        })?;
        read_table(&table("matching", "dropped"), |row: DroppedKey| {
            add(&mut self.languages.entry(row.language).or_default().not_matched, &row.reason);
        })?;
        read_table(&table("filtering", "dropped"), |row: DroppedKey| {
            add(&mut self.languages.entry(row.language).or_default().filtered, &row.reason);
        })?;
        Ok(())
    }

    fn count_votes(&mut self, context: &RunContext, shard: u32) -> Result<()> {
        // Votes of one mode on one test stand together.
        let mut counted = (String::new(), String::new());
        read_table(&path(context, "matching", shard, "votes"), |row: VoteOutcome| {
            if row.answer == "matched"
                && !row.focal_id.is_empty()
                && counted != (row.test_id.clone(), row.mode.clone())
            {
                add(&mut self.repository(&row.host, &row.repository).modes, &row.mode);
                counted = (row.test_id, row.mode);
            }
        })?;
        Ok(())
    }

    fn repository(&mut self, host: &str, name: &str) -> &mut RepositoryReport {
        self.repositories.entry(format!("{host}/{name}")).or_default()
    }

    /// The funnel as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let failed: u64 = self.failures.values().flat_map(BTreeMap::values).sum();
        let _ = writeln!(text, "repositories            {:>9}   failed {failed}", self.repositories_read);
        for (language, funnel) in &self.languages {
            let _ = writeln!(text, "\n{language}");
            funnel.write(&mut text);
        }
        let _ = writeln!(text, "\n{:<24}{:>9} {:>11} {:>9}", "rows", SPLITS[0], SPLITS[1], SPLITS[2]);
        for (config, rows) in &self.rows {
            let of = |split| rows.get(split).copied().unwrap_or_default();
            let _ = writeln!(
                text,
                "  split by {config:<13}{:>9} {:>11} {:>9}",
                of(SPLITS[0]),
                of(SPLITS[1]),
                of(SPLITS[2])
            );
        }
        if !self.contest.is_empty() {
            text.push_str(&contest::text(self.repositories_read, &self.contest));
        }
        for failed in &self.failed_repositories {
            let FailedRepository { repository, stage, reason, detail } = failed;
            let _ = writeln!(text, "\nfailed: {repository} in {stage}: {reason}\n  {detail}");
        }
        text
    }

    /// What the steps of ConTest share with those of every data set.
    fn finish_contest(&mut self) {
        for (language, steps) in &mut self.contest {
            let funnel = self.languages.entry(language.clone()).or_default();
            funnel.not_segmented = steps.reasons();
            steps.test_cases = funnel.test_cases;
            steps.matched = funnel.matched.values().sum();
            steps.within_limits = funnel.passed;
            steps.rows = funnel.rows;
        }
    }

    /// The steps of the funnel with their counts, all languages together; for the data card.
    pub fn steps(&self) -> Vec<(String, u64)> {
        if !self.contest.is_empty() {
            return contest::steps(self.repositories_read, &self.contest);
        }
        let sum = |count: fn(&Funnel) -> u64| self.languages.values().map(count).sum();
        vec![
            ("repositories".into(), self.repositories_read),
            ("source files".into(), sum(|funnel| funnel.files)),
            ("test cases".into(), sum(|funnel| funnel.test_cases)),
            ("pairs of a test and a focal method".into(), sum(|funnel| funnel.matched.values().sum())),
            ("passed the filters".into(), sum(|funnel| funnel.passed)),
            ("without duplicates".into(), sum(|funnel| funnel.rows)),
        ]
    }
}

impl Funnel {
    fn write(&self, text: &mut String) {
        let mut step = |name: &str, count: u64| {
            let _ = writeln!(text, "  {name:<22}{count:>9}");
        };
        step("files", self.files);
        self.files_dropped.iter().for_each(|(reason, count)| step(&format!("  - {reason}"), *count));
        step("test cases", self.test_cases);
        self.matched.iter().for_each(|(rule, count)| step(&format!("  + {rule}"), *count));
        self.not_matched.iter().for_each(|(reason, count)| step(&format!("  - {reason}"), *count));
        step("pairs", self.matched.values().sum());
        self.not_segmented.iter().for_each(|(reason, count)| step(&format!("  - {reason}"), *count));
        self.filtered.iter().for_each(|(reason, count)| step(&format!("  - {reason}"), *count));
        step("  - duplicate", self.duplicates);
        step("rows", self.rows);
    }
}

fn path(context: &RunContext, stage: &str, shard: u32, table: &str) -> PathBuf {
    context.folder.shard(stage, shard).join(format!("{table}.parquet"))
}
