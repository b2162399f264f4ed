//! Reading the rows of a run and writing where they go, batch by batch: there may be millions of rows.

use super::dates::Days;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::path::PathBuf;
use trefoil_shards::{Manifest, ShardWriter, fold_table, read_table, write_json};
use trefoil_stages::Output;
use trefoil_stages::records::{Column, DividedKey, DividedRow, Divisible, Record, Schema, identity};
use trefoil_stages::splitting::Split;
use trefoil_stages::splitting::division::{Division, Rows, Settings};

/// A table of a finished step, which has the version that this program reads and the size that was written.
pub fn sound_table(folder: &RunFolder, step: &str, schema: &Schema) -> Result<(PathBuf, Manifest)> {
    let shard = folder.shard(step, 0);
    let manifest = Manifest::load(&shard)?
        .with_context(|| format!("{} is not finished; run its config again", shard.display()))?;
    let path = shard.join(format!("{}.parquet", schema.name));
    let Some(entry) = manifest.tables.get(schema.name) else {
        bail!("{} has no table {}; run its config again", shard.display(), schema.name)
    };
    if entry.version != schema.version {
        bail!(
            "{} has version {} of its schema, this program reads version {}; run the config again",
            path.display(),
            entry.version,
            schema.version
        );
    }
    let bytes = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
    if bytes != entry.bytes {
        bail!(
            "{} is damaged: it has {bytes} bytes and not the {} that were written; run the config again",
            path.display(),
            entry.bytes
        );
    }
    Ok((path, manifest))
}

/// The rows of a run, in the order of its table.
pub fn read(folder: &RunFolder, days: &Days) -> Result<Rows> {
    let (path, manifest) = sound_table(folder, "splitting", &Divisible::SCHEMA)?;
    let all = manifest.tables.get(Divisible::SCHEMA.name).map_or(0, |table| table.rows as usize);
    let mut rows = Rows::with_capacity(all);
    let day = |id: &str, host: &str, repository: &str| days.of(id, host, repository);
    let make = |columns: &[Column<'_>], count| Rows::of_batch(columns, count, &day);
    fold_table(&path, &Divisible::SCHEMA, make, |batch| rows.append(batch))?;
    Ok(rows)
}

/// Writes `splits/NAME`, whole or not at all, and its numbers beside it.
pub fn write(
    folder: &RunFolder,
    name: &str,
    settings: &Settings,
    rows: &Rows,
    division: &Division,
) -> Result<()> {
    let fingerprint = identity(&["split", &origin(folder)?, &serde_json::to_string(settings)?]);
    let schema = &DividedRow::SCHEMA;
    let mut writer = ShardWriter::create(&folder.splits().join(name), "split", &fingerprint, &[schema])?;
    division.write(rows, |columns, count| writer.write(schema, columns, count))?;
    writer.commit()?;
    let numbers = serde_json::json!({
        "settings": settings,
        "assignments": origin(folder)?,
        "summary": division.summary,
    });
    Ok(write_json(&folder.splits().join(format!("{name}.json")), &numbers)?)
}

/// Digest of the rows that a division is made of.
fn origin(folder: &RunFolder) -> Result<String> {
    let (_, manifest) = sound_table(folder, "splitting", &Divisible::SCHEMA)?;
    Ok(manifest.tables.get(Divisible::SCHEMA.name).map(|entry| entry.sha256.clone()).unwrap_or_default())
}

/// The splits of a division by pair id; rows that are left out are not in it.
pub type Divided = HashMap<String, Split>;

/// A division that was made of what the run holds now.
pub fn divided(folder: &RunFolder, name: &str) -> Result<Divided> {
    let path = folder.splits().join(format!("{name}.json"));
    let bytes = std::fs::read(&path).with_context(|| {
        format!("there is no division `{name}` in {}; make it with `trefoil split`", folder.root().display())
    })?;
    let numbers: serde_json::Value = serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is damaged; split again", path.display()))?;
    if numbers.get("assignments").and_then(|digest| digest.as_str()) != Some(&origin(folder)?) {
        bail!("the run has changed since the division `{name}` was made; split again");
    }
    let mut all = HashMap::new();
    read_table(&folder.splits().join(name).join("rows.parquet"), |row: DividedKey| {
        let split = Split::ALL.into_iter().find(|split| split.as_str() == row.split);
        all.extend(split.map(|split| (row.id, split)));
    })?;
    Ok(all)
}
