//! Containers: podman or docker with an image that holds a system and nothing else. The rest is mounted, as for
//! bubblewrap.
//!
//! `scripts/sandbox_image` makes the image. The job's own processes make namespaces for each test, which the programs'
//! list of allowed system calls forbids; so it is off, and the container's namespaces, its missing privileges and its
//! read-only root are what contains a job.

use super::bubblewrap::{HOME, find};
use super::control_group::Group;
use super::{Job, Limits, Mount, Running, Sandbox, SandboxError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The image that is run where nobody names another.
const IMAGE: &str = "trefoil-sandbox";

/// The backend by a program that runs containers.
pub struct Container {
    program: PathBuf,
    image: String,
    version: String,
}

impl Container {
    /// Finds podman, else docker, and runs a trial job in the image (`TREFOIL_IMAGE`, by default `trefoil-sandbox`).
    pub fn probe() -> Result<Self, SandboxError> {
        let program = ["podman", "docker"].iter().find_map(|name| find(name));
        let program = program
            .ok_or_else(|| SandboxError::Unavailable("neither podman nor docker is on PATH".into()))?;
        let image = std::env::var("TREFOIL_IMAGE").unwrap_or_else(|_| IMAGE.to_owned());
        let mut found = Self { program, image, version: String::new() };
        let ending = found.start(&Job::trial())?.finish(Duration::from_secs(60))?;
        if !ending.success() {
            let (program, image) = (found.program.display(), &found.image);
            let log = ending.log.trim();
            return Err(SandboxError::Unavailable(format!(
                "a trial of {program} with {image} failed: {log}"
            )));
        }
        let said = Running::start(&found.program, &["--version".to_owned()], Group::none(), 256, None)?
            .finish(Duration::from_secs(10))?;
        said.output.trim().clone_into(&mut found.version);
        Ok(found)
    }

    fn is_podman(&self) -> bool {
        self.program.file_name().is_some_and(|name| name == "podman")
    }

    /// The owner of what is mounted, as the container sees it. podman's root without privileges is who called it.
    fn user(&self) -> String {
        if self.is_podman() {
            return "0:0".to_owned();
        }
        format!("{}:{}", rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw())
    }

    /// The command line of a job, in a container of this name.
    fn arguments(&self, name: &str, job: &Job) -> Vec<String> {
        let Limits { memory_bytes, processes, file_bytes, disk_bytes, .. } = job.limits;
        let mut line: Vec<String> = Vec::new();
        let mut add = |words: &[&str]| line.extend(words.iter().map(|word| (*word).to_owned()));
        if self.is_podman() {
            // Where no systemd runs.
            add(&["--cgroup-manager", "cgroupfs"]);
        }
        add(&["run", "--rm", "--interactive", "--name", name, "--pull", "never", "--hostname", "sandbox"]);
        add(&["--user", &self.user(), "--cap-drop", "ALL", "--read-only"]);
        add(&["--security-opt", "no-new-privileges", "--security-opt", "seccomp=unconfined"]);
        add(&["--network", if job.network { "host" } else { "none" }]);
        add(&["--memory", &memory_bytes.to_string(), "--memory-swap", &memory_bytes.to_string()]);
        add(&["--pids-limit", &processes.to_string()]);
        add(&["--ulimit", &format!("fsize={file_bytes}:{file_bytes}"), "--ulimit", "core=0:0"]);
        // Of the user in all containers; the job's own limit is the line before. podman's default may be more than is had.
        add(&["--ulimit", "nproc=4096:4096"]);
        add(&["--ulimit", "nofile=1024:1024", "--shm-size", &disk_bytes.to_string()]);
        for (folder, mode) in [("/tmp", "1777"), ("/run", "755"), (HOME, "1777")] {
            add(&["--tmpfs", &format!("{folder}:size={disk_bytes},mode={mode},exec")]);
        }
        // Whom the machine trusts, where it has certificates of its own.
        let trusted = "/etc/ssl/certs";
        if job.network && std::path::Path::new(trusted).is_dir() {
            add(&["--volume", &format!("{trusted}:{trusted}:ro")]);
        }
        for Mount { source, target, writable } in &job.mounts {
            let way = if *writable { "rw" } else { "ro" };
            add(&["--volume", &format!("{}:{target}:{way}", source.display())]);
        }
        add(&["--env", &format!("HOME={HOME}")]);
        for (name, value) in &job.variables {
            add(&["--env", &format!("{name}={value}")]);
        }
        add(&["--workdir", &job.directory, &self.image]);
        line.extend(job.command.iter().cloned());
        line
    }
}

impl Sandbox for Container {
    fn start(&self, job: &Job) -> Result<Running, SandboxError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("trefoil-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        // The container is no child of ours: its program's death is not its own.
        let end = ["rm", "--force", &name].map(str::to_owned).to_vec();
        let arguments = self.arguments(&name, job);
        Running::start(&self.program, &arguments, Group::none(), job.limits.output_bytes, Some(end))
    }

    fn in_force(&self, limits: &Limits, network: bool) -> String {
        let network = if network { "network open" } else { "no network" };
        format!(
            "{} with {}; {network}; read-only system, private /tmp and home; {} s a test; memory of the job {} MiB; {} \
             processes; address space of a process {} MiB; files of {} MiB; writes of {} MiB in memory; output of {} KiB kept",
            self.version,
            self.image,
            limits.seconds,
            limits.memory_bytes >> 20,
            limits.processes,
            limits.memory_bytes >> 20,
            limits.file_bytes >> 20,
            limits.disk_bytes >> 20,
            limits.output_bytes >> 10,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_becomes_a_command_line_that_gives_nothing_away() {
        let container =
            Container { program: "/usr/bin/docker".into(), image: "image".into(), version: String::new() };
        let job = Job {
            command: vec!["python".into(), "-c".into(), "print(1)".into()],
            directory: "/repository".into(),
            mounts: vec![Mount::read_only("/data/tree", "/repository"), Mount::writable("/data/out", "/out")],
            variables: vec![("TZ".into(), "UTC".into())],
            network: false,
            limits: Limits { memory_bytes: 1 << 30, processes: 64, ..Limits::default() },
        };
        let line = container.arguments("trefoil-1", &job).join(" ");
        for words in [
            "run --rm --interactive --name trefoil-1 --pull never",
            "--cap-drop ALL --read-only --security-opt no-new-privileges",
            "--network none",
            "--memory 1073741824 --memory-swap 1073741824 --pids-limit 64",
            "--volume /data/tree:/repository:ro --volume /data/out:/out:rw",
            "--env TZ=UTC --workdir /repository image python -c print(1)",
        ] {
            assert!(line.contains(words), "no `{words}` in {line}");
        }
        assert!(!line.contains("privileged ") && !line.contains("--network host"));
        let installing = Job { network: true, ..job };
        assert!(container.arguments("trefoil-2", &installing).join(" ").contains("--network host"));
        let podman = Container { program: "/usr/bin/podman".into(), ..container };
        assert!(podman.arguments("trefoil-3", &installing).starts_with(&["--cgroup-manager".to_owned()]));
    }
}
