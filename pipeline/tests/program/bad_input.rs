//! Bad repositories and files become rows with a reason, and the rest of the run goes on.

use crate::harness::{Run, Workplace, commit, project, repository};
use git2::Repository;
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A bare git repository of one commit, all of it in one pack.
fn packed(path: &Path, files: &[(String, String)]) -> PathBuf {
    let repository = Repository::init_bare(path).unwrap();
    let commit = commit(&repository, 0, files);
    let mut builder = repository.packbuilder().unwrap();
    builder.insert_commit(commit).unwrap();
    let folder = path.join("objects/pack");
    builder.write(&folder, 0).unwrap();
    for entry in fs::read_dir(path.join("objects")).unwrap().flatten() {
        if entry.file_name().len() == 2 {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let mut packs = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    packs.find(|path| path.extension().is_some_and(|ending| ending == "pack")).unwrap()
}

/// Writes over a read-only file.
fn overwrite(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

/// One member of a tar archive; `kind` is `0` for a file, `1` and `2` for links to `target`.
fn member(name: &str, kind: u8, target: &str, content: &[u8]) -> Vec<u8> {
    let mut header = [0_u8; 512];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(124, format!("{:011o}\0", content.len()).as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, &[kind]);
    put(157, target.as_bytes());
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut bytes = header.to_vec();
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn tar(name: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let files = project(name).map(|(path, text)| member(&path, b'0', "", text.as_bytes()));
    [files.concat(), more.concat(), vec![0; 1024]].concat()
}

/// Files left out by the reason, in both languages and others.
fn dropped(run: &Run, reason: &str) -> u64 {
    let report = run.report();
    let funnels = report["languages"].as_object().unwrap().values();
    funnels.filter_map(|funnel| funnel["files_dropped"][reason].as_u64()).sum()
}

#[test]
fn bad_repositories_are_failures_with_a_reason() {
    let place = Workplace::new();
    place.project("good");
    let mut config = repository("good", "");
    let mut add = |location: &str, more: &str| config.push_str(&repository(location, more));
    add("nowhere", "");
    packed(&place.at("sound.git"), &project("sound"));
    add("sound.git", "");
    add("sound.git", "name = 'no-such-branch'\nrevision = 'no-such-branch'");
    add("sound.git", "name = 'no-such-commit'\nrevision = '1234567812345678123456781234567812345678'");
    let pack = packed(&place.at("flipped.git"), &project("flipped"));
    let mut bytes = fs::read(&pack).unwrap();
    let end = bytes.len() - 20;
    bytes[12..end].iter_mut().step_by(9).for_each(|byte| *byte ^= 0x55);
    overwrite(&pack, &bytes);
    add("flipped.git", "");
    let pack = packed(&place.at("cut.git"), &project("cut"));
    let bytes = fs::read(&pack).unwrap();
    overwrite(&pack, &bytes[..bytes.len() / 2]);
    add("cut.git", "");
    Repository::init(place.at("unborn")).unwrap();
    add("unborn", "");
    fs::create_dir(place.at("bare-folder")).unwrap();
    add("bare-folder", "");
    let archive = tar("short", &[]);
    place.write("short.tar", &archive[..archive.len() / 2]);
    add("short.tar", "");
    place.write("text.zip", "this is no archive");
    add("text.zip", "");
    add("ext::sh -c id", "name = 'program'");
    add("good", "name = 'sound'");

    let run = place.run("bad", &config);
    run.go(&[]).exits(1).says("failed: local/nowhere in cloning: repository_missing");
    let failures = run.failures();
    let expected = [
        ("cut", "cloning", "repository_corrupt"),
        ("flipped", "cloning", "repository_corrupt"),
        ("no-such-branch", "cloning", "revision_not_found"),
        ("no-such-commit", "cloning", "revision_not_found"),
        ("nowhere", "cloning", "repository_missing"),
        ("program", "cloning", "protocol_not_allowed"),
        ("short", "cloning", "archive_truncated"),
        ("sound", "discovery", "duplicate_name"),
        ("text", "cloning", "archive_unsupported"),
        ("unborn", "cloning", "repository_empty"),
    ];
    let seen: Vec<_> =
        failures.iter().map(|(name, why)| (name.rsplit('/').next().unwrap(), &*why.0, &*why.1)).collect();
    let seen: BTreeSet<_> = seen.into_iter().collect();
    assert_eq!(seen, BTreeSet::from(expected));
    assert_eq!((run.pairs("local/good"), run.pairs("local/sound")), (Some(1), Some(1)));
    assert_eq!(run.pairs("local/bare-folder"), Some(0), "an empty folder is a repository without files");
    run.ask("verify", &[]).exits(0);
    run.ask("status", &[]).exits(1).says("revision_not_found");

    let before = run.stamps();
    run.go(&[]).exits(1);
    assert_eq!(run.stamps(), before, "failures are not tried again by themselves");
    // The place is looked at again as soon as it changes.
    place.project("nowhere");
    let computed = run.timed(1);
    assert_eq!(computed["cloning"].0, 1);
    assert_eq!(run.pairs("local/nowhere"), Some(1));
}

#[test]
fn members_that_reach_outside_an_archive_are_left_out() {
    let place = Workplace::new();
    let text = b"def inside():\n    return 1\n";
    let members = [
        member("../up.py", b'0', "", text),
        member("deep/../../up.py", b'0', "", text),
        member("/tmp/absolute.py", b'0', "", text),
        member("link.py", b'2', "/etc/passwd", b""),
        member("hard.py", b'1', "../../up.py", b""),
    ];
    place.write("hostile.tar", tar("hostile", &members));
    let run = place.run("archive", &repository("hostile.tar", ""));
    run.go(&[]).exits(0);
    assert_eq!(run.pairs("local/hostile"), Some(1));
    let reasons = ["unsafe_path", "symlink", "hard_link"].map(|reason| dropped(&run, reason));
    assert_eq!(reasons, [3, 1, 1]);
    assert!(!place.at("up.py").exists() && !Path::new("/tmp/absolute.py").exists());
}

#[test]
fn bad_files_are_rows_with_a_reason() {
    let place = Workplace::new();
    place.project("odd");
    place.write("odd/huge.py", "x = 1\n".repeat(50 * 1024 * 1024 / 6));
    place.write(
        "odd/Deep.java",
        format!("class Deep {{ int x = {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000)),
    );
    place.write("odd/deep.py", format!("x = {}{}\n", "[".repeat(100_000), "]".repeat(100_000)));
    place.write("odd/latin.py", b"# caf\xe9\nx = 1\n");
    place.write("odd/nul.py", b"x = 1\n\0\n");
    let run = place.run("files", &repository("odd", ""));
    run.go(&[]).exits(0).says("file_too_large");
    let reasons =
        ["file_too_large", "nested_too_deep", "not_utf8", "binary"].map(|reason| dropped(&run, reason));
    assert_eq!(reasons, [1, 2, 1, 1], "{}", run.report()["languages"]);
    assert_eq!(run.pairs("local/odd"), Some(1));
}

#[test]
fn a_run_without_a_single_pair_ends_well() {
    let place = Workplace::new();
    place.write("dull/a.py", "x = 1\n");
    fs::create_dir(place.at("none")).unwrap();
    for (name, location) in [("no-pairs", "dull"), ("no-repositories", "none/*")] {
        let run = place.run(name, &repository(location, ""));
        run.go(&[]).exits(0);
        assert_eq!(run.report()["rows"]["project"]["train"], Value::from(0));
        run.ask("verify", &[]).exits(0);
        let before = run.stamps();
        run.go(&[]).exits(0);
        assert_eq!(run.stamps(), before);
    }
}

/// Settings under which a single file can take more memory than the worker may have.
fn unguarded(worker_memory_bytes: u64) -> String {
    let guards = "[parsing]\nmax_nodes = 4000000000\nmax_depth = 4000000\nmax_steps_per_byte = 1000000\n";
    format!("[engine]\nworker_memory_bytes = {worker_memory_bytes}\n{guards}")
}

#[test]
fn a_repository_that_brings_the_worker_down_is_a_failure() {
    let place = Workplace::new();
    ["early", "late"].into_iter().for_each(|name| place.project(name));
    place.write("hostile/sum.py", format!("x = 1{}\n", "+1".repeat(950 * 1024)));
    let repositories: String = ["early", "hostile", "late"].iter().map(|name| repository(name, "")).collect();
    let config = unguarded(100_000_000) + &repositories;
    let run = place.run("crash", &config).with_shards(1, &config);
    run.go(&[]).exits(1).says("worker_crashed");
    let why = ("parsing".to_owned(), "worker_crashed".to_owned());
    assert_eq!(run.failures().into_iter().collect::<Vec<_>>(), [("local/hostile".to_owned(), why)]);
    assert_eq!((run.pairs("local/early"), run.pairs("local/late")), (Some(1), Some(1)));
    assert!(run.files().keys().all(|name| !name.contains(".tmp-")), "{:?}", run.files().keys());
    assert!(!run.output.join("quarantine").exists(), "the failure is in the shard now");
    run.ask("verify", &[]).exits(0);
    let before = run.stamps();
    run.go(&[]).exits(1);
    assert_eq!(run.stamps(), before, "a rerun does nothing");
    let config = unguarded(4_000_000_000) + &repositories;
    run.configure(&config);
    run.go(&[]).exits(1);
    run.go(&["--retry-failed"]).exits(0);
    assert!(run.failures().is_empty());
    let scratch = place.run("scratch", &config).with_shards(1, &config);
    scratch.go(&[]).exits(0);
    assert_eq!(run.bytes(), scratch.bytes());
}

#[test]
fn a_quarantine_lasts_until_its_shard_is_finished_and_no_longer() {
    let place = Workplace::new();
    place.write("hostile/sum.py", format!("x = 1{}\n", "+1".repeat(950 * 1024)));
    place.project("small");
    let repositories = repository("hostile", "") + &repository("small", "");
    let config = unguarded(100_000_000) + &repositories;
    let undisturbed = place.run("undisturbed", &config).with_shards(1, &config);
    undisturbed.go(&[]).exits(1);
    let note = "quarantine/parsing-00000.json";
    let killed = |name: &str| {
        let run = place.run(name, &config).with_shards(1, &config);
        let mut running = run.start(&[]);
        assert!(running.until(|| run.output.join(note).exists()), "the culprit is noted");
        running.signal(Signal::KILL);
        assert_eq!(running.wait().code, None);
        run.no_worker_survives();
        run
    };
    let run = killed("goes-on");
    assert!(fs::read_to_string(run.output.join(note)).unwrap().contains("worker_crashed"));
    run.go(&[]).exits(1);
    assert_eq!(run.bytes(), undisturbed.bytes());
    // Under guards the file does no harm, and nobody remembers that it once did.
    let run = killed("begins-anew");
    run.configure(&repositories);
    run.go(&[]).exits(0).says("too_many_nodes");
    // What a run leaves that was killed between finishing the shard and removing the note.
    let before = run.stamps();
    fs::create_dir(run.output.join("quarantine")).unwrap();
    fs::write(run.output.join(note), r#"{"fingerprint": "", "repositories": {}}"#).unwrap();
    run.go(&[]).exits(0);
    assert_eq!(run.stamps(), before);
}

#[test]
fn a_repository_that_takes_too_long_is_a_failure() {
    let place = Workplace::new();
    place.project("small");
    place.giant("giant");
    let repositories = repository("giant", "") + &repository("small", "");
    let limit = |seconds: u32| format!("[engine]\nrepository_seconds = {seconds}\n");
    let config = limit(1) + &repositories;
    let run = place.run("slow", &config).with_shards(1, &config);
    run.go(&[]).exits(1).says("raise engine.repository_seconds");
    assert_eq!(run.failures()["local/giant"].1, "timeout");
    assert_eq!(run.pairs("local/small"), Some(1));
    assert!(run.files().keys().all(|name| !name.contains(".tmp-")), "{:?}", run.files().keys());
    // Nothing is fast enough for a limit of 0.
    let config = limit(0) + &repository("small", "");
    let run = place.run("none", &config).with_shards(1, &config);
    run.go(&[]).exits(1);
    assert_eq!(run.failures()["local/small"], ("cloning".to_owned(), "timeout".to_owned()));
    run.configure(&(limit(600) + &repository("small", "")));
    run.go(&["--retry-failed"]).exits(0);
    assert_eq!(run.pairs("local/small"), Some(1));
}
