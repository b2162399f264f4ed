//! One exchange with a server through libgit2.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use git2::{
    AutotagOption, Config, Direction, Error, ErrorClass, FetchOptions, ObjectType, Oid, ProxyOptions, Remote,
    RemoteCallbacks, RemoteHead, RemoteRedirect, Repository, RepositoryInitOptions,
};

use super::{Depth, Fetch, fault};
use crate::sources::SourceError;

/// Where the fetched object lands before it is known to be a commit.
const LANDING: &str = "refs/fetched/pin";
/// The branch that HEAD of the fetched repository points to.
const PIN: &str = "refs/heads/pin";
/// The whole configuration of a fetched repository. Redirects are followed on the same server only, where they
/// are renames; nothing of this machine's configuration (`url.*.insteadOf`) may send us elsewhere.
const CONFIGURATION: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[http]\n\tfollowRedirects = false\n";
/// Received bytes after which the room on the disk is looked at again.
const ROOM_EVERY: usize = 8 << 20;
/// Bytes that stay free. libgit2 writes packs through memory, where a full disk ends the process.
const ROOM_KEPT: u64 = 16 << 20;

/// One try.
pub(super) struct Transfer {
    /// The URL as messages show it.
    pub location: String,
    pub fetch: Fetch,
    /// The repository that it makes.
    pub inside: PathBuf,
    /// Set when nobody waits for it any more.
    pub over: Arc<AtomicBool>,
}

/// Why the transfer was cancelled from our side.
#[derive(Clone, Copy)]
enum Cancelled {
    Size,
    Room,
    Over,
}

impl Transfer {
    /// Fetches; the commit.
    pub fn run(&self) -> Result<String, SourceError> {
        let repository = self.prepare()?;
        let mut remote = repository.remote_anonymous(&self.location).map_err(|error| self.failed(&error))?;
        let revision = self.fetch.revision.as_deref();
        match revision.filter(|revision| is_full_id(revision)) {
            // Servers that allow it, as the large ones do, hand out any commit by its full id.
            Some(id) => self.receive(&mut remote, &id.to_ascii_lowercase())?,
            None => {
                let cancelled = Cell::new(None);
                let mut connection = remote
                    .connect_auth(Direction::Fetch, Some(self.callbacks(&cancelled)), Some(proxy()))
                    .map_err(|error| self.failed(&error))?;
                let heads = connection.list().map_err(|error| self.failed(&error))?;
                let wanted = self.choose(heads, revision)?;
                self.receive(connection.remote(), &wanted)?;
            }
        }
        let commit = repository
            .find_reference(LANDING)
            .and_then(|reference| reference.peel_to_commit())
            .map_err(|_| self.revision_not_found("is not a commit"))?
            .id();
        self.check(&repository, commit)?;
        repository.reference(PIN, commit, true, "fetch").map_err(|error| self.failed(&error))?;
        Ok(commit.to_string())
    }

    /// The empty repository that the commit goes into.
    fn prepare(&self) -> Result<Repository, SourceError> {
        let mut options = RepositoryInitOptions::new();
        // Templates bring hooks and settings of this machine.
        options.bare(true).external_template(false).no_reinit(true).initial_head("pin");
        let repository =
            Repository::init_opts(&self.inside, &options).map_err(|error| self.failed(&error))?;
        let path = self.inside.join("config");
        fs::write(&path, CONFIGURATION).map_err(|error| self.io("configuring the clone", error))?;
        Config::open(&path)
            .and_then(|config| repository.set_config(&config))
            .map_err(|error| self.failed(&error))?;
        Ok(repository)
    }

