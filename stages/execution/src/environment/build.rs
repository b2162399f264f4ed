//! Builds an environment, step by step; a step that fails has another that makes up for it.

use super::{
    Environment, EnvironmentError, EnvironmentRow, PYTHON, Project, REPOSITORY, Recipe, Step, TOOLS, VENV,
};
use crate::python::{self, Interpreter};
use crate::sandbox::{Job, Limits, Mount, Sandbox, find};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Coverage tools of our own, the same for every repository; without dependencies, since pytest is the project's.
const COVERAGE_TOOLS: [&str; 3] = [
    "coverage==7.6.12; python_version >= '3.9'",
    "coverage==7.6.1; python_version < '3.9'",
    "pytest-cov==5.0.0",
];
/// How much of the log of a step that failed goes into the recipe.
const LOG_SIGNS: usize = 2000;
/// How long one step may take.
pub(super) const STEP: Duration = Duration::from_secs(900);

/// What to build.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where the repository is at home: `github.com`, or `local`.
    pub host: String,
    /// `owner/name` or what the caller calls it.
    pub repository: String,
    /// Commit, or digest of the content.
    pub commit: String,
    /// Folder to build in; its `repository/` holds the tree already.
    pub folder: PathBuf,
    /// Install nothing newer than this date (`YYYY-MM-DD`).
    pub exclude_newer: Option<String>,
    /// `3.12`; by default what the project and the date ask for.
    pub python: Option<String>,
    /// uv's cache, shared by all environments.
    pub cache: PathBuf,
    /// How long the trial of the suite may take; none is made with 0.
    pub suite_seconds: u64,
}

/// Builds an environment and tries its suite. What goes wrong with the repository is in the row.
pub fn build(sandbox: &dyn Sandbox, request: &Request) -> Result<EnvironmentRow, EnvironmentError> {
    let known = python::interpreters();
    let newest = known.first().ok_or_else(|| EnvironmentError::NoPython { wanted: "3.8 or newer".into() })?;
    let uv = find("uv").ok_or(EnvironmentError::NoUv)?;
    for folder in
        ["repository", "venv", "tools"].map(|name| request.folder.join(name)).iter().chain([&request.cache])
    {
        std::fs::create_dir_all(folder).map_err(|cause| EnvironmentError::file(folder, cause))?;
    }
    let folder = std::path::absolute(&request.folder)
        .map_err(|cause| EnvironmentError::file(&request.folder, cause))?;
    let recipe = Recipe {
        host: request.host.clone(),
        repository: request.repository.clone(),
        commit: request.commit.clone(),
        python: String::new(),
        exclude_newer: request.exclude_newer.clone().unwrap_or_default(),
        project: Project::default(),
        steps: Vec::new(),
    };
    let environment = Environment { folder, recipe, interpreter: newest.clone() };
    let exchange = Environment::exchange()?;
    let mut builder =
        Builder { sandbox, request, uv, environment, exchange, templates: Vec::new(), log: String::new() };
    let row = builder.build(&known)?;
    builder.write(&row)?;
    Ok(row)
}

/// An environment on its way.
pub(super) struct Builder<'a> {
    pub(super) sandbox: &'a dyn Sandbox,
    request: &'a Request,
    uv: PathBuf,
    pub(super) environment: Environment,
    pub(super) exchange: tempfile::TempDir,
    /// Templates beside the tests that are not copied yet.
    pub(super) templates: Vec<(String, String)>,
    /// End of the log of the last step that failed.
    log: String,
}

