//! Histories with branches, removals, moves and lost beginnings.

use super::*;
use crate::sources::{Limits, Location, Source, open};
use git2::{Signature, Time};
use tempfile::TempDir;

struct Past {
    folder: TempDir,
    repository: Repository,
}

impl Past {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let repository = Repository::init_bare(folder.path()).unwrap();
        Self { folder, repository }
    }

    /// A commit of these files, written at the second `time` and committed ten seconds later.
    fn commit(&self, time: i64, parents: &[Oid], files: &[&str]) -> Oid {
        let mut index = git2::Index::new().unwrap();
        for path in files {
            // What stands in a file has no part in when it came.
            let id = self.repository.blob(format!("{path} {time}").as_bytes()).unwrap();
            let none = git2::IndexTime::new(0, 0);
            let entry = git2::IndexEntry {
                ctime: none,
                mtime: none,
                dev: 0,
                ino: 0,
                mode: 0o100_644,
                uid: 0,
                gid: 0,
                file_size: 0,
                id,
                flags: 0,
                flags_extended: 0,
                path: path.as_bytes().to_vec(),
            };
            index.add(&entry).unwrap();
        }
        let tree = self.repository.find_tree(index.write_tree_to(&self.repository).unwrap()).unwrap();
        let by = |time| Signature::new("a", "a@b", &Time::new(time, 120)).unwrap();
        let parents: Vec<Commit<'_>> =
            parents.iter().map(|id| self.repository.find_commit(*id).unwrap()).collect();
        let parents: Vec<&Commit<'_>> = parents.iter().collect();
        let id = self.repository.commit(None, &by(time), &by(time + 10), "x", &tree, &parents).unwrap();
        self.repository.reference("refs/heads/main", id, true, "").unwrap();
        self.repository.set_head("refs/heads/main").unwrap();
        id
    }

    fn open(&self) -> Box<dyn Source> {
        let location = Location::Git { location: self.folder.path().display().to_string(), revision: None };
        open(&location, &Limits::default(), &|_| true).unwrap()
    }

    /// The commit that brought each of these paths.
    fn first(&self, paths: &[&str]) -> Vec<Option<String>> {
        let history = self.open().history(paths).unwrap().unwrap();
        history.first.into_iter().map(|first| first.map(|first| first.commit)).collect()
    }
}

fn ids(ids: &[Oid]) -> Vec<Option<String>> {
    ids.iter().map(|id| Some(id.to_string())).collect()
}

#[test]
fn a_file_came_with_the_commit_that_has_it_while_its_parents_do_not() {
    let past = Past::new();
    let one = past.commit(1_000, &[], &["a.py", "in/b.py"]);
    let two = past.commit(2_000, &[one], &["a.py", "in/b.py", "in/deep/c.py", "old.py"]);
    let three = past.commit(3_000, &[two], &["a.py", "in/b.py", "in/deep/c.py", "new.py", "in/deep/d.py"]);
    let four =
        past.commit(4_000, &[three], &["a.py", "in/b.py", "in/deep/c.py", "new.py", "in/deep/d.py", "e"]);
    let asked = ["a.py", "in/b.py", "in/deep/c.py", "in/deep/d.py", "new.py", "e"];
    assert_eq!(past.first(&asked), ids(&[one, one, two, three, three, four]));
    assert_eq!(past.first(&["no.py", "in", "e/f", ""]), vec![None; 4], "there are no such files");
    let history = past.open().history(&["e"]).unwrap().unwrap();
    let dates =
        |authored: &str, committed: &str| Dates { authored: authored.into(), committed: committed.into() };
    assert_eq!(history.pinned, dates("1970-01-01T01:06:40Z", "1970-01-01T01:06:50Z"));
    assert_eq!((history.commits, history.is_whole), (4, true));
    assert_eq!(history.first[0].as_ref().unwrap().dates, history.pinned);
}

