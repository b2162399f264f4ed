//! Our side of a process inside the sandbox that runs one test file a request: `zygote.py` or `clover.py`.

use super::table::Table;
use super::{Order, Suite};
use crate::environment::{EXCHANGE, Environment, OUT, PYTHON, REPOSITORY, pytest_options};
use crate::problem::Case;
use crate::sandbox::{Limits, Mount, Running, SandboxError};
use crate::{LineSet, coverage::Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Beyond a test's own time: what starting and cleaning up may take on a busy machine.
const GRACE: Duration = Duration::from_secs(30);
/// How long loading the conftest files may take.
const LOADING: Duration = Duration::from_secs(300);

/// What the process is told once.
#[derive(Serialize)]
struct Setting<'a> {
    statements: BTreeMap<&'a str, &'a super::table::Statements>,
    anchor: String,
    options: Vec<String>,
    path: [&'static str; 1],
    limits: Limits,
    /// Folders and modules that hold source; for `clover.py`.
    roots: Vec<String>,
}

/// One test file.
#[derive(Serialize)]
struct Request<'a> {
    path: &'a str,
    /// None runs the file that is there.
    source: Option<&'a str>,
    function: &'a str,
    nonce: &'a str,
    seconds: u64,
    /// Seed of the order of its items.
    order: Option<u32>,
}

/// What came of it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Answer {
    pub outcome: Outcome,
    pub detail: String,
    #[serde(default)]
    pub items: Vec<(String, Outcome)>,
    #[serde(default)]
    pub wrote: Vec<Option<String>>,
    #[serde(default)]
    pub log: String,
    #[serde(default)]
    pub hit: BTreeMap<String, Vec<u32>>,
    /// CPU seconds.
    #[serde(default)]
    pub cpu: f64,
    /// Processes of the job that were killed for their memory so far, where that is seen inside only.
    #[serde(default)]
    pub killed: u64,
}

impl Answer {
    /// An answer of our own.
    pub(super) fn made_up(outcome: Outcome, detail: impl Into<String>) -> Self {
        Self {
            outcome,
            detail: detail.into(),
            items: Vec::new(),
            wrote: Vec::new(),
            log: String::new(),
            hit: BTreeMap::new(),
            cpu: 0.0,
            killed: 0,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Hello {
    Ready { base: BTreeMap<String, Vec<u32>> },
    Failed { failed: String },
}

/// A process that is ready for requests.
pub(super) struct Zygote {
    running: Running,
    /// Lines that had run before it forked.
    pub base: BTreeMap<String, LineSet>,
    limits: Limits,
    order: Order,
    asked: u64,
    /// Processes that were killed for their memory so far.
    killed: u64,
    _folders: [tempfile::TempDir; 2],
}

/// Why no answer came.
pub(super) enum Silence {
    /// It could not be started or could not load; what it said.
    NotReady(String),
    /// It died or hung.
    Gone,
}

/// Which program answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// `zygote.py`.
    Zygote,
    /// `clover.py`.
    Clover,
}

impl Zygote {
    /// Starts one for the directory that `anchor` lies in.
    pub(super) fn start(
        suite: &Suite,
        table: Option<&Table>,
        anchor: &str,
        program: Program,
    ) -> Result<Result<Self, Silence>, SandboxError> {
        let Suite { environment, sandbox, limits, order, .. } = suite;
        let (limits, order) = (*limits, *order);
        let exchange = Environment::exchange()?;
        let out = tempfile::tempdir().map_err(SandboxError::Start)?;
        let setting = Setting {
            statements: table.map(Table::measured).unwrap_or_default(),
            anchor: format!("{REPOSITORY}/{anchor}"),
            options: pytest_options(&environment.recipe.project),
            path: [REPOSITORY],
            limits,
            roots: table.map(Table::roots).unwrap_or_default(),
        };
        let path = exchange.path().join("setting.json");
        let text = serde_json::to_string(&setting).map_err(|error| SandboxError::Start(error.into()))?;
        std::fs::write(&path, text).map_err(SandboxError::file(&path))?;
        let setting = format!("{EXCHANGE}/setting.json");
        let megabytes = (limits.disk_bytes >> 20).to_string();
        let command: Vec<&str> = match program {
            Program::Zygote => vec![PYTHON, "/trefoil/zygote.py", &setting],
            Program::Clover => {
                vec![
                    PYTHON,
                    "/trefoil/isolation.py",
                    REPOSITORY,
                    &megabytes,
                    PYTHON,
                    "/trefoil/clover.py",
                    &setting,
                ]
            }
        };
        let mut job = environment.job(exchange.path(), &command, limits);
        job.mounts.push(Mount::writable(out.path(), OUT));
        job.variables.push(("PYTHONHASHSEED".to_owned(), order.hashes.to_string()));
        let mut running = sandbox.start(&job)?;
        let hello = running.hear(LOADING).and_then(|line| serde_json::from_slice(&line).ok());
        let base = match hello {
            Some(Hello::Ready { base }) => base,
            Some(Hello::Failed { failed }) => return Ok(Err(Silence::NotReady(failed))),
            None => {
                let log = running.finish(Duration::ZERO)?.log;
                return Ok(Err(Silence::NotReady(log)));
            }
        };
        let base = base.into_iter().map(|(path, lines)| (path, lines.into_iter().collect())).collect();
        Ok(Ok(Self { running, base, limits, order, asked: 0, killed: 0, _folders: [exchange, out] }))
    }

    /// Runs a case; without a source the file that is there.
    pub(super) fn ask(&mut self, case: &Case, own_source: bool) -> Result<Answer, Silence> {
        self.asked += 1;
        // No secret from the test's own process, which could find it; it tells answers of ours from stray text.
        let nonce =
            blake3::hash(format!("{} {} {}", case.id, self.asked, std::process::id()).as_bytes()).to_hex();
        let request = Request {
            path: &case.path,
            source: own_source.then_some(case.source.as_str()),
            function: &case.function,
            nonce: &nonce,
            seconds: self.limits.seconds,
            order: self.order.items,
        };
        let line = serde_json::to_string(&request).map_err(|error| Silence::NotReady(error.to_string()))?;
        self.running.say(&line).map_err(|_| Silence::Gone)?;
        let patience = Duration::from_secs(self.limits.seconds.saturating_mul(5)) + GRACE;
        let line = self.running.hear(patience).ok_or(Silence::Gone)?;
        let mut answer: Answer = serde_json::from_slice(&line).map_err(|_| Silence::Gone)?;
        let killed = self.running.killed_for_memory().max(answer.killed);
        if killed > self.killed && answer.outcome != Outcome::Passed {
            answer.outcome = Outcome::OutOfMemory;
            answer.detail = "it and what it started wanted more memory than they may have".to_owned();
        }
        self.killed = killed;
        Ok(answer)
    }
}

impl Drop for Zygote {
    /// Lets it end by itself, so that its CPU time is accounted for.
    fn drop(&mut self) {
        self.running.end(Duration::from_secs(2));
    }
}
