//! Memory and processes of a job's whole tree, by control groups of either version, where we may make any.

use super::{Limits, SandboxError};
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const ROOT: &str = "/sys/fs/cgroup";

/// Where groups can be made, if anywhere.
pub(super) struct ControlGroups {
    /// Folder below which groups that limit memory are made, and the names of its files.
    memory: Option<Controller>,
    processes: Option<Controller>,
}

struct Controller {
    parent: PathBuf,
    /// File that takes the limit.
    file: &'static str,
    version: u8,
}

impl ControlGroups {
    /// Tries what works.
    pub(super) fn probe() -> Self {
        let own = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let find = |name: &str, first: &'static str, second: &'static str| {
            controller(&own, name, first, 1)
                .or_else(|| controller(&own, name, second, 2))
                .filter(Controller::works)
        };
        Self {
            memory: find("memory", "memory.limit_in_bytes", "memory.max"),
            processes: find("pids", "pids.max", "pids.max"),
        }
    }

    /// A group for one job.
    pub(super) fn make(&self, limits: &Limits) -> Result<Group, SandboxError> {
        let mut group = Group::none();
        let wanted = [(&self.memory, limits.memory_bytes), (&self.processes, limits.processes)];
        for (controller, limit) in wanted {
            let Some(controller) = controller else { continue };
            let folder = controller.parent.join(name());
            std::fs::create_dir(&folder).map_err(SandboxError::file(&folder))?;
            group.folders.push(folder.clone());
            let file = folder.join(controller.file);
            std::fs::write(&file, limit.to_string()).map_err(SandboxError::file(&file))?;
        }
        Ok(group)
    }

    /// What is enforced, in words.
    pub(super) fn words(&self, limits: &Limits) -> String {
        let memory = match &self.memory {
            Some(controller) => {
                format!(
                    "memory of the job {} MiB (cgroup v{})",
                    limits.memory_bytes >> 20,
                    controller.version
                )
            }
            None => "memory of the job not limited (no cgroup)".to_owned(),
        };
        let processes = match &self.processes {
            Some(controller) => format!("{} processes (cgroup v{})", limits.processes, controller.version),
            None if rustix::process::getuid().is_root() => "processes not limited (no cgroup)".to_owned(),
            None => format!("{} processes of the user (rlimit)", limits.processes),
        };
        format!("{memory}; {processes}")
    }
}

/// The place of a controller in our own group, or in the parent of it for version 2, where a group with processes
/// may have none below it.
fn controller(own: &str, name: &str, file: &'static str, version: u8) -> Option<Controller> {
    let parent = own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, names, path) = (parts.next()?, parts.next()?, parts.next()?);
        let path = path.trim_start_matches('/');
        match version {
            1 => names.split(',').any(|one| one == name).then(|| Path::new(ROOT).join(names).join(path)),
            _ if !names.is_empty() => None,
            _ => Some(Path::new(ROOT).join(path)),
        }
    })?;
    if version == 2 {
        let open = std::fs::read_to_string(parent.join("cgroup.subtree_control")).ok()?;
        open.split_whitespace().find(|one| *one == name)?;
    }
    Some(Controller { parent, file, version })
}

impl Controller {
    /// Removes the groups of programs that were killed; what ran in them has died with the program.
    fn tidy(&self) {
        for entry in std::fs::read_dir(&self.parent).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let owner = name.to_str().and_then(|name| name.strip_prefix("trefoil-")?.split('-').next());
            if owner.is_some_and(|owner| !Path::new("/proc").join(owner).exists()) {
                // Another program may be doing the same.
                let _ = std::fs::remove_dir(entry.path());
            }
        }
    }

    fn works(&self) -> bool {
        self.tidy();
        let folder = self.parent.join(name());
        let works = std::fs::create_dir(&folder).is_ok() && folder.join(self.file).exists();
        let _ = std::fs::remove_dir(&folder);
        works
    }
}

fn name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("trefoil-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The groups of one job. When it is dropped, everything in it is killed.
pub(crate) struct Group {
    folders: Vec<PathBuf>,
}

impl Group {
    /// No limits.
    pub(super) fn none() -> Self {
        Self { folders: Vec::new() }
    }

    /// How many processes the system has killed in it because its memory was used up.
    pub(super) fn killed_for_memory(&self) -> u64 {
        let count = |folder: &PathBuf| {
            let text = ["memory.oom_control", "memory.events"]
                .iter()
                .find_map(|name| std::fs::read_to_string(folder.join(name)).ok())?;
            text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
        };
        self.folders.iter().find_map(count).unwrap_or(0)
    }

    /// The files that a process writes its number to in order to join.
    pub(super) fn doors(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.folders.iter().map(|folder| folder.join("cgroup.procs"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            for _ in 0..200 {
                let inside = std::fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
                for process in inside.lines().filter_map(|line| line.parse().ok()).filter_map(Pid::from_raw) {
                    // It may have ended by itself meanwhile.
                    let _ = kill_process(process, Signal::KILL);
                }
                if std::fs::remove_dir(folder).is_ok() || !folder.exists() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}
