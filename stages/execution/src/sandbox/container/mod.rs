//! Containers: podman or docker with an image that holds a system and nothing else (`scripts/sandbox_image`). The rest
//! is mounted, as for bubblewrap.
//!
//! **What a job needs and containers withhold.** `isolation.py` gives each test user, mount, process and IPC
//! namespaces of its own, and overlays in them. Any user may, but for one whose number is 0: to map it into a new
//! namespace takes `CAP_SETFCAP` since Linux 5.12, and files of who called the program belong to 0 inside. So that
//! privilege, and no other, is what a container starts with (under docker, where the number is the caller's own, only
//! if that is root). `enter.sh` uses it once, before anything of the job runs: it makes a user namespace in
//! which that owner is the same ordinary user as under bubblewrap, closes what the engine mounts for writing, and
//! starts the job without any privilege. Namespaces of the container itself would do it too (`--uidmap`), but copy the
//! image, are not docker's to give for one container, and podman 4.3 fails with any map of more than one range.
//!
//! | option | why |
//! |---|---|
//! | `--cap-drop ALL --cap-add SETFCAP` | see above |
//! | `no-new-privileges` | what the image holds with set-user-ID gives nothing |
//! | `seccomp=` (docker) | its list forbids `clone` and `mount` to who has no privilege over the machine, though they have it over namespaces of their own. Ours allows these, and forbids the parts of the kernel that no test needs. podman's list allows them as it is |
//! | `apparmor=unconfined` | the usual profile forbids every `mount` |
//! | `label=disable` | SELinux would keep a container from reading folders of the machine |
//! | `--userns host` | owners of mounted files stay who they are; the job's own namespace comes on top |
//! | `--ulimit` | what the engines ask for by themselves may be more than they are allowed to |
//! | `--log-driver none` | engines write down all that a job prints |
//!
//! What contains a job: namespaces for everything (its own of users, too), a root that is read-only, no device and no
//! folder of the machine but those it is given, no network (that of the machine while installing, as under
//! bubblewrap), limits by control groups, the list of system calls, and no privilege over anything outside.
//! /proc stays masked, as engines do.
//!
//! **Which program.** podman, else docker, whichever passes a trial that does what a test needs; podman's own runtime
//! and control groups, else others (`way.rs`). The trial reads the limits from inside, and only what it saw is
//! said to be in force. A container is no child of ours, so a guard ends it when we die (`guard.rs`).

mod line;
mod way;

use super::bubblewrap::find;
use super::control_group::Group;
use super::guard::Charge;
use super::identity::Identity;
use super::{Ending, Job, Limits, Running, Sandbox, SandboxError};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use way::Way;

/// The image that is run where nobody names another.
const IMAGE: &str = "trefoil-sandbox";
/// Says what each test needs and what is limited.
const TRIAL: &str = include_str!("trial.sh");
/// System calls that are forbidden under docker.
const FILTER: &str = include_str!("seccomp.json");
/// How long the program may take over what runs no job.
const ASKING: Duration = Duration::from_secs(20);

/// The backend by a program that runs containers.
pub struct Container {
    way: Way,
    image: String,
    /// Program and image, as rows name them.
    version: String,
    identity: Identity,
    /// The file of [`FILTER`].
    filter: Option<tempfile::NamedTempFile>,
    /// What containers of this machine are told by.
    label: String,
    seen: Seen,
}

/// Limits that the trial saw from inside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    memory: bool,
    processes: bool,
}

impl Seen {
    /// From what the trial said, under these limits. A number that is larger is another's.
    fn of(said: &str, limits: &Limits) -> Self {
        let within = |name: &str, limit: u64| {
            let number = said.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
            number.is_some_and(|number| number <= limit)
        };
        Self {
            memory: within("memory ", limits.memory_bytes),
            processes: within("processes ", limits.processes),
        }
    }
}

