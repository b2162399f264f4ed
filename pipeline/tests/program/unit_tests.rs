//! The UnitTests data set: licences, prompts, the config that comes along, and the rows as `inspect` shows them.

use crate::harness::{Outcome, Run, STAGES, Workplace, repository, samples, trefoil};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn finished(place: &Workplace) -> Run {
    let run = place.run("samples", &samples(&["samples"]));
    run.go(&[]).exits(0);
    run
}

/// First lines of the rows shown: number, split, test.
fn titles(outcome: &Outcome) -> Vec<&str> {
    outcome.stdout.lines().filter_map(|line| line.strip_prefix("━━━ ")).collect()
}

fn tests(outcome: &Outcome) -> BTreeSet<&str> {
    outcome.stdout.lines().filter(|line| line.starts_with("row ")).collect()
}

fn filtered(run: &Run, reason: &str) -> u64 {
    run.report()["languages"]["python"]["filtered"][reason].as_u64().unwrap_or_default()
}

#[test]
fn only_repositories_with_an_allowed_licence_give_rows() {
    let place = Workplace::new();
    for (name, licence) in [("free", "MIT"), ("copyleft", "GPL-3.0-only"), ("silent", "")] {
        place.project(name);
        if !licence.is_empty() {
            place.write(&format!("{name}/LICENSE"), format!("SPDX-License-Identifier: {licence}\n"));
        }
    }
    let all = ["free", "copyleft", "silent"].map(|name| repository(name, "")).concat();
    let config = format!("[filtering]\nlicences = ['MIT', '0BSD']\n{all}");
    let run = place.run("licences", &config);
    run.go(&[]).exits(0).says("- licence_not_allowed").says("- licence_unknown");
    let rows = run.ask("inspect", &["--full"]).exits(0).says("licence MIT");
    assert_eq!(titles(&rows).len(), 1);
    run.ask("explain", &["test_copyleft.py::test_count_copyleft"])
        .exits(0)
        .says("dropped by filtering: licence_not_allowed [GPL-3.0-only in LICENSE]");
    // A licence that is added counts from the next run on, and only its repository is read again.
    place.write("silent/LICENSE.md", "SPDX-License-Identifier: 0BSD\n");
    assert_eq!(run.timed(0)["parsing"].0, 1);
    assert_eq!((filtered(&run, "licence_unknown"), filtered(&run, "licence_not_allowed")), (0, 1));
    run.configure(&format!("[filtering]\nlicences = ['Apache 2']\n{all}"));
    run.go(&[]).exits(2).says("`Apache 2` is not an SPDX identifier");
}

#[test]
fn the_config_of_unit_tests_runs_as_it_is() {
    let place = Workplace::new();
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs").canonicalize().unwrap();
    let text = fs::read_to_string(configs.join("unit-tests.toml")).unwrap();
    let run = place.run("published", "");
    let output = format!("output = \"{}\"", run.output.display());
    let text = text.replace("output = \"data/runs/unit-tests\"", &output);
    fs::write(&run.config, text.replace("\"../data", &format!("\"{}/../data", configs.display()))).unwrap();
    run.go(&[]).exits(0).says("- licence_unknown");
    let rows = run.ask("inspect", &["--full", "--sample", "40"]).exits(0).says("licence MIT");
    assert_eq!(titles(&rows).len(), 40);
    assert_eq!(rows.stdout.matches("{test_func_type}").count() / 40, 1, "each row has a prompt");
    let fork = run.ask("inspect", &["--repository", "ledger-fork"]).exits(2);
    assert!(fork.stderr.contains("samples/ledger (java)"), "the fork has no licence: {}", fork.stderr);
}

#[test]
fn prompts_of_a_file_are_part_of_what_a_run_is_made_from() {
    let place = Workplace::new();
    place.project("flute");
    place.write("prompts.txt", "Test this: {focal_func}\n");
    let config = format!("[export.unit_tests]\nprompts = 'prompts.txt'\n{}", repository("flute", ""));
    let run = place.run("prompts", &config);
    run.go(&[]).exits(0);
    run.ask("inspect", &["--full"]).exits(0).says("Test this: {focal_func}");
    assert!(run.timed(0).is_empty());
    place.write("prompts.txt", "Check this: {focal_func}\n");
    let computed = run.timed(0);
    let ran: Vec<&str> = STAGES.into_iter().filter(|stage| computed.contains_key(*stage)).collect();
    assert_eq!(ran, ["export"]);
    run.ask("inspect", &["--full"]).exits(0).says("Check this: {focal_func}");
    place.write("prompts.txt", "Check this: {focal_func}\nCheck that: {focal_code}\n");
    run.go(&[]).exits(2).says("prompts.txt").says("prompt 2: `{focal_code}` is no input; there are");
    fs::remove_file(place.at("prompts.txt")).unwrap();
    run.go(&[]).exits(2).says("cannot read the prompts").says("`english`, `russian`, `both` or the path");
}

