//! Builds an environment, step by step; a step that fails has another that makes up for it.

use super::repair::missing_packages;
use super::trial::collect;
use super::{
    Environment, EnvironmentError, EnvironmentRow, PYTHON, Project, REPOSITORY, Recipe, Step, TOOLS, VENV,
};
use crate::python::{self, Interpreter};
use crate::sandbox::{Limits, Mount, Sandbox, find};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Coverage tools of our own, the same for every repository; without dependencies, since pytest is the project's.
const COVERAGE_TOOLS: [&str; 3] = [
    "coverage==7.6.12; python_version >= '3.9'",
    "coverage==7.6.1; python_version < '3.9'",
    "pytest-cov==5.0.0",
];
/// Rounds of installing what imports turn out to miss.
const REPAIRS: usize = 4;
/// How long one step may take.
const STEP: Duration = Duration::from_secs(900);

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
    let mut builder = Builder { sandbox, request, uv, environment, exchange, log: String::new() };
    let row = builder.build(&known)?;
    builder.write(&row)?;
    Ok(row)
}

struct Builder<'a> {
    sandbox: &'a dyn Sandbox,
    request: &'a Request,
    uv: PathBuf,
    environment: Environment,
    exchange: tempfile::TempDir,
    /// End of the log of the last step that failed.
    log: String,
}

impl Builder<'_> {
    fn build(&mut self, known: &[Interpreter]) -> Result<EnvironmentRow, EnvironmentError> {
        let Some(project) = self.describe()? else { return Ok(self.failed("project_unreadable")) };
        self.environment.recipe.project = project.clone();
        let Some(interpreter) = self.interpreter(known, &project) else {
            self.log = format!("asks for Python {}", project.requires_python);
            return Ok(self.failed("no_fitting_python"));
        };
        self.environment.recipe.python = format!("3.{}", interpreter.version.1);
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

    /// A requirement file as a whole; where uv refuses a line of it, line by line.
    fn requirement_file(&mut self, file: &str) -> Result<(), EnvironmentError> {
        if self.install("requirement file", &["-r", file])? {
            return Ok(());
        }
        let command = [PYTHON, "-I", "/trefoil/project.py", REPOSITORY, file];
        let job = self.environment.job(self.exchange.path(), &command, Limits::default());
        let ending = self.sandbox.start(&job)?.finish(STEP)?;
        let lines: Vec<String> = serde_json::from_str(&ending.output).unwrap_or_default();
        self.requirements("line of a requirement file", &lines)
    }

    /// Requirements together; where that fails, one by one.
    fn requirements(&mut self, purpose: &str, lines: &[String]) -> Result<(), EnvironmentError> {
        let all: Vec<&str> = lines.iter().map(String::as_str).collect();
        if all.is_empty() || self.install(purpose, &all)? {
            return Ok(());
        }
        for line in all {
            self.install(purpose, &[line])?;
        }
        Ok(())
    }

    /// What the project depends on, with its extras for tests; without them where they do not install.
    fn dependencies(&mut self, project: &Project) -> Result<(), EnvironmentError> {
        if !project.extras.is_empty() {
            let extras = format!("-e.[{}]", project.extras.join(","));
            if self.install("project with extras", &[&extras])? {
                return Ok(());
            }
            for extra in &project.extras {
                self.install("project with an extra", &[&format!("-e.[{extra}]")])?;
            }
        }
        if !self.install("project with dependencies", &["-e", "."])? {
            // uv refuses metadata that pip takes.
            self.install("pip", &["pip", "setuptools", "wheel"])?;
            self.run(
                "project with dependencies, by pip",
                &[PYTHON, "-m", "pip", "install", "-e", "."],
                true,
            )?;
        }
        Ok(())
    }

    /// The project itself, last: a pin or a plug-in that depends on it may have brought another version.
    fn project_last(&mut self, project: &Project) -> Result<bool, EnvironmentError> {
        if project.installable {
            if self.install("project", &["--no-deps", "-e", "."])? {
                return Ok(true);
            }
            self.install("pip", &["pip", "setuptools", "wheel"])?;
            let by_pip = [PYTHON, "-m", "pip", "install", "--no-deps", "-e", "."];
            if self.run("project, by pip", &by_pip, true)? {
                return Ok(true);
            }
        }
        // A project that cannot be installed may run from its folder all the same.
        let place = match project.sources.first().and_then(|path| path.split_once('/')) {
            Some((folder @ ("src" | "lib"), _)) => format!("{REPOSITORY}/{folder}"),
            _ => REPOSITORY.to_owned(),
        };
        let script = "import sysconfig, sys; open(sysconfig.get_path('purelib') + '/project.pth', 'w').write(sys.argv[1])";
        self.run("project by its path", &[PYTHON, "-c", script, &place], false)
    }

    /// Installs what imports of test files turn out to miss.
    fn repair(&mut self) -> Result<(), EnvironmentError> {
        let mut tried = BTreeSet::new();
        for _ in 0..REPAIRS {
            let report = collect(self.sandbox, &self.environment)?;
            let missing: Vec<String> = missing_packages(&report, &self.environment.folder.join("repository"))
                .into_iter()
                .filter(|package| tried.insert(package.clone()))
                .collect();
            if missing.is_empty() {
                break;
            }
            self.requirements("import repair", &missing)?;
            // What was installed may have brought the project along.
            let project = self.environment.recipe.project.clone();
            self.project_last(&project)?;
        }
        Ok(())
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

    fn install(&mut self, purpose: &str, what: &[&str]) -> Result<bool, EnvironmentError> {
        self.run(purpose, &[&["/opt/uv", "pip", "install"], what].concat(), true)
    }

    fn run(&mut self, purpose: &str, command: &[&str], network: bool) -> Result<bool, EnvironmentError> {
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
        if let Some(date) = self.request.exclude_newer.as_deref().filter(|_| dated) {
            job.variables.push(("UV_EXCLUDE_NEWER".to_owned(), format!("{date}T00:00:00Z")));
        }
        let ending = self.sandbox.start(&job)?.finish(STEP)?;
        let done = ending.success();
        if !done {
            self.log = format!("{purpose}: {}\n{}{}", command.join(" "), ending.output, ending.log);
        }
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        self.environment.recipe.steps.push(Step { purpose: purpose.to_owned(), command, done });
        Ok(done)
    }

    fn job(&self, command: &[&str], network: bool) -> crate::sandbox::Job {
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

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), EnvironmentError> {
    let mut text =
        serde_json::to_string_pretty(value).map_err(|cause| EnvironmentError::file(path, cause))?;
    text.push('\n');
    std::fs::write(path, text).map_err(|cause| EnvironmentError::file(path, cause))
}
