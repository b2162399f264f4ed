//! Repositories named in list files, and configs that cannot be used.

use crate::harness::{Workplace, repository, samples};

#[test]
fn an_unknown_key_is_refused_with_the_nearest_one() {
    let place = Workplace::new();
    let run = place.run("typo", &format!("[spliting]\nseed = 3\n{}", samples(&["samples"])));
    run.go(&[]).exits(2).says("did you mean `splitting`?").says("typo.toml");
    run.configure(&format!("[engine]\nworker_memory = 3\n{}", samples(&["samples"])));
    run.go(&[]).exits(2).says("unknown field `worker_memory`").says("did you mean `worker_memory_bytes`?");
    run.configure(&repository("", ""));
    run.go(&[]).exits(2).says("a `location` is empty");
    assert!(!run.output.exists());
}

#[test]
fn a_config_that_is_not_there_is_named() {
    let place = Workplace::new();
    let run = place.run("gone", "");
    std::fs::remove_file(&run.config).unwrap();
    run.go(&[]).exits(2).says("gone.toml");
}

#[test]
fn lists_name_repositories() {
    let place = Workplace::new();
    for name in ["one", "two", "three"] {
        place.project(&format!("places/{name}"));
    }
    place.write("places/list.csv", "location,name,host\none,first,\nnowhere,,\n,unplaced,example.org\n");
    place.write(
        "places/list.jsonl",
        "{\"location\": \"two\", \"revision\": null}\n{\"location\": \"three\", \"host\": \"h\"}\n",
    );
    let config = format!(
        "lists = ['places/list.csv', 'places/list.jsonl']\n{}",
        repository("places/two", "host = 'x'")
    );
    // Keys of the file itself stand before its sections.
    let run = place.run("listed", "");
    let head = format!("[run]\noutput = '{}'\n", run.output.display());
    std::fs::write(&run.config, config.replacen("[[", &format!("{head}[["), 1)).unwrap();
    run.go(&[]).exits(1);
    let failures: Vec<_> =
        run.failures().into_iter().map(|(name, (stage, reason))| (name, stage, reason)).collect();
    let row = |name: &str, stage: &str, reason: &str| (name.to_owned(), stage.to_owned(), reason.to_owned());
    let expected = [
        row("example.org/unplaced", "discovery", "no_location"),
        row("local/nowhere", "cloning", "repository_missing"),
    ];
    assert_eq!(failures, expected);
    for repository in ["local/first", "local/two", "h/three", "x/two"] {
        assert_eq!(run.pairs(repository), Some(1), "{repository}");
    }
    let before = run.stamps();
    run.go(&[]).exits(1);
    assert_eq!(run.stamps(), before);
}

#[test]
fn a_list_that_cannot_be_read_is_named() {
    let place = Workplace::new();
    let run = place.run("listed", "");
    let faults = [
        ("list.csv", "name\nx\n", "no column `location`"),
        ("list.csv", "location,branch\nx,y\n", "unknown column `branch`"),
        ("list.jsonl", "{\"location\": \n", "list.jsonl"),
        ("list.ods", "x\n", "ends in .csv, .jsonl, .parquet or .txt"),
        ("", "", "missing.csv"),
    ];
    for (name, text, words) in faults {
        let list = if name.is_empty() { "missing.csv" } else { name };
        if !name.is_empty() {
            place.write(name, text);
        }
        let config = format!("lists = ['{list}']\n[run]\noutput = '{}'\n", run.output.display());
        std::fs::write(&run.config, config).unwrap();
        run.go(&[]).exits(2).says(words);
    }
}
