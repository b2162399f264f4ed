//! Repositories that a stand-in for GitHub finds and serves.

use crate::harness::{Outcome, Random, Run, Running, Workplace, carry_out, command, commit, project, start};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use trefoil_stages::records::Evidence;
use trefoil_stand_in::{At, Fault, Repository, Script, StandIn, State, population};

pub const PLANTED: &str = "ghp_planted0123456789";

/// The program with a token in its environment.
pub fn program(verb: &str, run: &Run, more: &[&str]) -> Command {
    let mut command = command(env!("CARGO_BIN_EXE_trefoil"));
    command.env("GITHUB_TOKEN", PLANTED).arg(verb).arg(&run.config).args(more);
    command
}

pub fn ask(verb: &str, run: &Run, more: &[&str]) -> Outcome {
    carry_out(program(verb, run, more))
}

/// A server of small Python repositories, as bare git repositories.
pub fn server(place: &Workplace, names: &[&str]) -> StandIn {
    let repositories = names.iter().enumerate().map(|(number, name)| Repository {
        id: 100 + number as u64,
        full_name: (*name).to_owned(),
        languages: vec![("Python".to_owned(), 2_000)],
        licence: "MIT".to_owned(),
        stars: 50,
        created: 1_500_000_000,
        pushed: 1_600_000_000,
        default_branch: "main".to_owned(),
        commit: Some(bare(place, name)),
        ..Repository::default()
    });
    let script = Script {
        repositories: repositories.collect(),
        tokens: vec![PLANTED.to_owned()],
        git: Some(place.at("served")),
        ..Script::default()
    };
    StandIn::start(script).unwrap()
}

/// A bare repository with one commit; its id.
pub fn bare(place: &Workplace, name: &str) -> String {
    let repository = git2::Repository::init_bare(place.at(&format!("served/{name}.git"))).unwrap();
    repository.set_head("refs/heads/main").unwrap();
    commit(&repository, 1_600_000_000, &project(name.split('/').next_back().unwrap())).to_string()
}

pub fn section(stand_in: &StandIn, more: &str) -> String {
    let url = stand_in.url();
    format!("[github]\napi = '{url}'\nweb = '{url}'\nrequest_seconds = 2\n{more}\n")
}

/// What the run's folder holds of the discovery.
fn found(run: &Run) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(run.output.join("github")).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().display().to_string(), fs::read(path).unwrap())).collect()
}

#[test]
fn a_run_discovers_clones_and_exports_and_shows_no_token() {
    let place = Workplace::new();
    let stand_in = server(&place, &["alpha/one", "alpha/two", "beta/three", "beta/four"]);
    let echo = Fault::Status(500, Vec::new(), format!("you sent {PLANTED}"));
    stand_in.change(|script| script.faults = vec![(At::Request(0), echo), (At::Request(1), Fault::Reset)]);
    let run =
        place.run("sought", &section(&stand_in, "search = true\n[github.facets]\nlanguages = ['Python']"));
    let outcome = ask("run", &run, &[]).exits(0);
    let host = stand_in.url().replace("http://", "");
    for name in ["alpha/one", "alpha/two", "beta/three", "beta/four"] {
        assert_eq!(run.pairs(&format!("{host}/{name}")), Some(1), "{name}");
    }
    let mut written = outcome.stdout + &outcome.stderr;
    let mut folders = vec![run.output.clone()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                written.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap()));
            }
        }
    }
    assert!(written.contains("alpha/one") && !written.contains(PLANTED), "a token was written down");

    let (asked, stamps) = (stand_in.served().requests, run.stamps());
    ask("run", &run, &[]).exits(0);
    assert_eq!((stand_in.served().requests, run.stamps()), (asked, stamps), "what is found is kept");
    ask("run", &run, &["--dry-run"]).exits(0).says("4 repositories");
    run.ask("verify", &[]).exits(0);
}

#[test]
fn killed_twenty_times_it_finds_the_same() {
    let place = Workplace::new();
    let script =
        Script { repositories: population(6_000, 3), fault_share: 0.02, seed: 5, ..Script::default() };
    let stand_in = StandIn::start(script).unwrap();
    let facets =
        "search = true\nmax_repositories = 4000\n[github.facets]\nforks = 'yes'\ncreated_to = '2026-01-01'";
    let config = section(&stand_in, facets);
    // Secondary limits without a time would be waited for by the clock on the wall.
    stand_in.change(|script| script.fault_share = 0.0);
    let whole = place.run("whole", &config);
    ask("discover", &whole, &[]).exits(0).says("stars on, to stay within");
    let expected = found(&whole);
    assert_eq!(
        expected.keys().collect::<Vec<_>>(),
        ["discovered.parquet", "failures.parquet", "names.json", "summary.json"]
    );

    let run = place.run("killed", &config);
    let mut random = Random(11);
    let mut killed = 0;
    let journal: PathBuf = run.output.join("github/journal.jsonl");
    let length = || fs::metadata(&journal).map_or(0, |metadata| metadata.len());
    while killed < 20 {
        let before = length();
        let mut running: Running = start(program("discover", &run, &[]));
        // Some kills come before anything was found, some in the middle of the next answers.
        if random.below(4) > 0 {
            running.until(|| length() > before);
        }
        std::thread::sleep(Duration::from_millis(random.below(8)));
        running.signal(Signal::KILL);
        let outcome = running.wait();
        killed += u32::from(outcome.code.is_none());
        if outcome.code == Some(0) {
            // It was faster than the kill: again from the beginning.
            fs::remove_dir_all(run.output.join("github")).unwrap();
        }
    }
    ask("discover", &run, &[]).exits(0);
    same(&found(&run), &expected);
}