    /// What to ask the server for: the full name of a reference.
    fn choose(&self, heads: &[RemoteHead<'_>], revision: Option<&str>) -> Result<String, SourceError> {
        let Some(revision) = revision else { return self.default_reference(heads) };
        let named = ["refs/tags/", "refs/heads/", ""].map(|at| format!("{at}{revision}"));
        let named = named.iter().find_map(|name| heads.iter().find(|head| head.name() == name));
        let is_id = revision.len() >= 4 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        let lower = revision.to_ascii_lowercase();
        let by_id = || {
            let heads = heads.iter().filter(|head| is_id && !head.name().ends_with("^{}"));
            heads.into_iter().find(|head| head.oid().to_string().starts_with(&lower))
        };
        match named.or_else(by_id) {
            Some(head) => Ok(head.name().into()),
            None if is_id => Err(self.revision_not_found("is not the id of a branch or tag")),
            None => Err(self.revision_not_found("names nothing in it")),
        }
    }

    /// HEAD, or a branch of the usual name where the server has no HEAD.
    fn default_reference(&self, heads: &[RemoteHead<'_>]) -> Result<String, SourceError> {
        let named = |name: &str| heads.iter().find(|head| head.name() == name).map(|head| head.name().into());
        let usual = ["HEAD", "refs/heads/main", "refs/heads/master"];
        usual.into_iter().find_map(named).ok_or_else(|| match heads.is_empty() {
            true => SourceError::Empty { location: self.location.clone() },
            false => SourceError::DefaultBranchGone { location: self.location.clone() },
        })
    }

    fn receive(&self, remote: &mut Remote<'_>, wanted: &str) -> Result<(), SourceError> {
        let cancelled = Cell::new(None);
        let mut options = FetchOptions::new();
        options.remote_callbacks(self.callbacks(&cancelled)).proxy_options(proxy());
        options.follow_redirects(RemoteRedirect::None);
        options.download_tags(AutotagOption::None).update_fetchhead(false);
        if self.fetch.depth == Depth::Commit {
            options.depth(1);
        }
        let outcome = remote.fetch(&[format!("+{wanted}:{LANDING}")], Some(&mut options), Some("fetch"));
        let location = self.location.clone();
        match (outcome, cancelled.get()) {
            (_, Some(Cancelled::Size)) => Err(SourceError::TooLarge {
                location,
                cause: format!("more than {} bytes to fetch", self.fetch.limits.max_fetch_bytes),
            }),
            (_, Some(Cancelled::Room)) => {
                let cause = format!("No space left on device: {}", self.inside.display());
                Err(SourceError::DiskFull { location, cause })
            }
            (_, Some(Cancelled::Over)) => {
                let seconds = self.fetch.limits.max_fetch_seconds;
                Err(SourceError::FetchTimedOut { location, seconds })
            }
            (Ok(()), None) => Ok(()),
            // The server names the missing object in words of its own.
            (Err(error), None) if is_full_id(wanted) && fault::is_refusal(&error) => {
                Err(self.revision_not_found("is refused by the server"))
            }
            (Err(error), None) => Err(self.failed(&error)),
        }
    }

    fn callbacks<'a>(&'a self, cancelled: &'a Cell<Option<Cancelled>>) -> RemoteCallbacks<'a> {
        let (mut looked, mut asked) = (0, false);
        let mut callbacks = RemoteCallbacks::new();
        callbacks.transfer_progress(move |progress| {
            let received = progress.received_bytes();
            if received as u64 > self.fetch.limits.max_fetch_bytes {
                cancelled.set(Some(Cancelled::Size));
            } else if self.over.load(Ordering::Relaxed) {
                cancelled.set(Some(Cancelled::Over));
            } else if received >= looked {
                looked = received + ROOM_EVERY;
                if !self.has_room() {
                    cancelled.set(Some(Cancelled::Room));
                }
            }
            cancelled.get().is_none()
        });
        callbacks.credentials(move |url, _, _| {
            let credentials = self.fetch.credentials.as_ref().filter(|credentials| credentials.are_for(url));
            // Asked for again, they were refused.
            match credentials.filter(|_| !std::mem::replace(&mut asked, true)) {
                Some(credentials) => credentials.offer(),
                None => Err(Error::new(git2::ErrorCode::Auth, ErrorClass::Http, "authentication required")),
            }
        });
        callbacks
    }

    /// Whether the disk takes what comes until the next look.
    fn has_room(&self) -> bool {
        let room = rustix::fs::statvfs(&self.inside).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        // Where the system does not say, writing will.
        room.map_or(true, |room| room > ROOM_KEPT + ROOM_EVERY as u64)
    }

    /// Whether every tree and file of the commit has come; the indexer has seen that each is what its id says.
    fn check(&self, repository: &Repository, commit: Oid) -> Result<(), SourceError> {
        let damaged = |error: &Error| SourceError::Corrupt {
            location: self.location.clone(),
            cause: format!("not everything was sent: {}", error.message()),
        };
        let database = repository.odb().map_err(|error| damaged(&error))?;
        let tree = repository.find_commit(commit).map_err(|error| damaged(&error))?.tree_id();
        let (mut pending, mut seen) = (vec![tree], HashSet::from([tree]));
        while let Some(id) = pending.pop() {
            for entry in &repository.find_tree(id).map_err(|error| damaged(&error))? {
                match entry.kind() {
                    Some(ObjectType::Tree) if seen.insert(entry.id()) => pending.push(entry.id()),
                    Some(ObjectType::Blob) if !database.exists(entry.id()) => {
                        return Err(damaged(&Error::from_str(&format!("blob {} is missing", entry.id()))));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn failed(&self, error: &Error) -> SourceError {
        fault::of(error, &self.location)
    }

    fn revision_not_found(&self, cause: &str) -> SourceError {
        SourceError::RevisionNotFound {
            location: self.location.clone(),
            revision: self.fetch.revision.as_deref().unwrap_or("HEAD").into(),
            cause: cause.into(),
        }
    }

    fn io(&self, action: &'static str, cause: io::Error) -> SourceError {
        SourceError::Io { location: self.location.clone(), action, cause }
    }
}

fn is_full_id(revision: &str) -> bool {
    revision.len() == 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The proxy that the environment names, as every other network program would use it.
fn proxy() -> ProxyOptions<'static> {
    let mut options = ProxyOptions::new();
    options.auto();
    options
}
