//! `trefoil evaluate`: what a run answered, held against what people say is right; what a model answered, held
//! against the rows of a run.

mod contest;
mod predictions;

pub use contest::contest;

use crate::cli;
use crate::engine::plan::{Plan, RunContext};
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use trefoil_shards::read_table;
use trefoil_stages::evaluation::{Labels, PairAnswer, Scores, Truth, VoteAnswer, candidates_csv};
use trefoil_stages::records::{Record, RepositoryKey};

/// Scores every mode of matching, and the pairs.
pub fn matching(arguments: &cli::EvaluateMatching) -> Result<ExitCode> {
    let mut labels = Labels::default();
    for path in &arguments.labels {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the labels {}", path.display()))?;
        labels.add(path, &text)?;
    }
    let folder = RunFolder::existing(&arguments.run)?;
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    let repositories = rows(&context, "cloning", "repositories", |_: &RepositoryKey| true)?;
    let declarations = rows(&context, "parsing", "callables", labels.mention())?;
    let truth = Truth::new(&labels, &repositories, declarations);
    truth.unmatched.iter().for_each(|unmatched| eprintln!("{unmatched}"));
    if truth.is_empty() {
        bail!("none of the labels is for a test of {}", arguments.run.display());
    }
    let votes = rows(&context, "matching", "votes", |vote: &VoteAnswer| truth.has(&vote.test_id))?;
    let pairs = rows(&context, "matching", "pairs", |pair: &PairAnswer| truth.has(&pair.test_id))?;
    if let Some(path) = &arguments.candidates {
        let text = candidates_csv(&truth, &votes);
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let scores = Scores::new(&truth, votes, pairs);
    println!("{}", scores.text().trim_start());
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&scores)?;
        std::fs::write(path, json + "\n").with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(if truth.unmatched.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(super::WITH_FAILURES) })
}

/// The rows of a table of all shards that `wanted` accepts.
fn rows<R: Record>(
    context: &RunContext,
    stage: &str,
    table: &str,
    wanted: impl Fn(&R) -> bool,
) -> Result<Vec<R>> {
    let mut rows = Vec::new();
    for shard in 0..context.plan.shards {
        let path: PathBuf = context.folder.shard(stage, shard).join(format!("{table}.parquet"));
        read_table(&path, |row: R| rows.extend(Some(row).filter(|row| wanted(row))))
            .context("the run is not finished, start it again")?;
    }
    Ok(rows)
}