#[track_caller]
fn same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let differ: Vec<_> =
        left.keys().chain(right.keys()).filter(|key| left.get(*key) != right.get(*key)).collect();
    assert!(differ.is_empty(), "{differ:?}");
}

#[test]
fn lists_are_looked_up_and_joined_with_what_is_found() {
    let place = Workplace::new();
    let stand_in = server(&place, &["alpha/one", "beta/new", "gamma/three"]);
    stand_in.change(|script| {
        script.repositories[1].former_names = vec!["beta/old".into()];
        script.repositories[2].stars = 3;
        let gone = Repository {
            id: 9,
            full_name: "lost/four".into(),
            state: State::Blocked,
            ..Repository::default()
        };
        script.repositories.push(gone);
    });
    place.write("list.txt", "alpha/one\nbeta/old\nBETA/NEW\ngamma/three\nlost/four\nnever/was\n");
    let run = place.run("listed", "");
    let config = section(&stand_in, "search = true\nlook_up_lists = true");
    let head = format!("lists = ['list.txt']\n[run]\noutput = '{}'\n", run.output.display());
    fs::write(&run.config, head + &config).unwrap();
    ask("run", &run, &[]).exits(1);
    let host = stand_in.url().replace("http://", "");
    let report = run.report();
    let read: Vec<&String> = report["repositories"].as_object().unwrap().keys().collect();
    assert_eq!(
        read,
        [&format!("{host}/alpha/one"), &format!("{host}/beta/new"), &format!("{host}/gamma/three")]
    );
    assert_eq!(former_names(&run), [("beta/new".to_owned(), vec!["beta/old".to_owned()])].into());
    let reasons: Vec<_> = run.failures().into_iter().map(|(name, (_, reason))| (name, reason)).collect();
    let expected = [("lost/four", "repository_blocked"), ("never/was", "repository_gone")];
    assert_eq!(reasons, expected.map(|(name, reason)| (format!("{host}/{name}"), reason.to_owned())));
}

/// Repositories that had other names, by what stands in the evidence.
fn former_names(run: &Run) -> BTreeMap<String, Vec<String>> {
    let mut renamed = BTreeMap::new();
    trefoil_shards::read_table(&run.output.join("evidence.parquet"), |row: Evidence| {
        if !row.former_names.is_empty() {
            renamed.insert(row.repository, row.former_names);
        }
    })
    .unwrap();
    renamed
}

#[test]
fn who_is_renamed_between_two_discoveries_or_since_a_list_keeps_both_names() {
    let place = Workplace::new();
    let stand_in = server(&place, &["alpha/one", "beta/two"]);
    // A list that knows the number; it is not looked up.
    place.write("list.csv", "repo_name,repo_id\nbeta/ancient,101\n");
    let run = place.run("renamed", "");
    let head = format!("lists = ['list.csv']\n[run]\noutput = '{}'\n", run.output.display());
    fs::write(&run.config, head + &section(&stand_in, "search = true")).unwrap();
    ask("run", &run, &[]).exits(0);
    let ancient = ("beta/two".to_owned(), vec!["beta/ancient".to_owned()]);
    assert_eq!(former_names(&run), [ancient.clone()].into());
    stand_in.change(|script| script.repositories[0].full_name = "alpha/first".to_owned());
    fs::rename(place.at("served/alpha/one.git"), place.at("served/alpha/first.git")).unwrap();
    for _ in 0..2 {
        ask("discover", &run, &["--refresh"]).exits(0);
    }
    ask("run", &run, &[]).exits(0);
    let first = ("alpha/first".to_owned(), vec!["alpha/one".to_owned()]);
    assert_eq!(former_names(&run), [first, ancient].into());
}

#[test]
fn an_estimate_asks_only_for_counts() {
    let place = Workplace::new();
    let script = Script { repositories: population(3_000, 3), ..Script::default() };
    let stand_in = StandIn::start(script).unwrap();
    let run = place.run("sought", &section(&stand_in, "search = true"));
    ask("discover", &run, &["--estimate"]).exits(0).says("repositories").says("hours").says("GB");
    assert_eq!(stand_in.served().requests, 1);
    assert!(!run.output.exists());
    ask("run", &run, &["--dry-run"]).exits(2).says("trefoil discover");
}

#[test]
fn a_config_that_asks_for_nothing_or_holds_a_token_is_refused() {
    let place = Workplace::new();
    let run = place.run("none", &crate::harness::repository("x", ""));
    ask("discover", &run, &[]).exits(2).says("nothing to discover");
    run.configure(&format!("[github]\nsearch = true\ntoken = '{PLANTED}'"));
    let outcome = ask("discover", &run, &[]).exits(2).says("a config holds no tokens");
    assert!(!(outcome.stdout + &outcome.stderr).contains(PLANTED));
}
