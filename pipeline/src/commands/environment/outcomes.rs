//! `trefoil environment outcomes`.

use crate::cli::Outcomes;
use anyhow::{Context, Result};
use std::process::ExitCode;
use trefoil_execution::environment::EnvironmentRow;
use trefoil_shards::{TableWriter, temporary};
use trefoil_stages::records::{EnvironmentOutcome, Record};

/// Writes `outcome.json` of every folder as a row, in the order of the repositories.
pub fn outcomes(arguments: &Outcomes) -> Result<ExitCode> {
    let mut rows = Vec::new();
    for folder in &arguments.folders {
        let path = folder.join("outcome.json");
        let bytes = std::fs::read(&path).with_context(|| {
            format!("cannot read {}; `trefoil environment build` makes such a folder", path.display())
        })?;
        let row: EnvironmentRow =
            serde_json::from_slice(&bytes).with_context(|| format!("{} is no outcome", path.display()))?;
        rows.push(record(row));
    }
    let place = |row: &EnvironmentOutcome| (row.host.clone(), row.repository.clone(), row.commit.clone());
    rows.sort_by_key(place);
    let output = &arguments.output;
    let beside = temporary(output);
    let mut writer = TableWriter::create(&beside, &EnvironmentOutcome::SCHEMA)?;
    writer.append(&EnvironmentOutcome::columns(&rows), rows.len())?;
    writer.finish()?;
    std::fs::rename(&beside, output).with_context(|| format!("cannot write {}", output.display()))?;
    let built = rows.iter().filter(|row| row.built).count();
    println!("{} environments, {built} built: {}", rows.len(), output.display());
    Ok(ExitCode::SUCCESS)
}

fn record(row: EnvironmentRow) -> EnvironmentOutcome {
    EnvironmentOutcome {
        host: row.host,
        repository: row.repository,
        commit: row.commit,
        python: row.python,
        built: row.built,
        reason: row.reason,
        test_files: row.test_files as u64,
        broken_files: row.broken_files as u64,
        passed: row.passed as u64,
        failed: row.failed as u64,
        errors: row.errors as u64,
        skipped: row.skipped as u64,
        finished: row.finished,
        limits: row.limits,
        log: row.log,
    }
}
