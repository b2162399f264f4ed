//! Where the code of repositories runs: one small trait, and what a job may do and have.
//!
//! There is no way to run a job without a sandbox: [`choose`] gives one or says what is missing.

mod bubblewrap;
mod container;
mod control_group;
mod devices;
mod guard;
mod identity;
mod running;

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

pub use bubblewrap::Bubblewrap;
pub(crate) use bubblewrap::find;
pub use container::Container;
pub(crate) use identity::HOME;
pub use running::{Ending, Running};

/// A backend. Every job starts in namespaces of its own and ends with everything that it started.
pub trait Sandbox: Send + Sync {
    /// Starts a job, which needs its sandbox until it ends. Its standard streams are the caller's to read and write.
    fn start(&self, job: &Job) -> Result<Running, SandboxError>;

    /// What is enforced for a job with these limits, in one line: a limit that cannot be enforced here is named as
    /// missing.
    fn in_force(&self, limits: &Limits, network: bool) -> String;
}

/// The default backend, after a trial run: bubblewrap, or where that does not work a container, if there is an image.
/// `TREFOIL_SANDBOX` names one (`bubblewrap`, `container`).
pub fn choose() -> Result<Box<dyn Sandbox>, SandboxError> {
    let bubblewrap = || Bubblewrap::probe().map(|found| Box::new(found) as Box<dyn Sandbox>);
    let container = || Container::probe().map(|found| Box::new(found) as Box<dyn Sandbox>);
    match std::env::var("TREFOIL_SANDBOX").as_deref() {
        Ok("bubblewrap") => bubblewrap(),
        Ok("container") => container(),
        Ok(other) => Err(SandboxError::Unavailable(format!(
            "TREFOIL_SANDBOX names `{other}`, and there are bubblewrap and container"
        ))),
        Err(_) => bubblewrap().or_else(|cause| match container() {
            Err(SandboxError::Unavailable(other)) => Err(cause.and(&other)),
            found => found,
        }),
    }
}

/// A program to run and what it may see.
#[derive(Debug, Clone)]
pub struct Job {
    /// Program and arguments, as seen inside.
    pub command: Vec<String>,
    /// Directory that it starts in, as seen inside.
    pub directory: String,
    /// Directories of the machine that it sees besides the system's programs and libraries.
    pub mounts: Vec<Mount>,
    /// Its environment, whole: nothing is inherited.
    pub variables: Vec<(String, String)>,
    /// True while an environment is installed, and never else.
    pub network: bool,
    /// What it may use.
    pub limits: Limits,
}

/// A directory or file of the machine inside the sandbox.
#[derive(Debug, Clone)]
pub struct Mount {
    /// Where it is.
    pub source: PathBuf,
    /// Where the job sees it.
    pub target: String,
    /// Whether the job may write there.
    pub writable: bool,
}

impl Job {
    /// A job that does nothing, to see whether a backend works.
    fn trial() -> Self {
        Self {
            command: ["/bin/sh", "-c", ": < /dev/null > /dev/null"].map(String::from).to_vec(),
            directory: "/".into(),
            mounts: Vec::new(),
            variables: Vec::new(),
            network: false,
            limits: Limits::default(),
        }
    }
}

impl Mount {
    /// A mount that can only be read.
    pub fn read_only(source: impl Into<PathBuf>, target: impl Into<String>) -> Self {
        Self { source: source.into(), target: target.into(), writable: false }
    }

    /// A mount that the job may change.
    pub fn writable(source: impl Into<PathBuf>, target: impl Into<String>) -> Self {
        Self { source: source.into(), target: target.into(), writable: true }
    }
}

/// What a job, and each test in it, may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time of one test, in seconds.
    pub seconds: u64,
    /// Memory of a job's whole tree, and address space of each process.
    pub memory_bytes: u64,
    /// Processes and threads of a job.
    pub processes: u64,
    /// Largest file that a process may write.
    pub file_bytes: u64,
    /// All that a test may write, in memory.
    pub disk_bytes: u64,
    /// Output that is kept; the rest is read and forgotten.
    pub output_bytes: u64,
}

impl Default for Limits {
    /// For one test; `seconds` is far more than most tests need, since a slow machine must not fail them.
    fn default() -> Self {
        Self {
            seconds: 60,
            memory_bytes: 4 << 30,
            processes: 256,
            file_bytes: 256 << 20,
            disk_bytes: 512 << 20,
            output_bytes: 16 << 10,
        }
    }
}

/// Why nothing was run.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// No backend works on this machine.
    #[error(
        "no sandbox is available: {0}; nothing of a repository is run without one (on Debian: \
         `apt-get install bubblewrap`, and user namespaces must be allowed)"
    )]
    Unavailable(String),
    /// A job could not be started.
    #[error("the sandbox cannot be started: {0}")]
    Start(std::io::Error),
    /// A file that the sandbox needs.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl SandboxError {
    /// With the reason why another backend is not available either.
    fn and(self, other: &str) -> Self {
        match self {
            Self::Unavailable(cause) => Self::Unavailable(format!("{cause}; {other}")),
            cause => cause,
        }
    }

    /// An error about a path.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
