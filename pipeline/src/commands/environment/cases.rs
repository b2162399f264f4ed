//! `trefoil environment problems`, `verify` and `cov`.

use super::lines::{Output, read};
use super::open;
use crate::cli::{self, Cases, Coverage, EngineName};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use trefoil_execution::Suite;
use trefoil_execution::coverage::{CaseCoverage, Engine, Outcome};
use trefoil_execution::problem::{Case, Problem};
use trefoil_execution::sandbox;

/// Cuts tests out and verifies the cuts.
pub fn problems(arguments: &cli::CutOut) -> Result<ExitCode> {
    let sandbox = sandbox::choose()?;
    let suite = open(&arguments.environment, sandbox.as_ref())?;
    let problems = suite.problems(!arguments.once)?;
    let path = arguments.environment.folder.join("problems.jsonl");
    let mut text = String::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for problem in &problems {
        text.push_str(&serde_json::to_string(problem)?);
        text.push('\n');
        *reasons.entry(&problem.reason).or_default() += 1;
    }
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    let fit = reasons.remove("").unwrap_or(0);
    println!("{} tests, {fit} problems fit for use", problems.len());
    reasons.iter().for_each(|(reason, count)| println!("  {count:>6} {reason}"));
    Ok(ExitCode::SUCCESS)
}

/// Runs the whole suite in one process.
pub fn suite(arguments: &cli::SuiteTrial) -> Result<ExitCode> {
    let environment = trefoil_execution::environment::Environment::open(&arguments.folder)?;
    let sandbox = sandbox::choose()?;
    let (row, cpu) = environment.try_suite(sandbox.as_ref(), Duration::from_secs(arguments.seconds))?;
    println!(
        "{} passed, {} failed, {} errors, {} skipped; {} of {} test files not collected; {cpu:.1} CPU seconds{}",
        row.passed,
        row.failed,
        row.errors,
        row.skipped,
        row.broken_files,
        row.test_files,
        row.stopped(),
    );
    Ok(ExitCode::SUCCESS)
}

/// Runs proposed test files.
pub fn verify(arguments: &Cases) -> Result<ExitCode> {
    let cases: Vec<Case> = read(&arguments.cases)?;
    let sandbox = sandbox::choose()?;
    let suite = open(&arguments.environment, sandbox.as_ref())?;
    let mut output = Output::open(&arguments.output, cases.iter().map(|case| case.id.as_str()))?;
    let rest = cases.get(output.done..).unwrap_or_default();
    let mut counts = Counts::default();
    let mut trouble = Ok(());
    suite.verify(rest, &mut |verdict, cpu| {
        counts.add(verdict.outcome, cpu);
        if trouble.is_ok() {
            trouble = output.add(&verdict);
        }
    })?;
    trouble?;
    counts.print(output.done);
    Ok(ExitCode::SUCCESS)
}

/// Says which lines each test runs.
pub fn cov(arguments: &Coverage) -> Result<ExitCode> {
    let folder = &arguments.environment.folder;
    let started = Instant::now();
    let sandbox = sandbox::choose()?;
    let suite = open(&arguments.environment, sandbox.as_ref())?;
    let path = arguments.output.clone().unwrap_or_else(|| folder.join("coverage.jsonl"));
    let mut counts = Counts::default();
    let mut trouble = Ok(());
    let done = if arguments.engine == EngineName::Plugin {
        if arguments.cases.is_some() {
            bail!(
                "the estimate is for the repository's own tests; leave --cases out or choose another engine"
            );
        }
        let _ = std::fs::remove_file(&path);
        let mut output = Output::open(&path, std::iter::empty())?;
        let cpu = suite.estimate(Duration::from_secs(3600), &mut |row| {
            counts.add(row.outcome, 0.0);
            counts.note_lines(&row);
            if trouble.is_ok() {
                trouble = output.add(&row);
            }
        })?;
        counts.cpu = cpu;
        0
    } else {
        let cases = cases(arguments)?;
        let engine = if arguments.engine == EngineName::Clover { Engine::Clover } else { Engine::Zygote };
        let mut output = Output::open(&path, cases.iter().map(|case| case.id.as_str()))?;
        let rest = cases.get(output.done..).unwrap_or_default();
        suite.cov(rest, engine, &mut |row, cpu| {
            counts.add(row.outcome, cpu);
            counts.note_lines(&row);
            if trouble.is_ok() {
                trouble = output.add(&row);
            }
        })?;
        output.done
    };
    trouble?;
    counts.print(done);
    if counts.cases > 0 && !counts.any_lines {
        eprintln!("no test ran a line of the repository's source; do they import another copy of it?");
    }
    if let Some(path) = &arguments.timings {
        let told = serde_json::json!({
            "cases": counts.cases, "cpu_seconds": counts.cpu, "wall_seconds": started.elapsed().as_secs_f64()
        });
        std::fs::write(path, told.to_string()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The cases that `cov` is asked for, empty runs first.
fn cases(arguments: &Coverage) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = match &arguments.cases {
        Some(path) => read(path)?,
        None => {
            let path: PathBuf = arguments.environment.folder.join("problems.jsonl");
            let problems: Vec<Problem> =
                read(&path).context("run `trefoil environment problems` first, or give --cases")?;
            problems.iter().filter(|problem| problem.reason.is_empty()).map(Case::from).collect()
        }
    };
    if let Some(sample) = arguments.sample {
        let drawn = |case: &Case| *blake3::hash(case.id.as_bytes()).as_bytes();
        let mut digests: Vec<[u8; 32]> = cases.iter().map(drawn).collect();
        digests.sort_unstable();
        if let Some(bound) = digests.get(sample) {
            cases.retain(|case| drawn(case) < *bound);
        }
    }
    let mut all = if arguments.no_empty { Vec::new() } else { Suite::empty_runs(&cases) };
    all.append(&mut cases);
    Ok(all)
}

/// What came of a batch.
#[derive(Default)]
struct Counts {
    outcomes: BTreeMap<Outcome, usize>,
    cases: usize,
    cpu: f64,
    /// Whether any ran a line of source.
    any_lines: bool,
}

impl Counts {
    fn add(&mut self, outcome: Outcome, cpu: f64) {
        *self.outcomes.entry(outcome).or_default() += 1;
        self.cases += 1;
        self.cpu += cpu;
    }

    fn note_lines(&mut self, row: &CaseCoverage) {
        self.any_lines |= row.files.values().any(|file| !file.hit.is_empty());
    }

    fn print(&self, done: usize) {
        println!("{} cases run, {done} were done already", self.cases);
        self.outcomes.iter().for_each(|(outcome, count)| println!("  {count:>6} {}", outcome.as_str()));
        if self.cpu > 0.0 {
            println!("  {:.1} CPU seconds, {:.0} ms a test", self.cpu, 1e3 * self.cpu / self.cases as f64);
        }
    }
}
