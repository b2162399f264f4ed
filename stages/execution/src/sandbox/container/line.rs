//! The command line of a job: what a container may see and do. The module's documentation says why.

use super::Container;
use crate::sandbox::bubblewrap::NETWORK_CERTIFICATES;
use crate::sandbox::identity::{HOME, USER};
use crate::sandbox::{Job, Limits, Mount};
use std::path::Path;

/// Runs in the container before the job.
const ENTER: &str = include_str!("enter.sh");

#[derive(Default)]
struct Line(Vec<String>);

impl Line {
    fn add(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(|word| (*word).to_owned()));
    }

    fn mount(&mut self, source: &Path, target: &str, writable: bool) {
        let way = if writable { "" } else { ",readonly" };
        let source = source.display();
        self.add(&["--mount", &format!("type=bind,source={source},target={target}{way}")]);
    }
}

impl Container {
    /// The command line of a job in a container of this name.
    pub(super) fn arguments(&self, name: &str, job: &Job) -> Vec<String> {
        let mut line = Line(self.way.global.clone());
        line.add(&[
            "run",
            "--rm",
            "--interactive",
            "--name",
            name,
            "--label",
            &self.label,
            "--pull",
            "never",
        ]);
        line.0.extend(self.way.run.iter().cloned());
        // Killed at once, and nothing of what it says kept on disk.
        line.add(&["--stop-signal", "KILL", "--log-driver", "none", "--hostname", "sandbox"]);
        self.privileges(&mut line);
        line.add(&["--network", if job.network { "host" } else { "none" }]);
        self.limits(&mut line, &job.limits);
        self.mounts(&mut line, job);
        line.add(&["--workdir", &job.directory, "--entrypoint", "unshare", &self.image]);
        line.add(&[
            "--user",
            "--mount",
            &format!("--map-user={USER}"),
            &format!("--map-group={USER}"),
            "--keep-caps",
        ]);
        line.add(&["sh", "-c", ENTER, "enter", &format!("HOME={HOME}"), &format!("PWD={}", job.directory)]);
        for (name, value) in &job.variables {
            line.add(&[&format!("{name}={value}")]);
        }
        line.0.extend(job.command.iter().cloned());
        line.0
    }

    fn privileges(&self, line: &mut Line) {
        let (user, group) = self.owner();
        line.add(&["--user", &format!("{user}:{group}"), "--userns", "host", "--cap-drop", "ALL"]);
        if user == 0 {
            line.add(&["--cap-add", "SETFCAP"]);
        }
        line.add(&["--read-only", "--security-opt", "no-new-privileges"]);
        line.add(&["--security-opt", "label=disable", "--security-opt", "apparmor=unconfined"]);
        if let Some(filter) = &self.filter {
            line.add(&["--security-opt", &format!("seccomp={}", filter.path().display())]);
        }
        if self.way.is_podman() {
            // It would make folders besides ours that can be written.
            line.add(&["--read-only-tmpfs=false"]);
        }
    }

    /// The owner of what is mounted, as the container sees it. podman's root without privileges is who called it.
    fn owner(&self) -> (u32, u32) {
        if self.way.is_podman() {
            return (0, 0);
        }
        (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw())
    }

    fn limits(&self, line: &mut Line, limits: &Limits) {
        let Limits { memory_bytes, processes, file_bytes, disk_bytes, .. } = limits;
        if self.way.limits {
            let memory = memory_bytes.to_string();
            line.add(&[
                "--memory",
                &memory,
                "--memory-swap",
                &memory,
                "--pids-limit",
                &processes.to_string(),
            ]);
        }
        line.add(&["--ulimit", &format!("fsize={file_bytes}:{file_bytes}"), "--ulimit", "core=0:0"]);
        // What the program asks for by itself may be more than it is allowed to.
        line.add(&["--ulimit", "nproc=4096:4096", "--ulimit", "nofile=1024:1024"]);
        line.add(&["--shm-size", &disk_bytes.to_string()]);
        for (folder, mode) in [("/tmp", "1777"), ("/run", "755"), (HOME, "1777")] {
            line.add(&["--tmpfs", &format!("{folder}:size={disk_bytes},mode={mode},exec")]);
        }
    }

    fn mounts(&self, line: &mut Line, job: &Job) {
        for (path, target) in self.identity.mounts() {
            line.mount(&path, &target, false);
        }
        // Whom the machine trusts, where it has certificates of its own.
        for folder in NETWORK_CERTIFICATES.iter().filter(|folder| job.network && Path::new(folder).is_dir()) {
            line.mount(Path::new(folder), folder, false);
        }
        for Mount { source, target, writable } in &job.mounts {
            line.mount(source, target, *writable);
        }
    }
}
