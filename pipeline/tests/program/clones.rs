//! Clones of remote repositories: when they come, when they go, and what goes wrong on the way.

use crate::discover::{PLANTED, ask, bare, program, section, server};
use crate::disk::SmallDisk;
use crate::harness::{Random, Run, Workplace, carry_out, command, commit, repository, same, start};
use rustix::process::Signal;
use sha1::Digest;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trefoil_stages::records::{Evidence, FirstCommit};
use trefoil_stand_in::{At, Fault, Repository, StandIn, State};

const NAMES: [&str; 8] = ["a/one", "a/two", "a/three", "b/four", "b/five", "b/six", "c/seven", "c/eight"];

/// A search for everything, and settings of cloning.
fn config(stand_in: &StandIn, cloning: &str) -> String {
    let search = section(stand_in, "search = true\n[github.facets]\nlanguages = ['Python']");
    format!("{search}[cloning]\nfetch_pause_seconds = 0\n{cloning}\n")
}

/// Packs below a folder.
fn packs(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "pack") => found.push(path),
                false => {}
            }
        }
    }
    found
}

/// The rows, without what says how they were come by.
fn rows(run: &Run) -> BTreeMap<String, Vec<u8>> {
    let mut bytes = run.bytes();
    bytes.retain(|name, _| !["plan.json", "manifest.json"].contains(&name.as_str()));
    bytes
}

fn reasons(run: &Run) -> BTreeMap<String, String> {
    let name = |key: String| key.split_once('/').unwrap().1.to_owned();
    run.failures().into_iter().map(|(key, (_, reason))| (name(key), reason)).collect()
}

#[test]
fn clones_stay_or_go_and_the_rows_are_the_same() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES);
    let kept = place.run("kept", &config(&stand_in, ""));
    ask("run", &kept, &[]).exits(0);
    assert_eq!(packs(&kept.output.join("clones")).len(), NAMES.len());

    let asked = stand_in.served().requests;
    let gone = place.run("gone", &config(&stand_in, "keep = 'none'"));
    ask("run", &gone, &[]).exits(0);
    assert!(packs(&gone.output).is_empty(), "parsed, they are not needed");
    let needed = stand_in.served().requests - asked;
    same(&rows(&gone), &rows(&kept));

    // A store that takes none: each is fetched for either stage, and never is more there than one a worker.
    let bounded = place.run("bounded", &config(&stand_in, "max_store_bytes = 0"));
    ask("run", &bounded, &[]).exits(0);
    assert!(packs(&bounded.output).is_empty());
    assert!(stand_in.served().requests > asked + 2 * needed);
    same(&rows(&bounded), &rows(&kept));

    let (asked, stamps) = (stand_in.served().requests, gone.stamps());
    ask("run", &gone, &[]).exits(0);
    assert_eq!((stand_in.served().requests, gone.stamps()), (asked, stamps), "nothing is fetched again");
}

#[test]
fn what_is_declared_and_what_is_found_stand_side_by_side() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..2]);
    place.project("local");
    place.write("local/LICENSE", "SPDX-License-Identifier: ISC");
    place.write("local/vendor/x/COPYING", "SPDX-License-Identifier: MPL-2.0");
    let config = config(&stand_in, "") + &repository("local", "");
    let run = place.run("evidence", &config);
    ask("run", &run, &[]).exits(0);
    let mut rows = Vec::new();
    trefoil_shards::read_table(&run.output.join("evidence.parquet"), |row: Evidence| rows.push(row)).unwrap();
    rows.sort_by(|one, other| one.repository.cmp(&other.repository));
    let [one, two, local] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((one.repository.as_str(), one.id, one.stars), ("a/one", 100, 50));
    assert_eq!((one.declared_licence.as_str(), one.licence.as_str()), ("MIT", ""));
    assert_eq!((one.default_branch.as_str(), one.commit.len(), two.id), ("main", 40, 101));
    assert_eq!((local.id, local.declared_licence.as_str(), local.licence.as_str()), (0, "", "ISC"));
    assert_eq!(
        (local.vendored.as_slice(), local.vendored_licences.as_slice()),
        (["vendor/x".to_owned()].as_slice(), ["MPL-2.0".to_owned()].as_slice(),)
    );
    let before = run.stamps();
    ask("run", &run, &[]).exits(0);
    assert_eq!(run.stamps(), before);
}

/// Gives a served repository a second commit, which brings a file.
fn grow(place: &Workplace, name: &str) -> String {
    let served = git2::Repository::open_bare(place.at(&format!("served/{name}.git"))).unwrap();
    let later = ("later.py".to_owned(), "def later():\n    return 1\n".to_owned());
    commit(&served, 1_700_000_000, &[later]).to_string()
}

