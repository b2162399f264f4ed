//! `trefoil evaluate clover`: run, grade, report.

use super::super::environment::{jobs, limits};
use super::{endpoint, sandbox, table};
use crate::cli::EvaluateClover;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use trefoil_clover::evaluation::{Journal, Predictions, Report, assess, running::Runner};
use trefoil_clover::tasks::Task;
use trefoil_clover::trivial::Rules;
use trefoil_shards::read_table;
use trefoil_stages::records::CloverQuestion;

/// Evaluates predictions.
pub fn evaluate(arguments: &EvaluateClover) -> Result<ExitCode> {
    let questions = questions(&arguments.dataset)?;
    let ids: BTreeSet<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    let output = &arguments.output;
    fs::create_dir_all(output).with_context(|| format!("cannot create {}", output.display()))?;
    let file = match &arguments.predictions {
        Some(file) => file.clone(),
        None => endpoint::ask(&arguments.model, &arguments.dataset, output)?,
    };
    let text = fs::read_to_string(&file)
        .with_context(|| format!("cannot read the predictions {}", file.display()))?;
    let predictions = Predictions::read(&file.display().to_string(), &text, &ids)?;
    let mut journal = Journal::open(&output.join("outcomes.jsonl"))?;
    let runner = match arguments.grade_only {
        true => None,
        false => {
            let limits = limits(arguments.test_seconds, arguments.memory);
            Some(sandbox::Sandboxed::new(&arguments.environments, limits, jobs(arguments.jobs))?)
        }
    };
    let runner = runner.as_ref().map(|runner| runner as &dyn Runner);
    let rules = if arguments.published_rules { Rules::Published } else { Rules::Corrected };
    let mut progress = |done: usize, all: usize| {
        if done.is_multiple_of(50) || done == all {
            eprintln!("{done} of {all} run");
        }
    };
    let grades = assess(&questions, &predictions, runner, &mut journal, rules, &mut progress)?;
    let mut lines = Vec::new();
    for grade in &grades {
        serde_json::to_writer(&mut lines, grade)?;
        lines.push(b'\n');
    }
    trefoil_shards::write_bytes(&output.join("grades.jsonl"), &lines)?;
    let report = Report::new(&grades, rules);
    trefoil_shards::write_json(&output.join("report.json"), &report)?;
    print!("{}", report.text());
    let sound = report.lines.iter().all(|line| line.infrastructure == 0);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(super::super::WITH_FAILURES) })
}

/// All rows of a data set, by id.
fn questions(dataset: &Path) -> Result<Vec<CloverQuestion>> {
    let mut questions = Vec::new();
    for task in Task::ALL {
        let path = table(dataset, task);
        if path.is_file() {
            read_table(&path, |question: CloverQuestion| questions.push(question))?;
        }
    }
    if questions.is_empty() {
        bail!("{} holds no rows; `trefoil clover` makes such a data set", dataset.display());
    }
    questions.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(questions)
}
