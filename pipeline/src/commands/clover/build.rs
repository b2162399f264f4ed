//! `trefoil clover`: the data set of the three tasks.

use super::super::environment::jobs;
use super::environment::EnvironmentFolder;
use super::{sandbox, table};
use crate::cli::BuildClover;
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use trefoil_clover::build::{Builder, Tally};
use trefoil_clover::calibration::Calibration;
use trefoil_clover::evaluation::{Journal, Runner};
use trefoil_clover::tasks::{Example, Task};
use trefoil_clover::{Settings, card, trial};
use trefoil_execution::sandbox::Limits;
use trefoil_shards::TableWriter;
use trefoil_stages::records::{CloverRow, Record};
use trefoil_tokens::Counter;

/// What became of a repository, by task: how many examples of how many, and why the others are none.
#[derive(Serialize)]
struct Summary {
    repository: String,
    commit: String,
    exact_lines: bool,
    tasks: BTreeMap<&'static str, TaskSummary>,
}

#[derive(Default, Serialize)]
struct TaskSummary {
    examples: usize,
    rows: usize,
    available: usize,
    left_out: BTreeMap<&'static str, usize>,
}

/// Makes the data set.
pub fn build(arguments: &BuildClover) -> Result<ExitCode> {
    let settings = settings(arguments.config.as_deref())?;
    let counter = Counter::load(&arguments.tokenizer)?;
    let output = &arguments.output;
    fs::create_dir_all(output).with_context(|| format!("cannot create {}", output.display()))?;
    let data = output.join("data");
    let beside = trefoil_shards::temporary(&data);
    fs::create_dir_all(&beside).with_context(|| format!("cannot create {}", beside.display()))?;
    let mut tables = Tables::create(&beside)?;
    let mut summaries = Vec::new();
    let mut journal = Journal::open(&output.join("trial.jsonl"))?;
    for path in &arguments.environments {
        let folder = EnvironmentFolder::open(path)?;
        let runner = match arguments.unverified {
            true => None,
            false => {
                Some(sandbox::Sandboxed::new(std::slice::from_ref(path), Limits::default(), jobs(None))?)
            }
        };
        let runner = runner.as_ref().map(|runner| runner as &dyn Runner);
        let summary = repository(&folder, &settings, &counter, runner, &mut journal, &mut tables)?;
        print!("{}", summary.text());
        summaries.push(summary);
    }
    let rows = tables.finish()?;
    if data.exists() {
        fs::remove_dir_all(&data).with_context(|| format!("cannot replace {}", data.display()))?;
    }
    fs::rename(&beside, &data).with_context(|| format!("cannot create {}", data.display()))?;
    let sizes: Vec<_> = Task::ALL
        .into_iter()
        .map(|task| {
            let path = table(output, task);
            let bytes = path.metadata().map_or(0, |data| data.len());
            let file = path.strip_prefix(output).unwrap_or(&path).display().to_string();
            card::Table { task, file, rows: rows.get(&task).copied().unwrap_or_default(), bytes }
        })
        .collect();
    trefoil_shards::write_bytes(&output.join("README.md"), card::markdown(&sizes).as_bytes())?;
    trefoil_shards::write_json(&output.join("summary.json"), &summaries)?;
    Ok(ExitCode::SUCCESS)
}

fn settings(path: Option<&Path>) -> Result<Settings> {
    let Some(path) = path else { return Ok(Settings::default()) };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("in {}", path.display()))
}

/// Writes the rows of a repository.
fn repository(
    folder: &EnvironmentFolder,
    settings: &Settings,
    counter: &Counter,
    runner: Option<&dyn Runner>,
    journal: &mut Journal,
    tables: &mut Tables,
) -> Result<Summary> {
    // A text that the tokeniser refuses fits no budget.
    let count = |text: &str| counter.count(text).unwrap_or(u32::MAX);
    let mut builder = Builder::new(&folder.snapshot, settings, &count);
    for path in folder.modules() {
        builder.add(&folder.module(&path)?);
    }
    let (mut tally, mut drawn) = (Tally::new(), BTreeMap::<String, Vec<Example>>::new());
    for (task, mut examples) in builder.draw() {
        let wanted = settings.of(task).per_repository;
        let examples = match runner {
            Some(runner) => trial::stand(&builder, examples, wanted, runner, journal, &mut tally)?,
            None => {
                examples.truncate(wanted);
                examples
            }
        };
        examples.into_iter().for_each(|example| drawn.entry(example.path.clone()).or_default().push(example));
    }
    let mut summary = Summary {
        repository: format!("{}/{}", folder.snapshot.host, folder.snapshot.repository),
        commit: folder.snapshot.commit.clone(),
        exact_lines: folder.is_exact,
        tasks: BTreeMap::new(),
    };
    for (path, examples) in &drawn {
        let (module, original) = (folder.module(path)?, folder.original(path));
        let calibration = Calibration::new(&module);
        for example in examples {
            let rows = builder.rows(&calibration, &original, (example, runner.is_some()));
            let of_task = summary.tasks.entry(example.question.task().as_str()).or_default();
            of_task.examples += 1;
            of_task.rows += rows.len();
            tables.append(example.question.task(), &rows)?;
        }
    }
    summary.count(builder.tally());
    summary.count(&tally);
    Ok(summary)
}

impl Summary {
    fn count(&mut self, tally: &Tally) {
        for ((task, reason), count) in tally {
            let of_task = self.tasks.entry(task.as_str()).or_default();
            match *reason {
                "available" => of_task.available += count,
                reason => *of_task.left_out.entry(reason).or_default() += count,
            }
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{} at {}\n", self.repository, self.commit);
        for (task, of_task) in &self.tasks {
            let reasons: Vec<String> =
                of_task.left_out.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
            let TaskSummary { examples, rows, available, .. } = of_task;
            text += &format!(
                "  task {task:<3} {examples} examples of {available} available, {rows} rows; left out: {}\n",
                reasons.join(", ")
            );
        }
        text
    }
}

/// The tables of the tasks in the making.
struct Tables(BTreeMap<Task, (TableWriter, u64)>);

impl Tables {
    fn create(folder: &Path) -> Result<Self> {
        let mut tables = BTreeMap::new();
        for task in Task::ALL {
            let name = table(Path::new(""), task);
            let path = folder.join(name.file_name().unwrap_or_default());
            tables.insert(task, (TableWriter::create(&path, &CloverRow::SCHEMA)?, 0));
        }
        Ok(Self(tables))
    }

    fn append(&mut self, task: Task, rows: &[CloverRow]) -> Result<()> {
        if let Some((writer, written)) = self.0.get_mut(&task) {
            writer.append(&CloverRow::columns(rows), rows.len())?;
            *written += rows.len() as u64;
        }
        Ok(())
    }

    fn finish(self) -> Result<BTreeMap<Task, u64>> {
        let mut rows = BTreeMap::new();
        for (task, (writer, written)) in self.0 {
            writer.finish()?;
            rows.insert(task, written);
        }
        Ok(rows)
    }
}