impl Builder<'_> {
    fn build(&mut self, known: &[Interpreter]) -> Result<EnvironmentRow, EnvironmentError> {
        let Some(project) = self.describe()? else { return Ok(self.failed("project_unreadable")) };
        self.environment.recipe.project = project.clone();
        self.templates.clone_from(&project.templates);
        let Some(interpreter) = self.interpreter(known, &project) else {
            self.log = format!("asks for Python {}", project.requires_python);
            return Ok(self.failed("no_fitting_python"));
        };
        self.environment.recipe.python = format!("3.{}", interpreter.version.1);
        if self.request.python.is_none() {
            self.date_for(&interpreter);
        }
        self.environment.interpreter = interpreter;
        if project.tests.is_empty() {
            return Ok(self.failed("no_test_files"));
        }
        let program = self.environment.interpreter.program.to_string_lossy().into_owned();
        if !self.run("environment", &["/opt/uv", "venv", "--clear", "--python", &program, VENV], true)? {
            return Ok(self.failed("no_environment"));
        }
        for file in &project.requirement_files {
            self.requirement_file(file)?;
        }
        if project.installable {
            self.dependencies(&project)?;
        }
        for group in &project.groups {
            self.install("dependency group", &["--group", group])?;
        }
        self.requirements("requirements for tests", &project.other_requirements)?;
        if !self.run("look for pytest", &[PYTHON, "-c", "import pytest"], false)? {
            self.install("pytest", &["pytest"])?;
        }
        if !self.project_last(&project)? {
            return Ok(self.failed("project_not_installed"));
        }
        let tools =
            [&["/opt/uv", "pip", "install", "--no-deps", "--target", TOOLS], &COVERAGE_TOOLS[..]].concat();
        if !self.run_dated("coverage tools", &tools, true, false)? {
            return Ok(self.failed("no_coverage_tools"));
        }
        self.repair()?;
        // Without it each process would compile the project anew, since the tree cannot be written to.
        self.run("compile", &[PYTHON, "-m", "compileall", "-q", "-j", "0", REPOSITORY, VENV, TOOLS], false)?;
        self.lock()?;
        self.trial()
    }

    /// What the project says of itself, read by the newest interpreter since that can read TOML.
    fn describe(&mut self) -> Result<Option<Project>, EnvironmentError> {
        let program = self.environment.interpreter.program.to_string_lossy().into_owned();
        let command = [program.as_str(), "-I", "/trefoil/project.py", REPOSITORY];
        let limits = Limits { output_bytes: 64 << 20, ..Limits::default() };
        let job = self.environment.job(self.exchange.path(), &command, limits);
        let ending = self.sandbox.start(&job)?.finish(STEP)?;
        self.log = ending.log;
        Ok(serde_json::from_str(&ending.output).ok())
    }

    fn interpreter(&self, known: &[Interpreter], project: &Project) -> Option<Interpreter> {
        match &self.request.python {
            Some(wanted) => known.iter().find(|one| format!("3.{}", one.version.1) == *wanted).cloned(),
            None => python::choose(known, &project.requires_python, self.request.exclude_newer.as_deref())
                .cloned(),
        }
    }

    /// Packages from before the interpreter was known have no builds for it: where a project is older than all
    /// interpreters that there are, the date moves to a year after the release of the one that was chosen.
    fn date_for(&mut self, interpreter: &Interpreter) {
        let date = &mut self.environment.recipe.exclude_newer;
        if !date.is_empty() && !interpreter.is_known(date) {
            *date = interpreter.a_year_later();
        }
    }

    fn lock(&mut self) -> Result<(), EnvironmentError> {
        let command = ["/opt/uv", "pip", "freeze"];
        let mut job = self.job(&command, false);
        job.limits.output_bytes = 1 << 20;
        let ending = self.sandbox.start(&job)?.finish(STEP)?;
        let path = self.environment.folder.join("lock.txt");
        std::fs::write(&path, ending.output).map_err(|cause| EnvironmentError::file(&path, cause))
    }

    fn trial(&mut self) -> Result<EnvironmentRow, EnvironmentError> {
        let mut row = self.row();
        if self.request.suite_seconds == 0 {
            row.built = true;
            return Ok(row);
        }
        let patience = Duration::from_secs(self.request.suite_seconds);
        let (row, _) = self.environment.try_suite(self.sandbox, patience)?;
        Ok(row)
    }

    pub(super) fn run(
        &mut self,
        purpose: &str,
        command: &[&str],
        network: bool,
    ) -> Result<bool, EnvironmentError> {
        self.run_dated(purpose, command, network, true)
    }

    fn run_dated(
        &mut self,
        purpose: &str,
        command: &[&str],
        network: bool,
        dated: bool,
    ) -> Result<bool, EnvironmentError> {
        let mut job = self.job(command, network);
        let date = &self.environment.recipe.exclude_newer;
        if dated && !date.is_empty() {
            job.variables.push(("UV_EXCLUDE_NEWER".to_owned(), format!("{date}T00:00:00Z")));
        }
        Ok(self.step(purpose, job)?.is_some())
    }

    /// Runs a job and notes it in the recipe. What it printed, where it did its work.
    pub(super) fn step(&mut self, purpose: &str, job: Job) -> Result<Option<String>, EnvironmentError> {
        let ending = self.sandbox.start(&job)?.finish(STEP)?;
        let done = ending.success();
        let said = format!("{}{}", ending.output, ending.log);
        let log = if done { String::new() } else { end_of(&said).to_owned() };
        if !done {
            self.log = format!("{purpose}: {}\n{said}", job.command.join(" "));
        }
        let step = Step { purpose: purpose.to_owned(), command: job.command, done, log };
        self.environment.recipe.steps.push(step);
        Ok(done.then_some(ending.output))
    }

    pub(super) fn job(&self, command: &[&str], network: bool) -> Job {
        let limits =
            Limits { file_bytes: 4 << 30, disk_bytes: 4 << 30, processes: 1024, ..Limits::default() };
        let mut job = self.environment.building_job(self.exchange.path(), command, limits);
        job.network = network;
        job.mounts.push(Mount::read_only(&self.uv, "/opt/uv"));
        job.mounts.push(Mount::writable(&self.request.cache, "/cache"));
        let variables = [
            ("UV_CACHE_DIR", "/cache"),
            ("UV_NO_PROGRESS", "1"),
            ("UV_NO_CONFIG", "1"),
            ("UV_PYTHON_DOWNLOADS", "never"),
            ("UV_SYSTEM_CERTS", "1"),
            ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
            ("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt"),
            // Projects that take their version from git have none here.
            ("SETUPTOOLS_SCM_PRETEND_VERSION", "99.0"),
            ("PBR_VERSION", "99.0"),
            ("POETRY_DYNAMIC_VERSIONING_BYPASS", "99.0"),
        ];
        job.variables.extend(variables.map(|(name, value)| (name.to_owned(), value.to_owned())));
        job
    }

    fn row(&self) -> EnvironmentRow {
        EnvironmentRow::of(&self.environment.recipe)
    }

    fn failed(&self, reason: &str) -> EnvironmentRow {
        EnvironmentRow { reason: reason.to_owned(), log: self.log.clone(), ..self.row() }
    }

    fn write(&self, row: &EnvironmentRow) -> Result<(), EnvironmentError> {
        write_json(&self.environment.folder.join("outcome.json"), row)?;
        write_json(&self.environment.folder.join("recipe.json"), &self.environment.recipe)
    }
}

/// The last lines of a log, where the cause stands.
fn end_of(log: &str) -> &str {
    let from = log.char_indices().rev().nth(LOG_SIGNS - 1).map_or(0, |(place, _)| place);
    log.get(from..).unwrap_or_default()
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), EnvironmentError> {
    let mut text =
        serde_json::to_string_pretty(value).map_err(|cause| EnvironmentError::file(path, cause))?;
    text.push('\n');
    std::fs::write(path, text).map_err(|cause| EnvironmentError::file(path, cause))
}
