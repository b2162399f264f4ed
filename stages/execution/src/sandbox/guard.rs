//! Ends what is no child of ours, such as a container, also where we are killed ourselves.

use super::running::command;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

/// Waits for a line, which says that there is nothing left to end, or for the end of its input: whoever held the other
/// end wants it ended, or is dead. The program that starts it may then not have come to that yet, and must not any more.
const GUARD: &str = r#"read -r over && exit
client=$1 name=$2; shift 2
grep -qsF -- "$name" "/proc/$client/cmdline" && kill -KILL "$client"
exec "$@""#;

/// What has to be ended besides the child that started it.
pub(super) struct Charge {
    /// Its name, which stands on the command line of the program that starts it.
    pub name: String,
    /// What makes the same program end it.
    pub arguments: Vec<String>,
}

/// A process of its own that waits for the moment.
pub(super) struct Guard(Child);

impl Guard {
    /// Starts it, for what the process `client` of `program` starts.
    pub(super) fn start(client: u32, program: &Path, charge: &Charge) -> std::io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut guard = command("/bin/sh");
        guard
            .args(["-c", GUARD, "guard", &client.to_string(), &charge.name])
            .arg(program)
            .args(&charge.arguments);
        // Ctrl-C goes to our group.
        guard.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        guard.spawn().map(Self)
    }

    /// It has ended by itself.
    pub(super) fn dismiss(mut self) {
        if let Some(mut input) = self.0.stdin.take() {
            // A guard that is dead cannot do harm.
            let _ = input.write_all(b"over\n");
        }
        let _ = self.0.wait();
    }

    /// Ends it and returns when it is gone.
    pub(super) fn end(mut self) {
        drop(self.0.stdin.take());
        // What has ended by itself meanwhile is gone already.
        let _ = self.0.wait();
    }
}
