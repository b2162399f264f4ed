//! When each file of a commit first came: one walk over the commit's ancestors.
//!
//! A commit brings a file where it has one of that path and none of its parents has. Trees are told apart by their
//! ids, and only those that differ and lead to a wanted file are read, so a commit costs what it changed and no file
//! is read at all. Renames are not followed: a file that was moved came when it was moved.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use chrono::{DateTime, SecondsFormat};
use git2::{Commit, Error, ErrorCode, ObjectType, Odb, Oid, Repository};

use super::SourceError;
use super::git::damaged;

/// The past of a commit.
pub struct History {
    /// The commit's own dates.
    pub pinned: Dates,
    /// It and its ancestors.
    pub commits: u64,
    /// Whether all of them are there. A shallow repository has lost its earlier ones; what it says of a file is then
    /// a date by which it was there.
    pub is_whole: bool,
    /// For each path that was asked for, the commit that brought it; none where no commit has such a file. Where
    /// several did, in branches or after it was removed, that with the earliest date of its committer.
    pub first: Vec<Option<First>>,
}

/// The commit that brought a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// Its id.
    pub commit: String,
    /// Its dates.
    pub dates: Dates,
}

/// The dates of a commit, in UTC (`2017-01-02T03:04:05Z`), as those who made it set them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dates {
    /// When it was written.
    pub authored: String,
    /// When it came to its place in the history.
    pub committed: String,
}

/// Walks over the ancestors of a commit.
pub(super) fn walk(
    repository: &Repository,
    location: &str,
    commit: Oid,
    paths: &[&str],
) -> Result<History, SourceError> {
    let damage = |error: &Error| damaged(location, &format!("history of {commit}"), error);
    let database = repository.odb().map_err(|error| damage(&error))?;
    let commit = repository.find_commit(commit).map_err(|error| damage(&error))?;
    let mut walk = Walk {
        database,
        wanted: Wanted::new(paths),
        first: vec![None; paths.len()],
        read: Directories::default(),
    };
    let (mut pending, mut seen) = (vec![commit.clone()], HashSet::from([commit.id()]));
    while let Some(commit) = pending.pop() {
        let parents = parents(repository, &commit).map_err(|error| damage(&error))?;
        walk.compare(&commit, &parents).map_err(|error| damage(&error))?;
        pending.extend(parents.into_iter().filter(|parent| seen.insert(parent.id())));
    }
    let first = |found: Option<(i64, Oid)>| {
        found.map(|(_, id)| {
            let commit = repository.find_commit(id).map_err(|error| damage(&error))?;
            Ok(First { commit: id.to_string(), dates: dates(&commit) })
        })
    };
    Ok(History {
        pinned: dates(&commit),
        commits: seen.len() as u64,
        is_whole: !repository.is_shallow(),
        first: walk.first.into_iter().map(|found| first(found).transpose()).collect::<Result<_, _>>()?,
    })
}

/// The parents that are there; a shallow repository ends at commits that name others.
fn parents<'r>(repository: &'r Repository, commit: &Commit<'_>) -> Result<Vec<Commit<'r>>, Error> {
    let lost = |error: &Error| error.code() == ErrorCode::NotFound && repository.is_shallow();
    let parents = commit.parent_ids().map(|id| repository.find_commit(id));
    parents.filter(|parent| !parent.as_ref().is_err_and(lost)).collect()
}

fn dates(commit: &Commit<'_>) -> Dates {
    Dates { authored: utc(commit.author().when()), committed: utc(commit.time()) }
}

