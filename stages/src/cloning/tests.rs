//! Repositories as discovery names them, and as they arrive.

use super::*;
use tempfile::TempDir;
use trefoil_stand_in::{At, Fault, Script, StandIn};

#[test]
fn credentials_of_a_url_reach_no_row() {
    let row = resolve("https://user:secret@example.org/a/b.git", "", "", "", &crate::Settings::default());
    assert_eq!((row.host.as_str(), row.repository.as_str()), ("example.org", "a/b"));
    assert_eq!(row.location, "https://example.org/a/b.git");
}

#[test]
fn a_place_that_cannot_be_resolved_says_so_in_place_of_a_commit() {
    let row = resolve("/nonexistent/a", "", "", "", &crate::Settings::default());
    assert_eq!(row.commit, "unresolved:repository_missing");
}

/// A server with one repository, a store, and what the stages see of them.
struct Scene {
    folder: TempDir,
    server: StandIn,
    settings: crate::Settings,
    row: Repository,
}

impl Scene {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let repository = git2::Repository::init_bare(folder.path().join("served/a/b.git")).unwrap();
        let blob = repository.blob(b"x = 1\n").unwrap();
        let mut tree = repository.treebuilder(None).unwrap();
        tree.insert("a.py", blob, 0o100_644).unwrap();
        let tree = repository.find_tree(tree.write().unwrap()).unwrap();
        let by = git2::Signature::new("a", "a@b", &git2::Time::new(0, 0)).unwrap();
        let commit = repository.commit(Some("HEAD"), &by, &by, "x", &tree, &[]).unwrap().to_string();
        let script = Script { git: Some(folder.path().join("served")), ..Script::default() };
        let server = StandIn::start(script).unwrap();
        let mut settings = crate::Settings::default();
        settings.cloning.fetch_pause_seconds = 0;
        let row = resolve(&format!("{}/a/b.git", server.url()), &commit, "", "", &settings);
        Self { folder, server, settings, row }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn work<'a>(&'a self, store: &'a Path) -> Work<'a> {
        Work { repository: &self.row, settings: &self.settings, clones: store, credentials: None }
    }

    fn fail(&self, times: u64, fault: Fault) {
        self.server.change(|script| script.faults = vec![(At::Path("/a/b.git".to_owned(), times), fault)]);
    }

    fn open(&self) -> Result<Box<dyn Source>, StageError> {
        open(&self.work(&self.store()), Depth::Commit)
    }

    fn requests(&self) -> u64 {
        self.server.served().requests
    }
}

fn reason(outcome: Result<Box<dyn Source>, StageError>) -> String {
    match outcome {
        Err(StageError::Repository { reason, .. }) => reason.to_owned(),
        Err(StageError::Tables(error)) => error.to_string(),
        Ok(_) => "none".to_owned(),
    }
}

#[test]
fn what_the_store_has_is_not_asked_for_again() {
    let scene = Scene::new();
    for _ in 0..3 {
        assert_eq!(scene.open().unwrap().pin().commit, scene.row.revision);
        assert_eq!(scene.requests(), 3);
    }
}

#[test]
fn a_fetch_that_fails_in_passing_is_tried_again_and_no_other() {
    let scene = Scene::new();
    scene.fail(4, Fault::Status(502, Vec::new(), "Bad Gateway".to_owned()));
    assert_eq!(reason(scene.open()), "none");
    let scene = Scene::new();
    scene.fail(5, Fault::Reset);
    assert_eq!((reason(scene.open()).as_str(), scene.requests()), ("fetch_failed", 5));
    let scene = Scene::new();
    scene.fail(5, Fault::Status(404, Vec::new(), "Not Found".to_owned()));
    assert_eq!((reason(scene.open()).as_str(), scene.requests()), ("repository_gone", 1));
}

#[test]
fn a_clone_goes_when_its_repository_is_parsed_or_the_store_is_full() {
    let mut scene = Scene::new();
    let folder = scene.store();
    let store = Store::new(&folder);
    let there = || store.hold(&scene.row.revision, Depth::Commit).unwrap().is_some();
    drop(scene.open().unwrap());
    let parsed = Repository { commit: scene.row.revision.clone(), ..scene.row.clone() };
    let work = Work { repository: &parsed, ..scene.work(&folder) };
    release(&work).unwrap();
    let_go(&work, &parsed.commit).unwrap();
    assert!(there(), "by default it stays");

    let mut settings = scene.settings.clone();
    settings.cloning.max_store_bytes = 10;
    let_go(&Work { settings: &settings, ..work }, &parsed.commit).unwrap();
    assert!(!there() && store.bytes().unwrap() == 0);

    scene.settings.cloning.keep = Keep::None;
    let work = Work { repository: &parsed, ..scene.work(&folder) };
    let source = open(&work, Depth::Commit).unwrap();
    release(&work).unwrap();
    assert!(store.hold(&parsed.commit, Depth::Commit).unwrap().is_some(), "it is being read");
    drop(source);
    release(&work).unwrap();
    assert!(store.hold(&parsed.commit, Depth::Commit).unwrap().is_none());
}

#[test]
fn a_clone_that_is_damaged_in_the_store_is_fetched_anew() {
    let scene = Scene::new();
    drop(scene.open().unwrap());
    let folder = scene.store();
    let held = Store::new(&folder).hold(&scene.row.revision, Depth::Commit).unwrap().unwrap();
    let packs =
        std::fs::read_dir(held.path().join("objects/pack")).unwrap().map(|entry| entry.unwrap().path());
    for path in packs.filter(|path| path.extension().is_some_and(|ending| ending == "idx")) {
        std::fs::remove_file(path).unwrap();
    }
    drop(held);
    assert_eq!(reason(scene.open()), "repository_corrupt");
    assert_eq!(reason(scene.open()), "none");
}

#[test]
fn a_disk_that_takes_no_more_is_no_fault_of_the_repository() {
    let scene = Scene::new();
    std::fs::write(scene.store(), "a file where the store should be").unwrap();
    assert_eq!(reason(scene.open()), "read_failed");
    let full =
        SourceError::writing("https://u:p@h/a", "keeping the clone", std::io::ErrorKind::StorageFull.into());
    let Err(StageError::Tables(error)) = Err::<(), StageError>(full.into()) else { panic!("it is a row") };
    assert!(error.to_string().contains("free some space") && !error.to_string().contains("u:p"), "{error}");
}
