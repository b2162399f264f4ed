//! `trefoil split` and `trefoil audit`: finished runs divided anew, and looked at for leaks.

use crate::harness::{Outcome, Run, Workplace, commit, project, repository, samples, trefoil};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use trefoil_shards::{Manifest, TableEntry, TableWriter};
use trefoil_stages::records::{DividedRow, Record, TokenRow};

fn finished(place: &Workplace) -> Run {
    let run = place.run("samples", &samples(&["samples"]));
    run.go(&[]).exits(0);
    run
}

fn ask(run: &Run, verb: &str, more: &[&str]) -> Outcome {
    let mut arguments = vec![verb, run.output.to_str().unwrap()];
    arguments.extend(more);
    trefoil(&arguments)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Contents of every file below a folder but the run's own list.
fn stages(run: &Run) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for stage in ["parsing", "filtering", "dedup", "splitting", "export"] {
        let mut folders = vec![run.output.join(stage)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    all.insert(path.display().to_string(), fs::read(&path).unwrap());
                }
            }
        }
    }
    all
}

#[test]
fn a_finished_run_is_divided_without_touching_a_stage() {
    let place = Workplace::new();
    let run = finished(&place);
    let before = stages(&run);
    let numbers = place.at("numbers.json");
    ask(&run, "split", &["--by", "random", "--json", numbers.to_str().unwrap()]).exits(0).says("units");
    let division = run.output.join("splits/random/rows.parquet");
    let first = fs::read(&division).unwrap();
    let ways = json(&numbers)["splits"].clone();
    for way in ways.as_array().unwrap() {
        assert!(way["miss"].as_f64().unwrap().abs() <= 1.0, "{ways}");
    }
    ask(&run, "split", &["--by", "random"]).exits(0);
    assert_eq!(fs::read(&division).unwrap(), first, "the same again");
    ask(&run, "split", &["--by", "random", "--seed", "2"]).exits(0);
    assert_ne!(fs::read(&division).unwrap(), first);
    ask(&run, "split", &["--by", "organisation", "--name", "owners", "--stratify", "language"]).exits(0);
    assert_eq!(stages(&run), before);
    ask(&run, "verify", &[]).exits(0).says("0 faults");
    ask(&run, "audit", &["--by", "owners", "--allow", "shared_owner"]).exits(0).says("near_test");
}

#[test]
fn frozen_rows_stay_and_unknown_ones_are_refused() {
    let place = Workplace::new();
    let run = finished(&place);
    ask(&run, "split", &[]).exits(0);
    let earlier = run.output.join("splits/project/rows.parquet");
    let before = fs::read(&earlier).unwrap();
    ask(&run, "split", &["--seed", "7", "--name", "next", "--frozen", earlier.to_str().unwrap()])
        .exits(0)
        .says("rows kept, 0 left out");
    place.write("frozen.csv", "id,split\nnowhere,test\n");
    ask(&run, "split", &["--name", "bad", "--frozen", place.at("frozen.csv").to_str().unwrap()])
        .exits(2)
        .says("1 of 1 frozen rows are not in")
        .says("nowhere");
    place.write("frozen.csv", "id,split\nnowhere,exam\n");
    ask(&run, "split", &["--name", "bad", "--frozen", place.at("frozen.csv").to_str().unwrap()])
        .exits(2)
        .says("`exam` is no split");
    assert!(!run.output.join("splits/bad").exists() && !run.output.join("splits/bad.json").exists());
    assert_eq!(fs::read(&earlier).unwrap(), before);
    ask(&run, "verify", &[]).exits(0);
}

#[test]
fn dates_divide_by_time_and_cut_off() {
    let place = Workplace::new();
    let run = finished(&place);
    ask(&run, "split", &["--by", "time"]).exits(2).says("or give days with --dates");
    let names = ["interval", "ledger", "money", "word-trie", "url-slug", "matrix", "lru-cache"];
    let dates: String =
        (0..).zip(names).map(|(number, name)| format!("samples/{name},2024-0{}-01\n", 1 + number)).collect();
    place.write("dates.csv", format!("id,date\n{dates}"));
    let dates = place.at("dates.csv");
    let with = ["--dates", dates.to_str().unwrap()];
    ask(&run, "split", &[&["--by", "time"], &with[..]].concat()).exits(0);
    let numbers = place.at("numbers.json");
    let cutoff = ["--cutoff", "2024-05-31", "--name", "late", "--json", numbers.to_str().unwrap()];
    ask(&run, "split", &[&cutoff[..], &with[..]].concat()).exits(0);
    assert!(json(&numbers)["left_out"]["before_cutoff"].as_u64() > Some(0), "{}", json(&numbers));
    ask(&run, "split", &["--cutoff", "soon"]).exits(2).says("`soon` is no date");
}

