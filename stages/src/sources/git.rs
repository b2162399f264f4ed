//! A git repository on this disk, read straight from its object database.
//!
//! There is no work tree anywhere: a checkout would change bytes (`.gitattributes`), follow links and run
//! filters. Hash verification stays on, so a flipped bit is an error and never a silently different file.

use std::path::Path;
use std::sync::Once;

use git2::{
    Commit, Config, Error, ErrorClass, ErrorCode, ObjectType, Odb, Oid, Repository, RepositoryOpenFlags,
};

use super::history;
use super::path::{self, Refused};
use super::{
    BlobId, History, Limits, Listed, Listing, Pin, Reading, Reason, Source, SourceError, SourceKind,
};

/// A larger tree object is no honest directory; reading it would only cost memory.
const MAX_TREE_BYTES: usize = 64 << 20;
/// Tried in this order where HEAD points to a branch that does not exist.
const USUAL_BRANCHES: [&str; 2] = ["refs/heads/main", "refs/heads/master"];

const FILE_TYPE: i32 = 0o170_000;
const DIRECTORY: i32 = 0o040_000;
const REGULAR: i32 = 0o100_000;
const SYMLINK: i32 = 0o120_000;
const SUBMODULE: i32 = 0o160_000;

/// One commit of a git repository.
pub(super) struct Git {
    repository: Repository,
    location: String,
    pin: Pin,
    listing: Listing,
}

impl Git {
    /// Opens the repository at exactly this path, resolves the revision and walks the tree of the commit.
    pub fn open(
        path: &Path,
        revision: Option<&str>,
        limits: &Limits,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Self, SourceError> {
        let location = path.display().to_string();
        let repository = open_isolated(path, &location)?;
        let commit = resolve(&repository, &location, revision)?;
        let (id, tree) = (commit.id(), commit.tree_id());
        drop(commit);
        let listing = Walk { repository: &repository, location: &location, limits, wanted }.list(tree)?;
        let pin = Pin { kind: SourceKind::Git, commit: id.to_string() };
        Ok(Self { repository, location, pin, listing })
    }
}

/// The commit that a revision names, without a look at its files.
pub fn pin(path: &Path, revision: Option<&str>) -> Result<Pin, SourceError> {
    let location = path.display().to_string();
    let repository = open_isolated(path, &location)?;
    let commit = resolve(&repository, &location, revision)?.id().to_string();
    Ok(Pin { kind: SourceKind::Git, commit })
}

impl Source for Git {
    fn pin(&self) -> &Pin {
        &self.pin
    }

    fn listing(&self) -> &Listing {
        &self.listing
    }

    fn read(&mut self, index: usize) -> Result<Reading, SourceError> {
        let file = self.listing.files.get(index);
        let file = file.ok_or_else(|| SourceError::no_such_file(&self.location, index))?;
        let bytes = Oid::from_bytes(&file.blob.0).and_then(|id| {
            let database = self.repository.odb()?;
            Ok(database.read(id)?.data().to_vec())
        });
        let bytes = bytes.map_err(|error| damaged(&self.location, &file.path, &error))?;
        if BlobId::of(&bytes) != file.blob {
            let error = Error::from_str("its bytes do not have the id that the tree names");
            return Err(damaged(&self.location, &file.path, &error));
        }
        Ok(Reading::of(file, bytes))
    }

