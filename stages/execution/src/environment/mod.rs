//! Environments: one folder for each repository and commit that holds all that its tests need to run.
//!
//! ```text
//! repository/   the tree, with what installing it left there
//! venv/         the interpreter's environment, which holds the project itself as an editable install
//! tools/        coverage.py and pytest-cov, away from the project's own
//! system/       libraries that the machine lacks, where the project needs any; system.txt names their packages
//! recipe.json   how it was built      lock.txt  exactly what is in it      outcome.json  the row
//! ```
//!
//! Inside the sandbox these folders have fixed places, so that a folder can be moved.

mod build;
mod install;
mod libraries;
mod project;
mod repair;
mod trial;

use crate::python::{self, Interpreter};
use crate::sandbox::{HOME, Job, Limits, Mount, Sandbox, SandboxError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use build::{Request, build};
pub use project::Project;
pub(crate) use trial::{Line as PluginLine, run_plugin};

/// Where the repository is inside the sandbox.
pub const REPOSITORY: &str = "/repository";
const VENV: &str = "/environment/venv";
const TOOLS: &str = "/environment/tools";
/// Libraries that the machine lacks, where there are any.
const SYSTEM: &str = "/environment/system";
/// Settings handed to a job, which it cannot change.
pub(crate) const EXCHANGE: &str = "/exchange";
/// Where a job may leave results.
pub(crate) const OUT: &str = "/out";

/// How an environment was built, so that it can be built again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Where the repository is at home (`github.com`); `local` where nobody said.
    #[serde(default = "local")]
    pub host: String,
    /// `owner/name` or what the caller calls it.
    pub repository: String,
    /// Commit, or digest of the content.
    pub commit: String,
    /// `3.12`.
    pub python: String,
    /// Nothing newer than this date was installed (`YYYY-MM-DD`); empty where that was not asked. Later than what was
    /// asked where that is from before all interpreters of the machine.
    pub exclude_newer: String,
    /// What the project says of itself.
    pub project: Project,
    /// What was run, in order. Steps that failed are there too: what came after made up for them.
    pub steps: Vec<Step>,
}

fn local() -> String {
    "local".to_owned()
}

/// One step of a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What it was for.
    pub purpose: String,
    /// Program and arguments, as run inside the sandbox.
    pub command: Vec<String>,
    /// Whether it did its work.
    pub done: bool,
    /// End of what it said where it did not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
}

/// What came of an environment: the row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentRow {
    /// As in the recipe.
    #[serde(default = "local")]
    pub host: String,
    /// As in the recipe.
    pub repository: String,
    /// As in the recipe.
    pub commit: String,
    /// `3.12`.
    pub python: String,
    /// True where the suite ran and at least one test passed.
    pub built: bool,
    /// Why not; stable snake_case, empty where it is built.
    pub reason: String,
    /// Test files of the repository.
    pub test_files: usize,
    /// Test files that could not be collected.
    pub broken_files: usize,
    /// Items by outcome.
    pub passed: usize,
    /// Failed in the test.
    pub failed: usize,
    /// Failed in set-up or tear-down.
    pub errors: usize,
    /// Skipped.
    pub skipped: usize,
    /// False where the suite did not run to its end: the counts are of what had run.
    pub finished: bool,
    /// True where it ended itself before its end, and was not stopped for its time.
    #[serde(default)]
    pub broken_off: bool,
    /// What the sandbox enforced while the suite ran.
    pub limits: String,
    /// End of the log of what went wrong, or of the suite.
    pub log: String,
}

impl EnvironmentRow {
    fn of(recipe: &Recipe) -> Self {
        Self {
            host: recipe.host.clone(),
            repository: recipe.repository.clone(),
            commit: recipe.commit.clone(),
            python: recipe.python.clone(),
            test_files: recipe.project.tests.len(),
            ..Self::default()
        }
    }

    /// Why the suite did not run to its end, for people; empty where it did.
    pub fn stopped(&self) -> &'static str {
        match (self.finished, self.broken_off) {
            (true, _) => "",
            (false, true) => "; ended before its end",
            (false, false) => "; stopped for its time",
        }
    }

    /// Built, or why not, from the counts of the suite.
    fn judge(&mut self) {
        self.built = self.passed > 0;
        if !self.built {
            let run = self.failed + self.errors + self.skipped;
            let reason = match (run, self.finished, self.broken_off) {
                (0, false, true) => "suite_broken_off",
                (0, false, false) => "suite_stopped_for_its_time",
                _ if self.broken_files > 0 => "not_collected",
                _ => "nothing_passed",
            };
            self.reason = reason.to_owned();
        }
    }
}

/// A built environment.
#[derive(Debug, Clone)]
pub struct Environment {
    folder: PathBuf,
    /// How it was built.
    pub recipe: Recipe,
    interpreter: Interpreter,
}

/// Why an environment cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// The sandbox.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A file of the folder.
    #[error("{path}: {cause}; build the environment again")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// No interpreter.
    #[error(
        "no Python {wanted} on this machine (looked on PATH, in ~/.pyenv/versions, uv's folder and /usr/bin)"
    )]
    NoPython {
        /// What was asked for.
        wanted: String,
    },
    /// uv is missing.
    #[error("uv is not on PATH; `scripts/install_execution_tools` or `pip install uv` brings it")]
    NoUv,
}

