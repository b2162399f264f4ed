//! A program that is killed leaves nothing running.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use trefoil_execution::sandbox::{Job, Limits, Mount, choose};

/// Where the program that is killed is told the folder of its job.
const FOLDER: &str = "TREFOIL_TEST_ABANDONED";

#[test]
fn a_job_ends_with_the_program_that_started_it() {
    if let Ok(folder) = std::env::var(FOLDER) {
        return run_without_end(&folder);
    }
    let folder = tempfile::tempdir().unwrap();
    #[expect(clippy::disallowed_methods, reason = "this very test again, as a program to be killed")]
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["--exact", "abandoned::a_job_ends_with_the_program_that_started_it"]);
    let mut program = program.env(FOLDER, folder.path()).stdout(Stdio::null()).spawn().unwrap();
    let beat = folder.path().join("beat");
    assert!(within(Duration::from_secs(120), || beat.exists()), "the job has not started");
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(within(Duration::from_secs(60), || still(&beat)), "the job goes on");
}

/// What the program to be killed does: a job that writes into a folder again and again.
fn run_without_end(folder: &str) {
    let beat = "while :; do cat /proc/uptime > /out/beat; sleep 0.1; done";
    let job = Job {
        command: ["/bin/sh", "-c", beat].map(String::from).to_vec(),
        directory: "/".into(),
        mounts: vec![Mount::writable(folder, "/out")],
        variables: Vec::new(),
        network: false,
        limits: Limits::default(),
    };
    let sandbox = choose().unwrap();
    let _running = sandbox.start(&job).unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

fn within(patience: Duration, mut happened: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        if happened() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    false
}

/// Whether a file stays as it is for longer than the job takes to write it, also on a busy machine.
fn still(beat: &Path) -> bool {
    let before = std::fs::read(beat).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    before == std::fs::read(beat).unwrap()
}
