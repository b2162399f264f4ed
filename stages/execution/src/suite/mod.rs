//! `verify` and `cov` (CLOVER, section 2.1) over the tests of an environment, in batches, on all cores.
//!
//! Cases are dealt out directory by directory: a zygote serves one directory, and each core has one. A case has no
//! effect on the next, so the order in which they run changes no answer, and answers come in the order of the cases.

mod dealing;
mod estimate;
mod problems;
mod repetition;
mod table;
mod zygote;

use crate::coverage::{CaseCoverage, CaseKind, Engine, Outcome};
use crate::environment::{Environment, EnvironmentError};
use crate::problem::{Case, Item, Verdict};
use crate::sandbox::{Limits, Sandbox};
use std::collections::BTreeSet;
use table::Table;
use zygote::{Answer, Program};

/// The empty run of CLOVER, section 3.1.
pub const EMPTY: &str = "def test():\n    assert True\n";

/// An environment with a sandbox to run its tests in.
pub struct Suite<'a> {
    environment: Environment,
    sandbox: &'a dyn Sandbox,
    limits: Limits,
    jobs: usize,
    table: Table,
    order: Order,
}

/// What differs from run to run where somebody else runs the tests: numbers that a test must not depend on.
#[derive(Debug, Clone, Copy, Default)]
struct Order {
    /// Seed of the hashes of texts, which decides the order of sets; in one of 0 everything runs but repetitions.
    hashes: u32,
    /// Seed of the order of the items of a file; None leaves them as they stand.
    items: Option<u32>,
}

/// A case's answer and its lines, before they are a row.
struct Ran {
    answer: Answer,
    files: std::collections::BTreeMap<String, crate::coverage::FileLines>,
}

impl<'a> Suite<'a> {
    /// Makes ready; `jobs` tests run at a time.
    pub fn new(
        environment: Environment,
        sandbox: &'a dyn Sandbox,
        limits: Limits,
        jobs: usize,
    ) -> Result<Self, EnvironmentError> {
        let table = Table::of(sandbox, &environment)?;
        Ok(Self { environment, sandbox, limits, jobs: jobs.max(1), table, order: Order::default() })
    }

    /// The same suite under other limits and in another order.
    fn under(&self, limits: Limits, order: Order) -> Self {
        Self {
            environment: self.environment.clone(),
            sandbox: self.sandbox,
            limits,
            jobs: self.jobs,
            table: self.table.clone(),
            order,
        }
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Runs each case in place, in a process and a copy of the tree of its own, and tells how it ended. CPU seconds
    /// come beside the verdict, since they differ from run to run.
    pub fn verify(&self, cases: &[Case], tell: &mut dyn FnMut(Verdict, f64)) -> Result<(), EnvironmentError> {
        let limits = self.sandbox.in_force(&self.limits, false);
        self.deal(cases, None, Program::Zygote, &mut |case, ran| {
            let cpu = ran.answer.cpu;
            tell(verdict(case, ran.answer, &limits), cpu);
        })
    }

    /// Runs each case and tells which lines of every source file it ran, however it ended. CPU seconds come beside.
    /// [`Engine::Plugin`] runs the repository's own tests as a whole instead: see [`Suite::estimate`].
    pub fn cov(
        &self,
        cases: &[Case],
        engine: Engine,
        tell: &mut dyn FnMut(CaseCoverage, f64),
    ) -> Result<(), EnvironmentError> {
        let program = if engine == Engine::Clover { Program::Clover } else { Program::Zygote };
        let limits = self.sandbox.in_force(&self.limits, false);
        self.deal(cases, Some(&self.table), program, &mut |case, ran| {
            let cpu = ran.answer.cpu;
            let kind = if case.id.ends_with("::") { CaseKind::Empty } else { CaseKind::Test };
            let row = CaseCoverage {
                id: case.id.clone(),
                kind,
                outcome: ran.answer.outcome,
                detail: ran.answer.detail,
                engine,
                exact: engine.is_exact(),
                files: ran.files,
                limits: limits.clone(),
            };
            tell(row, cpu);
        })
    }

    /// The empty run of every directory that these cases stand in.
    pub fn empty_runs(cases: &[Case]) -> Vec<Case> {
        let folders: BTreeSet<&str> = cases.iter().map(|case| folder(&case.path)).collect();
        folders
            .into_iter()
            .map(|folder| {
                let slash = if folder.is_empty() { "" } else { "/" };
                Case {
                    id: format!("{folder}::"),
                    path: format!("{folder}{slash}tmp_test_empty.py"),
                    source: EMPTY.to_owned(),
                    function: String::new(),
                }
            })
            .collect()
    }
}

/// The folder of a path, empty at the top.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Why a case may not be put where it wants to be.
fn refused(path: &str) -> Option<&'static str> {
    let bad = |part: &str| part.is_empty() || part == "." || part == ".." || part.contains(['\0', '\\']);
    if path.starts_with('/') || path.split('/').any(bad) {
        return Some("its path must be relative and stay in the repository");
    }
    (!path.ends_with(".py")).then_some("its path must end in .py")
}

fn verdict(case: &Case, answer: Answer, limits: &str) -> Verdict {
    Verdict {
        id: case.id.clone(),
        outcome: answer.outcome,
        detail: answer.detail,
        items: answer.items.into_iter().map(|(name, outcome)| Item { name, outcome }).collect(),
        log: answer.log,
        wrote: answer.wrote.into_iter().map(|path| path.unwrap_or_else(|| "and more".to_owned())).collect(),
        limits: limits.to_owned(),
    }
}

/// An answer where the sandbox failed or the case cannot be run.
fn no_answer(outcome: Outcome, detail: impl Into<String>) -> Answer {
    Answer::made_up(outcome, detail)
}