#[test]
fn of_several_commits_that_brought_a_file_the_earliest_counts() {
    let past = Past::new();
    let root = past.commit(1_000, &[], &["a.py"]);
    let left = past.commit(5_000, &[root], &["a.py", "both.py", "left.py"]);
    let right = past.commit(4_000, &[root], &["a.py", "both.py"]);
    let merge = past.commit(6_000, &[left, right], &["a.py", "both.py", "left.py", "merged.py"]);
    let gone = past.commit(7_000, &[merge], &["both.py", "merged.py"]);
    // A root of its own, as of a project that was merged into this one; its clock is behind.
    let other = past.commit(500, &[], &["lib/x.py"]);
    past.commit(8_000, &[gone, other], &["a.py", "both.py", "left.py", "merged.py", "lib/x.py"]);
    let asked = ["a.py", "both.py", "left.py", "merged.py", "lib/x.py"];
    assert_eq!(past.first(&asked), ids(&[root, right, left, merge, other]));
}

#[test]
fn a_directory_that_was_a_file_is_another_thing() {
    let past = Past::new();
    let one = past.commit(1_000, &[], &["a", "b/c"]);
    let two = past.commit(2_000, &[one], &["a/x", "b"]);
    assert_eq!(past.first(&["a/x", "b"]), ids(&[two, two]));
}

#[test]
fn a_shallow_repository_says_that_its_past_is_not_whole() {
    let past = Past::new();
    let lost = past.commit(1_000, &[], &["a.py"]);
    let border = past.commit(2_000, &[lost], &["a.py"]);
    let last = past.commit(3_000, &[border], &["a.py", "b.py"]);
    let hex = lost.to_string();
    let (folder, file) = hex.split_at(2);
    std::fs::remove_file(past.folder.path().join("objects").join(folder).join(file)).unwrap();
    let broken = past.open().history(&["a.py"]).err().unwrap();
    assert_eq!(broken.reason(), "repository_corrupt");
    std::fs::write(past.folder.path().join("shallow"), format!("{border}\n")).unwrap();
    assert_eq!(past.first(&["a.py", "b.py"]), ids(&[border, last]));
    assert!(!past.open().history(&[]).unwrap().unwrap().is_whole);
}

#[test]
fn a_tree_that_is_none_is_damage() {
    let past = Past::new();
    let one = past.commit(1_000, &[], &["a.py"]);
    let raw = |tree: Oid| format!("tree {tree}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nx\n");
    let blob = past.repository.blob(b"no tree").unwrap();
    let database = past.repository.odb().unwrap();
    let broken = database.write(ObjectType::Commit, raw(blob).as_bytes()).unwrap();
    past.commit(2_000, &[one, broken], &["a.py"]);
    assert_eq!(past.open().history(&["a.py"]).err().unwrap().reason(), "repository_corrupt");
}

#[test]
fn what_is_no_git_has_no_past() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.py"), "x = 1").unwrap();
    let source = open(&Location::Directory(folder.path().into()), &Limits::default(), &|_| true).unwrap();
    assert!(source.history(&["a.py"]).unwrap().is_none());
}

#[test]
fn entries_of_trees_are_read_from_their_bytes() {
    let wanted = Wanted::new(&["a.py", "in/b.py", "link"]);
    let tree = [
        b"100755 a.py\0".as_slice(),
        &[1; 20],
        b"40000 in\0",
        &[2; 20],
        b"120000 link\0",
        &[3; 20],
        b"100644 other\0",
        &[4; 20],
    ]
    .concat();
    let found: Vec<u8> = wanted.entries(0, &tree).unwrap().iter().map(|(_, id)| id.as_bytes()[0]).collect();
    assert_eq!(found, [1, 2]);
    for length in [1, 12, 40, tree.len() - 1] {
        assert!(wanted.entries(0, &tree[..length]).is_none(), "cut off at {length}");
    }
}
