//! `trefoil encode`: the rows of ConTest as models take them, with a vocabulary of subwords. Rows are read twice, once
//! for the words of the training split and once to be written; none is held.

use crate::cli;
use crate::engine::plan::{Plan, RunContext};
use crate::engine::{ExportPlan, SPLITS, dataset_folder};
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use trefoil_shards::{TableWriter, read_table_while, temporary, write_json};
use trefoil_stages::export::Dataset;
use trefoil_stages::export::contest::{Formed, Former, Unparsed};
use trefoil_stages::records::{ContestRow, EncodedRow, Record};
use trefoil_tokens::{Vocabulary, Words};

/// Rows that are written at once.
const AT_ONCE: usize = 256;

/// Encodes the rows of a run.
pub fn encode(arguments: &cli::Encode) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    if context.plan.settings.export.dataset != Dataset::Contest {
        bail!(
            "{} holds no rows of ConTest; its config has another `export.dataset`",
            arguments.run.display()
        );
    }
    let output = arguments.output.clone().unwrap_or_else(|| {
        let name = format!("{}-{}", arguments.by, arguments.form);
        context.folder.root().join("encoded").join(name)
    });
    std::fs::create_dir_all(&output).with_context(|| format!("cannot create {}", output.display()))?;
    let mut encoding = Encoding { arguments, context, former: Former::new(arguments.form == "tree"), output };
    let vocabulary = if arguments.vocabulary == 0 { None } else { Some(encoding.train()?) };
    if let Some(vocabulary) = &vocabulary {
        vocabulary.save(&encoding.output.join("tokenizer.json"))?;
    }
    let pieces = vocabulary.as_ref().map_or(0, Vocabulary::size);
    let mut report = Report { pieces, splits: BTreeMap::new() };
    for split in SPLITS {
        let lengths = encoding.write(split, vocabulary.as_ref())?;
        println!("{}", lengths.text(split));
        report.splits.insert(split.to_owned(), lengths);
    }
    write_json(&encoding.output.join("report.json"), &report)?;
    println!("\n{} tokens in the vocabulary; encoded rows: {}", report.pieces, encoding.output.display());
    let differ = report.splits.values().any(|split| split.differ.values().any(|count| *count > 0));
    Ok(if differ { ExitCode::from(super::WITH_FAILURES) } else { ExitCode::SUCCESS })
}

struct Encoding<'a> {
    arguments: &'a cli::Encode,
    context: RunContext,
    former: Former,
    output: PathBuf,
}

