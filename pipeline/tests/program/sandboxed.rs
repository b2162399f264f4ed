//! From source archives of the package index to graded answers, for real: bubblewrap, uv, curl and the index are needed
//! (`scripts/install_execution_tools`); `scripts/test` says so where it leaves this out.

use crate::harness::{Workplace, command, trefoil_patiently};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use trefoil_clover::prompt::Template;
use trefoil_clover::trial::original_reply;
use trefoil_shards::read_table;
use trefoil_stages::records::CloverRow;

/// Small packages in pure Python whose archives hold their tests: name, version, digest.
const ARCHIVES: [(&str, &str, &str); 2] = [
    ("iniconfig", "2.3.0", "c76315c77db068650d49c5b56314774a7804df16fee4402c1f19d6d15d8c4730"),
    ("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417"),
];
/// Few, to be through in a minute or two.
const SETTINGS: &str = "
[cloze]
per_repository = 10
answer_tokens = 200
problem_only = true
budgets = [8]

[target]
per_repository = 5
answer_tokens = 4000
problem_only = true
budgets = [8]

[blocks]
per_repository = 5
answer_tokens = 4000
problem_only = false
budgets = [64]
";
const TOKENIZER: &str = r#"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,"model":{"type":"WordLevel","vocab":{"[UNK]":0},"unk_token":"[UNK]"}}"#;

/// Brings an archive, byte for byte the one that is meant. uv's lock says where the index keeps it; nothing of it runs.
fn download(place: &Workplace, (name, version, digest): (&str, &str, &str)) -> PathBuf {
    let project = format!(
        "[project]\nname = \"inputs\"\nversion = \"0\"\nrequires-python = \">=3.10\"\ndependencies = [\"{name}=={version}\"]\n"
    );
    place.write(&format!("{name}/pyproject.toml"), project);
    let mut uv = command("uv");
    uv.args(["lock", "--quiet", "--no-build", "--project"]).arg(place.at(name));
    assert!(uv.status().unwrap().success(), "the package index does not know {name}");
    let lock = std::fs::read_to_string(place.at(&format!("{name}/uv.lock"))).unwrap();
    let lock: toml::Value = toml::from_str(&lock).unwrap();
    let packages = lock["package"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"].as_str() == Some(name)).unwrap();

    let path = place.at(&format!("{name}-{version}.tar.gz"));
    let mut curl = command("curl");
    curl.args(["-sSfL", "--retry", "3", "--max-time", "60", "-o"]).arg(&path);
    curl.arg(package["sdist"]["url"].as_str().unwrap());
    assert!(curl.status().unwrap().success(), "{name} cannot be downloaded");
    let found: String =
        Sha256::digest(std::fs::read(&path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(found, digest, "{name} is another file");
    path
}

fn rows(place: &Workplace) -> Vec<CloverRow> {
    let mut rows = Vec::new();
    for task in 1..=3 {
        let path = place.at(&format!("set/data/task_{task}-00000-of-00001.parquet"));
        read_table(&path, |row: CloverRow| rows.push(row)).unwrap();
    }
    rows
}

#[test]
fn archives_of_the_index_become_a_set_whose_originals_score_and_nothing_else_does() {
    let place = Workplace::new();
    let at = |name: &str| place.at(name).to_str().unwrap().to_owned();
    let mut environments = Vec::new();
    for archive in ARCHIVES {
        let source = download(&place, archive);
        let folder = at(&format!("environment-{}", archive.0));
        let build = ["environment", "build", source.to_str().unwrap(), "--output", &folder];
        let more = ["--host", "index", "--exclude-newer", "2025-11-01", "--cache", &at("cache")];
        trefoil_patiently(&[&build[..], &more].concat()).exits(0).says("built");
        trefoil_patiently(&["environment", "problems", &folder]).exits(0).says("problems fit for use");
        trefoil_patiently(&["environment", "cov", &folder]).exits(0).says("passed");
        environments.push(folder);
    }
    place.write("tokenizer.json", TOKENIZER);
    place.write("clover.toml", SETTINGS);
    let folders: Vec<&str> = environments.iter().map(String::as_str).collect();
    let set = ["--tokenizer", &at("tokenizer.json"), "--config", &at("clover.toml"), "--output", &at("set")];
    trefoil_patiently(&[&["clover"], &folders[..], &set].concat()).exits(0).says("task I ");

    let rows = rows(&place);
    for archive in ARCHIVES {
        let of_archive = |row: &&CloverRow| row.repository.contains(archive.0);
        assert!(rows.iter().filter(of_archive).any(|row| row.task == "I" && row.verified), "{}", archive.0);
    }
    let evaluate = |name: &str, reply: &dyn Fn(&CloverRow) -> String| -> Vec<Value> {
        let line = |row: &CloverRow| json!({"instance_id": row.id, "prediction": reply(row)}).to_string();
        place.write(name, rows.iter().map(line).collect::<Vec<_>>().join("\n"));
        let (set, answers, result) = (at("set"), at(name), at(&format!("{name}.result")));
        let words = ["evaluate", "clover", &set, "--predictions", &answers, "--output", &result];
        trefoil_patiently(&[&words[..], &["--environments"], &folders].concat()).exits(0);
        let report = std::fs::read(place.at(&format!("{name}.result/report.json"))).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        report["lines"].as_array().unwrap().clone()
    };
    let original = |row: &CloverRow| {
        let (before, after) = (&row.file_before, &row.file_after);
        let template = if row.template == "full" { Template::Full } else { Template::Part };
        original_reply(before, &row.original, after, template)
    };
    for line in evaluate("originals", &original) {
        assert!(line["success"] == 1.0 && line["executed"] == 1.0, "{line}");
        assert!(line["task"] != "I" || line["exact"] == 1.0, "{line}");
    }
    for line in evaluate("nothing", &|_| String::new()) {
        assert!(line["success"] == 0.0 && line["executed"] == 0.0, "{line}");
    }
}
