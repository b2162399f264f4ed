//! What is finished is not done again, and what is carried over equals what is computed anew.

use crate::harness::{Run, STAGES, Workplace, repository, same, samples};
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// Requires that files of exactly these stages were written again.
#[track_caller]
fn rewrites(run: &Run, stages: &[&str], act: impl FnOnce()) {
    let before = run.stamps();
    act();
    let after = run.stamps();
    let stage_of = |name: &String| name.split('/').next().unwrap().to_owned();
    let changed = after.iter().filter(|(name, stamp)| before.get(*name) != Some(stamp));
    let changed: BTreeSet<String> = changed.map(|(name, _)| stage_of(name)).collect();
    let changed: Vec<&str> = STAGES.into_iter().filter(|stage| changed.contains(*stage)).collect();
    assert_eq!(changed, stages);
}

#[test]
fn the_number_of_jobs_changes_no_byte() {
    let place = Workplace::new();
    let config = samples(&["samples"]);
    let [one, four] = ["1", "4"].map(|jobs| {
        let run = place.run(&format!("jobs-{jobs}"), &config);
        run.go(&["--jobs", jobs]).exits(0);
        run.bytes()
    });
    same(&one, &four);
}

#[test]
fn a_second_run_does_nothing() {
    let place = Workplace::new();
    let run = place.run("twice", &samples(&["samples"]));
    run.go(&[]).exits(0);
    let before = run.stamps();
    let start = Instant::now();
    assert!(run.timed(0).is_empty(), "no task runs");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(run.stamps(), before);
}

/// Changes a setting of a finished run and compares with a run that had it from the start.
fn change(settings: &str, stages: &[&str]) {
    let place = Workplace::new();
    let config = samples(&["samples"]);
    let run = place.run("changed", &config);
    run.go(&[]).exits(0);
    let config = format!("{settings}\n{config}");
    run.configure(&config);
    rewrites(&run, stages, || {
        let computed = run.timed(0);
        let ran: Vec<&str> = STAGES.into_iter().filter(|stage| computed.contains_key(*stage)).collect();
        assert_eq!(ran, stages);
    });
    let scratch = place.run("scratch", &config);
    scratch.go(&[]).exits(0);
    same(&run.bytes(), &scratch.bytes());
}

#[test]
fn another_seed_of_splitting_reruns_nothing_before_splitting() {
    change("[splitting]\nseed = 8", &["splitting", "export"]);
}

#[test]
fn another_filter_reruns_from_filtering_on() {
    change("[filtering]\nmax_test_characters = 300", &["filtering", "dedup", "splitting", "export"]);
}

#[test]
fn an_added_repository_computes_only_itself() {
    let place = Workplace::new();
    let small = samples(&["samples"]);
    place.project("added");
    let big = format!("{small}{}", repository("added", ""));
    let run = place.run("grown", &small);
    run.go(&[]).exits(0);
    run.configure(&big);
    let computed = run.timed(0);
    for stage in ["cloning", "parsing", "matching", "filtering"] {
        assert_eq!(computed[stage], (1, 1), "{stage}: one repository in one shard");
    }
    assert_eq!(run.pairs("local/added"), Some(1));
    let scratch = place.run("scratch", &big);
    scratch.go(&[]).exits(0);
    same(&run.bytes(), &scratch.bytes());
    // And back: what is no longer named disappears.
    run.configure(&small);
    let computed = run.timed(0);
    assert!(computed.values().all(|(repositories, _)| *repositories == 0), "{computed:?}");
    assert_eq!(run.pairs("local/added"), None);
}

#[test]
fn a_changed_file_computes_only_its_repository() {
    let place = Workplace::new();
    ["first", "second"].into_iter().for_each(|name| place.project(name));
    let config = repository("first", "") + &repository("second", "");
    let run = place.run("edited", &config);
    run.go(&[]).exits(0);
    place.write("first/more.py", "def more():\n    return 2\n");
    let computed = run.timed(0);
    assert_eq!(computed["parsing"].0, 1);
    let scratch = place.run("scratch", &config);
    scratch.go(&[]).exits(0);
    same(&run.bytes(), &scratch.bytes());
}

#[test]
fn another_number_of_shards_starts_anew() {
    let place = Workplace::new();
    let config = samples(&["samples"]);
    let run = place.run("shards", &config);
    run.go(&[]).exits(0);
    let run = run.with_shards(3, &config);
    run.go(&[]).exits(0);
    let scratch = place.run("scratch", &config).with_shards(3, &config);
    scratch.go(&[]).exits(0);
    same(&run.bytes(), &scratch.bytes());
}

/// One byte somewhere in the middle of a file becomes another.
fn flip(path: &std::path::Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_flipped_bit_is_found_and_mended() {
    let place = Workplace::new();
    let run = place.run("flipped", &samples(&["samples"]));
    run.go(&[]).exits(0);
    let wanted = run.bytes();
    run.ask("verify", &[]).exits(0).says(" 0 faults");
    let mut harmed = Vec::new();
    for stage in STAGES {
        let of_stage = |ending: &str| {
            let name =
                wanted.keys().find(|name| name.starts_with(&format!("{stage}/")) && name.ends_with(ending));
            name.cloned()
        };
        harmed.extend(of_stage(".parquet"));
        harmed.extend(of_stage(".json"));
    }
    harmed.push("report.json".to_owned());
    for name in &harmed {
        flip(&run.files()[name]);
        run.ask("verify", &[]).exits(1).says(&format!("damaged: {name}"));
        run.go(&[]).exits(0);
        let now = run.bytes();
        assert_eq!(now.get(name), wanted.get(name), "{name} is mended");
        same(&now, &wanted);
    }
    assert!(harmed.len() > 14, "{harmed:?}");
}

#[test]
fn a_lost_file_is_found_and_mended() {
    let place = Workplace::new();
    let run = place.run("lost", &samples(&["samples"]));
    run.go(&[]).exits(0);
    let wanted = run.bytes();
    let export = wanted.keys().find(|name| name.starts_with("export/unit-tests/project/train")).unwrap();
    for name in ["parsing/shard-00001/source_files.parquet", "matching/shard-00000/manifest.json", export] {
        fs::remove_file(run.output.join(name)).unwrap();
        run.ask("verify", &[]).exits(1).says(&format!("missing: {name}"));
        run.go(&[]).exits(0);
        same(&run.bytes(), &wanted);
    }
    place.write("lost/run/stranger.txt", "?");
    run.ask("verify", &[]).exits(1).says("unknown: stranger.txt");
}
