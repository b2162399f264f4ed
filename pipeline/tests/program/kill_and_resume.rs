//! Whenever the driver is killed, the next run ends with the same bytes, and no worker lives on.

use crate::harness::{Random, Run, STAGES, Workplace, repository, same, samples};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

const HOSTS: [&str; 2] = ["one", "two"];

/// 30 repositories in 8 shards.
fn run(place: &Workplace, name: &str) -> Run {
    let config = samples(&HOSTS);
    place.run(name, &config).with_shards(8, &config)
}

/// An undisturbed run, and how long it took.
fn undisturbed(place: &Workplace) -> (BTreeMap<String, Vec<u8>>, Duration) {
    let run = run(place, "undisturbed");
    let start = Instant::now();
    run.go(&[]).exits(0);
    (run.bytes(), start.elapsed())
}

fn finish(run: &Run, wanted: &BTreeMap<String, Vec<u8>>) {
    run.go(&[]).exits(0);
    same(&run.bytes(), wanted);
    run.ask("verify", &[]).exits(0);
    run.no_worker_survives();
}

#[test]
fn killed_at_random_moments() {
    let place = Workplace::new();
    let (wanted, took) = undisturbed(&place);
    let mut random = Random(0x7ef0_1234);
    let (mut kills, mut folders) = (0, 0);
    while kills < 12 {
        folders += 1;
        assert!(folders < 20, "only {kills} of the runs lived long enough to be killed");
        let run = run(&place, &format!("random-{folders}"));
        // Several kills wear one folder down; short lives let it take more of them.
        loop {
            let mut running = run.start(&[]);
            let delay = Duration::from_micros(random.below(took.as_micros() as u64 / 2));
            let start = Instant::now();
            running.until(|| start.elapsed() >= delay);
            running.signal(Signal::KILL);
            let killed = running.wait().code.is_none();
            if !killed {
                break;
            }
            kills += 1;
            // Now and then the next run starts while workers of the dead one may still be there.
            if random.below(2) == 0 {
                run.no_worker_survives();
            }
        }
        finish(&run, &wanted);
    }
}

/// Whether the output holds an entry whose path below it starts and ends like this.
fn holds(run: &Run, stage: &str, beginning: &str) -> bool {
    let entries = fs::read_dir(run.output.join(stage)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with(beginning))
}

#[test]
fn killed_as_soon_as_a_file_appears() {
    let place = Workplace::new();
    let (wanted, _) = undisturbed(&place);
    let mut kills = 0;
    // A shard stands in its place together with its manifest; before, it is a temporary neighbour.
    for beginning in ["shard-", ".tmp-"] {
        let run = run(&place, if beginning == "shard-" { "finished" } else { "unfinished" });
        for stage in STAGES {
            let beginning = if stage == "export" && beginning == "shard-" { "groups" } else { beginning };
            let mut running = run.start(&[]);
            running.until(|| holds(&run, stage, beginning));
            running.signal(Signal::KILL);
            kills += u32::from(running.wait().code.is_none());
            run.no_worker_survives();
        }
        finish(&run, &wanted);
    }
    assert!(kills >= 10, "only {kills} of the runs were killed");
}

#[test]
fn a_worker_ends_with_its_driver_and_not_with_its_task() {
    let place = Workplace::new();
    place.giant("giant");
    let config = repository("giant", "");
    let run = place.run("orphan", &config).with_shards(1, &config);
    let mut running = run.start(&[]);
    assert!(running.until(|| holds(&run, "parsing", ".tmp-")), "a worker has begun");
    running.signal(Signal::KILL);
    assert_eq!(running.wait().code, None);
    run.no_worker_survives();
    assert!(!holds(&run, "parsing", "shard-"), "the worker went on to the end");
}

#[test]
fn interrupted_by_the_user() {
    let place = Workplace::new();
    let (wanted, _) = undisturbed(&place);
    let run = run(&place, "interrupted");
    let mut running = run.start(&[]);
    assert!(running.until(|| holds(&run, "parsing", "shard-")), "it is at work");
    running.signal(Signal::INT);
    running.wait().exits(130).says("finished shards are kept");
    run.no_worker_survives();
    let kept = run.stamps();
    finish(&run, &wanted);
    let now = run.stamps();
    let shards: Vec<_> = kept.keys().filter(|name| name.contains("/shard-")).collect();
    assert!(shards.iter().any(|name| name.starts_with("parsing/")), "a shard of parsing is finished");
    for name in shards {
        assert_eq!(kept[name], now[name], "{name} is kept");
    }
}

#[test]
fn a_second_run_on_the_same_output_is_refused() {
    let place = Workplace::new();
    let run = run(&place, "shared");
    let mut running = run.start(&[]);
    assert!(running.until(|| holds(&run, "cloning", "")), "it is at work");
    running.signal(Signal::STOP);
    run.go(&[]).exits(2).says("another run is working on");
    running.signal(Signal::CONT);
    running.wait().exits(0);
}
