//! Tries a new environment: are the tests collected, how many pass.

use super::{EXCHANGE, Environment, EnvironmentRow, OUT, PYTHON, REPOSITORY, pytest_options};
use crate::sandbox::{Ending, Limits, Mount, Sandbox, SandboxError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

/// What `plugin.py` is told; the same as a zygote is told, and more.
#[derive(Serialize)]
pub(crate) struct Setting<'a, S: Serialize> {
    pub statements: S,
    pub options: Vec<String>,
    pub path: [&'static str; 1],
    pub limits: Limits,
    pub tests: &'a [String],
    pub collecting: u64,
    pub output: String,
}

/// A line of what it writes.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    /// What ran before the first test: `base`.
    Base { base: std::collections::BTreeMap<String, Vec<u32>> },
    /// A file that could not be collected.
    Collection { collection: String, detail: String },
    /// An item that has ended.
    Item {
        item: String,
        outcome: crate::coverage::Outcome,
        #[serde(default)]
        hit: std::collections::BTreeMap<String, Vec<u32>>,
    },
    /// pytest's own status and the CPU seconds of it all, last.
    Status { status: i32, cpu: f64 },
}

/// How long collecting the tests may take; it counts for no other limit, since large suites take minutes.
const COLLECTING: Duration = Duration::from_secs(600);

/// How much later it is stopped from outside, where it has not stopped itself.
const GRACE: Duration = Duration::from_secs(30);

/// What a run left: its lines, and how it ended.
pub(crate) struct Report {
    pub lines: Vec<Line>,
    pub ending: Ending,
}

/// Runs all test files in one process, which has so much patience with them once they are collected.
pub(crate) fn run_plugin(
    sandbox: &dyn Sandbox,
    environment: &Environment,
    statements: impl Serialize,
    more: &[&str],
    patience: Duration,
) -> Result<Report, SandboxError> {
    let exchange = Environment::exchange()?;
    let out = tempfile::tempdir().map_err(SandboxError::Start)?;
    let limits = Limits { seconds: patience.as_secs(), ..Limits::default() };
    let mut options = pytest_options(&environment.recipe.project);
    options.push("--continue-on-collection-errors".to_owned());
    options.extend(more.iter().map(|word| (*word).to_owned()));
    let setting = Setting {
        statements,
        options,
        path: [REPOSITORY],
        limits,
        tests: &environment.recipe.project.tests,
        collecting: COLLECTING.as_secs(),
        output: format!("{OUT}/lines"),
    };
    let path = exchange.path().join("setting.json");
    let text = serde_json::to_string(&setting).map_err(|error| SandboxError::Start(error.into()))?;
    std::fs::write(&path, text).map_err(SandboxError::file(&path))?;
    let megabytes = (limits.disk_bytes >> 20).to_string();
    let setting = format!("{EXCHANGE}/setting.json");
    let isolation = [PYTHON, "/trefoil/isolation.py", REPOSITORY, &megabytes];
    let command = [&isolation[..], &[PYTHON, "/trefoil/plugin.py", &setting]].concat();
    let mut job = environment.job(exchange.path(), &command, limits);
    job.mounts.push(Mount::writable(out.path(), OUT));
    let ending = sandbox.start(&job)?.finish(COLLECTING + patience + GRACE)?;
    let text = std::fs::read_to_string(out.path().join("lines")).unwrap_or_default();
    // The last line may be cut off where the run was.
    let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Ok(Report { lines, ending })
}

/// What collecting the tests came to.
pub(super) struct Collected {
    /// Whether nothing went wrong on the way.
    pub whole: bool,
    /// What was said.
    pub text: String,
}

/// Collects the tests.
pub(super) fn collect(sandbox: &dyn Sandbox, environment: &Environment) -> Result<Collected, SandboxError> {
    let nothing = serde_json::Map::new();
    let report = run_plugin(sandbox, environment, nothing, &["--collect-only"], GRACE)?;
    let mut text = format!("{}\n{}\n", report.ending.output, report.ending.log);
    let mut whole = false;
    for line in &report.lines {
        match line {
            Line::Collection { detail, .. } => {
                text.push_str(detail);
                text.push('\n');
            }
            // What was collected, or that there was nothing to collect.
            Line::Status { status, .. } => whole = matches!(status, 0 | 5),
            Line::Item { .. } | Line::Base { .. } => {}
        }
    }
    Ok(Collected { whole, text })
}

/// Runs the suite and counts. The CPU seconds that it took, 0 where it was stopped.
pub(super) fn run_suite(
    sandbox: &dyn Sandbox,
    environment: &Environment,
    patience: Duration,
    row: &mut EnvironmentRow,
) -> Result<f64, SandboxError> {
    use crate::coverage::Outcome;
    let report = run_plugin(sandbox, environment, serde_json::Map::new(), &[], patience)?;
    let mut broken = BTreeSet::new();
    let mut seconds = 0.0;
    for line in report.lines {
        match line {
            Line::Collection { collection, .. } => {
                broken.insert(collection);
            }
            Line::Item { outcome: Outcome::Passed, .. } => row.passed += 1,
            Line::Item { outcome: Outcome::Failed, .. } => row.failed += 1,
            Line::Item { outcome: Outcome::Skipped, .. } => row.skipped += 1,
            Line::Item { .. } => row.errors += 1,
            Line::Status { status, cpu } => {
                row.finished = matches!(status, 0 | 1 | 5);
                row.broken_off = !row.finished;
                seconds = cpu;
            }
            Line::Base { .. } => {}
        }
    }
    row.broken_files = broken.len();
    row.limits = sandbox.in_force(&Limits { seconds: patience.as_secs(), ..Limits::default() }, false);
    row.log = format!("{}{}", report.ending.output, report.ending.log);
    Ok(seconds)
}
