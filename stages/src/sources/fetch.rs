//! Brings one commit of a remote repository onto this disk, as a bare repository of depth 1.
//!
//! Only the wanted commit travels: no other branches, no tags, no submodules, no history. Everything goes to
//! a temporary neighbour of the destination first, so that an interrupted fetch leaves nothing that looks
//! like a repository.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use git2::{
    AutotagOption, Config, Direction, Error, ErrorClass, ErrorCode, FetchOptions, Oid, ProxyOptions,
    RemoteCallbacks, RemoteHead, Repository, RepositoryInitOptions,
};

use super::location::{allowed, without_credentials};
use super::{Limits, SourceError};

/// Where the fetched object lands before it is known to be a commit.
const LANDING: &str = "refs/fetched/pin";
/// The branch that HEAD of the fetched repository points to.
const PIN: &str = "refs/heads/pin";

/// Fetches one revision, or the default branch, to `destination`, which must not exist yet. The result opens
/// as a git [`Location`](super::Location) without a revision.
///
/// Whoever resumes a run looks first whether the destination exists: what exists there is complete.
pub fn fetch(
    url: &str,
    revision: Option<&str>,
    destination: &Path,
    limits: &Limits,
) -> Result<PathBuf, SourceError> {
    allowed(url)?;
    let transfer = Transfer { url, location: without_credentials(url), limits, started: Instant::now() };
    if destination.symlink_metadata().is_ok() {
        return Err(transfer.destination_exists(destination));
    }
    let parent = match destination.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(|error| transfer.io("making the destination", error))?;
    let temporary = tempfile::Builder::new().prefix(".fetch-").tempdir_in(parent);
    let temporary = temporary.map_err(|error| transfer.io("making the destination", error))?;
    let inside = temporary.path().join("repository");
    transfer.run(revision, &inside)?;
    fs::rename(&inside, destination).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotADirectory => {
            transfer.destination_exists(destination)
        }
        _ => transfer.io("renaming into place", error),
    })?;
    Ok(destination.into())
}

struct Transfer<'a> {
    url: &'a str,
    /// The URL as messages show it.
    location: String,
    limits: &'a Limits,
    started: Instant,
}

/// Why the transfer was cancelled from our side.
#[derive(Clone, Copy)]
enum Cancelled {
    Size,
    Time,
}

