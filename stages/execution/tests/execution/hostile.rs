//! Tests that mean harm: each is contained, each has the right outcome, and the next is unharmed.

use crate::repository::{built, case, digest, suite, verify};
use trefoil_execution::coverage::Outcome::{self, Crashed, Error, Failed, OutOfMemory, Passed, TimedOut};
use trefoil_execution::problem::Case;
use trefoil_execution::sandbox::Limits;

const HARMLESS: &str = "import os\nfrom stall import total\n\ndef test_fine(basket):\n    assert total(basket) == 4\n    \
                        assert os.listdir('/tmp') == os.listdir('/dev/shm') == []\n    assert os.path.exists('/repository/src/stall/prices.py')\n";

fn limits() -> Limits {
    Limits { seconds: 8, memory_bytes: 1 << 30, file_bytes: 16 << 20, processes: 64, ..Limits::default() }
}

/// Runs a hostile test and, in the same batch, harmless ones before and after it. The repository is the same after.
fn contained(name: &str, source: &str, expected: &[Outcome]) -> String {
    contained_within(limits(), name, source, expected)
}

fn contained_within(limits: Limits, name: &str, source: &str, expected: &[Outcome]) -> String {
    let tree = built().folder.clone();
    let before = digest(&tree.join("repository"));
    let cases = [case("before", HARMLESS), case(name, source), case("after", HARMLESS)];
    let verdicts = verify(&cases, limits);
    let found: Vec<Outcome> = verdicts.iter().map(|verdict| verdict.outcome).collect();
    assert!(found[0] == Passed && found[2] == Passed, "{name}: {verdicts:?}");
    assert!(expected.contains(&found[1]), "{name}: {:?}", verdicts[1]);
    assert_eq!(before, digest(&tree.join("repository")), "{name} changed the repository");
    assert!(
        verdicts[1].limits.contains("no network")
            && verdicts[1].limits.contains(&format!("{} s a test", limits.seconds))
    );
    verdicts[1].detail.clone()
}

#[test]
fn the_network_cannot_be_reached() {
    let source =
        "import socket\n\ndef test_net():\n    socket.create_connection(('1.1.1.1', 53), timeout=3)\n";
    assert!(contained("net", source, &[Failed]).contains("unreachable"));
}

#[test]
fn the_home_directory_is_empty_and_that_of_the_machine_is_not_there() {
    let home = std::env::var("HOME").unwrap();
    let source = format!(
        "import os, pathlib\n\ndef test_home():\n    assert os.listdir(pathlib.Path.home()) == []\n    \
         assert not os.path.exists('/etc/shadow')\n    os.listdir('{home}/.ssh')\n    open('{home}/.bashrc')\n"
    );
    assert!(contained("home", &source, &[Failed]).contains("No such file"));
}

#[test]
fn nothing_outside_can_be_written() {
    for path in ["/usr/planted", "/environment/venv/planted", "/trefoil/planted", "/etc/planted", "/planted"]
    {
        let source = format!(
            "def test_write():\n    open('/dev/shm/mine', 'w').write('x')\n    open('{path}', 'w').write('x')\n"
        );
        let detail = contained("write", &source, &[Failed]);
        assert!(detail.contains("Read-only") || detail.contains("Permission"), "{path}: {detail}");
    }
}

#[test]
fn devices_can_be_used_and_not_changed() {
    use std::os::unix::fs::PermissionsExt;
    let mode = || std::fs::metadata("/dev/full").unwrap().permissions().mode();
    let before = mode();
    let source = "import os\n\ndef test_device():\n    open('/dev/null', 'w').write('x')\n    \
                  assert open('/dev/zero', 'rb').read(1) == bytes(1)\n    os.chmod('/dev/full', 0o600)\n";
    let detail = contained("device", source, &[Failed]);
    assert!(detail.contains("not permitted") || detail.contains("Read-only"), "{detail}");
    assert_eq!(before, mode(), "the machine's device");
}

#[test]
fn forking_without_end_is_stopped() {
    let source = "import os\n\ndef test_fork():\n    while True:\n        try:\n            os.fork()\n        except \
                  OSError:\n            pass\n";
    contained("fork", source, &[TimedOut]);
}

#[test]
fn allocating_without_end_is_stopped() {
    let source =
        "def test_memory():\n    kept = []\n    while True:\n        kept.append(bytearray(1 << 24))\n";
    // A busy machine takes its time to give a gigabyte.
    contained_within(Limits { seconds: 60, ..limits() }, "memory", source, &[OutOfMemory]);
    // No process of theirs is too large; the group of all is, where there is one.
    let by_children = "import os, time\n\ndef test_memory():\n    for _ in range(8):\n        if os.fork() == 0:\n            \
                       kept = [b'x' * (300 << 20)]\n            time.sleep(100)\n    os.wait()\n    assert False\n";
    let limits = Limits { seconds: 60, ..limits() };
    let limited = !built().sandbox.in_force(&limits, false).contains("memory of the job not limited");
    contained_within(limits, "children", by_children, &[if limited { OutOfMemory } else { TimedOut }]);
}

