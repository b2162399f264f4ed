//! The command line of `trefoil environment`.

use clap::{Args, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

/// What is done with an environment.
#[derive(Subcommand)]
pub enum Environment {
    /// Install a repository's commit and what its tests need into a folder, and try its suite.
    Build(Build),
    /// Run the repository's whole suite in one process and count.
    Suite(SuiteTrial),
    /// Cut every test out of its module with the setup that it needs, and verify each cut by running it.
    ///
    /// Those that pass run again, with other hashes, in another order and in a third of the time; where the answer or
    /// its lines change, the test is left out with the reason. Writes `problems.jsonl` into the folder.
    Problems(CutOut),
    /// Run proposed test files in place, each by itself, and say how each ended.
    Verify(Cases),
    /// Say which lines of every source file each test runs.
    Cov(Coverage),
    /// Answer `verify` and `cov` over HTTP, for agents and for learning from what tests do.
    ///
    /// GET /environments; POST /environments/NAME/verify and /environments/NAME/cov with {"cases": [...]}, where NAME is
    /// the folder's name and cases are those of `verify`.
    Serve(Serve),
    /// Write what became of environments as one Parquet table, a row each.
    Outcomes(Outcomes),
}

/// Arguments of `environment build`.
#[derive(Args)]
pub struct Build {
    /// A git repository on this machine, or a directory, or an archive (tar, zip).
    pub source: PathBuf,
    /// Folder to build in.
    #[arg(long, short)]
    pub output: PathBuf,
    /// Commit, tag or branch of a git repository [default: its default branch].
    #[arg(long)]
    pub commit: Option<String>,
    /// Where rows say that the repository is at home, as `github.com`.
    #[arg(long, default_value = "local")]
    pub host: String,
    /// What rows call the repository [default: the name of the source].
    #[arg(long)]
    pub name: Option<String>,
    /// Install nothing that came out after this day (YYYY-MM-DD), as when the commit was made.
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub exclude_newer: Option<String>,
    /// Version of Python, as 3.12 [default: the newest that the project asks for and that was usual at the date].
    #[arg(long)]
    pub python: Option<String>,
    /// uv's cache, shared by environments [default: ~/.cache/trefoil/uv].
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// How long the trial of the suite may take; 0 tries none.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub suite_seconds: u64,
}

/// Arguments of `environment suite`.
#[derive(Args)]
pub struct SuiteTrial {
    /// Folder that `environment build` has made.
    pub folder: PathBuf,
    /// How long it may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub seconds: u64,
}

/// A folder with an environment, and how tests run in it.
#[derive(Args)]
pub struct InEnvironment {
    /// Folder that `environment build` has made.
    pub folder: PathBuf,
    /// Tests that run at a time [default: as many as there are cores].
    #[arg(long, short)]
    pub jobs: Option<usize>,
    /// How long a test may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub seconds: u64,
    /// Memory that a test and all that it starts may take, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
}

/// Arguments of `environment problems`.
#[derive(Args)]
pub struct CutOut {
    #[command(flatten)]
    pub environment: InEnvironment,
    /// Run nothing again: tests whose answer changes from run to run stay in.
    #[arg(long)]
    pub once: bool,
}

/// Arguments of `environment verify`.
#[derive(Args)]
pub struct Cases {
    #[command(flatten)]
    pub environment: InEnvironment,
    /// Test files to run: one JSON object a line with `id`, `path`, `source` and, if only that one is to run,
    /// `function`.
    #[arg(long, value_name = "FILE")]
    pub cases: PathBuf,
    /// Where the answers go (JSON lines, in the order of the cases). What is there already is not done again.
    #[arg(long, short)]
    pub output: PathBuf,
}

/// Arguments of `environment cov`.
#[derive(Args)]
pub struct Coverage {
    #[command(flatten)]
    pub environment: InEnvironment,
    /// Test files to run [default: the environment's own problems that are fit for use].
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// Where the rows go (JSON lines) [default: `coverage.jsonl` in the folder]. What is there already is not done
    /// again.
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    /// How lines are found.
    #[arg(long, value_enum, default_value_t = EngineName::Zygote)]
    pub engine: EngineName,
    /// Only so many cases, drawn by a hash of their ids.
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Leave the empty run of each directory out.
    #[arg(long)]
    pub no_empty: bool,
    /// Write what it cost to this file (JSON).
    #[arg(long, value_name = "FILE")]
    pub timings: Option<PathBuf>,
}

/// Arguments of `environment serve`.
#[derive(Args)]
pub struct Serve {
    /// Folders that `environment build` has made.
    #[arg(required = true)]
    pub folders: Vec<PathBuf>,
    /// Where to listen; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7117")]
    pub listen: SocketAddr,
    /// Listen on an address that others can reach, too. There is no password: they may run code in the sandbox.
    #[arg(long)]
    pub public: bool,
    /// Tests that run at a time, over all requests [default: as many as there are cores].
    #[arg(long, short)]
    pub jobs: Option<usize>,
    /// Requests that may wait; more are told to come back.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub waiting: usize,
    /// How long a test may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub seconds: u64,
    /// Memory that a test and all that it starts may take, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
}

/// Arguments of `environment outcomes`.
#[derive(Args)]
pub struct Outcomes {
    /// Folders that `environment build` has made, or tried to.
    #[arg(required = true)]
    pub folders: Vec<PathBuf>,
    /// The table.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// Ways to find lines.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Exact: a fork per test of a process that has loaded the directory's conftest files.
    Zygote,
    /// An estimate: one process for the whole suite; for the repository's own tests only.
    Plugin,
    /// Exact and slow: two pytest processes with pytest-cov for each test, as CLOVER does.
    Clover,
}

fn date(text: &str) -> Result<String, String> {
    let form: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    match form.as_slice() {
        [Some(1990..=2999), Some(1..=12), Some(1..=31)] if text.len() == 10 => Ok(text.to_owned()),
        _ => Err("a day is written as 2024-08-30".to_owned()),
    }
}
