//! Which program runs containers, and which of its own options it needs on this machine.

use crate::sandbox::find;
use std::path::{Path, PathBuf};

/// Runtimes of containers to try where the program's own does not work.
const RUNTIMES: [&str; 2] = ["runc", "crun"];

/// A program and what it is told before anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    /// podman or docker.
    pub program: PathBuf,
    /// Options of the program itself.
    pub global: Vec<String>,
    /// Options of its `run`.
    pub run: Vec<String>,
    /// Whether memory and processes are limited.
    pub limits: bool,
}

impl Way {
    /// The ways to try with a program, the least particular first. `runtime` is what the user asks for.
    pub(super) fn all(program: &Path, runtime: Option<&str>) -> Vec<Self> {
        let plain = Self { program: program.to_owned(), global: Vec::new(), run: Vec::new(), limits: true };
        if !plain.is_podman() {
            // Its daemon knows runtimes by names of its own, and discards limits that it cannot set.
            let run =
                runtime.into_iter().flat_map(|name| ["--runtime".to_owned(), name.to_owned()]).collect();
            return vec![Self { run, ..plain }];
        }
        let others =
            RUNTIMES.iter().filter(|name| runtime.is_none() && find(name).is_some()).map(|name| Some(*name));
        let mut ways = Vec::new();
        for runtime in std::iter::once(runtime).chain(others) {
            // systemd does not run everywhere, and elsewhere nobody but systemd may make control groups.
            for manager in [None, Some("cgroupfs")] {
                let options = [("--runtime", runtime), ("--cgroup-manager", manager)];
                let given = options.into_iter().filter_map(|(name, value)| Some([name, value?]));
                ways.push(Self { global: given.flatten().map(str::to_owned).collect(), ..plain.clone() });
            }
        }
        let unlimited: Vec<Self> = ways.iter().map(|way| Self { limits: false, ..way.clone() }).collect();
        ways.extend(unlimited);
        ways
    }

    /// What is run, as a message tells it.
    pub(super) fn words(&self) -> String {
        let limits = if self.limits { "" } else { " without limits" };
        let line: Vec<String> = [&self.global[..], &["run".to_owned()], &self.run[..]].concat();
        format!("{} {}{limits}", self.program.display(), line.join(" "))
    }

    /// podman has options that docker lacks.
    pub(super) fn is_podman(&self) -> bool {
        self.program.file_name().is_some_and(|name| name == "podman")
    }

    /// The command line of another verb of the program.
    pub(super) fn command(&self, words: &[&str]) -> Vec<String> {
        self.global.iter().cloned().chain(words.iter().map(|word| (*word).to_owned())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_least_is_tried_first_and_a_runtime_that_is_asked_for_alone() {
        let ways = Way::all(Path::new("/usr/bin/podman"), Some("youki"));
        let tried: Vec<(String, bool)> = ways.iter().map(|way| (way.global.join(" "), way.limits)).collect();
        let (plain, other) = ("--runtime youki", "--runtime youki --cgroup-manager cgroupfs");
        assert_eq!(
            tried,
            [(plain, true), (other, true), (plain, false), (other, false)].map(|(a, b)| (a.into(), b))
        );
        assert_eq!(Way::all(Path::new("/usr/bin/podman"), None)[0].global, Vec::<String>::new());
        let docker = Way::all(Path::new("/usr/bin/docker"), Some("runsc"));
        assert_eq!((docker.len(), docker[0].run.join(" ").as_str()), (1, "--runtime runsc"));
    }
}
