//! Killed in the middle of a batch and started again, running gives the same grades.

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

mod project;

use project::{Known, questions};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use trefoil_clover::evaluation::{Grade, Journal, Predictions, assess};
use trefoil_clover::trivial::Rules;

/// Where the child keeps its journal; set for the child only.
const FOLDER: &str = "TREFOIL_TEST_FOLDER";

/// A hundred different answers to each question, of which the reference is one.
fn work(folder: &Path, delay: u64) -> (Vec<Grade>, usize) {
    let mut all = Vec::new();
    let mut lines = Vec::new();
    for question in questions() {
        let count = if question.task == "I" { 12 } else { 2 };
        for number in 0..count {
            let mut question = question.clone();
            question.id = format!("{}-{number}", question.id);
            question.file_before =
                question.file_before.replace("import shop", &"import shop\n".repeat(1 + number));
            let reply = format!(
                "```python\n{}{}{}\n```",
                question.file_before, question.original, question.file_after
            );
            let reply = if question.task == "I" { question.original.clone() } else { reply };
            lines.push(serde_json::json!({"id": question.id, "prediction": reply}).to_string());
            all.push(question);
        }
    }
    let ids: BTreeSet<&str> = all.iter().map(|question| question.id.as_str()).collect();
    let predictions = Predictions::read("p", &lines.join("\n"), &ids).unwrap();
    let mut journal = Journal::open(&folder.join("outcomes.jsonl")).unwrap();
    let runner = Known { delay, ..Known::default() };
    let grades =
        assess(&all, &predictions, Some(&runner), &mut journal, Rules::Corrected, &mut |_, _| {}).unwrap();
    (grades, runner.runs())
}

#[test]
fn child() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        work(Path::new(&folder), 2);
    }
}

#[expect(clippy::disallowed_methods, reason = "this test is about a process that is killed")]
fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_in_the_middle_of_a_batch_it_ends_with_the_same_grades() {
    let whole = tempfile::tempdir().unwrap();
    let (expected, all) = work(whole.path(), 0);
    assert!(all > 50, "{all}");
    assert!(expected.iter().any(|grade| grade.success));
    for share in [10, 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outcomes.jsonl");
        let kept = || std::fs::read(&path).map_or(0, |bytes| bytes.split(|byte| *byte == b'\n').count() - 1);
        let mut child = start(folder.path());
        while kept() < all / share && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let before = kept();
        assert!(before >= all / share && before < all, "{before} of {all}");
        let (grades, again) = work(folder.path(), 0);
        let other = grades.iter().zip(&expected).find(|(grade, expected)| grade != expected);
        assert!(other.is_none() && grades.len() == expected.len(), "{other:?}");
        assert_eq!(again, all - before);
    }
}
