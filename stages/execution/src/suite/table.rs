//! The statements of every source file, as coverage.py counts them; made once for an environment.

use crate::LineSet;
use crate::coverage::FileLines;
use crate::environment::{Environment, EnvironmentError, REPOSITORY};
use crate::sandbox::{Limits, Sandbox};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Statements of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Statements {
    length: u32,
    /// First lines of the statements.
    statements: Vec<u32>,
    /// First line of the statement of each line that is not one itself.
    first: Vec<(u32, u32)>,
}

/// Statements of every source file by its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Table(BTreeMap<String, Statements>);

impl Table {
    /// Reads the table of the environment, or makes it.
    pub(super) fn of(sandbox: &dyn Sandbox, environment: &Environment) -> Result<Self, EnvironmentError> {
        let path = environment.folder().join("statements.json");
        if let Ok(bytes) = std::fs::read(&path) {
            return serde_json::from_slice(&bytes).map_err(|cause| file(&path, cause));
        }
        let exchange = Environment::exchange()?;
        let limits = Limits { output_bytes: 1 << 30, ..Limits::default() };
        let command = ["/environment/venv/bin/python", "/trefoil/statements.py", REPOSITORY];
        let mut job = environment.job(exchange.path(), &command, limits);
        job.variables.push(("PYTHONPATH".to_owned(), "/environment/tools".to_owned()));
        let mut running = sandbox.start(&job)?;
        for source in &environment.recipe.project.sources {
            running.say(source).map_err(|cause| file(&path, cause))?;
        }
        let ending = running.finish(Duration::from_secs(600))?;
        if !ending.success() {
            return Err(file(&path, format!("the statements of the sources cannot be told: {}", ending.log)));
        }
        std::fs::write(&path, &ending.output).map_err(|cause| file(&path, cause))?;
        serde_json::from_str(&ending.output).map_err(|cause| file(&path, cause))
    }

    /// As the tracer takes it.
    pub(super) fn measured(&self) -> BTreeMap<&str, &Statements> {
        self.0.iter().map(|(path, statements)| (path.as_str(), statements)).collect()
    }

    /// Folders and modules that hold the sources, for `--cov`.
    pub(super) fn roots(&self) -> Vec<String> {
        let roots: BTreeSet<&str> = self
            .0
            .keys()
            .map(|path| match path.split_once('/') {
                Some((place @ ("src" | "lib"), below)) => {
                    let package = below.split('/').next().unwrap_or(below).len();
                    path.get(..place.len() + 1 + package).unwrap_or(path)
                }
                Some((package, _)) => package,
                None => path.as_str(),
            })
            .collect();
        roots.into_iter().map(str::to_owned).collect()
    }

    /// Hit and missed lines of every file, from what had run before and what a test ran.
    pub(super) fn lines(
        &self,
        base: &BTreeMap<String, LineSet>,
        hit: &BTreeMap<String, Vec<u32>>,
    ) -> BTreeMap<String, FileLines> {
        let lines = self.0.iter().map(|(path, statements)| {
            let own = hit.get(path).into_iter().flatten().copied();
            let known: LineSet = statements.statements.iter().copied().collect();
            let hit: LineSet = base.get(path).into_iter().flat_map(LineSet::iter).chain(own).collect();
            let missed = known.difference(&hit);
            (path.clone(), FileLines { hit: hit.intersection(&known), missed })
        });
        lines.collect()
    }
}

fn file(path: &Path, cause: impl ToString) -> EnvironmentError {
    EnvironmentError::File { path: path.to_owned(), cause: cause.to_string() }
}
