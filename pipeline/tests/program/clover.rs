//! `trefoil clover` and `trefoil evaluate clover` on an environment made by hand; what needs a sandbox is left out.

use crate::harness::{Outcome, Workplace, trefoil};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use trefoil_clover::evaluation::answer::capture;
use trefoil_clover::evaluation::{Job, Journal, Ran};
use trefoil_execution::coverage::Outcome as Ended;
use trefoil_shards::read_table;
use trefoil_stages::records::{CloverQuestion, CloverRow};

const BELL: &str = "def ring(times):\n    if times > 2:\n        loud = []\n        for _ in range(times):\n            loud.append('ding')\n        loud.append('dong')\n        return loud\n    return ['ding'] * times\n";
const TWICE: &str = "import bell\n\n\ndef test_twice():\n    assert bell.ring(2) == expected('ding', 2)\n";
const OFTEN: &str = "import bell\n\n\ndef test_often():\n    assert bell.ring(9)[-1] == last_of('dong')\n";
const TOKENIZER: &str = r#"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,"model":{"type":"WordLevel","vocab":{"[UNK]":0},"unk_token":"[UNK]"}}"#;

/// An environment of two tests as `trefoil environment` leaves it.
fn environment(place: &Workplace) {
    place.write("env/recipe.json", json!({"repository": "o/bell", "commit": "c1"}).to_string());
    place.write("env/repository/bell.py", BELL);
    let module = format!("{TWICE}\n\n{}", OFTEN.trim_start_matches("import bell\n\n\n"));
    place.write("env/repository/tests/test_bell.py", module);
    let problem = |number: u32, function: &str, source: &str, reason: &str| {
        json!({
            "id": format!("tests/test_bell.py::{function}"), "test_path": "tests/test_bell.py",
            "path": format!("tests/tmp_test_bell_{number}.py"), "classes": [], "function": function, "span": [4, 5],
            "body": 5, "source": source, "cut": "needed", "outcome": "passed", "items": [], "reason": reason, "detail": ""
        })
        .to_string()
    };
    let problems = [
        problem(1, "test_twice", TWICE, ""),
        problem(2, "test_often", OFTEN, ""),
        problem(3, "test_flaky", TWICE, "flaky"),
    ];
    place.write("env/problems.jsonl", problems.join("\n") + "\n");
    let coverage = |id: &str, kind: &str, hit: &str, missed: &str| {
        json!({
            "id": id, "kind": kind, "outcome": "passed", "detail": "", "engine": "zygote", "exact": true, "limits": "",
            "files": {"bell.py": {"hit": hit, "missed": missed}}
        })
        .to_string()
    };
    let rows = [
        coverage("tests::", "empty", "", "1-8"),
        coverage("tests/test_bell.py::test_twice", "test", "1-2,8", "3-7"),
        coverage("tests/test_bell.py::test_often", "test", "1-7", "8"),
    ];
    place.write("env/coverage.jsonl", rows.join("\n") + "\n");
    place.write("tokenizer.json", TOKENIZER);
}

fn clover(place: &Workplace, output: &str, more: &[&str]) -> Outcome {
    let path = |name: &str| place.at(name).to_str().unwrap().to_owned();
    let mut arguments = vec!["clover".to_owned(), path("env"), "--tokenizer".into(), path("tokenizer.json")];
    arguments.extend(["--output".into(), path(output), "--unverified".into()]);
    arguments.extend(more.iter().map(|word| (*word).to_owned()));
    trefoil(&arguments)
}

fn evaluate(place: &Workplace, predictions: &str, more: &[&str]) -> Outcome {
    let path = |name: &str| place.at(name).to_str().unwrap().to_owned();
    let mut arguments = vec!["evaluate".to_owned(), "clover".into(), path("set"), "--predictions".into()];
    arguments.extend([path(predictions), "--output".into(), path("result"), "--grade-only".into()]);
    arguments.extend(more.iter().map(|word| (*word).to_owned()));
    trefoil(&arguments)
}

fn table(place: &Workplace, set: &str, task: u32) -> PathBuf {
    place.at(&format!("{set}/data/task_{task}-00000-of-00001.parquet"))
}

fn rows(place: &Workplace, task: u32) -> Vec<CloverRow> {
    let mut rows = Vec::new();
    read_table(&table(place, "set", task), |row: CloverRow| rows.push(row)).unwrap();
    rows
}

#[test]
fn an_environment_becomes_rows_of_three_tasks() {
    let place = Workplace::new();
    environment(&place);
    clover(&place, "set", &[])
        .exits(0)
        .says("task I   4 examples of 4 available, 24 rows")
        .says("task II  2 examples of 2 available, 20 rows")
        .says("task III 1 examples of 1 available, 4 rows; left out: no_block 1");
    let blocks = &rows(&place, 3)[0];
    assert_eq!((blocks.function.as_str(), blocks.block_lines[0].as_str()), ("test_often", "3-7"));
    assert_eq!((blocks.first_line, blocks.last_line, blocks.path.as_ref()), (8, 9, "tests/test_bell.py"));
    assert_eq!(rows(&place, 2)[0].target_name, "ring");
    clover(&place, "again", &[]).exits(0);
    for task in 1..=3 {
        let bytes = |set| std::fs::read(table(&place, set, task)).unwrap();
        assert_eq!(bytes("set"), bytes("again"), "task {task}");
    }
}

