//! `trefoil export`: training data from a finished run, by a recipe. It appears whole or not at all.

mod place;
mod writer;

use super::data_set::DataSet;
use crate::cli;
use crate::report::Report;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use trefoil_shards::write_bytes;
use trefoil_stages::export::Dataset;
use trefoil_stages::export::training::card::{Card, DataFile, Origin};
use trefoil_stages::export::training::{Form, Kitchen, Recipe, Rules, Served, record};
use trefoil_stages::records::{ContestRow, UnitTestsRow};
use trefoil_stages::splitting::Split;
use writer::Writer;

/// Exports training data.
pub fn export(arguments: &cli::Export) -> Result<ExitCode> {
    let (recipe, rules) = load(&arguments.recipe)?;
    let folder = RunFolder::existing(&arguments.run)?;
    let report = report(&folder)?;
    let data = DataSet::open(&folder, &recipe.by, arguments.division)?;
    let make = |beside: &Path, name: &str| {
        let made = Export::new(&recipe, &rules, beside).and_then(|export| export.make(&data, &report, name));
        if made.is_err() {
            // What was begun is of no use; the error that led here says more than another would.
            let _ = std::fs::remove_dir_all(beside);
        }
        made
    };
    match (&arguments.output, &arguments.to) {
        (Some(output), _) => place::into_folder(output, make)?,
        (None, Some(address)) => place::into_storage(address, arguments.endpoint.as_deref(), make)?,
        (None, None) => {
            bail!("name a place for the training data with --output DIR or --to s3://bucket/prefix")
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A recipe and the rules for secrets that it brings along.
fn load(path: &Path) -> Result<(Recipe, Rules)> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the recipe {}", path.display()))?;
    let mut recipe: Recipe =
        toml::from_str(&text).with_context(|| format!("in the recipe {}", path.display()))?;
    let beside = |name: &str| path.parent().unwrap_or(Path::new(".")).join(name);
    if recipe.form == Form::Tokens {
        if recipe.tokens.tokenizer.is_empty() {
            bail!("in the recipe {}: `tokens.tokenizer` names no file", path.display());
        }
        recipe.tokens.tokenizer = beside(&recipe.tokens.tokenizer).display().to_string();
    }
    if recipe.redaction.rules.is_empty() {
        return Ok((recipe, Rules::default()));
    }
    let path = beside(&recipe.redaction.rules);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read the rules {}", path.display()))?;
    let rules = Rules::read(&text).map_err(|error| anyhow!("in the rules {}: {error}", path.display()))?;
    Ok((recipe, rules))
}

/// The report of a finished run.
pub fn report(folder: &RunFolder) -> Result<Report> {
    let path = folder.report();
    let bytes = std::fs::read(&path)
        .with_context(|| format!("{} is not finished; run its config again", folder.root().display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged; run again", path.display()))
}

/// An export in the making.
struct Export<'a> {
    recipe: &'a Recipe,
    rules: &'a Rules,
    folder: &'a Path,
    kitchen: Option<Kitchen<'a>>,
    writers: BTreeMap<Split, Writer>,
    sample: Option<Value>,
    origins: BTreeMap<String, Origin>,
    left_out: BTreeMap<String, u64>,
    redacted: BTreeMap<String, u64>,
}

impl<'a> Export<'a> {
    fn new(recipe: &'a Recipe, rules: &'a Rules, folder: &'a Path) -> Result<Self> {
        let data = folder.join("data");
        std::fs::create_dir_all(&data).with_context(|| format!("cannot create {}", data.display()))?;
        let writer = |split: Split| Ok((split, Writer::new(recipe, &data, split.as_str())?));
        Ok(Self {
            recipe,
            rules,
            folder,
            kitchen: None,
            writers: Split::ALL.into_iter().map(writer).collect::<Result<_>>()?,
            sample: None,
            origins: BTreeMap::new(),
            left_out: BTreeMap::new(),
            redacted: BTreeMap::new(),
        })
    }

    /// Writes everything; the answer is for people.
    fn make(mut self, data: &DataSet, report: &Report, name: &str) -> Result<String> {
        match data.kind() {
            Dataset::UnitTests => data
                .visit(|row: &UnitTestsRow| &row.meta.pair_id, |split, row| self.add(split, &record(&row))),
            Dataset::Contest => {
                data.visit(|row: &ContestRow| &row.id, |split, row| self.add(split, &record(&row)))
            }
        }?;
        let mut files = Vec::new();
        for writer in std::mem::take(&mut self.writers).into_values() {
            files.extend(writer.finish()?);
        }
        self.describe(&files, report, name)
    }

    fn add(&mut self, split: Split, row: &Value) -> Result<()> {
        if self.kitchen.is_none() {
            self.kitchen = Some(Kitchen::new(self.recipe, self.rules, row).map_err(anyhow::Error::msg)?);
        }
        let Some(kitchen) = &self.kitchen else { return Ok(()) };
        let of_meta = |name: &str| {
            let value = row.get("meta").and_then(|meta| meta.get(name));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let origin = self.origins.entry(of_meta("repo_id")).or_insert_with(|| Origin {
            licence: of_meta("licence"),
            commit: of_meta("commit"),
            rows: 0,
        });
        match kitchen.serve(row, &mut self.redacted) {
            Served::LeftOut(reason) => *self.left_out.entry(reason.to_owned()).or_default() += 1,
            Served::Row { line, text } => {
                origin.rows += 1;
                let line = Value::Object(line);
                if let Some(writer) = self.writers.get_mut(&split) {
                    writer.add(&line, &text)?;
                }
                self.sample.get_or_insert(line);
            }
        }
        Ok(())
    }

    /// Card, metadata and attribution.
    fn describe(&self, files: &[DataFile], report: &Report, name: &str) -> Result<String> {
        let ids = serde_json::json!({ "input_ids": [0] });
        let sample = if self.recipe.form == Form::Tokens { Some(&ids) } else { self.sample.as_ref() };
        let Some(sample) = sample.filter(|_| !files.is_empty()) else {
            bail!("no row is left to hand out: {:?}; change the recipe", self.left_out)
        };
        let card = Card {
            name,
            recipe: self.recipe,
            files,
            sample,
            origins: &self.origins,
            funnel: &report.steps(),
            left_out: &self.left_out,
            redacted: &self.redacted,
            unused_rules: self.rules.unused(),
        };
        write_bytes(&self.folder.join("README.md"), card.markdown().as_bytes())?;
        write_bytes(&self.folder.join("ATTRIBUTION.md"), card.attribution().as_bytes())?;
        if let Some(croissant) = card.croissant() {
            trefoil_shards::write_json(&self.folder.join("croissant.json"), &croissant)?;
        }
        let files: BTreeMap<&str, Value> = files
            .iter()
            .map(|DataFile { path, rows, bytes, sha256, .. }| {
                (path.as_str(), serde_json::json!({ "rows": rows, "bytes": bytes, "sha256": sha256 }))
            })
            .collect();
        trefoil_shards::write_json(
            &self.folder.join("manifest.json"),
            &serde_json::json!({ "files": files }),
        )?;
        let mut text = String::new();
        self.left_out
            .iter()
            .for_each(|(reason, n)| text.push_str(&format!("left out: {n} rows ({reason})\n")));
        self.redacted.iter().for_each(|(rule, n)| text.push_str(&format!("redacted: {n} places ({rule})\n")));
        self.rules.unused().iter().for_each(|(rule, reason)| {
            text.push_str(&format!("rule not used: {rule} ({reason})\n"));
        });
        for (file, entry) in files {
            text.push_str(&format!("{file}: {} rows\n", entry.get("rows").unwrap_or(&Value::Null)));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_that_comes_along_names_every_key_with_its_default() {
        let text = include_str!("../../../../configs/training/chat.toml");
        let named: toml::Table = toml::from_str(text).unwrap();
        assert_eq!(named, toml::Table::try_from(Recipe::default()).unwrap());
    }
}
