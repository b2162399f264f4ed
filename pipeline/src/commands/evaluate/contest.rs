//! `trefoil evaluate contest`: predicted assertions held against the real ones (ConTest, section 3.6). Predictions
//! that cannot be parsed are left out of the scores and counted; adjusted scores take them into account.

use super::predictions::Predictions;
use crate::cli::{self, PredictionForm};
use crate::engine::plan::{Plan, RunContext};
use crate::engine::{ExportPlan, dataset_folder};
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use trefoil_languages::{Guards, Parser, Shape, by_name};
use trefoil_scores::{Tokens, bleu, rouge};
use trefoil_shards::read_table;
use trefoil_stages::export::Dataset;
use trefoil_stages::export::contest::target_code;
use trefoil_stages::records::ContestRow;

/// Rows that are scored side by side.
const AT_ONCE: usize = 512;
/// Name of the group of all languages.
const ALL: &str = "all";

/// Scores a file of predictions.
pub fn contest(arguments: &cli::EvaluateContest) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    if context.plan.settings.export.dataset != Dataset::Contest {
        bail!(
            "{} holds no rows of ConTest; its config has another `export.dataset`",
            arguments.run.display()
        );
    }
    let mut predictions = Predictions::read(&arguments.predictions)?;
    let mut scores = Scores::default();
    for split in &arguments.split {
        let groups = score_split(&context, arguments, split, &mut predictions)?;
        scores.splits.insert(split.clone(), groups);
    }
    predictions.finish(&arguments.predictions, &format!("{} ({})", arguments.by, arguments.split.join(", ")));
    if let Some(complaint) = predictions.complaint() {
        bail!("nothing is scored, since the predictions do not fit:\n{complaint}");
    }
    print!("{}", scores.text(&arguments.by));
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&scores)?;
        std::fs::write(path, json + "\n").with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The scores of one split by language, all of them together under [`ALL`].
fn score_split(
    context: &RunContext,
    arguments: &cli::EvaluateContest,
    split: &str,
    predictions: &mut Predictions,
) -> Result<BTreeMap<String, Score>> {
    let plan = ExportPlan::load(context)?;
    let series = format!("{}/{split}", arguments.by);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut missing: Vec<String> = Vec::new();
    let mut pending: Vec<(ContestRow, String)> = Vec::new();
    let mut rows = 0_u64;
    for file in plan.groups.iter().filter_map(|group| group.files.get(&series)) {
        read_table(&dataset_folder(context).join(file), |row: ContestRow| {
            rows += 1;
            match predictions.take(&row.id) {
                Some(prediction) => pending.push((row, prediction)),
                None if arguments.allow_missing => pending.push((row, String::new())),
                None => missing.push(row.id),
            }
            if pending.len() >= AT_ONCE {
                tally(arguments.form, std::mem::take(&mut pending), &mut tallies);
            }
        })
        .context("the data set cannot be read; run its config again")?;
    }
    tally(arguments.form, pending, &mut tallies);
    if let Some(first) = missing.first() {
        predictions.fault(format!(
            "{}: {} of the {rows} rows of {series} have no prediction, `{first}` is the first; with \
             `--allow-missing` they count as unparsable",
            arguments.predictions.display(),
            missing.len()
        ));
    }
    let mut all = Tally::default();
    tallies.values().for_each(|tally| all.add(tally));
    tallies.insert(ALL.to_owned(), all);
    Ok(tallies.into_iter().map(|(language, tally)| (language, tally.score())).collect())
}

fn tally(form: PredictionForm, pairs: Vec<(ContestRow, String)>, tallies: &mut BTreeMap<String, Tally>) {
    let scored: Vec<(String, Tally)> = pairs
        .into_par_iter()
        .map_init(
            || Parser::new(Guards::default()),
            |parser, (row, prediction)| {
                let tally = Tally::of(parser, &row, &prediction, form);
                (row.language, tally)
            },
        )
        .collect();
    for (language, one) in scored {
        tallies.entry(language).or_default().add(&one);
    }
}

/// What adds up over rows.
#[derive(Clone, Default)]
struct Tally {
    rows: u64,
    unparsable: u64,
    bleu: bleu::Counts,
    rouge: [f64; 3],
}