/// Path, date and commit of every file of a run that is dated.
fn dated(run: &Run) -> Vec<(String, String, String)> {
    let mut rows = Vec::new();
    for shard in fs::read_dir(run.output.join("cloning")).unwrap().map(|entry| entry.unwrap().path()) {
        let table = shard.join("first_commits.parquet");
        trefoil_shards::read_table(&table, |row: FirstCommit| {
            let name = row.repository.rsplit('/').next().unwrap_or_default();
            rows.push((format!("{name}/{}", row.path), row.committed, row.first_commit));
        })
        .unwrap();
    }
    rows.sort();
    rows
}

#[test]
fn files_are_dated_where_the_history_is_asked_for() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..2]);
    let late = grow(&place, "a/one");
    stand_in.change(|script| script.repositories[0].commit = Some(late.clone()));
    let local = repository(&place.at("served/a/one.git").display().to_string(), "name = 'local'");
    let without = config(&stand_in, &format!("store = '{}'", place.at("store").display())) + &local;
    let run = place.run("dated", &without);
    ask("run", &run, &[]).exits(0);
    assert_eq!(dated(&run), []);

    // The same commits, and clones of them in the store; only the history is new.
    let with = without.replace("[cloning]", "[cloning]\nhistory = true");
    run.configure(&with);
    ask("run", &run, &[]).exits(0);
    let rows = dated(&run);
    let ninth = |name: &str| (format!("{name}/later.py"), "2023-11-14T22:13:20Z".to_owned(), late.clone());
    assert!(rows.contains(&ninth("local")) && rows.contains(&ninth("one")), "{rows:?}");
    let (of_one, of_local): (Vec<_>, Vec<_>) = rows
        .iter()
        .filter(|row| !row.0.starts_with("two/"))
        .partition(|(path, _, _)| path.starts_with("one/"));
    assert!(of_one.len() > 1 && of_one.len() == of_local.len());
    let first = rows.iter().filter(|(path, date, commit)| {
        !path.ends_with("later.py") && date == "2020-09-13T12:26:40Z" && *commit != late
    });
    assert_eq!(first.count(), rows.len() - 2, "what the first commit brought keeps its date: {rows:?}");
    let mut authored = BTreeMap::new();
    trefoil_shards::read_table(&run.output.join("evidence.parquet"), |row: Evidence| {
        authored.insert(row.repository, row.authored);
    })
    .unwrap();
    assert_eq!(authored["a/one"], "2023-11-14T22:13:20Z");
    assert_eq!(packs(&place.at("store")).len(), 2, "a clone with its history takes the other's place");

    let (asked, stamps) = (stand_in.served().requests, run.stamps());
    ask("run", &run, &[]).exits(0);
    assert_eq!((stand_in.served().requests, run.stamps()), (asked, stamps));
    let gone = place.run("gone", &with.replace("[cloning]", "[cloning]\nkeep = 'none'"));
    ask("run", &gone, &[]).exits(0);
    assert!(packs(&place.at("store")).is_empty());
    assert_eq!(dated(&gone), rows);
}

#[test]
fn runs_share_a_store() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES);
    let shared = format!("store = '{}'", place.at("store").display());
    ask("run", &place.run("one", &config(&stand_in, &shared)), &[]).exits(0);
    assert_eq!(packs(&place.at("store")).len(), NAMES.len());
    let fetched = |stand_in: &StandIn| {
        let served = stand_in.served().by_path;
        ["a", "b", "c"].iter().filter_map(|owner| served.get(*owner)).sum::<u64>()
    };
    let asked = fetched(&stand_in);
    let other = place.run("other", &config(&stand_in, &shared));
    ask("run", &other, &[]).exits(0);
    assert_eq!(fetched(&stand_in), asked, "no repository is fetched twice");
    assert!(!other.output.join("clones").exists());
}

#[test]
fn killed_twenty_times_while_cloning_it_ends_with_the_same_rows() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES);
    let config = config(&stand_in, "keep = 'none'");
    let whole = place.run("whole", &config);
    ask("run", &whole, &[]).exits(0);
    let run = place.run("killed", &config);
    let (mut random, mut killed) = (Random(23), 0);
    while killed < 20 {
        let mut running = start(program("run", &run, &[]));
        let clones = run.output.join("clones");
        running.until(|| clones.join("under-way").exists() || !packs(&clones).is_empty());
        std::thread::sleep(Duration::from_millis(random.below(60)));
        running.signal(Signal::KILL);
        let outcome = running.wait();
        killed += u32::from(outcome.code.is_none());
        if outcome.code == Some(0) {
            // It was faster than the kill: again from the beginning.
            fs::remove_dir_all(&run.output).unwrap();
        }
    }
    run.no_worker_survives();
    ask("run", &run, &[]).exits(0);
    same(&rows(&run), &rows(&whole));
    assert!(packs(&run.output).is_empty());
}