impl Container {
    /// Finds podman or docker, the image (`TREFOIL_IMAGE`, by default `trefoil-sandbox`) and a way that passes a trial;
    /// `TREFOIL_CONTAINER_RUNTIME` names the only runtime to try.
    pub fn probe() -> Result<Self, SandboxError> {
        let image = std::env::var("TREFOIL_IMAGE").unwrap_or_else(|_| IMAGE.to_owned());
        let mut faults = Vec::new();
        for program in ["podman", "docker"].iter().filter_map(|name| find(name)) {
            match Self::by(&program, &image) {
                Err(SandboxError::Unavailable(fault)) => faults.push(fault),
                other => return other,
            }
        }
        if faults.is_empty() {
            faults.push("neither podman nor docker is on PATH".to_owned());
        }
        Err(SandboxError::Unavailable(faults.join("; ")))
    }

    fn by(program: &Path, image: &str) -> Result<Self, SandboxError> {
        let runtime = std::env::var("TREFOIL_CONTAINER_RUNTIME").ok();
        let ways = Way::all(program, runtime.as_deref());
        let Some(first) = ways.first() else { return Err(SandboxError::Unavailable(String::new())) };
        let name = program.display();
        let found = ask(first, &["image", "inspect", "--format", "{{.Id}}", image])?;
        if !found.success() {
            let cause = last_line(&found.log);
            return Err(SandboxError::Unavailable(format!(
                "{name} does not show the image {image}: {cause} (scripts/sandbox_image makes it)"
            )));
        }
        let id: String = found.output.trim().trim_start_matches("sha256:").chars().take(12).collect();
        let version = ask(first, &["--version"])?.output.trim().to_owned();
        let mut container = Self {
            way: first.clone(),
            image: image.to_owned(),
            version: format!("{version} with {image} {id}"),
            identity: Identity::make()?,
            filter: None,
            label: label(),
            seen: Seen::default(),
        };
        if !first.is_podman() {
            let file = tempfile::NamedTempFile::new().map_err(SandboxError::Start)?;
            std::fs::write(file.path(), FILTER).map_err(SandboxError::file(file.path()))?;
            container.filter = Some(file);
        }
        container.try_all(ways)?;
        container.tidy();
        Ok(container)
    }

    /// Stays with the first way that passes the trial.
    fn try_all(&mut self, ways: Vec<Way>) -> Result<(), SandboxError> {
        let mut faults: Vec<String> = Vec::new();
        for way in ways {
            self.way = way;
            let trial = Job { command: ["/bin/sh", "-c", TRIAL].map(String::from).to_vec(), ..Job::trial() };
            let ending = self.start(&trial)?.finish(Duration::from_secs(60))?;
            if ending.success() {
                self.seen = Seen::of(&ending.output, &trial.limits);
                return Ok(());
            }
            let fault = format!("`{}`: {}", self.way.words(), last_line(&ending.log));
            faults.push(fault);
            if ending.status.is_none() {
                faults.push("no answer within a minute".to_owned());
                break;
            }
        }
        Err(SandboxError::Unavailable(format!(
            "a trial of containers of {} failed ({}); user namespaces must be allowed in them (sysctl \
             user.max_user_namespaces, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), and \
             TREFOIL_CONTAINER_RUNTIME may name another runtime",
            self.image,
            faults.join("; ")
        )))
    }

    /// Removes containers of programs of this machine that are gone, where even their guards were killed.
    fn tidy(&self) {
        let filter = format!("label={}", self.label);
        let listed = ask(&self.way, &["ps", "--all", "--filter", &filter, "--format", "{{.Names}}"]);
        let names = listed.map(|ending| ending.output).unwrap_or_default();
        let orphan = |name: &&str| {
            let owner = name.strip_prefix("trefoil-").and_then(|name| name.split('-').next());
            owner.is_some_and(|owner| !Path::new("/proc").join(owner).exists())
        };
        let orphans: Vec<&str> = names.lines().filter(orphan).collect();
        if !orphans.is_empty() {
            // Another program may be doing the same.
            let _ = ask(&self.way, &[&["rm", "--force"], orphans.as_slice()].concat());
        }
    }
}

/// Has the program do something that runs no job.
fn ask(way: &Way, words: &[&str]) -> Result<Ending, SandboxError> {
    Running::start(&way.program, &way.command(words), Group::none(), 1 << 16, None)?.finish(ASKING)
}

/// Tells our containers from others', and from those of a program that counts its processes elsewhere.
fn label() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let processes = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digest = blake3::hash(format!("{} {}", boot.trim(), processes.display()).as_bytes());
    format!("trefoil={}", digest.to_hex().chars().take(16).collect::<String>())
}

