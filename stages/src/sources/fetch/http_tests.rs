//! Fetches over HTTP from a server that fails in every way: each way has its own reason or message.

use super::*;
use git2::{ObjectType, Oid, Repository, Signature, Time};
use std::net::TcpListener;
use tempfile::TempDir;
use trefoil_stand_in::{At, Fault, Repository as Known, Script, StandIn, State, untrusted_server};

const NAME: &str = "owner/name";
const TOKEN: &str = "planted-token-0123";

/// A server of repositories, and a place for what is fetched from it.
struct Scene {
    folder: TempDir,
    server: StandIn,
    tries: std::cell::Cell<u32>,
}

impl Scene {
    /// With one repository, of a readable file and 100 kB that cannot be compressed; its commit.
    fn new() -> (Self, String) {
        let folder = TempDir::new().unwrap();
        let script = Script {
            git: Some(folder.path().join("served")),
            tokens: vec![TOKEN.to_owned()],
            ..Script::default()
        };
        let server = StandIn::start(script).unwrap();
        let scene = Self { folder, server, tries: std::cell::Cell::new(0) };
        let repository = scene.repository(NAME);
        let noise: Vec<u8> =
            (0..25_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let (text, noise) = (repository.blob(b"x = 1\n").unwrap(), repository.blob(&noise).unwrap());
        let tree = raw_tree(&repository, &[("100644", b"a.py", text), ("100644", b"noise", noise)]);
        (scene, commit(&repository, tree))
    }

    fn repository(&self, name: &str) -> Repository {
        let path = self.folder.path().join(format!("served/{name}.git"));
        let repository = Repository::init_bare(path).unwrap();
        repository.set_head("refs/heads/main").unwrap();
        repository
    }

    fn fetch(&self, name: &str, revision: Option<&str>) -> Result<String, SourceError> {
        self.fetch_with(&self.url(name), revision, None, Limits::default(), Duration::from_secs(20))
    }

    fn fetch_with(
        &self,
        url: &str,
        revision: Option<&str>,
        credentials: Option<Credentials>,
        limits: Limits,
        time: Duration,
    ) -> Result<String, SourceError> {
        self.tries.set(self.tries.get() + 1);
        let inside = self.folder.path().join(format!("clone-{}", self.tries.get()));
        let revision = revision.map(str::to_owned);
        Fetch { url: url.to_owned(), revision, depth: Depth::Commit, credentials, limits }.run(&inside, time)
    }

    fn url(&self, name: &str) -> String {
        format!("{}/{name}.git", self.server.url())
    }

    /// The reason for which the repository cannot be fetched under a fault of the answer to a request of this
    /// path.
    fn reason(&self, path: &str, fault: Fault, commit: &str) -> (&'static str, String) {
        self.server.change(|script| script.faults = vec![(At::Always(format!("/{NAME}.git/{path}")), fault)]);
        let error = self.fetch(NAME, Some(commit)).unwrap_err();
        (error.reason(), error.to_string())
    }

    fn knows(&self, known: Known) {
        self.server.change(|script| script.repositories.push(known));
    }
}

fn raw_tree(repository: &Repository, entries: &[(&str, &[u8], Oid)]) -> Oid {
    let mut raw = Vec::new();
    for (mode, name, id) in entries {
        raw.extend([mode.as_bytes(), b" ", name, b"\0", id.as_bytes()].concat());
    }
    repository.odb().unwrap().write(ObjectType::Tree, &raw).unwrap()
}

fn commit(repository: &Repository, tree: Oid) -> String {
    let by = Signature::new("a", "a@b", &Time::new(0, 0)).unwrap();
    let tree = repository.find_tree(tree).unwrap();
    repository.commit(Some("refs/heads/main"), &by, &by, "x", &tree, &[]).unwrap().to_string()
}

#[test]
fn a_pinned_commit_comes_with_few_requests_and_nothing_else() {
    let (scene, first) = Scene::new();
    let repository = Repository::open(scene.folder.path().join(format!("served/{NAME}.git"))).unwrap();
    let parent = repository.find_commit(Oid::from_str(&first).unwrap()).unwrap();
    let by = Signature::new("a", "a@b", &Time::new(0, 0)).unwrap();
    repository.commit(Some("refs/heads/main"), &by, &by, "x", &parent.tree().unwrap(), &[&parent]).unwrap();
    assert_eq!(scene.fetch(NAME, Some(&first)).unwrap(), first);
    // References, shallow borders, pack.
    assert_eq!(scene.server.served().requests, 3);
    let clone = Repository::open(scene.folder.path().join("clone-1")).unwrap();
    assert!(clone.is_shallow() && clone.head().unwrap().peel_to_commit().unwrap().id() == parent.id());
    assert_eq!(scene.fetch(NAME, None).unwrap().len(), 40);
}

#[test]
fn a_commit_comes_with_its_history_where_that_is_asked_for() {
    let (scene, first) = Scene::new();
    let repository = Repository::open(scene.folder.path().join(format!("served/{NAME}.git"))).unwrap();
    let parent = repository.find_commit(Oid::from_str(&first).unwrap()).unwrap();
    let by = Signature::new("a", "a@b", &Time::new(7, 0)).unwrap();
    let tree = parent.tree().unwrap();
    let pinned = repository.commit(Some("refs/heads/main"), &by, &by, "x", &tree, &[&parent]).unwrap();
    let aside = repository.commit(Some("refs/heads/side"), &by, &by, "y", &tree, &[&parent]).unwrap();
    repository.tag_lightweight("v1", repository.find_commit(aside).unwrap().as_object(), false).unwrap();
    let inside = scene.folder.path().join("whole");
    let (url, revision, limits) = (scene.url(NAME), Some(pinned.to_string()), Limits::default());
    let fetch = Fetch { url, revision, depth: Depth::History, credentials: None, limits };
    assert_eq!(fetch.run(&inside, Duration::from_secs(20)).unwrap(), pinned.to_string());
    let clone = Repository::open(&inside).unwrap();
    assert!(
        !clone.is_shallow() && clone.find_commit(parent.id()).is_ok() && clone.find_commit(aside).is_err()
    );
    let tiny = Limits { max_fetch_bytes: 5_000, ..Limits::default() };
    let again = Fetch { limits: tiny, ..fetch }.run(&inside.with_extension("2"), Duration::from_secs(20));
    assert_eq!(again.unwrap_err().reason(), "repository_too_large");
}

#[test]
fn a_pack_that_is_cut_off_or_spoilt_is_no_clone() {
    let (scene, commit) = Scene::new();
    for (fault, words) in [
        (Fault::HalfBody, "could not read from remote repository"),
        (Fault::CutBody, "Invalid EOF state"),
        (Fault::Reset, "Connection reset by peer"),
        (Fault::LengthTooSmall, "http parser error"),
    ] {
        let (reason, message) = scene.reason("git-upload-pack", fault.clone(), &commit);
        assert_eq!(reason, "fetch_failed", "{fault:?}: {message}");
        assert!(message.contains(words) && message.contains("try again"), "{fault:?}: {message}");
    }
    // Nothing is missing from it: the pack's own checksum has come.
    let longer = (At::Always(format!("/{NAME}.git/git-upload-pack")), Fault::LengthTooLarge);
    scene.server.change(|script| script.faults = vec![longer]);
    assert_eq!(scene.fetch(NAME, Some(&commit)).unwrap(), commit);
}

#[test]
fn refusals_of_the_server_have_their_reasons() {
    let (scene, commit) = Scene::new();
    let status = |code| Fault::Status(code, Vec::new(), "no".to_owned());
    let circle = Fault::Redirect(format!("/{NAME}.git/info/refs?service=git-upload-pack"));
    let away = Fault::Redirect("http://localhost:1/elsewhere/info/refs?service=git-upload-pack".to_owned());
    for (fault, expected, words) in [
        (status(404), "repository_gone", "take it off the list"),
        (status(410), "repository_gone", "take it off the list"),
        (status(451), "repository_blocked", "451"),
        (status(403), "repository_private", "a token that may read it"),
        (status(401), "repository_private", "a token that may read it"),
        (status(500), "fetch_failed", "500"),
        (status(429), "fetch_failed", "429"),
        (circle, "redirect_loop", "redirects without end"),
        (away, "repository_moved", "has moved to another server"),
    ] {
        let (reason, message) = scene.reason("info/refs", fault.clone(), &commit);
        assert_eq!(reason, expected, "{fault:?}: {message}");
        assert!(message.contains(words) && message.contains(NAME), "{message}");
    }
}

#[test]
fn repositories_that_are_not_what_they_were_have_their_reasons() {
    let (scene, commit) = Scene::new();
    let known = |name: &str, state| Known { full_name: name.to_owned(), state, ..Known::default() };
    scene.knows(known("owner/gone", State::GoneWhenAsked));
    scene.knows(known("owner/blocked", State::Blocked));
    scene.repository("owner/empty");
    let headless = scene.repository("owner/headless");
    headless
        .reference("refs/heads/other", Oid::from_str(&self::commit_of(&headless)).unwrap(), true, "")
        .unwrap();
    headless.find_reference("refs/heads/main").unwrap().delete().unwrap();
    for (name, revision, reason) in [
        ("owner/gone", Some(commit.as_str()), "repository_gone"),
        ("owner/blocked", Some(commit.as_str()), "repository_blocked"),
        ("owner/empty", None, "repository_empty"),
        ("owner/headless", None, "default_branch_gone"),
        (NAME, Some("no-such-branch"), "revision_not_found"),
    ] {
        let error = scene.fetch(name, revision).unwrap_err();
        assert_eq!(error.reason(), reason, "{error}");
    }
    let error = scene.fetch(NAME, Some(&"d".repeat(40))).unwrap_err();
    assert_eq!(error.reason(), "revision_not_found", "{error}");
    // A rename is followed: what is pinned is the same commit under any name.
    scene.knows(Known {
        full_name: NAME.to_owned(),
        former_names: vec!["owner/old".to_owned()],
        ..Known::default()
    });
    assert_eq!(scene.fetch("owner/old", Some(&commit)).unwrap(), commit);
}

fn commit_of(repository: &Repository) -> String {
    let blob = repository.blob(b"y = 2\n").unwrap();
    commit(repository, raw_tree(repository, &[("100644", b"b.py", blob)]))
}

#[test]
fn private_repositories_are_fetched_with_a_token_of_their_server_only() {
    let (scene, commit) = Scene::new();
    scene.knows(Known { full_name: NAME.to_owned(), state: State::Private, ..Known::default() });
    let fetch = |credentials| {
        scene.fetch_with(
            &scene.url(NAME),
            Some(&commit),
            credentials,
            Limits::default(),
            Duration::from_secs(20),
        )
    };
    let secret = |address: &str, token: &str| Some(Credentials::new(address, token.to_owned()));
    for (credentials, expected) in [
        (None, Err("repository_private")),
        (secret("https://github.com", TOKEN), Err("repository_private")),
        (secret(&scene.server.url(), "wrong-token"), Err("repository_private")),
        (secret(&scene.server.url(), TOKEN), Ok(commit.as_str())),
    ] {
        let outcome = fetch(credentials);
        if let Err(error) = &outcome {
            assert!(!error.to_string().contains("token-0123") && !error.to_string().contains("wrong-token"));
        }
        assert_eq!(outcome.as_deref().map_err(SourceError::reason), expected);
    }
}

#[test]
fn a_server_that_drips_or_says_nothing_is_left_when_the_time_is_over() {
    let (scene, commit) = Scene::new();
    let patience = Duration::from_millis(300);
    for path in ["info/refs", "git-upload-pack"] {
        scene.server.change(|script| {
            script.faults = vec![(At::Always(format!("/{NAME}.git/{path}")), Fault::SlowLoris)];
        });
        let limits = Limits { max_fetch_seconds: 77, ..Limits::default() };
        let error = scene.fetch_with(&scene.url(NAME), Some(&commit), None, limits, patience).unwrap_err();
        assert_eq!(error.reason(), "fetch_timed_out");
        assert!(error.to_string().contains("longer than 77 s"), "{error}");
    }
    // It takes connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/a/b.git", silent.local_addr().unwrap());
    let error = scene.fetch_with(&url, None, None, Limits::default(), patience).unwrap_err();
    assert_eq!(error.reason(), "fetch_timed_out");
}

#[test]
fn a_repository_larger_than_the_limit_is_not_received_to_its_end() {
    let (scene, commit) = Scene::new();
    let limits = Limits { max_fetch_bytes: 10_000, ..Limits::default() };
    let error =
        scene.fetch_with(&scene.url(NAME), Some(&commit), None, limits, Duration::from_secs(20)).unwrap_err();
    assert_eq!(error.reason(), "repository_too_large", "{error}");
    assert!(error.to_string().contains("more than 10000 bytes"), "{error}");
}

#[test]
fn a_server_that_keeps_a_part_to_itself_gives_no_clone() {
    let (scene, _) = Scene::new();
    let repository = scene.repository("owner/partial");
    let commit = commit_of(&repository);
    let tree = repository.find_commit(Oid::from_str(&commit).unwrap()).unwrap().tree().unwrap();
    let blob = tree.get(0).unwrap().id().to_string();
    std::fs::remove_file(repository.path().join("objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let error = scene.fetch("owner/partial", Some(&commit)).unwrap_err();
    assert!(["fetch_failed", "repository_corrupt"].contains(&error.reason()), "{error}");
}

#[test]
fn hostile_names_travel_and_are_left_out_when_read() {
    let (scene, _) = Scene::new();
    let repository = scene.repository("owner/hostile");
    let blob = repository.blob(b"x = 1\n").unwrap();
    let inner = raw_tree(&repository, &[("100644", b"config", blob)]);
    let names: [&[u8]; 8] = [
        b"..",
        b".git",
        b"/etc",
        b"C:\\x.py",
        b".git ",
        b"GIT~1",
        b".g\xe2\x80\x8cit",
        b".git::$INDEX_ALLOCATION",
    ];
    let mut entries: Vec<(&str, &[u8], Oid)> = names.iter().map(|name| ("40000", *name, inner)).collect();
    entries.push(("100644", b"good.py", blob));
    let commit = commit(&repository, raw_tree(&repository, &entries));
    scene.fetch("owner/hostile", Some(&commit)).unwrap();
    let location = crate::sources::Location::Git {
        location: scene.folder.path().join("clone-1").display().to_string(),
        revision: None,
    };
    let source = crate::sources::open(&location, &Limits::default(), &|_| true).unwrap();
    let files: Vec<&str> = source.listing().files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["good.py"]);
    let reasons: Vec<_> = source.listing().left_out.iter().map(|left| left.reason.as_str()).collect();
    assert_eq!(reasons, ["unsafe_path"; 8], "{:?}", source.listing().left_out);
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_no_server_to_ask() {
    let (scene, _) = Scene::new();
    let url = format!("{}/a/b.git", untrusted_server().unwrap());
    let error = scene.fetch_with(&url, None, None, Limits::default(), Duration::from_secs(20)).unwrap_err();
    assert_eq!(error.reason(), "certificate_not_trusted", "{error}");
    assert!(error.to_string().contains("the machine's certificates"), "{error}");
}