impl Transfer<'_> {
    fn run(&self, revision: Option<&str>, inside: &Path) -> Result<(), SourceError> {
        let mut options = RepositoryInitOptions::new();
        // Templates bring hooks and settings of this machine.
        options.bare(true).external_template(false).no_reinit(true).initial_head("pin");
        let repository = Repository::init_opts(inside, &options)
            .and_then(|repository| {
                // An empty configuration: `url.*.insteadOf` of this machine must not send us elsewhere.
                repository.set_config(&Config::new()?)?;
                Ok(repository)
            })
            .map_err(|error| self.failed(&error))?;
        let wanted = self.choose(&repository, revision)?;
        self.receive(&repository, &wanted, revision)?;
        let commit = repository
            .find_reference(LANDING)
            .and_then(|reference| reference.peel_to_commit())
            .map_err(|_| self.revision_not_found(revision, "is not a commit"))?;
        repository.reference(PIN, commit.id(), true, "fetch").map_err(|error| self.failed(&error))?;
        Ok(())
    }

    /// What to ask the server for: the full name of a reference, or the id of a commit.
    fn choose(&self, repository: &Repository, revision: Option<&str>) -> Result<String, SourceError> {
        let mut remote = repository.remote_anonymous(self.url).map_err(|error| self.failed(&error))?;
        let connection = remote
            .connect_auth(Direction::Fetch, None, Some(proxy()))
            .map_err(|error| self.failed(&error))?;
        let heads = connection.list().map_err(|error| self.failed(&error))?;
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
            // Servers that allow it, as the large ones do, hand out any commit by its full id.
            None if is_id && revision.len() == 40 => Ok(lower),
            None if is_id => Err(self.revision_not_found(Some(revision), "is not the id of a branch or tag")),
            None => Err(self.revision_not_found(Some(revision), "names nothing in it")),
        }
    }

    /// HEAD, or a branch of the usual name where the server has no HEAD.
    fn default_reference(&self, heads: &[RemoteHead<'_>]) -> Result<String, SourceError> {
        let named = |name: &str| heads.iter().find(|head| head.name() == name).map(|head| head.name().into());
        let usual = ["HEAD", "refs/heads/main", "refs/heads/master"];
        usual.into_iter().find_map(named).ok_or_else(|| match heads.is_empty() {
            true => SourceError::Empty { location: self.location.clone() },
            false => self.revision_not_found(None, "points to a branch that does not exist"),
        })
    }

    fn receive(
        &self,
        repository: &Repository,
        wanted: &str,
        revision: Option<&str>,
    ) -> Result<(), SourceError> {
        let cancelled = Cell::new(None);
        let deadline = Duration::from_secs(self.limits.max_fetch_seconds);
        let mut callbacks = RemoteCallbacks::new();
        callbacks.transfer_progress(|progress| {
            if progress.received_bytes() as u64 > self.limits.max_fetch_bytes {
                cancelled.set(Some(Cancelled::Size));
            } else if self.started.elapsed() > deadline {
                cancelled.set(Some(Cancelled::Time));
            }
            cancelled.get().is_none()
        });
        let mut options = FetchOptions::new();
        options.remote_callbacks(callbacks).proxy_options(proxy());
        options.depth(1).download_tags(AutotagOption::None).update_fetchhead(false);
        let mut remote = repository.remote_anonymous(self.url).map_err(|error| self.failed(&error))?;
        let outcome = remote.fetch(&[format!("+{wanted}:{LANDING}")], Some(&mut options), Some("fetch"));
        let landed = repository.refname_to_id(LANDING);
        match (outcome, cancelled.get()) {
            (_, Some(Cancelled::Size)) => Err(SourceError::TooLarge {
                location: self.location.clone(),
                cause: format!("more than {} bytes to fetch", self.limits.max_fetch_bytes),
            }),
            (_, Some(Cancelled::Time)) => {
                let seconds = self.limits.max_fetch_seconds;
                Err(SourceError::FetchTimedOut { location: self.location.clone(), seconds })
            }
            (Ok(()), None) if landed.is_ok() => Ok(()),
            (Ok(()), None) => Err(self.revision_not_found(revision, "was not sent by the server")),
            // The server names the missing object in words of its own.
            (Err(error), None) if is_refusal(&error) && Oid::from_str(wanted).is_ok() => {
                Err(self.revision_not_found(revision, "is refused by the server"))
            }
            (Err(error), None) => Err(self.failed(&error)),
        }
    }

    fn failed(&self, error: &Error) -> SourceError {
        let location = self.location.clone();
        let cause = error.message().to_owned();
        let gone = error.code() == ErrorCode::NotFound || error.code() == ErrorCode::Auth;
        let denied = ["404", "401", "not exported", "authentication required", "not found"];
        if gone || (is_transport(error) && denied.iter().any(|words| cause.contains(words))) {
            let cause = format!("it does not exist or is private: {cause}");
            return SourceError::Missing { location, cause };
        }
        match error.class() {
            ErrorClass::Os | ErrorClass::Filesystem if !is_transport(error) => {
                SourceError::Io { location, action: "fetching", cause: io::Error::other(cause) }
            }
            ErrorClass::Indexer | ErrorClass::Zlib | ErrorClass::Odb | ErrorClass::Object => {
                SourceError::Corrupt { location, cause }
            }
            _ => SourceError::FetchFailed { location, cause },
        }
    }

    fn revision_not_found(&self, revision: Option<&str>, cause: &str) -> SourceError {
        SourceError::RevisionNotFound {
            location: self.location.clone(),
            revision: revision.unwrap_or("HEAD").into(),
            cause: cause.into(),
        }
    }

    fn destination_exists(&self, destination: &Path) -> SourceError {
        let destination = destination.display().to_string();
        SourceError::DestinationExists { location: self.location.clone(), destination }
    }

    fn io(&self, action: &'static str, cause: io::Error) -> SourceError {
        SourceError::Io { location: self.location.clone(), action, cause }
    }
}

/// The proxy that the environment names, as every other network program would use it.
fn proxy() -> ProxyOptions<'static> {
    let mut options = ProxyOptions::new();
    options.auto();
    options
}

/// Whether the network failed. libgit2 files the errors of sockets and of disks under one class.
fn is_transport(error: &Error) -> bool {
    let socket = ["socket", "connect", "resolve"];
    match error.class() {
        ErrorClass::Net | ErrorClass::Http | ErrorClass::Ssl | ErrorClass::None => true,
        ErrorClass::Os => socket.iter().any(|word| error.message().contains(word)),
        _ => false,
    }
}

/// libgit2 does not pass on the server's words for an object that it will not give; it stumbles over them.
fn is_refusal(error: &Error) -> bool {
    let words = ["not our ref", "unadvertised", "unexpected packet type", "cannot fetch a specific object"];
    is_transport(error) && words.iter().any(|words| error.message().contains(words))
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