/// A repository whose first commit brings one project and whose second, years later, another.
fn grown(place: &Workplace, name: &str) {
    let repository = git2::Repository::init_bare(place.at(name)).unwrap();
    commit(&repository, 1_500_000_000, &project(&format!("{name}_old")));
    commit(&repository, 1_700_000_000, &project(&format!("{name}_new")));
}

#[test]
fn what_the_history_says_cuts_off() {
    let place = Workplace::new();
    let names = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];
    names.iter().for_each(|name| grown(&place, name));
    let repositories = |name: &&str| repository(&place.at(name).display().to_string(), "host = 'local'");
    let config: String = names.iter().map(repositories).collect();
    let run = place.run("past", &config);
    run.go(&[]).exits(0);
    ask(&run, "split", &["--cutoff", "2020-01-01"]).exits(2).says("`history = true`");
    run.configure(&format!("[cloning]\nhistory = true\n{config}"));
    run.go(&[]).exits(0);
    let numbers = place.at("numbers.json");
    let to = ["--json", numbers.to_str().unwrap()];
    let tested = |numbers: &Value| numbers["splits"][2]["rows"].as_u64();
    let wish = ["--by", "random", "--ratios", "1/0/99", "--tolerance", "100"];
    ask(&run, "split", &[&wish[..], &to[..]].concat()).exits(0);
    let before = tested(&json(&numbers));
    for (day, left_out) in [("2017-07-13", None), ("2017-07-14", Some(8)), ("2023-11-14", before)] {
        ask(&run, "split", &[&wish[..], &["--cutoff", day], &to[..]].concat()).exits(0);
        assert_eq!(json(&numbers)["left_out"]["before_cutoff"].as_u64(), left_out, "{day}");
    }
    ask(&run, "split", &[&["--by", "time", "--ratios", "50/0/50"], &to[..]].concat()).exits(0);
    assert_eq!(tested(&json(&numbers)), Some(8));
}

#[test]
fn bad_wishes_and_damaged_runs_are_refused() {
    let place = Workplace::new();
    let run = finished(&place);
    ask(&run, "split", &["--ratios", "80/10/20"]).exits(2).says("they add up to 110");
    ask(&run, "split", &["--name", "../out"]).exits(2).says("is no name of a division");
    ask(&run, "audit", &["--by", "nothing"]).exits(2).says("make it with `trefoil split`");
    ask(&run, "audit", &["--allow", "nothing"]).exits(2).says("it is no kind of leak");
    ask(&run, "audit", &["--threshold", "0.1"]).exits(2).says("must lie between");
    let table = run.output.join("splitting/shard-00000/assignments.parquet");
    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    ask(&run, "split", &[]).exits(2).says("assignments.parquet is damaged: it has");
    assert!(!run.output.join("splits").join("project").exists());
    fs::write(&table, &whole).unwrap();
    let manifest = run.output.join("splitting/shard-00000/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"version\": 2", "\"version\": 9")).unwrap();
    ask(&run, "split", &[]).exits(2).says("manifest.json is damaged");
    fs::write(&manifest, text).unwrap();
    let rows = run.output.join("export/unit-tests/project/train-00000-of-00001.parquet");
    fs::write(&rows, &fs::read(&rows).unwrap()[..300]).unwrap();
    ask(&run, "audit", &[]).exits(2).says("train-00000-of-00001.parquet is damaged");
}

/// Changes what a shard says of its table and seals it again.
fn reseal(shard: &Path, change: impl FnOnce(&mut TableEntry)) {
    let mut manifest = Manifest::load(shard).unwrap().unwrap();
    change(manifest.tables.get_mut("assignments").unwrap());
    let seal = Sha256::digest(serde_json::to_vec(&manifest).unwrap());
    let seal: String = seal.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut value = serde_json::to_value(&manifest).unwrap();
    value["seal"] = seal.into();
    fs::write(shard.join("manifest.json"), value.to_string()).unwrap();
}

#[test]
fn tables_of_another_version_or_without_a_column_are_refused() {
    let place = Workplace::new();
    let run = finished(&place);
    let before = names_of(&run.output);
    let shard = run.output.join("splitting/shard-00000");
    reseal(&shard, |table| table.version = 1);
    for verb in ["split", "audit"] {
        ask(&run, verb, &[])
            .exits(2)
            .says("assignments.parquet has version 1 of its schema, this program reads");
    }
    let rows = [DividedRow { id: "a".into(), split: "train".into(), reason: String::new() }];
    let path = shard.join("assignments.parquet");
    let mut table = TableWriter::create(&path, &DividedRow::SCHEMA).unwrap();
    table.append(&DividedRow::columns(&rows), 1).unwrap();
    let file = table.finish().unwrap();
    reseal(&shard, |table| (table.version, table.rows, table.bytes) = (2, file.rows, file.bytes));
    ask(&run, "split", &[]).exits(2).says("assignments.parquet is damaged").says("column \"host\"");
    assert_eq!(names_of(&run.output), before, "something was begun");
}