impl EnvironmentError {
    fn file(path: &Path, cause: impl ToString) -> Self {
        Self::File { path: path.to_owned(), cause: cause.to_string() }
    }
}

impl Environment {
    /// Opens a folder that [`build`] has made.
    pub fn open(folder: &Path) -> Result<Self, EnvironmentError> {
        let path = folder.join("recipe.json");
        let bytes = std::fs::read(&path).map_err(|cause| EnvironmentError::file(&path, cause))?;
        let recipe: Recipe =
            serde_json::from_slice(&bytes).map_err(|cause| EnvironmentError::file(&path, cause))?;
        let known = python::interpreters();
        let wanted = known.into_iter().find(|one| format!("3.{}", one.version.1) == recipe.python);
        let interpreter =
            wanted.ok_or_else(|| EnvironmentError::NoPython { wanted: recipe.python.clone() })?;
        let folder = std::path::absolute(folder).map_err(|cause| EnvironmentError::file(folder, cause))?;
        Ok(Self { folder, recipe, interpreter })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs the repository's whole suite in one process, as a user would. The counts, and the CPU seconds that it
    /// took (0 where it was stopped).
    pub fn try_suite(
        &self,
        sandbox: &dyn Sandbox,
        patience: Duration,
    ) -> Result<(EnvironmentRow, f64), EnvironmentError> {
        let mut row = EnvironmentRow::of(&self.recipe);
        let seconds = trial::run_suite(sandbox, self, patience, &mut row)?;
        row.judge();
        Ok((row, seconds))
    }

    /// A job in the environment, which it cannot change. `exchange` becomes /exchange; it holds our Python files too.
    pub(crate) fn job(&self, exchange: &Path, command: &[&str], limits: Limits) -> Job {
        let mut job = self.base(exchange, command, limits);
        for (name, target) in [("repository", REPOSITORY), ("venv", VENV), ("tools", TOOLS)] {
            job.mounts.push(Mount::read_only(self.folder.join(name), target));
        }
        if let Some(libraries) = self.libraries() {
            job.mounts.push(Mount::read_only(libraries, SYSTEM));
        }
        job
    }

    /// A job that builds: it may change the environment.
    fn building_job(&self, exchange: &Path, command: &[&str], limits: Limits) -> Job {
        let mut job = self.base(exchange, command, limits);
        for (name, target) in [("repository", REPOSITORY), ("venv", VENV), ("tools", TOOLS)] {
            job.mounts.push(Mount::writable(self.folder.join(name), target));
        }
        if let Some(libraries) = self.libraries() {
            job.mounts.push(Mount::writable(libraries, SYSTEM));
        }
        job
    }

    fn base(&self, exchange: &Path, command: &[&str], limits: Limits) -> Job {
        let mut mounts = vec![
            Mount::read_only(exchange, EXCHANGE),
            Mount::read_only(exchange.join("python"), python::FOLDER),
        ];
        mounts.extend(
            self.interpreter.prefix().map(|prefix| Mount::read_only(prefix, prefix.to_string_lossy())),
        );
        let mut variables = variables();
        if self.libraries().is_some() {
            variables.extend(libraries::variables());
        }
        Job {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            directory: REPOSITORY.to_owned(),
            mounts,
            variables,
            network: false,
            limits,
        }
    }

    /// The folder of libraries that the machine lacks.
    fn libraries(&self) -> Option<PathBuf> {
        Some(self.folder.join("system")).filter(|folder| folder.is_dir())
    }

    /// A folder for what a job is told, with our Python files in it.
    pub(crate) fn exchange() -> Result<tempfile::TempDir, SandboxError> {
        let folder = tempfile::tempdir().map_err(SandboxError::Start)?;
        let files = folder.path().join("python");
        std::fs::create_dir(&files).map_err(SandboxError::file(&files))?;
        python::write(&files)?;
        Ok(folder)
    }
}

/// The environment's interpreter inside the sandbox.
pub(crate) const PYTHON: &str = "/environment/venv/bin/python";

/// Options that each pytest gets, whoever runs it: nothing of the repository's that reports, measures or fails a test
/// for a warning; no caches; an order that is the file's.
pub(crate) fn pytest_options(project: &Project) -> Vec<String> {
    let mut options: Vec<String> = ["-o", "addopts=", "-o", "filterwarnings=", "-qq", "--tb=short"]
        .map(str::to_owned)
        .into_iter()
        .collect();
    for plugin in
        ["cacheprovider", "xdist", "randomly", "random_order", "rerunfailures", "sugar", "benchmark"]
    {
        options.extend(["-p".to_owned(), format!("no:{plugin}")]);
    }
    options.extend(project.options.iter().cloned());
    options
}

fn variables() -> Vec<(String, String)> {
    [
        ("PATH", "/environment/venv/bin:/usr/local/bin:/usr/bin:/bin"),
        ("VIRTUAL_ENV", VENV),
        ("LANG", "C.UTF-8"),
        ("LC_ALL", "C.UTF-8"),
        ("TZ", "UTC"),
        ("USER", "tester"),
        ("XDG_CACHE_HOME", "/tmp/cache"),
        ("PYTHONHASHSEED", "0"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        // Numeric libraries start a thread for each core otherwise, which no test needs and no fork keeps.
        ("OPENBLAS_NUM_THREADS", "1"),
        ("OMP_NUM_THREADS", "1"),
        ("MKL_NUM_THREADS", "1"),
        ("HOME", HOME),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}