impl Tally {
    fn of(parser: &mut Parser, row: &ContestRow, prediction: &str, form: PredictionForm) -> Self {
        let tokens = tokens(parser, row, prediction, form);
        let reference = tokens_of_code(parser, row, &row.assertions);
        match tokens.zip(reference) {
            Some((prediction, reference)) => {
                let tokens = Tokens::new(&prediction, &reference);
                let measures =
                    [rouge::rouge_n(&tokens, 1), rouge::rouge_n(&tokens, 2), rouge::rouge_l(&tokens)];
                Self {
                    rows: 1,
                    unparsable: 0,
                    bleu: bleu::Counts::of(&tokens),
                    rouge: measures.map(|it| it.f),
                }
            }
            None => Self { rows: 1, unparsable: 1, ..Self::default() },
        }
    }

    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.unparsable += other.unparsable;
        self.bleu = self.bleu.and(&other.bleu);
        self.rouge.iter_mut().zip(other.rouge).for_each(|(own, other)| *own += other);
    }

    fn score(&self) -> Score {
        let share = |part: u64| if self.rows == 0 { 0.0 } else { part as f64 / self.rows as f64 };
        let unparsable_rate = share(self.unparsable);
        let parsed = (self.rows - self.unparsable).max(1) as f64;
        let corpus = self.bleu.bleu();
        let [rouge_1, rouge_2, rouge_l] = self.rouge.map(|sum| sum / parsed);
        let [bleu_1, bleu_2, bleu_3, bleu_4] = [1, 2, 3, 4].map(|order| corpus.of_order(order));
        let plain = Metrics { bleu: corpus.score, bleu_1, bleu_2, bleu_3, bleu_4, rouge_1, rouge_2, rouge_l };
        let adjusted = plain.map(|score| score * (1.0 - unparsable_rate));
        Score { rows: self.rows, unparsable: self.unparsable, unparsable_rate, plain, adjusted }
    }
}

/// The tokens of a prediction; none where it cannot be parsed or is empty.
fn tokens(
    parser: &mut Parser,
    row: &ContestRow,
    prediction: &str,
    form: PredictionForm,
) -> Option<Vec<String>> {
    match form {
        PredictionForm::Code => tokens_of_code(parser, row, prediction),
        PredictionForm::Tree => {
            let code = target_code(by_name(&row.language)?, &trefoil_tokens::spaced(prediction)).ok()?;
            tokens_of_code(parser, row, &code)
        }
    }
}

fn tokens_of_code(parser: &mut Parser, row: &ContestRow, code: &str) -> Option<Vec<String>> {
    let language = by_name(&row.language)?;
    let fragment = parser.fragment(language, &row.meta.test_path, Shape::Statements, code)?;
    let tokens: Vec<String> = fragment.tokens().into_iter().map(str::to_owned).collect();
    (!tokens.is_empty()).then_some(tokens)
}

/// Scores by split and language.
#[derive(Default, Serialize)]
struct Scores {
    splits: BTreeMap<String, BTreeMap<String, Score>>,
}

/// The scores of a group of rows, from 0 to 1.
#[derive(Serialize)]
struct Score {
    rows: u64,
    unparsable: u64,
    unparsable_rate: f64,
    plain: Metrics,
    /// `adj(s) = s (1 - unparsable_rate)`.
    adjusted: Metrics,
}

#[derive(Clone, Copy, Serialize)]
struct Metrics {
    bleu: f64,
    bleu_1: f64,
    bleu_2: f64,
    bleu_3: f64,
    bleu_4: f64,
    rouge_1: f64,
    rouge_2: f64,
    rouge_l: f64,
}

impl Metrics {
    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        let Self { bleu, bleu_1, bleu_2, bleu_3, bleu_4, rouge_1, rouge_2, rouge_l } = self;
        let [bleu, bleu_1, bleu_2, bleu_3] = [bleu, bleu_1, bleu_2, bleu_3].map(&change);
        let [bleu_4, rouge_1, rouge_2, rouge_l] = [bleu_4, rouge_1, rouge_2, rouge_l].map(&change);
        Self { bleu, bleu_1, bleu_2, bleu_3, bleu_4, rouge_1, rouge_2, rouge_l }
    }

    fn values(&self) -> [f64; 8] {
        let Self { bleu, bleu_1, bleu_2, bleu_3, bleu_4, rouge_1, rouge_2, rouge_l } = *self;
        [bleu, bleu_1, bleu_2, bleu_3, bleu_4, rouge_1, rouge_2, rouge_l]
    }
}

impl Scores {
    fn text(&self, by: &str) -> String {
        let mut text = format!("{:<34}{:>7}{:>12}", "", "rows", "unparsable");
        for name in ["BLEU", "BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-1", "ROUGE-2", "ROUGE-L"] {
            let _ = write!(text, "{name:>9}");
        }
        text.push('\n');
        for (split, languages) in &self.splits {
            for (language, score) in languages {
                let name = format!("{by}/{split} {language}");
                let rate = format!("{:.2}%", 100.0 * score.unparsable_rate);
                let _ = write!(text, "{name:<34}{:>7}{rate:>12}", score.rows);
                write_metrics(&mut text, &score.plain);
                let _ = write!(text, "{:<53}", "  adjusted");
                write_metrics(&mut text, &score.adjusted);
            }
        }
        text
    }
}

fn write_metrics(text: &mut String, metrics: &Metrics) {
    for value in metrics.values() {
        let _ = write!(text, "{:>9.2}", 100.0 * value);
    }
    text.push('\n');
}
