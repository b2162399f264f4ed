//! The only place of this crate that starts a child process.

use super::SandboxError;
use super::control_group::Group;
use super::guard::{Charge, Guard};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest line that a job may answer with.
const LINE_BYTES: u64 = 64 << 20;

/// Joins the control groups before anything of the job starts; `exec` leaves no process of its own.
const JOIN: &str = r#"while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@""#;

/// What programs of containers exit with where they fail themselves.
const FAILED_TO_START: i32 = 125;
/// All that programs of containers need to know of our environment: where they keep their state, and whom they ask.
const KEPT: [&str; 12] = [
    "HOME",
    "PATH",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "DBUS_SESSION_BUS_ADDRESS",
    "CONTAINERS_CONF",
    "CONTAINERS_STORAGE_CONF",
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
    "DOCKER_CONFIG",
];

/// A program that knows nothing of our environment but this.
pub(super) fn command(program: &str) -> Command {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    let mut command = Command::new(program);
    let kept = KEPT.map(|name| (name, std::env::var_os(name)));
    command.env_clear().envs(kept.into_iter().filter_map(|(name, value)| Some((name, value?))));
    command
}

/// A job that runs. Dropping it kills it with everything that it started.
pub struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    errors: Option<JoinHandle<String>>,
    group: Group,
    output_bytes: usize,
    /// Ends what does not end with the child.
    guard: Option<Guard>,
}

/// How a job ended.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Its status; None where it was killed for its time.
    pub status: Option<ExitStatus>,
    /// What it wrote to standard output and was not read as lines.
    pub output: String,
    /// The end of what it wrote to standard error.
    pub log: String,
}

impl Ending {
    /// True where it ended by itself and well.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

impl Running {
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        group: Group,
        output_bytes: u64,
        charge: Option<Charge>,
    ) -> Result<Self, SandboxError> {
        let mut command = command("/bin/sh");
        command.args(["-c", JOIN, "sh"]).args(group.doors()).arg("--").arg(program).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(SandboxError::Start)?;
        let guard = charge.map(|charge| Guard::start(child.id(), program, &charge)).transpose();
        let guard = guard.map_err(|error| {
            // Nothing runs that nobody would end.
            let _ = child.kill();
            let _ = child.wait();
            SandboxError::Start(error)
        })?;
        let (sender, lines) = sync_channel(64);
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    match output.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
                        Ok(read) if read > 0 && sender.send(line).is_ok() => {}
                        _ => break,
                    }
                }
            });
        }
        let limit = output_bytes as usize;
        let errors = child.stderr.take().map(|errors| std::thread::spawn(move || tail(errors, limit)));
        let input = child.stdin.take();
        Ok(Self { child, input, lines, errors, group, output_bytes: limit, guard })
    }

    /// Hands a line over. A job that has ended gives `BrokenPipe`.
    pub fn say(&mut self, line: &str) -> std::io::Result<()> {
        let Some(input) = &mut self.input else { return Err(std::io::ErrorKind::BrokenPipe.into()) };
        input.write_all(line.as_bytes())?;
        input.write_all(b"\n")?;
        input.flush()
    }

    /// Its next line, or None where it has ended or said nothing for so long.
    pub fn hear(&mut self, patience: Duration) -> Option<Vec<u8>> {
        self.lines.recv_timeout(patience).ok()
    }

    /// How many of its processes were killed so far because the job's memory was used up.
    pub fn killed_for_memory(&self) -> u64 {
        self.group.killed_for_memory()
    }

    /// Closes its input, waits until it ends, and kills it after so long.
    pub fn finish(mut self, patience: Duration) -> Result<Ending, SandboxError> {
        drop(self.input.take());
        let deadline = Instant::now() + patience;
        let mut output = VecDeque::new();
        let mut in_time = true;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    output.extend(line);
                    let over = output.len().saturating_sub(self.output_bytes);
                    output.drain(..over);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    in_time = false;
                    break;
                }
            }
        }
        // It may have closed its output and go on.
        let mut status = None;
        while in_time && status.is_none() {
            status = self.child.try_wait().map_err(SandboxError::Start)?;
            in_time = status.is_some() || Instant::now() < deadline;
            if status.is_none() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        self.kill();
        let log = self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default();
        let output: Vec<u8> = output.into();
        Ok(Ending { status, output: String::from_utf8_lossy(&output).into_owned(), log })
    }

    /// Closes its input and gives it this long to end; then it is killed.
    pub fn end(&mut self, patience: Duration) {
        drop(self.input.take());
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kill();
    }

    /// Kills it. Its namespaces go with its first process, which dies with the program that we started, or by its
    /// guard's doing.
    fn kill(&mut self) {
        let ended = self.child.try_wait().ok().flatten();
        let _ = self.child.kill();
        let _ = self.child.wait();
        let Some(guard) = self.guard.take() else { return };
        // Killed or failed itself, the program may have left something behind.
        match ended.and_then(|status| status.code()) {
            Some(code) if code != FAILED_TO_START => guard.dismiss(),
            _ => guard.end(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads everything and keeps the end.
fn tail(mut input: impl Read, limit: usize) -> String {
    let mut kept: VecDeque<u8> = VecDeque::new();
    let mut buffer = [0; 8192];
    while let Ok(read) = input.read(&mut buffer) {
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        kept.extend(bytes);
        let over = kept.len().saturating_sub(limit);
        kept.drain(..over);
    }
    let kept: Vec<u8> = kept.into();
    String::from_utf8_lossy(&kept).into_owned()
}
