//! Starts the program on configs in a folder that goes away with the test, and looks at what it leaves.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longest that anything here may take; only a program that hangs takes it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Stages in the order of the way of the data.
pub const STAGES: [&str; 8] =
    ["discovery", "cloning", "parsing", "matching", "filtering", "dedup", "splitting", "export"];

/// Settings that name the samples of the project, once for each host.
pub fn samples(hosts: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/samples").canonicalize().unwrap();
    hosts
        .iter()
        .map(|host| repository(&format!("{}/*", folder.display()), &format!("host = '{host}'")))
        .collect()
}

/// One entry of a config.
pub fn repository(location: &str, more: &str) -> String {
    format!("[[repositories]]\nlocation = '{location}'\n{more}\n")
}

/// How the program ended.
#[derive(Debug)]
pub struct Outcome {
    /// Exit code; none where a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// Requires an exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Requires words on either output.
    #[track_caller]
    pub fn says(self, words: &str) -> Self {
        let said = self.stdout.contains(words) || self.stderr.contains(words);
        assert!(said, "no `{words}` in\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// The program at work.
pub struct Running {
    child: Child,
    stdout: JoinHandle<String>,
    stderr: JoinHandle<String>,
}

impl Running {
    pub fn signal(&self, signal: Signal) {
        let id = Pid::from_child(&self.child);
        // It may be through already.
        let _ = kill_process(id, signal);
    }

    pub fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until something holds or the program is over; whether it held.
    pub fn until(&mut self, holds: impl Fn() -> bool) -> bool {
        let start = Instant::now();
        while !self.is_over() {
            if holds() {
                return true;
            }
            assert!(start.elapsed() < PATIENCE, "nothing happens");
            std::thread::sleep(Duration::from_micros(500));
        }
        holds()
    }

    pub fn wait(mut self) -> Outcome {
        let start = Instant::now();
        while !self.is_over() {
            if start.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("the program hangs:\n{}", self.stderr.join().unwrap());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let code = self.child.wait().unwrap().code();
        Outcome { code, stdout: self.stdout.join().unwrap(), stderr: self.stderr.join().unwrap() }
    }
}

fn read_all(from: impl Read + Send + 'static) -> JoinHandle<String> {
    let mut from = from;
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[expect(clippy::disallowed_methods, reason = "these tests are about the program as a process")]
pub fn command(program: &str) -> Command {
    Command::new(program)
}

pub fn start(mut command: Command) -> Running {
    let pipes = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    Running { child, stdout: read_all(stdout), stderr: read_all(stderr) }
}

/// The program, to its end, where that may take minutes: it installs or runs tests of repositories.
pub fn trefoil_patiently<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Outcome {
    let mut command = command(env!("CARGO_BIN_EXE_trefoil"));
    let ended = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome { code: ended.status.code(), stdout: text(&ended.stdout), stderr: text(&ended.stderr) }
}

/// Carries out a command to its end.
pub fn carry_out(command: Command) -> Outcome {
    start(command).wait()
}

/// The program, to its end.
pub fn trefoil<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Outcome {
    let mut command = command(env!("CARGO_BIN_EXE_trefoil"));
    command.args(arguments);
    carry_out(command)
}

/// A folder for configs, repositories and runs.
pub struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file, with its folders.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A small Python repository with one test that is matched.
    pub fn project(&self, name: &str) {
        for (path, text) in project(name) {
            self.write(&format!("{name}/{path}"), text);
        }
    }

    /// A repository that takes the parser seconds.
    pub fn giant(&self, name: &str) {
        let line = "def f(a, b):\n    return [a + b, (a, b), {a: b}, f(b, a), a if b else a][0:1]\n";
        let text = line.repeat(1_800_000 / line.len());
        (0..40).for_each(|number| self.write(&format!("{name}/g{number}.py"), &text));
    }

    /// A run by this name; `config` is what its config holds beside the section `run`.
    pub fn run(&self, name: &str, config: &str) -> Run {
        self.run_into(name, &self.at(name).join("run"), config)
    }

    pub fn run_into(&self, name: &str, output: &Path, config: &str) -> Run {
        let run = Run { config: self.at(&format!("{name}.toml")), output: output.to_owned(), shards: 4 };
        run.configure(config);
        run
    }
}

/// Files of a small Python repository. Its code is like no other's, so that no test is a copy.
pub fn project(name: &str) -> [(String, String); 2] {
    let word = name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let code = format!("def count_{word}(text):\n    return len(text.split('{word}')) - 1\n");
    let test = format!(
        "from {word} import count_{word}\n\n\ndef test_count_{word}():\n    assert count_{word}('{word}') == 1\n"
    );
    [(format!("{word}.py"), code), (format!("tests/test_{word}.py"), test)]
}

/// Commits files on top of what a bare repository has on its branch; the commit's id.
pub fn commit(repository: &git2::Repository, seconds: i64, files: &[(String, String)]) -> git2::Oid {
    let head = repository.head().ok().map(|head| head.peel_to_commit().unwrap());
    let mut index = git2::Index::new().unwrap();
    if let Some(head) = &head {
        index.read_tree(&head.tree().unwrap()).unwrap();
    }
    for (path, text) in files {
        let (path, id) = (path.clone().into_bytes(), repository.blob(text.as_bytes()).unwrap());
        let [ctime, mtime] = [git2::IndexTime::new(0, 0); 2];
        let (dev, ino, mode, uid, gid, file_size, flags, flags_extended) = (0, 0, 0o100_644, 0, 0, 0, 0, 0);
        let entry = git2::IndexEntry {
            ctime,
            mtime,
            dev,
            ino,
            mode,
            uid,
            gid,
            file_size,
            id,
            flags,
            flags_extended,
            path,
        };
        index.add(&entry).unwrap();
    }
    let tree = repository.find_tree(index.write_tree_to(repository).unwrap()).unwrap();
    let by = git2::Signature::new("A", "a@example.org", &git2::Time::new(seconds, 0)).unwrap();
    let parents: Vec<&git2::Commit<'_>> = head.iter().collect();
    repository.commit(Some("HEAD"), &by, &by, "files", &tree, &parents).unwrap()
}

/// A config and its output.
pub struct Run {
    pub config: PathBuf,
    pub output: PathBuf,
    shards: u32,
}

impl Run {
    pub fn with_shards(mut self, shards: u32, config: &str) -> Self {
        self.shards = shards;
        self.configure(config);
        self
    }

    /// Gives the run another config.
    pub fn configure(&self, config: &str) {
        let head = format!("[run]\noutput = '{}'\nshards = {}\n", self.output.display(), self.shards);
        fs::write(&self.config, head + config).unwrap();
    }

    pub fn arguments(&self, more: &[&str]) -> Vec<String> {
        let first = ["run".to_owned(), self.config.display().to_string()];
        first.into_iter().chain(more.iter().map(|&argument| argument.to_owned())).collect()
    }

    pub fn start(&self, more: &[&str]) -> Running {
        let mut command = command(env!("CARGO_BIN_EXE_trefoil"));
        command.args(self.arguments(more));
        start(command)
    }

    pub fn go(&self, more: &[&str]) -> Outcome {
        self.start(more).wait()
    }

    /// Another verb on the output.
    pub fn ask(&self, verb: &str, more: &[&str]) -> Outcome {
        let output = self.output.display().to_string();
        trefoil(&[&[verb, output.as_str()], more].concat())
    }

    /// Runs and tells how many repositories each stage computed and how many of its tasks ran.
    pub fn timed(&self, code: i32) -> BTreeMap<String, (u64, u64)> {
        let timings = self.config.with_extension("timings");
        self.go(&["--timings", timings.to_str().unwrap()]).exits(code);
        let timings: Value = serde_json::from_slice(&fs::read(timings).unwrap()).unwrap();
        let stages = timings["stages"].as_array().unwrap().iter().map(|stage| {
            let number = |name: &str| stage[name].as_u64().unwrap();
            (stage["stage"].as_str().unwrap().to_owned(), (number("repositories"), number("tasks")))
        });
        stages.filter(|(_, figures)| *figures != (0, 0)).collect()
    }

    pub fn report(&self) -> Value {
        serde_json::from_slice(&fs::read(self.output.join("report.json")).unwrap()).unwrap()
    }

    /// Failed repositories: name to stage and reason.
    pub fn failures(&self) -> BTreeMap<String, (String, String)> {
        let report = self.report();
        let failures = report["failed_repositories"].as_array().unwrap().iter().map(|failure| {
            let text = |name: &str| failure[name].as_str().unwrap().to_owned();
            (text("repository"), (text("stage"), text("reason")))
        });
        failures.collect()
    }

    /// Pairs that matching found in a repository; none where it was not read.
    pub fn pairs(&self, repository: &str) -> Option<u64> {
        self.report()["repositories"][repository]["pairs"].as_u64()
    }

    pub fn files(&self) -> BTreeMap<String, PathBuf> {
        files(&self.output)
    }

    /// All bytes of the output that count.
    pub fn bytes(&self) -> BTreeMap<String, Vec<u8>> {
        self.files().into_iter().map(|(name, path)| (name, fs::read(path).unwrap())).collect()
    }

    /// What shows whether a file was written again.
    pub fn stamps(&self) -> BTreeMap<String, (u64, i64, i64)> {
        let stamp = |path: PathBuf| {
            let metadata = fs::metadata(path).unwrap();
            (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
        };
        self.files().into_iter().map(|(name, path)| (name, stamp(path))).collect()
    }

    /// Requires that no process works on the output any more, soon.
    #[track_caller]
    pub fn no_worker_survives(&self) {
        let start = Instant::now();
        loop {
            let alive = processes_with(self.output.to_str().unwrap());
            if alive.is_empty() {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "still at work: {alive:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn files(root: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|ending| ending != "lock") {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), path);
            }
        }
    }
    found.retain(|name, _| !name.starts_with("clones/"));
    found
}

/// Command lines of living processes that hold these words.
fn processes_with(words: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(words)).collect()
}

/// Requires equal files and says which differ.
#[track_caller]
pub fn same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let differ = left.keys().chain(right.keys()).filter(|name| left.get(*name) != right.get(*name));
    let differ: std::collections::BTreeSet<_> = differ.collect();
    assert!(differ.is_empty(), "these files differ or are missing on one side: {differ:?}");
    assert!(left.len() > 20, "there is something to compare");
}

/// A sequence of numbers that looks random and is always the same.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 up to below `limit` (xorshift, Marsaglia 2003).
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