impl Encoding<'_> {
    fn train(&mut self) -> Result<Vocabulary> {
        let mut words = Words::default();
        self.rows("train", |former, row| {
            if let Ok(Formed { source, target }) = former.form(&row) {
                words.add(&source);
                words.add(&target);
            }
            Ok(())
        })?;
        Ok(Vocabulary::train(&words, self.arguments.vocabulary)?)
    }

    /// Writes the rows of one split and answers how long they are.
    fn write(&mut self, split: &str, vocabulary: Option<&Vocabulary>) -> Result<Lengths> {
        let path = self.output.join(format!("{split}.parquet"));
        let mut writer = TableWriter::create(&temporary(&path), &EncodedRow::SCHEMA)?;
        let mut lengths = Lengths::default();
        let (check, most) = (self.arguments.check, [self.arguments.max_source, self.arguments.max_target]);
        let mut pending: Vec<EncodedRow> = Vec::new();
        self.rows(split, |former, row| {
            if check && let Err(Unparsed(what)) = former.check(&row) {
                *lengths.differ.entry(what.to_owned()).or_default() += 1;
                eprintln!("{}: {what}: {} in {}", row.id, row.meta.test_name, row.meta.repo_id);
            }
            let Formed { source, target } = match former.form(&row) {
                Ok(formed) => formed,
                Err(Unparsed(part)) => {
                    *lengths.unparsed.entry(part.to_owned()).or_default() += 1;
                    return Ok(());
                }
            };
            let ids = |text: &str| vocabulary.map_or(Ok(Vec::new()), |vocabulary| vocabulary.encode(text));
            let (source_ids, target_ids) = (ids(&source)?, ids(&target)?);
            let is_too_long = lengths.add([source_ids.len(), target_ids.len()], most);
            let (id, language) = (row.id, row.language);
            pending.push(EncodedRow { id, language, source, target, source_ids, target_ids, is_too_long });
            if pending.len() >= AT_ONCE {
                writer.append(&EncodedRow::columns(&pending), pending.len())?;
                pending.clear();
            }
            Ok(())
        })?;
        if !pending.is_empty() {
            writer.append(&EncodedRow::columns(&pending), pending.len())?;
        }
        writer.finish()?;
        std::fs::rename(temporary(&path), &path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        lengths.finish();
        Ok(lengths)
    }

    /// Visits the rows of a split in the order of their files.
    fn rows(
        &mut self,
        split: &str,
        mut visit: impl FnMut(&mut Former, ContestRow) -> Result<()>,
    ) -> Result<()> {
        let series = format!("{}/{split}", self.arguments.by);
        let plan = ExportPlan::load(&self.context)?;
        let dataset = dataset_folder(&self.context);
        for file in plan.groups.iter().filter_map(|group| group.files.get(&series)) {
            let mut outcome = Ok(());
            read_table_while(&dataset.join(file), |row: ContestRow| {
                outcome = visit(&mut self.former, row);
                outcome.is_ok()
            })
            .context("the data set cannot be read; run its config again")?;
            outcome?;
        }
        Ok(())
    }
}

/// Contents of `report.json`.
#[derive(Serialize)]
struct Report {
    /// Tokens of the vocabulary, tags included.
    pieces: usize,
    splits: BTreeMap<String, Lengths>,
}

/// How long the rows of a split are, in tokens.
#[derive(Default, Serialize)]
struct Lengths {
    rows: u64,
    /// Rows longer than was asked for; they are written all the same.
    too_long: u64,
    /// Rows that are not written, by the part that cannot be parsed by itself.
    unparsed: BTreeMap<String, u64>,
    /// Rows that did not come back as they were, by what differs; only looked for with `--check`.
    differ: BTreeMap<String, u64>,
    /// Median, 90th and 99th percentile, and maximum of the sources.
    source: [usize; 4],
    /// The same of the targets.
    target: [usize; 4],
    #[serde(skip)]
    all: [Vec<usize>; 2],
}

impl Lengths {
    /// Takes in a row; answers whether it is too long.
    fn add(&mut self, lengths: [usize; 2], most: [u32; 2]) -> bool {
        self.rows += 1;
        let is_too_long = lengths.iter().zip(most).any(|(length, most)| *length > most as usize);
        self.too_long += u64::from(is_too_long);
        self.all.iter_mut().zip(lengths).for_each(|(all, length)| all.push(length));
        is_too_long
    }

    fn finish(&mut self) {
        let quantiles = |all: &mut Vec<usize>| {
            all.sort_unstable();
            let last = all.len().saturating_sub(1);
            [50, 90, 99, 100].map(|percent| all.get(last * percent / 100).copied().unwrap_or_default())
        };
        let [source, target] = &mut self.all;
        (self.source, self.target) = (quantiles(source), quantiles(target));
    }

    fn text(&self, split: &str) -> String {
        let Self { rows, too_long, source, target, .. } = self;
        let list = |counts: &BTreeMap<String, u64>, what: &str| {
            let all: Vec<String> = counts.iter().map(|(part, count)| format!("{part} {count}")).collect();
            if all.is_empty() { String::new() } else { format!("; {what}: {}", all.join(", ")) }
        };
        format!(
            "{split:<12}{rows:>8} rows, {too_long} too long; tokens (median, 90%, 99%, most) of sources {source:?}, \
             of targets {target:?}{}{}",
            list(&self.unparsed, "not written"),
            list(&self.differ, "did not come back")
        )
    }
}
