//! What is installed into an environment, and what makes up for a way that fails.

use super::build::{Builder, STEP};
use super::repair::missing_packages;
use super::trial::collect;
use super::{EnvironmentError, PYTHON, Project, REPOSITORY};
use crate::sandbox::Limits;
use std::collections::BTreeSet;

/// Rounds of installing what imports turn out to miss.
const REPAIRS: usize = 4;

impl Builder<'_> {
    /// A requirement file as a whole; where uv refuses a line of it, line by line.
    pub(super) fn requirement_file(&mut self, file: &str) -> Result<(), EnvironmentError> {
        if self.install("requirement file", &["-r", file])? {
            return Ok(());
        }
        let command = [PYTHON, "-I", "/trefoil/project.py", REPOSITORY, file];
        let lines = self.listed(&command)?;
        self.requirements("line of a requirement file", &lines)
    }

    /// The requirements that a Python file of ours prints.
    fn listed(&self, command: &[&str]) -> Result<Vec<String>, EnvironmentError> {
        let job = self.environment.job(self.exchange.path(), command, Limits::default());
        let ending = self.sandbox.start(&job)?.finish(STEP)?;
        Ok(serde_json::from_str(&ending.output).unwrap_or_default())
    }

    /// Requirements together; where that fails, one by one.
    pub(super) fn requirements(&mut self, purpose: &str, lines: &[String]) -> Result<(), EnvironmentError> {
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
    pub(super) fn dependencies(&mut self, project: &Project) -> Result<(), EnvironmentError> {
        if !project.extras.is_empty() {
            let extras = format!("-e.[{}]", project.extras.join(","));
            if self.install("project with extras", &[&extras])? {
                return Ok(());
            }
            for extra in &project.extras {
                self.install("project with an extra", &[&format!("-e.[{extra}]")])?;
            }
        }
        loop {
            if self.install("project with dependencies", &["-e", "."])? {
                return Ok(());
            }
            if self.by_pip()? {
                return self.asked_for(project);
            }
            // What it is compiled against may be missing.
            if !self.libraries()? {
                return Ok(());
            }
        }
    }

    /// What a project asks for whose metadata pip takes and uv refuses: as of a date, only uv installs.
    fn asked_for(&mut self, project: &Project) -> Result<(), EnvironmentError> {
        let extras = project.extras.iter().map(String::as_str);
        let command: Vec<&str> =
            [PYTHON, "-I", "/trefoil/metadata.py", REPOSITORY].into_iter().chain(extras).collect();
        let lines = self.listed(&command)?;
        self.requirements("what the project asks for", &lines)
    }

    /// The project alone, as pip installs it.
    fn by_pip(&mut self) -> Result<bool, EnvironmentError> {
        self.install("pip", &["pip", "setuptools", "wheel"])?;
        let command = [PYTHON, "-m", "pip", "install", "--no-deps", "-e", "."];
        self.run("project, by pip", &command, true)
    }

    /// The project itself, last: a pin or a plug-in that depends on it may have brought another version.
    pub(super) fn project_last(&mut self, project: &Project) -> Result<bool, EnvironmentError> {
        if project.installable && (self.install("project", &["--no-deps", "-e", "."])? || self.by_pip()?) {
            return Ok(true);
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
    pub(super) fn repair(&mut self) -> Result<(), EnvironmentError> {
        let mut tried = BTreeSet::new();
        for _ in 0..REPAIRS {
            let collected = collect(self.sandbox, &self.environment)?;
            let copied = !collected.whole && self.copy_templates()?;
            let missing: Vec<String> =
                missing_packages(&collected.text, &self.environment.folder.join("repository"))
                    .into_iter()
                    .filter(|package| tried.insert(package.clone()))
                    .collect();
            match (missing.is_empty(), copied) {
                (true, true) => continue,
                (true, false) => break,
                (false, _) => {}
            }
            self.requirements("import repair", &missing)?;
            // What was installed may have brought the project along.
            let project = self.environment.recipe.project.clone();
            self.project_last(&project)?;
        }
        Ok(())
    }

    /// Files that a person would make of their templates beside the tests; those that are there stay. Whether there
    /// were any.
    fn copy_templates(&mut self) -> Result<bool, EnvironmentError> {
        let templates = std::mem::take(&mut self.templates);
        for (template, file) in &templates {
            self.run("file of a template", &["/bin/cp", "--no-clobber", "--", template, file], false)?;
        }
        Ok(!templates.is_empty())
    }

    pub(super) fn install(&mut self, purpose: &str, what: &[&str]) -> Result<bool, EnvironmentError> {
        self.run(purpose, &[&["/opt/uv", "pip", "install"], what].concat(), true)
    }
}
