//! The Python side: small files that run inside the sandbox, and the interpreters of this machine.

use crate::sandbox::SandboxError;
use std::path::{Path, PathBuf};

/// Where the files are inside the sandbox.
pub(crate) const FOLDER: &str = "/trefoil";

const FILES: [(&str, &str); 10] = [
    ("clover.py", include_str!("../python/clover.py")),
    ("cut.py", include_str!("../python/cut.py")),
    ("isolation.py", include_str!("../python/isolation.py")),
    ("libraries.py", include_str!("../python/libraries.py")),
    ("metadata.py", include_str!("../python/metadata.py")),
    ("plugin.py", include_str!("../python/plugin.py")),
    ("project.py", include_str!("../python/project.py")),
    ("session.py", include_str!("../python/session.py")),
    ("statements.py", include_str!("../python/statements.py")),
    ("tracer.py", include_str!("../python/tracer.py")),
];
const ZYGOTE: (&str, &str) = ("zygote.py", include_str!("../python/zygote.py"));

/// Writes the files into a folder of the machine.
pub(crate) fn write(folder: &Path) -> Result<(), SandboxError> {
    for (name, text) in FILES.into_iter().chain([ZYGOTE]) {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(SandboxError::file(&path))?;
    }
    Ok(())
}

/// An interpreter on this machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interpreter {
    /// `3.12` is (3, 12).
    pub version: (u32, u32),
    /// The program, links resolved.
    pub program: PathBuf,
}

impl Interpreter {
    /// The folder that holds the program and its library; a job needs it unless it lies in /usr.
    pub fn prefix(&self) -> Option<&Path> {
        self.program.parent()?.parent().filter(|prefix| !prefix.starts_with("/usr"))
    }

    /// Whether it had been out for half a year at the date (`YYYY-MM-DD`), so that packages could know it.
    pub(crate) fn is_known(&self, date: &str) -> bool {
        // 3.8 came out in October 2019, and one every October since; known from the April after.
        format!("{}-04", 2012 + self.version.1).as_str() <= date
    }

    /// The day by which what people use has builds for it.
    pub(crate) fn a_year_later(&self) -> String {
        format!("{}-10-15", 2012 + self.version.1)
    }
}

/// Interpreters in the usual places, newest first: PATH, what uv and pyenv keep, the system's.
pub fn interpreters() -> Vec<Interpreter> {
    let mut folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    folders.push("/usr/bin".into());
    if let Some(home) = std::env::var_os("HOME").map(PathBuf::from) {
        for kept in [home.join(".pyenv/versions"), home.join(".local/share/uv/python")] {
            let versions = std::fs::read_dir(kept).into_iter().flatten().flatten();
            folders.extend(versions.map(|entry| entry.path().join("bin")));
        }
    }
    let mut found = Vec::new();
    for entry in folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten() {
        let name = entry.file_name();
        let Some(version) = name.to_str().and_then(version) else { continue };
        // Wrappers that choose an interpreter by themselves are scripts.
        let Ok(program) = std::fs::canonicalize(entry.path()) else { continue };
        if std::fs::read(&program).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF")) {
            found.push(Interpreter { version, program });
        }
    }
    found.sort();
    found.dedup_by(|a, b| a.version == b.version);
    found.reverse();
    found
}

/// `python3.12` is (3, 12); 3.8 is the oldest that the files run on.
fn version(name: &str) -> Option<(u32, u32)> {
    let minor = name.strip_prefix("python3.")?.parse().ok()?;
    (minor >= 8).then_some((3, minor))
}

/// The interpreter for a project: the newest that it asks for and that had been out for half a year at the date
/// (`YYYY-MM-DD`), so that what it depends on could know it.
pub(crate) fn choose<'a>(
    interpreters: &'a [Interpreter],
    requires: &str,
    date: Option<&str>,
) -> Option<&'a Interpreter> {
    let known = |interpreter: &&Interpreter| date.is_none_or(|date| interpreter.is_known(date));
    let asked =
        |interpreter: &&Interpreter| requires.split(',').all(|part| allows(part, interpreter.version));
    let fit = interpreters.iter().find(|interpreter| known(interpreter) && asked(interpreter));
    fit.or_else(|| interpreters.iter().rev().find(asked))
}

/// Whether one part of `>=3.8,<4` allows a version; what is not understood allows all.
fn allows(part: &str, version: (u32, u32)) -> bool {
    let part = part.trim();
    let digits = part.find(|sign: char| sign.is_ascii_digit()).unwrap_or(part.len());
    let (operator, number) = part.split_at(digits);
    let mut numbers = number.split('.').map(|number| number.parse::<u32>().ok());
    let Some(Some(major)) = numbers.next() else { return true };
    let minor = numbers.next().flatten();
    let wanted = (major, minor.unwrap_or(0));
    match operator.trim() {
        ">=" | "~=" => version >= wanted,
        ">" => version > wanted || minor.is_some(),
        "<=" => version <= wanted || minor.is_none(),
        "<" => version < wanted,
        "==" => minor.is_none_or(|_| version == wanted),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_python_that_fits_the_project_and_its_time_is_chosen() {
        let all: Vec<Interpreter> = [14, 13, 12, 11, 10, 8]
            .map(|minor| Interpreter { version: (3, minor), program: format!("/python3.{minor}").into() })
            .to_vec();
        let chosen = |requires: &str, date| choose(&all, requires, date).map(|one| one.version.1);
        assert_eq!(chosen("", None), Some(14));
        assert_eq!(chosen(">=3.8", Some("2024-08-30")), Some(12));
        assert_eq!(chosen(">=3.8", Some("2024-03-01")), Some(11));
        assert_eq!(chosen(">=3.8,<3.11", Some("2024-08-30")), Some(10));
        assert_eq!(chosen(">=3.13", Some("2024-08-30")), Some(13));
        assert_eq!(chosen("<3.8", None), None);
    }

    #[test]
    fn packages_from_before_an_interpreter_are_told_by_the_date() {
        let oldest = Interpreter { version: (3, 8), program: "/python3.8".into() };
        assert!(!oldest.is_known("2018-11-08") && oldest.is_known("2020-04-01"));
        assert_eq!(oldest.a_year_later(), "2020-10-15");
    }
}
