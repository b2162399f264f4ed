//! `trefoil evaluate`: runs held against labels.

use crate::harness::{Run, Workplace, repository, trefoil};
use std::path::PathBuf;

const HEADER: &str = "repository,commit,test_path,test_line,test_name,focal_path,focal_line,focal_name\n";

fn run(place: &Workplace) -> Run {
    place.project("bell");
    let run = place.run("labelled", &repository("bell", ""));
    run.go(&[]).exits(0);
    run
}

/// A file of labels for the project, whose commit is a digest of its content.
fn labels(place: &Workplace, run: &Run, rows: &str) -> PathBuf {
    let answer = run.ask("explain", &["test_bell.py::test_count_bell"]).exits(0).stdout;
    let commit = answer.lines().next().unwrap().rsplit(' ').next().unwrap();
    place.write("labels.csv", format!("{HEADER}{}", rows.replace("COMMIT", commit)));
    place.at("labels.csv")
}

fn evaluate(run: &Run, labels: &std::path::Path, more: &[&str]) -> crate::harness::Outcome {
    let mut arguments = vec!["evaluate", "matching", run.output.to_str().unwrap(), "--labels"];
    arguments.push(labels.to_str().unwrap());
    arguments.extend(more);
    trefoil(&arguments)
}

#[test]
fn a_run_is_scored_by_mode() {
    let place = Workplace::new();
    let run = run(&place);
    let labels =
        labels(&place, &run, "bell,COMMIT,tests/test_bell.py,5,test_count_bell,bell.py,1,count_bell\n");
    let json = place.at("scores.json");
    evaluate(&run, &labels, &["--json", json.to_str().unwrap()])
        .exits(0)
        .says("python: 1 labelled tests, 1 of them in the run, 0 without a focal method")
        .says("unittests-python");
    let scores: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    let modes = scores["languages"]["python"]["modes"].as_array().unwrap();
    for mode in ["unittests-python", "contest", "unitsyn", "pairs"] {
        let score = modes.iter().find(|score| score["mode"] == mode).unwrap();
        assert_eq!(score["by_declaration"]["recall"], 1.0, "{mode}");
    }
}

#[test]
fn labels_that_match_nothing_are_named() {
    let place = Workplace::new();
    let run = run(&place);
    let rows = "bell,COMMIT,tests/test_bell.py,4,test_count_bell,bell.py,1,count_bell\n\
                bell,COMMIT,tests/test_bell.py,4,test_count_bell,bell.py,1,ring\n\
                drum,COMMIT,tests/test_drum.py,4,test_count_drum,drum.py,1,count_drum\n";
    let path = labels(&place, &run, rows);
    evaluate(&run, &path, &[]).exits(1).says("labels.csv:4: the run has no repository `drum`; it has bell");
    let path = labels(&place, &run, "drum,COMMIT,tests/test_drum.py,4,test_drum,drum.py,1,count_drum\n");
    evaluate(&run, &path, &[]).exits(2).says("labels.csv:2: ").says("none of the labels is for a test of");
}

#[test]
fn bad_files_and_folders_are_refused() {
    let place = Workplace::new();
    let run = place.run("nothing", &repository("bell", ""));
    let none = place.at("none.csv");
    evaluate(&run, &none, &[]).exits(2).says("cannot read the labels").says("none.csv");
    place.write("labels.csv", "repository,commit,test_path\n");
    evaluate(&run, &place.at("labels.csv"), &[]).exits(2).says("labels.csv: no column `test_line`");
    place.write("labels.csv", format!("{HEADER}bell,c,test_a.py,x,test_a,a.py,1,a\n"));
    evaluate(&run, &place.at("labels.csv"), &[]).exits(2).says("labels.csv:2: `x` in the column `test_line`");
    place.write("labels.csv", format!("{HEADER}bell,c,test_a.py,1,test_a,a.py,1,a\n"));
    evaluate(&run, &place.at("labels.csv"), &[]).exits(2).says("is not the output folder of a run");
}