    fn history(&self, paths: &[&str]) -> Result<Option<History>, SourceError> {
        let damage = |error: Error| damaged(&self.location, &self.pin.commit, &error);
        let commit = Oid::from_str(&self.pin.commit).map_err(damage)?;
        history::walk(&self.repository, &self.location, commit, paths).map(Some)
    }
}

/// Opens the repository without looking at parent directories, the environment or, once it is open, anybody's
/// configuration.
fn open_isolated(path: &Path, location: &str) -> Result<Repository, SourceError> {
    // Reading checks every blob's id itself, several times faster than libgit2's collision-proof SHA-1.
    static FAST_READS: Once = Once::new();
    FAST_READS.call_once(|| git2::opts::strict_hash_verification(false));
    let nowhere: [&Path; 0] = [];
    let repository = Repository::open_ext(path, RepositoryOpenFlags::NO_SEARCH, nowhere)
        .and_then(|repository| {
            repository.set_config(&Config::new()?)?;
            Ok(repository)
        })
        .map_err(|error| cannot_open(location, &error))?;
    // libgit2 would read objects from wherever this file points. Its presence is what matters; an empty one
    // points nowhere.
    let alternates = repository.commondir().join("objects/info/alternates");
    match std::fs::read(&alternates) {
        Ok(text) if text.trim_ascii().is_empty() => Ok(repository),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(repository),
        _ => Err(SourceError::Unsafe {
            location: location.into(),
            cause: "objects/info/alternates borrows objects from another place".into(),
        }),
    }
}

fn cannot_open(location: &str, error: &Error) -> SourceError {
    let (location, cause) = (location.into(), error.message().to_owned());
    match (error.code(), error.class()) {
        (ErrorCode::NotFound, _) => SourceError::Missing { location, cause },
        (ErrorCode::Owner, _) => SourceError::Owner { location },
        (_, ErrorClass::Repository) => SourceError::Unsupported { location, cause },
        (_, ErrorClass::Os) => SourceError::Io {
            location,
            action: "opening the repository",
            cause: std::io::Error::other(cause),
        },
        _ => SourceError::Corrupt { location, cause },
    }
}

/// The commit that a revision names: a full id, a tag, a branch, a full reference name or a short id. git's
/// other notations (`HEAD~1`, `@{yesterday}`) depend on more than the commit and are not understood.
fn resolve<'r>(
    repository: &'r Repository,
    location: &str,
    revision: Option<&str>,
) -> Result<Commit<'r>, SourceError> {
    let Some(revision) = revision.filter(|revision| *revision != "HEAD") else {
        return default_commit(repository, location);
    };
    let hexadecimal = revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    let found = if hexadecimal && revision.len() == 40 {
        Oid::from_str(revision).and_then(|id| repository.find_object(id, None))
    } else {
        let spelled =
            ["refs/tags/", "refs/heads/", "refs/remotes/origin/"].map(|at| format!("{at}{revision}"));
        let full = revision.starts_with("refs/").then(|| revision.to_owned());
        let names = full.into_iter().chain(spelled);
        let mut ids = names.filter_map(|name| repository.refname_to_id(&name).ok());
        match ids.next() {
            Some(id) => repository.find_object(id, None),
            None if hexadecimal && revision.len() >= 4 => repository.find_object_by_prefix(revision, None),
            None => Err(Error::new(ErrorCode::NotFound, ErrorClass::Reference, "names nothing")),
        }
    };
    let not_found = |cause: &str| SourceError::RevisionNotFound {
        location: location.into(),
        revision: revision.into(),
        cause: cause.into(),
    };
    let object = found.map_err(|error| match error.code() {
        ErrorCode::NotFound => not_found("names nothing in it"),
        ErrorCode::Ambiguous => not_found("is short for more than one object"),
        _ => damaged(location, revision, &error),
    })?;
    object.peel_to_commit().map_err(|error| match error.code() {
        ErrorCode::Peel | ErrorCode::InvalidSpec | ErrorCode::Invalid => not_found("is not a commit"),
        _ => damaged(location, revision, &error),
    })
}

/// The commit of HEAD, or of a branch of the usual name where HEAD points to none.
fn default_commit<'r>(repository: &'r Repository, location: &str) -> Result<Commit<'r>, SourceError> {
    let head = std::iter::once("HEAD").chain(USUAL_BRANCHES);
    let Some(id) = head.filter_map(|name| repository.refname_to_id(name).ok()).next() else {
        let mut references = repository.references().map_err(|error| damaged(location, "refs", &error))?;
        return Err(match references.next() {
            None => SourceError::Empty { location: location.into() },
            Some(_) => SourceError::DefaultBranchGone { location: location.into() },
        });
    };
    repository
        .find_object(id, None)
        .and_then(|object| object.peel_to_commit())
        .map_err(|error| damaged(location, &format!("commit {id}"), &error))
}

/// An object that cannot be read: damage, unless the operating system says otherwise.
pub(super) fn damaged(location: &str, what: &str, error: &Error) -> SourceError {
    let location = location.to_owned();
    let cause = format!("{what}: {}", error.message());
    match error.class() {
        ErrorClass::Os => {
            SourceError::Io { location, action: "reading an object", cause: std::io::Error::other(cause) }
        }
        _ => SourceError::Corrupt { location, cause },
    }
}