#[test]
fn inspect_shows_the_parts_of_a_row_under_headings() {
    let place = Workplace::new();
    place.project("cello");
    let run = place.run("one", &repository("cello", ""));
    run.go(&[]).exits(0);
    let shown = run.ask("inspect", &[]).exits(0);
    let parts = [
        "── focal function\ndef count_cello",
        "── test\ndef test_count_cello",
        "── test context\nfrom cello import",
    ];
    for part in parts
        .into_iter()
        .chain(["── focal context\n#cello.py\n#focal function/method here", "licence not known"])
    {
        assert!(shown.stdout.contains(part), "{part} is not in\n{}", shown.stdout);
    }
    for line in ["focal   count_cello cello.py:1-2", "rule    unittests-python / name"] {
        assert!(shown.stdout.contains(line), "{line} is not in\n{}", shown.stdout);
    }
    assert!(!shown.stdout.contains('\u{1b}') && !shown.stdout.contains("── prompt"), "{}", shown.stdout);
    let coloured = run.ask("inspect", &["--color", "always"]).exits(0).stdout;
    let colours: BTreeSet<&str> =
        coloured.split('\u{1b}').filter_map(|text| Some(text.split_once('m')?.0)).collect();
    assert!(["[32", "[36", "[33", "[35"].into_iter().all(|colour| colours.contains(colour)), "{colours:?}");
    run.ask("inspect", &["--full"]).exits(0).says("── prompt\n");
}

#[test]
fn inspect_chooses_rows() {
    let place = Workplace::new();
    let run = finished(&place);
    let all = run.ask("inspect", &[]).exits(0);
    let rows = run.report()["rows"]["project"].clone();
    let of = |split: &str| rows[split].as_u64().unwrap() as usize;
    assert_eq!(titles(&all).len(), of("train") + of("validation") + of("test"));
    let split = run.ask("inspect", &["--split", "test"]).exits(0);
    assert_eq!(titles(&split).len(), of("test"));
    assert!(titles(&split).iter().all(|title| title.contains(" · test · ")));
    let random = run.ask("inspect", &["--by", "random"]).exits(0);
    assert_eq!(tests(&random), tests(&all));
    let sample = |seed: &str| run.ask("inspect", &["--sample", "5", "--seed", seed]).exits(0);
    assert_eq!((titles(&sample("1")).len(), sample("1").stdout), (5, sample("1").stdout));
    assert_ne!(tests(&sample("1")), tests(&sample("2")));
    assert!(tests(&sample("1")).is_subset(&tests(&all)));
    let java = run.ask("inspect", &["--language", "java", "--repository", "ledger"]).exits(0);
    assert!(
        java.stdout
            .lines()
            .filter(|line| line.contains(" at content:"))
            .all(|line| line.starts_with("samples/ledger "))
    );
    let line = *tests(&all).first().unwrap();
    let mut ids = line.trim_start_matches("row").trim().trim_end_matches(')').split(" (pair ");
    for id in [ids.next().unwrap(), ids.next().unwrap()] {
        let one = run.ask("inspect", &["--row", id]).exits(0);
        assert_eq!(tests(&one), BTreeSet::from([line]), "{id}");
    }
}

#[test]
fn inspect_says_what_to_ask_instead() {
    let place = Workplace::new();
    let run = finished(&place);
    run.ask("inspect", &["--row", "7"]).exits(2).says("no row `7`").says("`meta.pair_id`");
    run.ask("inspect", &["--repository", "nowhere"]).exits(2).says("there are rows of samples/");
    run.ask("inspect", &["--language", "cobol"])
        .exits(2)
        .says("`cobol` is no language of the data set; it has");
    run.ask("inspect", &["--split", "dev"]).exits(2).says("possible values: train, validation, test");
    run.ask("inspect", &["--seed", "3"]).exits(2).says("--sample");
    trefoil(&["inspect", place.at("nowhere").to_str().unwrap()])
        .exits(2)
        .says("is not the output folder of a run");
    let file = run.files().into_iter().find(|(name, _)| name.contains("/project/train-")).unwrap().1;
    fs::write(&file, "?").unwrap();
    run.ask("inspect", &[]).exits(2).says("cannot be read; run its config again").says("train-");
    fs::remove_file(run.output.join("report.json")).unwrap();
    run.ask("inspect", &[]).exits(2).says("is not finished; run its config again");
}