#[test]
fn stored_outcomes_are_graded_without_running_anything() {
    let place = Workplace::new();
    environment(&place);
    clover(&place, "set", &[]).exits(0);
    std::fs::create_dir_all(place.at("result")).unwrap();
    let mut journal = Journal::open(&place.at("result/outcomes.jsonl")).unwrap();
    let mut lines = Vec::new();
    for row in rows(&place, 1) {
        let question = CloverQuestion::from(row);
        let answer = capture(&question, &question.original).unwrap();
        let ran = Ran { outcome: Ended::Passed, detail: String::new(), files: BTreeMap::new() };
        journal.add(&Job::new(&question, &answer).key, ran).unwrap();
        lines.push(json!({"instance_id": question.id, "prediction": question.original}).to_string());
    }
    drop(journal);
    place.write("p.jsonl", lines.join("\n"));
    evaluate(&place, "p.jsonl", &[]).exits(0).says("I    statement problem_only       4");
    let result = |name: &str| std::fs::read_to_string(place.at(&format!("result/{name}"))).unwrap();
    let report: serde_json::Value = serde_json::from_str(&result("report.json")).unwrap();
    let lines = report["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 6);
    assert!(lines.iter().all(|line| line["success"] == 1.0 && line["exact"] == 1.0));
    let grades = result("grades.jsonl");
    evaluate(&place, "p.jsonl", &["--published-rules"]).exits(0).says("by the published rules");
    assert_eq!(result("grades.jsonl"), grades);
}

#[test]
fn answers_that_were_not_run_are_failures_of_the_infrastructure() {
    let place = Workplace::new();
    environment(&place);
    clover(&place, "set", &[]).exits(0);
    let row = rows(&place, 1).remove(0);
    place.write("p.jsonl", json!({"id": row.id, "prediction": row.original}).to_string());
    evaluate(&place, "p.jsonl", &[]).exits(1).says("infrastructure 1");
}

#[test]
fn bad_predictions_are_named_by_file_and_line() {
    let place = Workplace::new();
    environment(&place);
    clover(&place, "set", &[]).exits(0);
    let id = rows(&place, 1).remove(0).id;
    place.write("p.jsonl", format!("{}\nnot json\n", json!({"id": id, "prediction": "x"})));
    evaluate(&place, "p.jsonl", &[]).exits(2).says("p.jsonl:2: column");
    place.write("p.jsonl", json!({"id": "nobody", "prediction": "x"}).to_string());
    evaluate(&place, "p.jsonl", &[]).exits(2).says("p.jsonl:1: `nobody` is the id of no row");
    evaluate(&place, "gone.jsonl", &[]).exits(2).says("cannot read the predictions").says("gone.jsonl");
}

#[test]
fn bad_environments_and_tokenisers_are_named() {
    let place = Workplace::new();
    environment(&place);
    place.write("tokenizer.json", "{}");
    clover(&place, "set", &[]).exits(2).says("cannot read the tokeniser").says("tokenizer.json");
    place.write("tokenizer.json", TOKENIZER);
    place.write("env/coverage.jsonl", "{\"id\":3}\n");
    clover(&place, "set", &[]).exits(2).says("coverage.jsonl:1: not as it should be");
    std::fs::remove_file(place.at("env/recipe.json")).unwrap();
    clover(&place, "set", &[]).exits(2).says("recipe.json").says("environment build");
    place.write("c.toml", "[cloze]\nper_repositry = 3\n");
    let config = place.at("c.toml");
    clover(&place, "set", &["--config", config.to_str().unwrap()])
        .exits(2)
        .says("unknown field `per_repositry`");
}

#[test]
fn the_published_numbers_are_the_default() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/clover.toml");
    let settings: trefoil_clover::Settings = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(settings, trefoil_clover::Settings::default());
}

/// A server that speaks as OpenAI's do and replies nothing; how often it was asked.
fn silent_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|_| line.trim() != "") {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            count.fetch_add(1, Ordering::Relaxed);
            let body = r#"{"choices":[{"message":{"content":""}}],"usage":{"prompt_tokens":1000,"completion_tokens":500}}"#;
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all((head + body).as_bytes()).unwrap();
        }
    });
    (url, asked)
}

#[test]
fn a_model_behind_a_server_is_asked_once_and_graded() {
    let place = Workplace::new();
    environment(&place);
    clover(&place, "set", &[]).exits(0);
    let (url, asked) = silent_server();
    let path = |name: &str| place.at(name).to_str().unwrap().to_owned();
    let ask = || {
        let mut arguments = vec!["evaluate".to_owned(), "clover".into(), path("set"), "--output".into()];
        arguments.extend([path("result"), "--grade-only".into(), "--endpoint".into(), url.clone()]);
        let more = "--model silent --tasks I --settings problem_only --prompt-price 2 --answer-price 4";
        arguments.extend(more.split(' ').map(str::to_owned));
        trefoil(&arguments)
    };
    ask()
        .exits(0)
        .says("0 answers were there, 4 came")
        .says("at a price of 0.02")
        .says("problem_only: empty 4");
    ask().exits(0).says("4 answers were there, 0 came");
    assert_eq!(asked.load(Ordering::Relaxed), 4);
    // What was written can be handed in as predictions.
    evaluate(&place, "result/predictions.jsonl", &[]).exits(0).says("problem_only: empty 4");
}
