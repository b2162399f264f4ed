//! What is finished is not done again, and what is carried over equals what is computed anew.

use crate::harness::{Run, STAGES, Workplace, repository, same, samples};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
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
    change("[filtering]\nmax_test_characters = 120", &["filtering", "dedup", "splitting", "export"]);
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

/// Flips one bit of a file.
fn flip(path: &Path, place: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[place] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// Harms a file of a finished run, which is told and mended.
fn harm(run: &Run, wanted: &BTreeMap<String, Vec<u8>>, name: &str, place: usize) {
    flip(&run.output.join(name), place);
    run.ask("verify", &[]).exits(1).says(&format!("damaged: {name}"));
    run.go(&[]).exits(0);
    let now = run.bytes();
    assert_eq!(now.get(name), wanted.get(name), "{name} is mended");
    same(&now, wanted);
}

#[test]
fn a_flipped_bit_is_found_and_mended() {
    let place = Workplace::new();
    ["harp", "lute"].into_iter().for_each(|name| place.project(name));
    let run = place.run("flipped", &(repository("harp", "") + &repository("lute", "")));
    run.go(&[]).exits(0);
    let wanted = run.bytes();
    run.ask("verify", &[]).exits(0).says(" 0 faults");
    let mut harmed = vec!["report.json", "plan.json"];
    for stage in STAGES {
        let of_stage = |ending: &str| {
            let mut names = wanted.keys().filter(|name| name.starts_with(&format!("{stage}/")));
            names.find(|name| name.ends_with(ending))
        };
        harmed.extend([of_stage(".parquet"), of_stage(".json")].into_iter().flatten().map(String::as_str));
    }
    assert_eq!(harmed.len(), 18, "{harmed:?}");
    for name in harmed {
        harm(&run, &wanted, name, wanted[name].len() / 2);
    }
}

#[test]
fn a_flipped_bit_in_any_part_of_a_manifest_is_found_and_mended() {
    let place = Workplace::new();
    place.project("lyre");
    let config = repository("lyre", "");
    let run = place.run("flipped", &config).with_shards(1, &config);
    run.go(&[]).exits(0);
    let wanted = run.bytes();
    for stage in ["discovery", "parsing", "filtering", "splitting"] {
        let name = format!("{stage}/shard-00000/manifest.json");
        let text = String::from_utf8(wanted[&name].clone()).unwrap();
        for part in ["\"rows\": ", "\"version\": ", "\"row_groups\": {"] {
            // The next digit: a count of rows, a version, and rows of the first group.
            // Decisions are not read by repository, so a global stage has no row groups to name.
            let Some(at) = text.rfind(part) else {
                assert_eq!(stage, "splitting");
                continue;
            };
            let place = at + part.len();
            let digit = text[place..].find(|letter: char| letter.is_ascii_digit()).unwrap();
            harm(&run, &wanted, &name, place + digit);
        }
        let last = "\"fingerprint\": \"";
        harm(&run, &wanted, &name, text.rfind(last).unwrap() + last.len());
    }
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