#[test]
fn each_fate_of_a_repository_has_its_reason_and_the_others_go_on() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES);
    let run = place.run("fates", &config(&stand_in, "fetch_attempts = 2\nmax_fetch_seconds = 2"));
    ask("discover", &run, &[]).exits(0);
    stand_in.change(|script| {
        for (name, state) in
            [("a/one", State::GoneWhenAsked), ("a/two", State::Blocked), ("a/three", State::Private)]
        {
            script.repositories.iter_mut().find(|known| known.full_name == name).unwrap().state = state;
        }
        script.tokens = vec!["another-token".to_owned()];
        let renamed = script.repositories.iter_mut().find(|known| known.full_name == "b/four").unwrap();
        renamed.former_names = vec![std::mem::replace(&mut renamed.full_name, "b/renamed".to_owned())];
        let at = |name: &str| At::Always(format!("/{name}.git/git-upload-pack"));
        script.faults = vec![(at("b/five"), Fault::Reset), (at("b/six"), Fault::SlowLoris)];
    });
    fs::rename(place.at("served/b/four.git"), place.at("served/b/renamed.git")).unwrap();
    // Another history under the old name: the pinned commit is not there.
    fs::remove_dir_all(place.at("served/c/seven.git")).unwrap();
    git2::Repository::init_bare(place.at("served/c/seven.git")).unwrap();
    let outcome = ask("run", &run, &[]).exits(1);
    let expected = [
        ("a/one", "repository_gone"),
        ("a/two", "repository_blocked"),
        ("a/three", "repository_private"),
        ("b/five", "fetch_failed"),
        ("b/six", "fetch_timed_out"),
        ("c/seven", "revision_not_found"),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(name, reason)| (name.to_owned(), reason.to_owned())).into();
    assert_eq!(reasons(&run), expected, "{}", outcome.stderr);
    let host = stand_in.url().replace("http://", "");
    for name in ["b/four", "c/eight"] {
        assert_eq!(run.pairs(&format!("{host}/{name}")), Some(1), "{name}");
    }
}

#[test]
fn what_failed_in_passing_is_taken_again_when_all_else_is_done() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..3]);
    let run = place.run("passing", &config(&stand_in, "fetch_attempts = 1"));
    ask("discover", &run, &[]).exits(0);
    let broken = Fault::Status(502, Vec::new(), "Bad Gateway".to_owned());
    stand_in.change(|script| script.faults = vec![(At::Path("/a/two.git".to_owned(), 1), broken)]);
    ask("run", &run, &[]).exits(0);
    assert!(run.failures().is_empty());
}

#[test]
fn a_private_repository_is_fetched_with_the_token_of_the_environment() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..2]);
    stand_in.change(|script| script.repositories[0].state = State::Private);
    let run = place.run("private", &config(&stand_in, "keep = 'none'"));
    let outcome = ask("run", &run, &[]).exits(0);
    let said = outcome.stdout + &outcome.stderr;
    assert!(!said.contains(PLANTED));
    for (name, bytes) in run.bytes() {
        assert!(!String::from_utf8_lossy(&bytes).contains(PLANTED), "{name}");
    }
}

/// Lays a pack into a repository in which a kilobyte stands for a quarter of a gigabyte: a blob that is a delta of
/// copies of another. The id of its commit.
fn delta_bomb(path: &Path) -> String {
    const BASE: usize = 1 << 20;
    const COPIES: usize = 256;
    let served = git2::Repository::init_bare(path).unwrap();
    served.set_head("refs/heads/main").unwrap();
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x02".to_vec();
    let zeros = vec![0; BASE];
    let base = git2::Oid::hash_object(git2::ObjectType::Blob, &zeros).unwrap();
    pack.extend(object(3, &[], &zeros));
    // Sizes of base and result, then copies of the whole base: size 0x100000, from offset 0.
    let delta = [variable(BASE), variable(BASE * COPIES), [0xc0, 0x10].repeat(COPIES)].concat();
    pack.extend(object(7, base.as_bytes(), &delta));
    pack.extend_from_slice(&sha1::Sha1::digest(&pack));
    let file = path.join("objects/pack/pack-bomb.pack");
    fs::write(&file, &pack).unwrap();
    let mut index = command("git");
    index.arg("index-pack").arg(&file);
    carry_out(index).exits(0);
    let blob = git2::Oid::hash_object(git2::ObjectType::Blob, &vec![0; BASE * COPIES]).unwrap();
    let mut tree = served.treebuilder(None).unwrap();
    tree.insert("base.bin", base, 0o100_644).unwrap();
    tree.insert("bomb.py", blob, 0o100_644).unwrap();
    let tree = served.find_tree(tree.write().unwrap()).unwrap();
    let by = git2::Signature::new("a", "a@b", &git2::Time::new(0, 0)).unwrap();
    served.commit(Some("refs/heads/main"), &by, &by, "x", &tree, &[]).unwrap().to_string()
}

