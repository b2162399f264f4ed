//! `trefoil environment` without a sandbox, and its outcomes as a table; what needs a sandbox is elsewhere.

use crate::harness::{Outcome, Workplace, carry_out, command};
use serde_json::json;
use trefoil_shards::read_table;
use trefoil_stages::records::EnvironmentOutcome;

/// The program where bwrap cannot be found.
fn without_sandbox(place: &Workplace, words: &[&str]) -> Outcome {
    let mut trefoil = command(env!("CARGO_BIN_EXE_trefoil"));
    let empty = place.at("empty");
    std::fs::create_dir_all(&empty).unwrap();
    trefoil.args(words).env("PATH", empty);
    carry_out(trefoil)
}

#[test]
fn nothing_of_a_repository_runs_without_a_sandbox() {
    let place = Workplace::new();
    let witness = place.at("ran");
    let script = format!("open({:?}, 'w').write('it ran')\n", witness.to_str().unwrap());
    for name in ["setup.py", "conftest.py", "test_a.py", "shop.py"] {
        place.write(&format!("tree/{name}"), &script);
        place.write(&format!("env/repository/{name}"), &script);
    }
    let recipe = json!({"repository": "shop", "commit": "c", "python": "3.11", "exclude_newer": "", "steps": [],
        "project": {"requires_python": "", "installable": true, "requirement_files": [], "extras": [], "groups": [],
            "other_requirements": [], "options": [], "sources": ["shop.py"], "tests": ["test_a.py"]}});
    place.write("env/recipe.json", recipe.to_string());
    place.write("env/statements.json", "{}");
    place.write("cases.jsonl", json!({"id": "a", "path": "test_b.py", "source": script}).to_string());
    let at = |name: &str| place.at(name).to_str().unwrap().to_owned();
    let (tree, new, env, cases, out) =
        (at("tree"), at("new"), at("env"), at("cases.jsonl"), at("rows.jsonl"));
    for words in [
        vec!["environment", "build", &tree, "--output", &new],
        vec!["environment", "problems", &env],
        vec!["environment", "verify", &env, "--cases", &cases, "--output", &out],
        vec!["environment", "cov", &env, "--cases", &cases, "--output", &out],
    ] {
        without_sandbox(&place, &words)
            .exits(2)
            .says("no sandbox is available: bwrap is not on PATH")
            .says("nothing of a repository is run without one")
            .says("apt-get install bubblewrap");
    }
    assert!(!witness.exists(), "something of the repository has run");
    assert!(!place.at("new").exists() && !place.at("rows.jsonl").exists(), "something was written");
}

#[test]
fn outcomes_become_a_table() {
    let place = Workplace::new();
    let outcome = |name: &str, built: bool, reason: &str| {
        json!({"host": "github.com", "repository": name, "commit": "c", "python": "3.12", "built": built,
            "reason": reason, "test_files": 3, "broken_files": 1, "passed": 7, "failed": 2, "errors": 0, "skipped": 1,
            "finished": true, "limits": "no network", "log": "the end"})
        .to_string()
    };
    place.write("z/outcome.json", outcome("o/zebra", false, "not_collected"));
    place.write("a/outcome.json", outcome("o/ant", true, ""));
    let at = |name: &str| place.at(name).to_str().unwrap().to_owned();
    let words = ["environment", "outcomes", &at("z"), &at("a"), "--output", &at("outcomes.parquet")];
    crate::harness::trefoil(&words).exits(0).says("2 environments, 1 built");
    let mut rows = Vec::new();
    read_table(&place.at("outcomes.parquet"), |row: EnvironmentOutcome| rows.push(row)).unwrap();
    let told: Vec<_> = rows.iter().map(|row| (row.repository.as_str(), row.built, row.passed)).collect();
    assert_eq!(told, [("o/ant", true, 7), ("o/zebra", false, 7)]);
    assert_eq!(rows[1].reason, "not_collected");
    let missing = at("nowhere");
    let words = ["environment", "outcomes", &missing, "--output", &at("other.parquet")];
    crate::harness::trefoil(&words).exits(2).says("outcome.json").says("environment build");
}