/// `2017-01-02T03:04:05Z`. Before 1970 there was no git; a clock was wrong.
fn utc(time: git2::Time) -> String {
    let moment = DateTime::from_timestamp(time.seconds().clamp(0, LAST_SECOND), 0).unwrap_or_default();
    moment.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The last second whose year has four digits.
const LAST_SECOND: i64 = 253_402_300_799;

/// The wanted paths as a tree of names; the first node is the root.
struct Wanted(Vec<Node>);

#[derive(Default)]
struct Node {
    children: HashMap<Vec<u8>, usize>,
    /// Which of the paths ends here; none for a directory.
    path: Option<usize>,
}

impl Wanted {
    fn new(paths: &[&str]) -> Self {
        let mut nodes = vec![Node::default()];
        for (index, path) in paths.iter().enumerate() {
            let mut at = 0;
            for name in path.split('/') {
                let next = nodes.len();
                let Some(node) = nodes.get_mut(at) else { break };
                at = *node.children.entry(name.as_bytes().to_vec()).or_insert(next);
                if at == next {
                    nodes.push(Node::default());
                }
            }
            if let Some(node) = nodes.get_mut(at) {
                node.path = Some(index);
            }
        }
        Self(nodes)
    }

    fn path(&self, node: usize) -> Option<usize> {
        self.0.get(node)?.path
    }

    /// The wanted entries of a tree's bytes, in the order of nodes; none where it is no tree.
    fn entries(&self, node: usize, mut bytes: &[u8]) -> Option<Directory> {
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let (entry, rest) = entry(bytes)?;
            bytes = rest;
            let Some(&child) = self.0.get(node)?.children.get(entry.name) else { continue };
            let fits = match self.path(child) {
                Some(_) => entry.mode.starts_with(b"100"),
                None => entry.mode.ends_with(b"40000"),
            };
            if fits {
                found.push((child, entry.id));
            }
        }
        found.sort_unstable_by_key(|(child, _)| *child);
        Some(found.into())
    }
}

/// An entry of a tree.
struct Entry<'a> {
    mode: &'a [u8],
    name: &'a [u8],
    id: Oid,
}

/// The first entry of a tree's bytes, and what comes behind it.
fn entry(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (mode, rest) = split_at(bytes, b' ')?;
    let (name, rest) = split_at(rest, 0)?;
    let (id, rest) = rest.split_at_checked(20)?;
    Some((Entry { mode, name, id: Oid::from_bytes(id).ok()? }, rest))
}

fn split_at(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let (before, rest) = bytes.split_at_checked(bytes.iter().position(|byte| *byte == separator)?)?;
    Some((before, rest.get(1..)?))
}

/// Wanted entries of a directory.
type Directory = Rc<[(usize, Oid)]>;

/// Directories that were read lately: what a commit is compared with is compared with its own parents next.
#[derive(Default)]
struct Directories {
    known: HashMap<(usize, Oid), Directory>,
    entries: usize,
}

/// Entries of directories in memory, 32 bytes each.
const MOST_ENTRIES: usize = 1 << 20;

struct Walk<'r> {
    database: Odb<'r>,
    wanted: Wanted,
    /// For each path the earliest commit that brought it so far.
    first: Vec<Option<(i64, Oid)>>,
    read: Directories,
}

impl Walk<'_> {
    /// Notes what a commit brings that none of its parents has.
    fn compare(&mut self, commit: &Commit<'_>, parents: &[Commit<'_>]) -> Result<(), Error> {
        let found = (commit.time().seconds(), commit.id());
        let trees: Vec<Oid> = parents.iter().map(Commit::tree_id).collect();
        let mut pending = vec![(0, commit.tree_id(), trees)];
        while let Some((node, tree, before)) = pending.pop() {
            if before.contains(&tree) {
                continue;
            }
            let before = before.into_iter().map(|tree| self.directory(node, tree));
            let before = before.collect::<Result<Vec<Directory>, Error>>()?;
            for &(child, id) in self.directory(node, tree)?.iter() {
                let former: Vec<Oid> = before.iter().filter_map(|entries| entry_of(entries, child)).collect();
                match self.wanted.path(child) {
                    None => pending.push((child, id, former)),
                    Some(path) if former.is_empty() => self.note(path, found),
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, path: usize, found: (i64, Oid)) {
        if let Some(first) = self.first.get_mut(path) {
            *first = Some(first.map_or(found, |known| known.min(found)));
        }
    }

    /// The wanted entries of a tree at a node.
    fn directory(&mut self, node: usize, tree: Oid) -> Result<Directory, Error> {
        if let Some(known) = self.read.known.get(&(node, tree)) {
            return Ok(known.clone());
        }
        let object = self.database.read(tree)?;
        let entries = (object.kind() == ObjectType::Tree).then(|| self.wanted.entries(node, object.data()));
        let entries = entries.flatten().ok_or_else(|| Error::from_str(&format!("{tree} is no tree")))?;
        self.read.entries += entries.len() + 1;
        if self.read.entries > MOST_ENTRIES {
            self.read = Directories { entries: entries.len() + 1, ..Directories::default() };
        }
        self.read.known.insert((node, tree), entries.clone());
        Ok(entries)
    }
}

fn entry_of(entries: &Directory, child: usize) -> Option<Oid> {
    let at = entries.partition_point(|(other, _)| *other < child);
    entries.get(at).filter(|(other, _)| *other == child).map(|(_, id)| *id)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
