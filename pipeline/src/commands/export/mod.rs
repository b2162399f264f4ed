//! `trefoil export`: training data from a finished run, by a recipe. The folder appears whole or not at all.

mod writer;

use super::data_set::DataSet;
use crate::cli;
use crate::report::Report;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use trefoil_shards::{temporary, write_bytes};
use trefoil_stages::export::training::card::{Card, DataFile, Origin};
use trefoil_stages::export::training::{Form, Kitchen, Recipe, Served, record};
use trefoil_stages::records::UnitTestsRow;
use trefoil_stages::splitting::Split;
use writer::Writer;

/// Exports training data.
pub fn export(arguments: &cli::Export) -> Result<ExitCode> {
    let recipe = load(&arguments.recipe)?;
    let folder = RunFolder::existing(&arguments.run)?;
    let report = report(&folder)?;
    let output = &arguments.output;
    if output.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is not empty; choose another folder or remove it", output.display());
    }
    let data = DataSet::open(&folder, &recipe.by, arguments.division)?;
    let beside = temporary(output);
    let made = Export::new(&recipe, &beside).and_then(|export| export.make(&data, &report, output));
    if made.is_err() {
        // What was begun is of no use; the error that led here says more than another would.
        let _ = std::fs::remove_dir_all(&beside);
    }
    print!("{}", made?);
    println!("training data: {}", output.display());
    Ok(ExitCode::SUCCESS)
}

fn load(path: &Path) -> Result<Recipe> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the recipe {}", path.display()))?;
    let mut recipe: Recipe =
        toml::from_str(&text).with_context(|| format!("in the recipe {}", path.display()))?;
    if recipe.form == Form::Tokens {
        if recipe.tokens.tokenizer.is_empty() {
            bail!("in the recipe {}: `tokens.tokenizer` names no file", path.display());
        }
        let tokenizer = path.parent().unwrap_or(Path::new(".")).join(&recipe.tokens.tokenizer);
        recipe.tokens.tokenizer = tokenizer.display().to_string();
    }
    Ok(recipe)
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
    folder: &'a Path,
    kitchen: Option<Kitchen>,
    writers: BTreeMap<Split, Writer>,
    sample: Option<Value>,
    origins: BTreeMap<String, Origin>,
    left_out: BTreeMap<String, u64>,
    redacted: BTreeMap<&'static str, u64>,
}

impl<'a> Export<'a> {
    fn new(recipe: &'a Recipe, folder: &'a Path) -> Result<Self> {
        let data = folder.join("data");
        std::fs::create_dir_all(&data).with_context(|| format!("cannot create {}", data.display()))?;
        let writer = |split: Split| Ok((split, Writer::new(recipe, &data, split.as_str())?));
        Ok(Self {
            recipe,
            folder,
            kitchen: None,
            writers: Split::ALL.into_iter().map(writer).collect::<Result<_>>()?,
            sample: None,
            origins: BTreeMap::new(),
            left_out: BTreeMap::new(),
            redacted: BTreeMap::new(),
        })
    }

    /// Writes everything and puts it in its place; the answer is for people.
    fn make(mut self, data: &DataSet, report: &Report, output: &Path) -> Result<String> {
        data.visit(|row: &UnitTestsRow| row.meta.pair_id.as_str(), |split, row| self.add(split, &row))?;
        let mut files = Vec::new();
        for writer in std::mem::take(&mut self.writers).into_values() {
            files.extend(writer.finish()?);
        }
        let text = self.describe(&files, report, output)?;
        let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
        std::fs::create_dir_all(parent.unwrap_or(Path::new(".")))
            .and_then(|()| std::fs::rename(self.folder, output))
            .with_context(|| format!("cannot create {}", output.display()))?;
        Ok(text)
    }

    fn add(&mut self, split: Split, row: &UnitTestsRow) -> Result<()> {
        let value = record(row);
        if self.kitchen.is_none() {
            self.kitchen = Some(Kitchen::new(self.recipe, &value).map_err(anyhow::Error::msg)?);
        }
        let Some(kitchen) = &self.kitchen else { return Ok(()) };
        let origin = self.origins.entry(row.meta.repo_id.clone()).or_insert_with(|| Origin {
            licence: row.meta.licence.clone(),
            commit: row.meta.commit.clone(),
            rows: 0,
        });
        match kitchen.serve(&value, &mut self.redacted) {
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
    fn describe(&self, files: &[DataFile], report: &Report, output: &Path) -> Result<String> {
        let ids = serde_json::json!({ "input_ids": [0] });
        let sample = if self.recipe.form == Form::Tokens { Some(&ids) } else { self.sample.as_ref() };
        let Some(sample) = sample.filter(|_| !files.is_empty()) else {
            bail!("no row is left to hand out: {:?}; change the recipe", self.left_out)
        };
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        let card = Card {
            name: &name,
            recipe: self.recipe,
            files,
            sample,
            origins: &self.origins,
            funnel: &report.steps(),
            left_out: &self.left_out,
            redacted: &self.redacted,
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
        for (file, entry) in files {
            text.push_str(&format!("{file}: {} rows\n", entry["rows"]));
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
