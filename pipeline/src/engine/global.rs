//! The global stages: deduplication and splitting. They read only the columns they need from all shards
//! and write decisions, which later steps apply.

use super::plan::{Plan, RunContext, TaskKind};
use super::{fingerprint, near};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::PathBuf;
use trefoil_shards::{Manifest, ShardWriter, read_table};
use trefoil_stages::records::{Assignment, DedupDecision, PairKey, Record, Schema, SourceFileKey};
use trefoil_stages::splitting::RepositoryBlobs;
use trefoil_stages::{dedup, splitting, stage};

/// Name of a global stage.
fn name(task: TaskKind) -> Result<&'static str> {
    match task {
        TaskKind::Dedup => Ok("dedup"),
        TaskKind::Splitting => Ok("splitting"),
        _ => bail!("not a global stage"),
    }
}

/// Whether a global stage is finished, sound and made from what is there now.
pub fn is_done(context: &RunContext, task: TaskKind) -> Result<bool> {
    let folder = context.folder.shard(name(task)?, 0);
    let Ok(Some(manifest)) = Manifest::load(&folder) else { return Ok(false) };
    Ok(manifest.fingerprint == print(context, task)? && manifest.check(&folder).is_ok())
}

fn print(context: &RunContext, task: TaskKind) -> Result<String> {
    let Plan { settings, .. } = &context.plan;
    match task {
        TaskKind::Dedup => {
            fingerprint::of_global("dedup", 3, &settings.dedup, &digests(context, "filtering", "pairs")?)
        }
        _ => {
            let mut inputs = digests(context, "parsing", "source_files")?;
            inputs.push(digest(&context.folder.shard("dedup", 0), "decisions")?);
            fingerprint::of_global("splitting", 2, &settings.splitting, &inputs)
        }
    }
}

/// Digest of one table of a shard.
pub fn digest(folder: &std::path::Path, table: &str) -> Result<String> {
    let manifest =
        Manifest::load(folder)?.with_context(|| format!("{} is not finished", folder.display()))?;
    let entry = manifest.tables.get(table);
    Ok(entry.with_context(|| format!("{} has no table {table}", folder.display()))?.sha256.clone())
}

/// Digests of one table in all shards of a stage.
pub fn digests(context: &RunContext, stage: &str, table: &str) -> Result<Vec<String>> {
    (0..context.plan.shards).map(|shard| digest(&context.folder.shard(stage, shard), table)).collect()
}

fn tables(context: &RunContext, stage: &str, schema: &Schema) -> Vec<PathBuf> {
    let path = |shard| context.folder.shard(stage, shard).join(format!("{}.parquet", schema.name));
    (0..context.plan.shards).map(path).collect()
}

/// Rows that are turned into columns at once.
const ROWS_AT_ONCE: usize = 1 << 14;

/// Writes decisions. Nobody reads those of one repository, so row groups are as large as they may be.
fn write<R: Record>(context: &RunContext, task: TaskKind, schema: &'static Schema, rows: &[R]) -> Result<()> {
    let name = name(task)?;
    let mut writer =
        ShardWriter::create(&context.folder.shard(name, 0), name, &print(context, task)?, &[schema])?;
    rows.chunks(ROWS_AT_ONCE).try_for_each(|rows| stage::write(&mut writer, schema, rows))?;
    writer.commit()?;
    Ok(())
}

/// The deduplication task.
pub fn dedup(context: &RunContext) -> Result<()> {
    let mut pairs = Vec::new();
    for path in tables(context, "filtering", &PairKey::SCHEMA) {
        read_table(&path, |pair: PairKey| pairs.push(pair))?;
    }
    dedup::sort(&mut pairs);
    let near = near::find(context, &pairs)?;
    let decisions = dedup::decide(pairs, &near, &context.plan.settings.dedup);
    write(context, TaskKind::Dedup, &DedupDecision::SCHEMA, &decisions)
}

/// The splitting task.
pub fn split(context: &RunContext) -> Result<()> {
    let mut kept = Vec::new();
    read_table(&context.folder.shard("dedup", 0).join("decisions.parquet"), |row: DedupDecision| {
        if row.representative == row.id {
            kept.push(row);
        }
    })?;
    let mut blobs: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for path in tables(context, "parsing", &SourceFileKey::SCHEMA) {
        read_table(&path, |file: SourceFileKey| {
            let prefix = file.blob_id.get(..16).and_then(|prefix| u64::from_str_radix(prefix, 16).ok());
            let key = format!("{}/{}", file.host, file.repository);
            blobs.entry(key).or_default().push((prefix.unwrap_or_default(), file.bytes));
        })?;
    }
    let blobs: Vec<_> = blobs.into_iter().map(|(key, blobs)| RepositoryBlobs { key, blobs }).collect();
    let assignments = splitting::assign(&kept, &blobs, &context.plan.settings.splitting).assignments;
    write(context, TaskKind::Splitting, &Assignment::SCHEMA, &assignments)
}