/// The walk over a commit's trees. It keeps its own stack: the nesting is chosen by whoever made the commit.
struct Walk<'a> {
    repository: &'a Repository,
    location: &'a str,
    limits: &'a Limits,
    wanted: &'a dyn Fn(&str) -> bool,
}

impl Walk<'_> {
    fn list(&self, root: Oid) -> Result<Listing, SourceError> {
        let database = self.repository.odb().map_err(|error| damaged(self.location, "objects", &error))?;
        let mut listing = Listing::default();
        let mut entries = 0;
        let mut pending = vec![(String::new(), root)];
        while let Some((prefix, id)) = pending.pop() {
            self.check_size(&database, id)?;
            let tree = self.repository.find_tree(id);
            let tree = tree.map_err(|error| damaged(self.location, &format!("tree {id}"), &error))?;
            for entry in &tree {
                // One small tree can name itself a million times over through its subtrees.
                entries += 1;
                if entries > self.limits.max_entries {
                    return Err(SourceError::too_many(self.location, self.limits.max_entries));
                }
                let path = match self.check_path(&prefix, entry.name_bytes()) {
                    Ok(path) => path,
                    Err(Refused { shown, reason, detail }) => {
                        listing.leave_out(shown, 0, reason, detail);
                        continue;
                    }
                };
                match entry.filemode_raw() & FILE_TYPE {
                    DIRECTORY => pending.push((path + "/", entry.id())),
                    REGULAR => self.list_file(&database, path, entry.id(), &mut listing)?,
                    SYMLINK => listing.leave_out(path, 0, Reason::Symlink, "links are never followed"),
                    SUBMODULE => {
                        let detail = format!("commit {} of another repository", entry.id());
                        listing.leave_out(path, 0, Reason::Submodule, detail);
                    }
                    other => listing.leave_out(path, 0, Reason::NotARegularFile, format!("mode {other:o}")),
                }
            }
        }
        listing.settle();
        Ok(listing)
    }

    fn check_path(&self, prefix: &str, name: &[u8]) -> Result<String, Refused> {
        let path = [prefix.as_bytes(), name].concat();
        // Joined to the others, a name with a separator would pass for two harmless ones.
        if name.contains(&b'/') {
            let shown = String::from_utf8_lossy(&path).into_owned();
            return Err(Refused {
                shown,
                reason: Reason::UnsafePath,
                detail: "a name holds a separator".into(),
            });
        }
        path::check(&path, self.limits)
    }

    fn list_file(
        &self,
        database: &Odb<'_>,
        path: String,
        id: Oid,
        listing: &mut Listing,
    ) -> Result<(), SourceError> {
        if !(self.wanted)(&path) {
            listing.unwanted += 1;
            return Ok(());
        }
        let bytes = match database.read_header(id) {
            Ok((bytes, ObjectType::Blob)) => bytes as u64,
            Ok(_) => {
                let cause = format!("{path}: object {id} should be a blob");
                return Err(SourceError::Corrupt { location: self.location.into(), cause });
            }
            Err(error) if error.code() == ErrorCode::NotFound && self.limits.may_lack_blobs => {
                listing.leave_out(path, 0, Reason::NotCloned, format!("the clone lacks blob {id}"));
                return Ok(());
            }
            Err(error) => return Err(damaged(self.location, &path, &error)),
        };
        let blob = BlobId(id.as_bytes().try_into().map_err(|_| SourceError::Unsupported {
            location: self.location.into(),
            cause: "object ids are not SHA-1".into(),
        })?);
        if bytes > self.limits.max_file_bytes {
            listing.leave_out(path, bytes, Reason::FileTooLarge, "");
            if let Some(row) = listing.left_out.last_mut() {
                row.blob = Some(blob);
            }
        } else {
            listing.files.push(Listed { path, bytes, blob });
        }
        Ok(())
    }

    fn check_size(&self, database: &Odb<'_>, id: Oid) -> Result<(), SourceError> {
        match database.read_header(id) {
            Ok((bytes, _)) if bytes > MAX_TREE_BYTES => Err(SourceError::TooLarge {
                location: self.location.into(),
                cause: format!("tree {id} alone takes {bytes} bytes"),
            }),
            Ok(_) => Ok(()),
            Err(error) => Err(damaged(self.location, &format!("tree {id}"), &error)),
        }
    }
}

#[cfg(test)]
#[path = "git_tests.rs"]
mod tests;
