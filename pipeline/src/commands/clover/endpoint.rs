//! Answers of a model behind a server, as a file of predictions.

use super::table;
use crate::cli::AskModel;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use trefoil_clover::tasks::Task;
use trefoil_endpoint::{Asked, Journal, Key, Model, Request, ask as ask_model};
use trefoil_shards::read_table_while;
use trefoil_stages::records::CloverPrompt;

/// Prompts that are in memory at a time, in bytes.
const BATCH_BYTES: usize = 32 << 20;

/// Asks what is not answered yet and returns the file of predictions.
pub fn ask(arguments: &AskModel, dataset: &Path, output: &Path) -> Result<PathBuf> {
    let model = model(arguments)?;
    let mut journal = Journal::open(&output.join("answers.jsonl"))?;
    let mut batch = Batch { model: &model, journal: &mut journal, open: Vec::new(), bytes: 0, asked: [0; 3] };
    for task in Task::ALL.into_iter().filter(|task| is_wanted(&arguments.tasks, task.as_str())) {
        let path = table(dataset, task);
        if !path.is_file() {
            continue;
        }
        let mut outcome = Ok(());
        read_table_while(&path, |row: CloverPrompt| {
            let is_asked = is_wanted(&arguments.settings, &row.setting)
                && is_wanted(&arguments.templates, &row.template);
            if is_asked {
                outcome = batch.add(row);
            }
            outcome.is_ok()
        })?;
        outcome?;
    }
    batch.send()?;
    let [known, answered, failed] = batch.asked;
    if known + answered + failed == 0 {
        bail!("no row of {} is of these tasks, settings and templates", dataset.display());
    }
    eprintln!("{known} answers were there, {answered} came, {failed} could not be had");
    eprintln!("{}", cost(&journal, arguments));
    write(&journal, &output.join("predictions.jsonl"))
}

/// An empty list wants everything.
fn is_wanted(list: &[String], word: &str) -> bool {
    list.is_empty() || list.iter().any(|wanted| wanted == word)
}

fn model(arguments: &AskModel) -> Result<Model> {
    let (Some(url), Some(name)) = (&arguments.endpoint, &arguments.name) else {
        bail!("neither `--predictions` nor `--endpoint` with `--model` is given");
    };
    Ok(Model {
        url: url.clone(),
        name: name.clone(),
        key: std::env::var("OPENAI_API_KEY")
            .ok()
            .filter(|key| !key.trim().is_empty())
            .map(|key| Key::new(&key)),
        temperature: arguments.temperature,
        top_p: arguments.top_p,
        concurrency: arguments.concurrency,
        tries: arguments.tries,
        seconds: arguments.seconds,
    })
}

struct Batch<'a> {
    model: &'a Model,
    journal: &'a mut Journal,
    open: Vec<Request>,
    bytes: usize,
    /// Known, answered, failed.
    asked: [usize; 3],
}

impl Batch<'_> {
    fn add(&mut self, row: CloverPrompt) -> Result<()> {
        self.bytes += row.prompt.len();
        self.open.push(Request { id: row.id, prompt: row.prompt, answer_tokens: row.answer_tokens });
        if self.bytes > BATCH_BYTES { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        self.bytes = 0;
        let Asked { known, answered, failed } =
            ask_model(self.model, std::mem::take(&mut self.open), self.journal)?;
        for (sum, more) in self.asked.iter_mut().zip([known, answered, failed]) {
            *sum += more;
        }
        Ok(())
    }
}

/// What all answers in the journal took.
fn cost(journal: &Journal, arguments: &AskModel) -> String {
    let (mut prompts, mut answers) = (0_u64, 0_u64);
    for answer in journal.all() {
        prompts += answer.prompt_tokens;
        answers += answer.completion_tokens;
    }
    let tokens = format!("{prompts} tokens of prompts and {answers} of answers in all");
    let price = |tokens: u64, price: Option<f64>| tokens as f64 / 1e6 * price.unwrap_or_default();
    match (arguments.prompt_price, arguments.answer_price) {
        (None, None) => tokens,
        (of_prompts, of_answers) => {
            format!("{tokens}, at a price of {:.2}", price(prompts, of_prompts) + price(answers, of_answers))
        }
    }
}

/// The last answer to each row, in order of the ids.
fn write(journal: &Journal, path: &Path) -> Result<PathBuf> {
    let mut lines = Vec::new();
    for answer in journal.all() {
        serde_json::to_writer(&mut lines, answer)?;
        lines.push(b'\n');
    }
    trefoil_shards::write_bytes(path, &lines).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path.to_owned())
}