fn last_line(log: &str) -> &str {
    log.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no word why")
}

impl Sandbox for Container {
    fn start(&self, job: &Job) -> Result<Running, SandboxError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("trefoil-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let line = self.arguments(&name, job);
        let charge = Charge { arguments: self.way.command(&["rm", "--force", &name]), name };
        Running::start(&self.way.program, &line, Group::none(), job.limits.output_bytes, Some(charge))
    }

    fn in_force(&self, limits: &Limits, network: bool) -> String {
        let network = if network { "network open" } else { "no network" };
        let memory = match self.seen.memory {
            true => format!("memory of the job {} MiB (cgroup)", limits.memory_bytes >> 20),
            false => "memory of the job not limited (no cgroup)".to_owned(),
        };
        let processes = match self.seen.processes {
            true => format!("{} processes (cgroup)", limits.processes),
            false => "processes not limited (no cgroup)".to_owned(),
        };
        format!(
            "{}; {network}; read-only system, private /tmp and home; {} s a test; {memory}; {processes}; address space \
             of a process {} MiB; files of {} MiB; writes of {} MiB in memory; output of {} KiB kept",
            self.version,
            limits.seconds,
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
    use crate::sandbox::Mount;

    fn container(program: &str) -> Container {
        Container {
            way: Way::all(Path::new(program), None).remove(0),
            image: "image".into(),
            version: "podman".into(),
            identity: Identity::make().unwrap(),
            filter: None,
            label: "trefoil=here".into(),
            seen: Seen { memory: true, processes: false },
        }
    }

    #[test]
    fn a_job_becomes_a_command_line_that_gives_nothing_away() {
        let job = Job {
            command: vec!["python".into(), "-c".into(), "print(1)".into()],
            directory: "/repository".into(),
            mounts: vec![Mount::read_only("/data/tree", "/repository"), Mount::writable("/data/out", "/out")],
            variables: vec![("TZ".into(), "UTC".into())],
            network: false,
            limits: Limits { memory_bytes: 1 << 30, processes: 64, ..Limits::default() },
        };
        let line = container("/usr/bin/podman").arguments("trefoil-1", &job).join(" ");
        for words in [
            "run --rm --interactive --name trefoil-1 --label trefoil=here --pull never",
            "--user 0:0 --userns host --cap-drop ALL --cap-add SETFCAP --read-only --security-opt no-new-privileges",
            "--log-driver none",
            "--network none",
            "--memory 1073741824 --memory-swap 1073741824 --pids-limit 64",
            "--mount type=bind,source=/data/tree,target=/repository,readonly --mount type=bind,source=/data/out,target=/out ",
            "--workdir /repository --entrypoint unshare image --user --mount --map-user=1000 --map-group=1000 --keep-caps",
            " TZ=UTC python -c print(1)",
        ] {
            assert!(line.contains(words), "no `{words}` in {line}");
        }
        assert!(!line.contains("seccomp"), "podman's own list is stricter than ours: {line}");
    }

    #[test]
    fn only_limits_that_were_seen_are_said_to_be_in_force() {
        let limits = Limits { memory_bytes: 4096, processes: 64, ..Limits::default() };
        let seen = |said| Seen::of(said, &limits);
        assert_eq!(seen("memory 4096\nprocesses 64\n"), Seen { memory: true, processes: true });
        assert_eq!(seen("memory 9223372036854771712\nprocesses max\n"), Seen::default());
        assert_eq!(seen(""), Seen::default());
        let words = container("/usr/bin/podman").in_force(&limits, false);
        assert!(words.contains("memory of the job 0 MiB (cgroup); processes not limited"), "{words}");
    }

    #[test]
    fn the_list_of_forbidden_calls_leaves_what_a_test_needs() {
        let filter: serde_json::Value = serde_json::from_str(FILTER).unwrap();
        let names = filter["syscalls"][0]["names"].as_array().unwrap();
        for needed in ["clone", "unshare", "mount", "capset", "ptrace"] {
            assert!(!names.iter().any(|name| name == needed), "{needed}");
        }
        assert!(names.iter().any(|name| name == "bpf"));
    }
}
