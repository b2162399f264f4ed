//! The only place that starts a child process.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

/// Most bytes of a child's error output that are kept.
const ERROR_OUTPUT_BYTES: u64 = 64 * 1024;

/// A running worker: a child of its own process group, so that Ctrl-C reaches only us. It takes orders from its
/// standard input and ends itself when that closes, which it does whenever we die.
pub struct Worker {
    child: Child,
    orders: Option<ChildStdin>,
    /// Lines of its standard output; closed when it ends.
    pub lines: Receiver<String>,
    errors: JoinHandle<String>,
}

/// How a worker ended.
pub struct Ending {
    /// Its status.
    pub status: ExitStatus,
    /// The start of what it wrote to standard error.
    pub errors: String,
}

impl Ending {
    /// The status in words; stable for equal causes.
    pub fn words(&self) -> String {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}{}", signal_name(signal)),
            (None, None) => "an unknown end".to_owned(),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        _ => "",
    }
}

impl Worker {
    /// Starts `program` with `arguments` and these environment variables. Only one that fetches gets the tokens:
    /// others handle what strangers wrote, and have no use for them.
    pub fn start(
        program: &Path,
        arguments: &[String],
        variables: &[(&str, String)],
        fetches: bool,
    ) -> std::io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "this is the one place")]
        let mut command = Command::new(program);
        command.args(arguments).envs(variables.iter().map(|(name, value)| (name, value)));
        if !fetches {
            for name in trefoil_discovery::VARIABLES.iter().chain([&trefoil_discovery::FILE_VARIABLE]) {
                command.env_remove(name);
            }
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn()?;
        let (sender, lines) = channel();
        let output = child.stdout.take();
        std::thread::spawn(move || {
            for line in
                output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok)
            {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = child.stderr.take();
        let errors = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut errors) = errors {
                // A read error only shortens the message.
                let _ = errors.by_ref().take(ERROR_OUTPUT_BYTES).read_to_end(&mut bytes);
                let _ = std::io::copy(&mut errors, &mut std::io::sink());
            }
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Ok(Self { orders: child.stdin.take(), child, lines, errors })
    }

    /// Gives it an order, a line. One that is dead does not get it, which its lines and its ending tell.
    pub fn order(&mut self, line: &str) {
        let _ = self.orders.as_mut().map(|orders| writeln!(orders, "{line}"));
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        // It may have ended by itself meanwhile.
        let _ = self.child.kill();
    }

    /// Waits for its end.
    pub fn wait(mut self) -> std::io::Result<Ending> {
        let status = self.child.wait()?;
        Ok(Ending { status, errors: self.errors.join().unwrap_or_default() })
    }
}

/// The user's pager, which shows what is written to it on the terminal.
pub struct Pager {
    child: Child,
    input: Option<ChildStdin>,
}

impl Pager {
    /// Starts `$PAGER`, by default `less -R`. None where the user wants none or it cannot be started.
    pub fn start() -> Option<Self> {
        let words = std::env::var("PAGER").unwrap_or_else(|_| "less -R".to_owned());
        let mut words = words.split_whitespace();
        let program = words.next().filter(|program| *program != "cat")?;
        #[expect(clippy::disallowed_methods, reason = "this is the one place")]
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            // As git does: colours pass, and what fits on the screen needs no paging.
            command.env("LESS", "FRX");
        }
        let mut child = command.spawn().ok()?;
        // Ctrl-C is the pager's to answer, not ours.
        let ignored = Arc::new(AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, ignored);
        let input = child.stdin.take();
        Some(Self { child, input })
    }

    /// Hands bytes over; a pager that was left gives `BrokenPipe`.
    pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.input.as_mut().map_or(Ok(()), |input| input.write_all(bytes))
    }

    /// Waits until the user has left it.
    pub fn finish(mut self) -> std::io::Result<()> {
        drop(self.input.take());
        self.child.wait().map(drop)
    }
}

/// In a worker: the orders that come, a line each. Bounds this process's memory, and ends it when the one that
/// started it is gone.
pub fn behave_as_worker(memory_bytes: u64) -> Receiver<String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Data).maximum;
    let limit = maximum.map_or(memory_bytes, |maximum| maximum.min(memory_bytes));
    // Where the system has no such limit the wall clock still bounds the worker.
    let _ = setrlimit(Resource::Data, Rlimit { current: Some(limit), maximum });
    // A crash is reported by its signal; a core file of gigabytes helps nobody.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let (sender, orders) = channel();
    std::thread::spawn(move || {
        for order in std::io::stdin().lines().map_while(Result::ok) {
            if sender.send(order).is_err() {
                break;
            }
        }
        std::process::exit(3);
    });
    orders
}

/// What this process uses from a moment on.
pub struct Usage {
    cpu_seconds: f64,
}

impl Usage {
    /// From its start.
    pub fn of_process() -> Self {
        Self { cpu_seconds: 0.0 }
    }

    /// From now on.
    pub fn from_now() -> Self {
        // Elsewhere than on Linux, and in closed containers, the peak stays that of the whole life.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        Self { cpu_seconds: cpu_seconds() }
    }

    /// CPU seconds (user and system) and peak resident memory in bytes.
    pub fn so_far(&self) -> (f64, u64) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap_or_default();
        (cpu_seconds() - self.cpu_seconds, kilobytes * 1024)
    }
}

/// User and system time of this process.
fn cpu_seconds() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