/// An object of a pack: type and size, what comes before the content, the content compressed.
fn object(kind: u8, before: &[u8], content: &[u8]) -> Vec<u8> {
    let mut head = vec![kind << 4 | (content.len() & 15) as u8];
    let rest = content.len() >> 4;
    if rest > 0 {
        head[0] |= 0x80;
        head.extend(variable(rest));
    }
    // Stored blocks: zlib without compression needs no library.
    let mut packed = vec![0x78, 0x01];
    let mut blocks = content.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        packed.push(u8::from(blocks.peek().is_none()));
        let length = block.len() as u16;
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(block);
    }
    let (low, high) = content.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    packed.extend((high << 16 | low).to_be_bytes());
    [head, before.to_vec(), packed].concat()
}

/// A number in groups of seven bits, lowest first.
fn variable(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

#[test]
fn a_delta_bomb_is_too_large_and_takes_no_more_memory_than_a_worker_has() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..1]);
    bare(&place, "z/sound");
    delta_bomb(&place.at("served/z/bomb.git"));
    let url = stand_in.url();
    let config = "[engine]\nworker_memory_bytes = 100000000\n[cloning]\nfetch_pause_seconds = 0\n".to_owned()
        + &repository(&format!("{url}/z/bomb.git"), "")
        + &repository(&format!("{url}/z/sound.git"), "");
    let run = place.run("bomb", &config).with_shards(1, &config);
    let outcome = run.go(&[]).exits(1);
    assert_eq!(
        reasons(&run),
        [("z/bomb".to_owned(), "repository_too_large".to_owned())].into(),
        "{}",
        outcome.stderr
    );
    assert_eq!(run.pairs(&format!("{}/z/sound", url.replace("http://", ""))), Some(1));
}

#[test]
fn a_full_disk_ends_the_run_and_not_its_repositories() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..2]);
    let Some(disk) = SmallDisk::mount(place.at("disk"), "8m") else {
        println!("skipped: this user may not mount a small disk");
        return;
    };
    let cloning = format!("store = '{}'", disk.0.join("store").display());
    let run = place.run("full", &config(&stand_in, &cloning));
    ask("run", &run, &[]).exits(2).says("No space left on device").says("free some space");
    let mut grow = command("mount");
    grow.args(["-o", "remount,size=64m"]).arg(&disk.0);
    carry_out(grow).exits(0);
    ask("run", &run, &[]).exits(0);
    assert!(run.failures().is_empty());
}

#[test]
fn a_default_branch_that_is_gone_and_an_empty_repository_are_told_apart() {
    let place = Workplace::new();
    let stand_in = server(&place, &NAMES[..1]);
    let known = |name: &str| Repository { full_name: name.to_owned(), ..Repository::default() };
    stand_in.change(|script| script.repositories.extend([known("z/empty"), known("z/headless")]));
    git2::Repository::init_bare(place.at("served/z/empty.git")).unwrap();
    bare(&place, "z/headless");
    let headless = git2::Repository::open_bare(place.at("served/z/headless.git")).unwrap();
    headless.find_reference("refs/heads/main").unwrap().rename("refs/heads/side", true, "").unwrap();
    headless.set_head("refs/heads/main").unwrap();
    let url = stand_in.url();
    let entries = ["z/empty", "z/headless"].map(|name| repository(&format!("{url}/{name}.git"), ""));
    let run = place.run("absent", &entries.concat());
    run.go(&[]).exits(1);
    let expected = [("z/empty", "repository_empty"), ("z/headless", "default_branch_gone")];
    assert_eq!(reasons(&run), expected.map(|(name, reason)| (name.to_owned(), reason.to_owned())).into());
}