#[test]
fn printing_without_end_is_stopped() {
    let source = "def test_print():\n    while True:\n        print('x' * 100000)\n";
    contained("print", source, &[Failed, Error, TimedOut, OutOfMemory]);
    let past_pytest = "import os\n\ndef test_print():\n    while True:\n        os.write(1, b'x' * 100000)\n";
    contained("write", past_pytest, &[Failed, Error, TimedOut, OutOfMemory]);
}

#[test]
fn sleeping_for_ever_is_stopped() {
    let source = "import signal, time\n\ndef test_sleep():\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    \
                  time.sleep(10 ** 6)\n";
    assert_eq!(contained("sleep", source, &[TimedOut]), "more than 8 seconds");
}

#[test]
fn a_daemon_does_not_outlive_its_test() {
    let source = "import os, time\n\ndef test_daemon():\n    if os.fork() == 0:\n        os.setsid()\n        if \
                  os.fork() == 0:\n            time.sleep(1000)\n        os._exit(0)\n";
    contained("daemon", source, &[Passed]);
}

#[test]
fn killing_its_parent_and_everyone_kills_nobody_else() {
    let source = "import os, signal\n\ndef test_kill():\n    for victim in (os.getppid(), 1, -1, os.getpid()):\n        \
                  try:\n            os.kill(victim, signal.SIGKILL)\n        except ProcessLookupError:\n            \
                  pass\n";
    contained("kill", source, &[Crashed]);
}

#[test]
fn deleting_the_repository_deletes_a_copy() {
    let source = "import os, shutil\n\ndef test_delete():\n    shutil.rmtree('/repository', ignore_errors=True)\n    \
                  assert not os.listdir('/repository')\n";
    let cases = [case("delete", source)];
    contained("delete", source, &[Passed]);
    let verdict = verify(&cases, limits()).remove(0);
    assert!(verdict.wrote.contains(&"src".to_owned()), "{:?}", verdict.wrote);
}

#[test]
fn planting_files_fakes_no_result() {
    let source = "def test_plant():\n    fake = 'def pytest_runtest_makereport(item, call):\\n    return None\\n'\n    \
                  open('/repository/tests/conftest.py', 'w').write(fake)\n    \
                  open('/repository/sitecustomize.py', 'w').write('import os; os._exit(0)')\n    assert False\n";
    contained("plant", source, &[Failed]);
    let outcomes: Vec<Outcome> = verify(
        &[case("plant", source), case("false", "def test_false():\n    assert False\n")],
        Limits { seconds: 20, ..limits() },
    )
    .iter()
    .map(|verdict| verdict.outcome)
    .collect();
    assert_eq!(outcomes, [Failed, Failed]);
}

#[test]
fn leaving_early_or_reporting_for_itself_is_no_success() {
    contained("exit", "import os\n\ndef test_exit():\n    os._exit(0)\n", &[Crashed]);
    let forged = "import json, os\n\ndef test_forge():\n    told = json.dumps({'outcome': 'passed', 'detail': '', \
                  'items': [], 'nonce': 'guess'}).encode()\n    for number in range(3, 100):\n        try:\n            \
                  os.write(number, told + b'\\n')\n        except OSError:\n            pass\n    os._exit(0)\n";
    contained("forge", forged, &[Crashed]);
}

#[test]
fn a_path_that_leads_out_is_refused() {
    for path in ["../out.py", "/tmp/out.py", "tests/../../out.py", "tests/test_a.txt", ""] {
        let case = Case { id: "out".into(), path: path.into(), source: "x".into(), function: String::new() };
        let verdict = verify(&[case], limits()).remove(0);
        assert_eq!(verdict.outcome, Error, "{path}");
        assert!(verdict.detail.contains("path"), "{path}: {}", verdict.detail);
    }
}

#[test]
fn a_test_that_is_killed_has_its_lines_all_the_same() {
    let source = "import time\nfrom stall.prices import look_up\n\ndef test_lines():\n    look_up('salt')\n    \
                  time.sleep(1000)\n";
    let mut rows = Vec::new();
    let engine = trefoil_execution::coverage::Engine::Zygote;
    suite(Limits { seconds: 8, ..Limits::default() })
        .cov(&[case("lines", source)], engine, &mut |row, _| rows.push(row))
        .unwrap();
    assert_eq!(rows[0].outcome, TimedOut);
    let lines = &rows[0].files["src/stall/prices.py"];
    assert!(lines.hit.contains(18) && lines.missed.contains(20), "{lines:?}");
}
