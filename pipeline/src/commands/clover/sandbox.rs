//! Runs answers in the environments' sandbox.

use super::environment::Recipe;
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use trefoil_clover::evaluation::running::Environment;
use trefoil_clover::evaluation::{Job, Ran, Runner};
use trefoil_execution::Suite;
use trefoil_execution::coverage::{CaseCoverage, Engine};
use trefoil_execution::environment;
use trefoil_execution::problem::Case;
use trefoil_execution::sandbox::{self, Limits, Sandbox};

/// Environments by what they are of, and the sandbox that all of them run in.
pub struct Sandboxed {
    folders: BTreeMap<Environment, PathBuf>,
    sandbox: Box<dyn Sandbox>,
    limits: Limits,
    jobs: usize,
}

impl Sandboxed {
    /// Finds what each folder is of; refuses to go on without a sandbox.
    pub fn new(folders: &[PathBuf], limits: Limits, jobs: usize) -> Result<Self> {
        let mut known = BTreeMap::new();
        for folder in folders {
            let Recipe { host, repository, commit } = Recipe::read(folder)?;
            let environment = Environment { host, repository, commit };
            if let Some(other) = known.insert(environment, folder.clone()) {
                bail!("{} and {} are environments of the same commit", other.display(), folder.display());
            }
        }
        Ok(Self { folders: known, sandbox: sandbox::choose()?, limits, jobs })
    }
}

impl Runner for Sandboxed {
    fn run(
        &self,
        environment: &Environment,
        jobs: &[&Job],
        done: &mut dyn FnMut(&str, Ran),
    ) -> Result<(), String> {
        let Environment { host, repository, commit } = environment;
        let none = || format!("no environment of {host}/{repository} at {commit} is named");
        let folder = self.folders.get(environment).ok_or_else(none)?;
        let opened = environment::Environment::open(folder);
        let suite = opened.and_then(|it| Suite::new(it, self.sandbox.as_ref(), self.limits, self.jobs));
        let suite = suite.map_err(|error| format!("{}: {error}", folder.display()))?;
        let cases = |lines: bool| -> Vec<Case> {
            jobs.iter().filter(|job| job.lines == lines).map(|job| job.case.clone()).collect()
        };
        let paths: BTreeMap<&str, BTreeSet<&str>> = jobs
            .iter()
            .map(|job| (job.key.as_str(), job.paths.iter().map(String::as_str).collect()))
            .collect();
        let fault = |error: environment::EnvironmentError| format!("{}: {error}", folder.display());
        suite
            .verify(&cases(false), &mut |verdict, _| {
                let ran = Ran { outcome: verdict.outcome, detail: verdict.detail, files: BTreeMap::new() };
                done(&verdict.id, ran);
            })
            .map_err(fault)?;
        suite
            .cov(&cases(true), Engine::Zygote, &mut |row: CaseCoverage, _| {
                let CaseCoverage { id, outcome, detail, mut files, .. } = row;
                let wanted = paths.get(id.as_str());
                files.retain(|path, _| wanted.is_some_and(|paths| paths.contains(path.as_str())));
                done(&id, Ran { outcome, detail, files });
            })
            .map_err(fault)
    }
}
