//! bubblewrap: namespaces for everything, a root of read-only system folders, a private /tmp and home.

use super::control_group::{ControlGroups, Group};
use super::devices::Devices;
use super::identity::{HOME, Identity, USER};
use super::{Job, Limits, Mount, Running, Sandbox, SandboxError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folders of the system that hold programs and libraries; links are kept as links.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"];
/// Files of /etc that programs need; the folder as a whole would tell about the machine and its users.
const CONFIGURATION: [&str; 7] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/protocols",
];
/// What finding hosts takes, where there is a network.
const NETWORK_CONFIGURATION: [&str; 3] = ["/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/services"];
/// What trusting them takes.
pub(super) const NETWORK_CERTIFICATES: [&str; 3] =
    ["/etc/ssl/certs", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates"];

/// The backend on one machine.
pub struct Bubblewrap {
    program: PathBuf,
    groups: ControlGroups,
    version: String,
    identity: Identity,
    devices: Devices,
}

impl Bubblewrap {
    /// Finds the program and runs a trial job.
    pub fn probe() -> Result<Self, SandboxError> {
        let program =
            find("bwrap").ok_or_else(|| SandboxError::Unavailable("bwrap is not on PATH".into()))?;
        let (identity, devices) = (Identity::make()?, Devices::make()?);
        let mut found =
            Self { program, groups: ControlGroups::probe(), version: String::new(), identity, devices };
        let ending = found.start(&Job::trial())?.finish(Duration::from_secs(20))?;
        if !ending.success() {
            return Err(SandboxError::Unavailable(format!("a trial of bwrap failed: {}", ending.log.trim())));
        }
        found.version = version(&found.program);
        Ok(found)
    }

    fn arguments(&self, job: &Job) -> Vec<String> {
        let mut line = Line::default();
        line.add(&["--unshare-all", "--unshare-user", "--uid", USER, "--gid", USER]);
        line.add(&["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]);
        if job.network {
            line.add(&["--share-net"]);
        }
        for folder in SYSTEM {
            match std::fs::read_link(folder) {
                Ok(target) => line.add(&["--symlink", &target.to_string_lossy(), folder]),
                Err(_) => line.add(&["--ro-bind-try", folder, folder]),
            }
        }
        let size = job.limits.disk_bytes.to_string();
        line.add(&["--proc", "/proc", "--dev", "/dev", "--size", &size, "--tmpfs", "/dev/shm"]);
        for (own, device) in self.devices.mounts() {
            line.add(&["--dev-bind", &own, &device]);
        }
        line.add(&["--remount-ro", "/dev", "--tmpfs", "/run"]);
        line.add(&["--size", &size, "--perms", "1777", "--tmpfs", "/tmp"]);
        line.add(&["--size", &size, "--tmpfs", "/home", "--dir", HOME]);
        for path in CONFIGURATION {
            line.add(&["--ro-bind-try", path, path]);
        }
        for path in NETWORK_CONFIGURATION.iter().chain(&NETWORK_CERTIFICATES).filter(|_| job.network) {
            line.add(&["--ro-bind-try", path, path]);
        }
        for (path, target) in self.identity.mounts() {
            line.add(&["--ro-bind", &path.to_string_lossy(), &target]);
        }
        for Mount { source, target, writable } in &job.mounts {
            let way = if *writable { "--bind" } else { "--ro-bind" };
            line.add(&[way, &source.to_string_lossy(), target]);
        }
        line.add(&["--remount-ro", "/", "--clearenv", "--setenv", "HOME", HOME]);
        for (name, value) in &job.variables {
            line.add(&["--setenv", name, value]);
        }
        line.add(&["--chdir", &job.directory, "--"]);
        line.0.extend(job.command.iter().cloned());
        line.0
    }
}

#[derive(Default)]
struct Line(Vec<String>);

impl Line {
    fn add(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(|word| (*word).to_owned()));
    }
}

impl Sandbox for Bubblewrap {
    fn start(&self, job: &Job) -> Result<Running, SandboxError> {
        let group: Group = self.groups.make(&job.limits)?;
        Running::start(&self.program, &self.arguments(job), group, job.limits.output_bytes, None)
    }

    fn in_force(&self, limits: &Limits, network: bool) -> String {
        let network = if network { "network open" } else { "no network" };
        format!(
            "{}; {network}; read-only system, private /tmp and home; {} s a test; {}; address space of a process {} \
             MiB; files of {} MiB; writes of {} MiB in memory; output of {} KiB kept",
            self.version,
            limits.seconds,
            self.groups.words(limits),
            limits.memory_bytes >> 20,
            limits.file_bytes >> 20,
            limits.disk_bytes >> 20,
            limits.output_bytes >> 10,
        )
    }
}

fn version(program: &Path) -> String {
    let said = Running::start(program, &["--version".to_owned()], Group::none(), 256, None)
        .and_then(|running| running.finish(Duration::from_secs(5)));
    said.map_or_else(|_| "bubblewrap".to_owned(), |ending| ending.output.trim().to_owned())
}

/// A program of this name on PATH.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