#[test]
fn frozen_rows_in_files_of_another_kind_are_refused() {
    let place = Workplace::new();
    let run = finished(&place);
    let before = names_of(&run.output);
    let frozen = place.at("frozen.parquet");
    let split = |words: &str| {
        let arguments = ["--name", "bad", "--frozen", frozen.to_str().unwrap()];
        ask(&run, "split", &arguments).exits(2).says("frozen").says(words);
    };
    split("cannot open");
    fs::write(&frozen, "id,split\na,test\n").unwrap();
    split("frozen.parquet is damaged");
    let mut table = TableWriter::create(&frozen, &TokenRow::SCHEMA).unwrap();
    table.append(&TokenRow::columns(&[TokenRow { input_ids: vec![1] }]), 1).unwrap();
    table.finish().unwrap();
    split("a file of texts `id` and `split`");
    let row =
        |id: &str, split: &str| DividedRow { id: id.into(), split: split.into(), reason: String::new() };
    for (rows, words) in [
        (vec![row("0123456789abcdef0123456789abcdef", "test")], "1 of 1 frozen rows are not in"),
        (vec![row("a", "exam")], "`exam` is no split"),
    ] {
        let mut table = TableWriter::create(&frozen, &DividedRow::SCHEMA).unwrap();
        table.append(&DividedRow::columns(&rows), 1).unwrap();
        table.finish().unwrap();
        split(words);
    }
    assert_eq!(names_of(&run.output), before, "something was begun");
}

/// Files and folders of a run and of its divisions.
fn names_of(folder: &Path) -> Vec<String> {
    let names = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut all: Vec<String> =
        names(folder).chain(names(&folder.join("splits"))).map(|path| path.display().to_string()).collect();
    all.sort();
    all
}

#[test]
fn a_changed_run_is_divided_anew() {
    let place = Workplace::new();
    place.project("bell");
    let run = place.run("one", &repository("bell", ""));
    run.go(&[]).exits(0);
    ask(&run, "split", &["--name", "first"]).exits(0);
    place.project("drum");
    run.configure(&(repository("bell", "") + &repository("drum", "")));
    run.go(&[]).exits(0);
    ask(&run, "audit", &["--by", "first"]).exits(2).says("the run has changed since the division `first`");
}

#[test]
fn leaks_and_benchmarks_are_found_and_fail_a_check() {
    let place = Workplace::new();
    let run = finished(&place);
    ask(&run, "audit", &[]).exits(0);
    let found = place.at("audit.json");
    ask(&run, "audit", &["--by", "random", "--allow", "same_row", "--json", found.to_str().unwrap()])
        .exits(1);
    let audit = json(&found);
    assert!(audit["report"]["counts"]["shared_repository"].as_u64() > Some(0));
    assert_eq!(audit["allowed"], serde_json::json!(["same_row"]));
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/samples/money/tests/shares_test.py");
    let item = serde_json::json!({ "task_id": "shares", "test": fs::read_to_string(sample).unwrap() });
    place.write("benchmark.jsonl", item.to_string() + "\n");
    let benchmark = place.at("benchmark.jsonl");
    ask(&run, "audit", &["--benchmark", benchmark.to_str().unwrap()]).exits(1).says("benchmark.jsonl:shares");
    place.write("benchmark.jsonl", "{\"task_id\": 1}\n");
    ask(&run, "audit", &["--benchmark", benchmark.to_str().unwrap()])
        .exits(2)
        .says("line 1 has no text under");
}

#[test]
fn near_duplicates_are_marked_by_default_and_dropped_on_demand() {
    let place = Workplace::new();
    place.project("bell");
    place.project("drum");
    let body = |word: &str, more: &str| {
        let lines: String =
            (0..12).map(|line| format!("    total = total + count_{word}('{line}')\n")).collect();
        format!(
            "from {word} import count_{word}\n\n\ndef test_count_{word}():\n    total = 0\n{lines}{more}    assert total == 0\n"
        )
    };
    place.write("bell/tests/test_bell.py", body("bell", ""));
    place.write(
        "drum/tests/test_drum.py",
        body("bell", "    total += 1\n").replace("def test_count_bell", "def test_count_drum"),
    );
    let repositories = repository("bell", "") + &repository("drum", "");
    let run = place.run("marked", &repositories);
    run.go(&[]).exits(0).says("- duplicate                 0");
    let run = place.run("dropped", &format!("{repositories}[dedup]\nnear = 'drop'\n"));
    run.go(&[]).exits(0).says("- duplicate                 1");
    let run = place.run("bad", &format!("{repositories}[dedup]\nnear_threshold = 0.1\n"));
    run.go(&[]).exits(2).says("dedup.near_threshold: 0.1 must lie between 0.3 and 1");
}
