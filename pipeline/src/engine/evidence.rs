//! One table of what is known of the run's repositories: what was read of them, beside what GitHub says.

use super::github;
use super::plan::{RunContext, stage};
use crate::config::Config;
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::fs;
use trefoil_shards::{TableWriter, digest_of_file, read_table, temporary};
use trefoil_stages::records::{Discovered, Evidence, History, Record, Repository};

/// Writes the table, unless the one that is there says the same. Rows come in the order of shards and keys.
pub fn write(config: &Config, context: &RunContext) -> Result<()> {
    let discovered = match config.github.is_asked() {
        true => github::found(&context.folder.github())?.repositories,
        false => Vec::new(),
    };
    let said: HashMap<(&str, &str), &Discovered> =
        discovered.iter().map(|row| ((row.host.as_str(), row.repository.as_str()), row)).collect();
    let path = context.folder.evidence();
    let mut writer = TableWriter::create(&temporary(&path), &Evidence::SCHEMA)?;
    for shard in 0..context.plan.shards {
        let mut rows = Vec::new();
        let folder = context.folder.shard(stage(0)?.name(), shard);
        let mut pasts = HashMap::new();
        read_table(&folder.join("histories.parquet"), |row: History| {
            pasts.insert((row.host.clone(), row.repository.clone()), row);
        })?;
        read_table(&folder.join("repositories.parquet"), |row: Repository| {
            let said = said.get(&(row.host.as_str(), row.repository.as_str())).copied();
            let past = pasts.remove(&(row.host.clone(), row.repository.clone()));
            rows.push(Evidence::of(row, past, said));
        })?;
        if !rows.is_empty() {
            writer.append(&Evidence::columns(&rows), rows.len())?;
        }
    }
    let written = writer.finish()?;
    let outcome = match digest_of_file(&path) {
        Ok((there, _)) if there == written.sha256 => fs::remove_file(temporary(&path)),
        _ => fs::rename(temporary(&path), &path),
    };
    outcome.with_context(|| format!("cannot write {}", path.display()))
}
