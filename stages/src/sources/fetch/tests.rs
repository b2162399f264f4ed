//! Fetches from git's own server on this machine.

#![allow(clippy::disallowed_methods, reason = "the tests need a git server and git has one")]

use super::*;
use crate::sources::{Location, open};
use git2::{Oid, Repository, RepositoryInitOptions, Signature, Time};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// `git daemon` over a directory of repositories, gone when dropped.
struct Server {
    root: TempDir,
    port: u16,
    child: Child,
}

impl Server {
    fn start() -> Self {
        let root = TempDir::new().unwrap();
        // Free a moment ago; another program taking it in between shows as a failing connection.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        // Not `git daemon`: it starts this program as a child, which would outlive it.
        let programs = Command::new("git").arg("--exec-path").output().unwrap().stdout;
        let daemon = Path::new(std::str::from_utf8(&programs).unwrap().trim()).join("git-daemon");
        let child = Command::new(daemon)
            .args(["--export-all", "--reuseaddr", "--listen=127.0.0.1"])
            .arg(format!("--port={port}"))
            .arg(format!("--base-path={}", root.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { root, port, child };
        let up = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(25));
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        assert!(up, "git daemon did not start");
        server
    }

    fn url(&self, name: &str) -> String {
        format!("git://127.0.0.1:{}/{name}", self.port)
    }

    fn repository(&self, name: &str) -> Repository {
        let mut options = RepositoryInitOptions::new();
        options.bare(true).external_template(false).initial_head("main");
        Repository::init_opts(self.root.path().join(name), &options).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn commit(repository: &Repository, reference: &str, content: &[u8], parent: Option<Oid>) -> Oid {
    let blob = repository.blob(content).unwrap();
    let mut tree = repository.treebuilder(None).unwrap();
    tree.insert("a.py", blob, 0o100_644).unwrap();
    let tree = repository.find_tree(tree.write().unwrap()).unwrap();
    let by = Signature::new("a", "a@b", &Time::new(0, 0)).unwrap();
    let parent = parent.map(|id| repository.find_commit(id).unwrap());
    let parents: Vec<_> = parent.iter().collect();
    repository.commit(Some(reference), &by, &by, "x", &tree, &parents).unwrap()
}

fn fetch(url: &str, revision: Option<&str>, inside: &Path, limits: &Limits) -> Result<String, SourceError> {
    let (revision, time) = (revision.map(str::to_owned), Duration::from_secs(limits.max_fetch_seconds));
    let depth = Depth::Commit;
    let fetch = Fetch { url: url.to_owned(), revision, depth, credentials: None, limits: limits.clone() };
    fetch.run(inside, time)
}

fn pin_of(path: &Path) -> String {
    let location = Location::Git { location: path.display().to_string(), revision: None };
    open(&location, &Limits::default(), &|_| true).unwrap().pin().commit.clone()
}

#[test]
fn fetches_the_default_branch_a_branch_a_tag_and_a_commit() {
    let server = Server::start();
    let repository = server.repository("owner/name.git");
    repository.config().unwrap().set_bool("uploadpack.allowReachableSHA1InWant", true).unwrap();
    let first = commit(&repository, "refs/heads/main", b"1", None);
    let last = commit(&repository, "refs/heads/main", b"2", Some(first));
    let side = commit(&repository, "refs/heads/side", b"3", None);
    let object = repository.find_object(side, None).unwrap();
    let by = Signature::new("a", "a@b", &Time::new(0, 0)).unwrap();
    repository.tag("v1", &object, &by, "annotated", false).unwrap();
    let url = server.url("owner/name.git");
    let at = TempDir::new().unwrap();
    let (first_id, side_id) = (first.to_string(), side.to_string());
    let cases = [
        (None, last),
        (Some("main"), last),
        (Some("side"), side),
        (Some("v1"), side),
        (Some(first_id.as_str()), first),
        (Some(&side_id[..10]), side),
    ];
    for (index, (revision, expected)) in cases.into_iter().enumerate() {
        let inside = at.path().join(index.to_string());
        assert_eq!(fetch(&url, revision, &inside, &Limits::default()).unwrap(), expected.to_string());
        assert_eq!(pin_of(&inside), expected.to_string(), "{revision:?}");
        let fetched = Repository::open(&inside).unwrap();
        assert!(!fetched.odb().unwrap().exists(first) || expected == first, "history came along");
    }
    for (index, revision) in ["none", "deadbeef", "*", "refs/heads/*"].into_iter().enumerate() {
        let inside = at.path().join(format!("none-{index}"));
        let error = fetch(&url, Some(revision), &inside, &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), "revision_not_found", "{revision}: {error}");
    }
    // The server hangs up on an id that it does not have; whether its word or the hang-up is seen first is a
    // matter of timing, and a hang-up alone is no proof that the commit is gone.
    let error =
        fetch(&url, Some(&"d".repeat(40)), &at.path().join("absent"), &Limits::default()).unwrap_err();
    assert!(["revision_not_found", "fetch_failed"].contains(&error.reason()), "{error}");
}

#[test]
fn limits_and_absences_have_their_reasons() {
    let server = Server::start();
    let noise: Vec<u8> = (0..400_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    commit(&server.repository("large"), "refs/heads/main", &noise, None);
    server.repository("empty");
    commit(&server.repository("headless"), "refs/heads/other", b"", None);
    let at = TempDir::new().unwrap();
    let small = Limits { max_fetch_bytes: 1000, ..Limits::default() };
    let hasty = Limits { max_fetch_seconds: 0, ..Limits::default() };
    let cases = [
        ("large", &small, "repository_too_large"),
        ("large", &hasty, "fetch_timed_out"),
        ("empty", &small, "repository_empty"),
        ("headless", &small, "default_branch_gone"),
        ("none", &small, "repository_missing"),
    ];
    for (index, (name, limits, reason)) in cases.into_iter().enumerate() {
        let error = fetch(&server.url(name), None, &at.path().join(index.to_string()), limits).unwrap_err();
        assert_eq!(error.reason(), reason, "{error}");
    }
    let url = server.url("large");
    drop(server);
    let error = fetch(&url, None, &at.path().join("x"), &small).unwrap_err();
    assert_eq!(error.reason(), "fetch_failed", "{error}");
}

#[test]
fn other_protocols_are_refused_before_anything_happens() {
    for url in ["file:///tmp", "ext::sh -c true", "/tmp"] {
        let error = fetch(url, None, Path::new("/nonexistent/x"), &Limits::default()).unwrap_err();
        assert_eq!(error.reason(), "protocol_not_allowed");
    }
}
