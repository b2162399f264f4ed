//! What the verbs answer.

use crate::harness::{Run, Workplace, repository, samples, trefoil};
use serde_json::Value;
use std::fs;

fn finished(place: &Workplace) -> Run {
    let run = place.run("samples", &samples(&["samples"]));
    run.go(&[]).exits(0).says("data set: ").says("split by project").says("failed 0");
    run
}

const VERBS: [&str; 14] = [
    "run",
    "discover",
    "status",
    "explain",
    "inspect",
    "encode",
    "evaluate",
    "split",
    "audit",
    "export",
    "report",
    "verify",
    "environment",
    "clover",
];

#[test]
fn help_is_there_for_every_verb() {
    let help = trefoil(&["--help"]).exits(0).says("Exit codes: 0 done");
    for verb in VERBS {
        assert!(help.stdout.contains(verb), "{verb}");
        trefoil(&[verb, "--help"]).exits(0).says("Usage: trefoil");
    }
    assert!(!help.stdout.contains("\n  task "), "the workers' verb is not for users");
    trefoil(&["--version"]).exits(0).says(env!("CARGO_PKG_VERSION"));
    trefoil(&["statsu"]).exits(2).says("similar subcommand exists: 'status'");
}

#[test]
fn a_dry_run_writes_nothing() {
    let place = Workplace::new();
    let config = samples(&["samples"]);
    let run = place.run("dry", &config);
    run.go(&["--dry-run"]).exits(0).says("19 repositories in 4 shards").says("parsing: 0 of 4 done, 4 to do");
    assert!(run.files().is_empty(), "{:?}", run.files());
    run.go(&[]).exits(0);
    let before = run.stamps();
    run.go(&["--dry-run"]).exits(0).says("cloning: 4 of 4 done, 0 to do").says("export: 1 of 1 done");
    run.configure(&format!("[filtering]\nmax_assertions = 1\n{config}"));
    run.go(&["--dry-run"])
        .exits(0)
        .says("matching: 4 of 4 done, 0 to do")
        .says("filtering: 0 of 4 done, 4 to do");
    place.project("added");
    run.configure(&(config + &repository("added", "")));
    run.go(&["--dry-run"]).exits(0).says("20 repositories").says("cloning: 3 of 4 done, 1 to do");
    assert_eq!(run.stamps(), before);
}

#[test]
fn status_tells_what_is_done() {
    let place = Workplace::new();
    let run = finished(&place);
    run.ask("status", &[])
        .exits(0)
        .says("filtering: 4 of 4 done")
        .says("export: 1 of 1 done")
        .says("methods2test");
    fs::remove_file(run.output.join("matching/shard-00002/manifest.json")).unwrap();
    run.ask("status", &[]).exits(0).says("matching: 3 of 4 done").says("export: 0 of 1 done");
    fs::remove_file(run.output.join("report.json")).unwrap();
    run.ask("status", &[]).exits(0).says("not finished");
    trefoil(&["status", place.at("nowhere").to_str().unwrap()])
        .exits(2)
        .says("is not the output folder of a run");
}

/// A line that names a place: `path.ending:number`.
fn names_a_line(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let rest = text[at + path.len()..].strip_prefix(':');
        rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit() && letter != '0'))
    })
}

/// The id that an answer shows asks the same question.
fn same_by_id(run: &Run, answer: &str, word: &str) {
    let id = answer.split(word).nth(1).unwrap().split(')').next().unwrap();
    assert_eq!(run.ask("explain", &[id]).exits(0).stdout, answer, "{id}");
}

#[test]
fn explain_tells_why_a_test_is_matched() {
    let place = Workplace::new();
    place.project("bell");
    let run = place.run("explained", &repository("bell", ""));
    run.go(&[]).exits(0);
    let answer = run.ask("explain", &["test_bell.py::test_count_bell"]).exits(0);
    let answer = answer.says("matched by unittests-python / name to").says("split: ");
    assert!(names_a_line(&answer.stdout, "tests/test_bell.py"), "{}", answer.stdout);
    assert!(names_a_line(&answer.stdout, "to bell.py"), "{}", answer.stdout);
    for word in ["(id ", "(pair "] {
        same_by_id(&run, &answer.stdout, word);
    }
    run.ask("explain", &["test_bell.py::test_nothing"]).exits(2).says("no test `test_bell.py::test_nothing`");
}

#[test]
fn explain_tells_why_a_test_is_not_in_the_data_set() {
    let place = Workplace::new();
    place.project("drum");
    place.write("drum/tests/test_none.py", "def test_of_nothing_known():\n    assert True\n");
    let long = format!("    assert True  # {}\n", "x".repeat(400));
    let test = format!(
        "from drum import count_drum\n\n\ndef test_count_drum():\n{long}    assert count_drum('') == 0\n"
    );
    place.write("drum/tests/test_long.py", test);
    let settings = format!("[filtering]\nmax_test_characters = 300\n{}", repository("drum", ""));
    let run = place.run("explained", &settings);
    run.go(&[]).exits(0);
    let unmatched = run.ask("explain", &["test_none.py::test_of_nothing_known"]).exits(0);
    let unmatched = unmatched.says("dropped by matching: no_function_of_that_name");
    assert!(names_a_line(&unmatched.stdout, "tests/test_none.py"), "{}", unmatched.stdout);
    let filtered = run.ask("explain", &["test_long.py::test_count_drum"]).exits(0);
    let filtered =
        filtered.says("matched by unittests-python / name").says("dropped by filtering: test_too_long");
    assert!(names_a_line(&filtered.stdout, "tests/test_long.py"), "{}", filtered.stdout);
    assert!(!filtered.stdout.contains("split: "), "{}", filtered.stdout);
    for answer in [unmatched, filtered] {
        same_by_id(&run, &answer.stdout, "(id ");
    }
}

#[test]
fn explain_names_the_pair_that_stands_for_a_copy() {
    let place = Workplace::new();
    place.project("horn");
    let run = place.run("copies", &(repository("horn", "name = 'a'") + &repository("horn", "name = 'b'")));
    run.go(&[]).exits(0);
    let answer = run.ask("explain", &["test_horn.py::test_count_horn"]).exits(0);
    assert_eq!(answer.stdout.matches("dropped by dedup: duplicate of pair").count(), 1, "{}", answer.stdout);
}

#[test]
fn the_report_counts_every_test_case() {
    let place = Workplace::new();
    let run = finished(&place);
    let sum = |counts: &Value| {
        counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>()
    };
    let report = run.report();
    for (language, funnel) in report["languages"].as_object().unwrap() {
        let number = |name: &str| funnel[name].as_u64().unwrap();
        let matched = sum(&funnel["matched"]);
        assert_eq!(number("test_cases"), matched + sum(&funnel["not_matched"]), "{language}");
        assert_eq!(matched, sum(&funnel["filtered"]) + number("passed"), "{language}");
        assert_eq!(number("passed"), number("duplicates") + number("rows"), "{language}");
    }
    let rows: u64 = report["languages"]
        .as_object()
        .unwrap()
        .values()
        .map(|funnel| funnel["rows"].as_u64().unwrap())
        .sum();
    for config in ["project", "random"] {
        assert_eq!(sum(&report["rows"][config]), rows, "{config}");
    }
}
