//! Brings one commit of a remote repository onto this disk, as a bare repository of depth 1 or with its history.
//!
//! Only the wanted commit travels: no other branches, no tags, no submodules, and its ancestors where they are
//! asked for. One call is one try;
//! whoever calls knows where clones are kept, how often to try, and removes what a failed try leaves.

mod credentials;
mod fault;
mod transfer;

#[cfg(test)]
mod http_tests;
#[cfg(test)]
mod tests;

pub use credentials::Credentials;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::location::{allowed, without_credentials};
use super::{Limits, SourceError};
use transfer::Transfer;

/// How much of a repository's past is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The commit alone.
    Commit,
    /// The commit and all its ancestors.
    History,
}

/// What to fetch.
#[derive(Clone)]
pub struct Fetch {
    /// URL; what it holds of credentials is not used.
    pub url: String,
    /// Branch, tag or commit; the default branch where there is none.
    pub revision: Option<String>,
    /// With its past or without.
    pub depth: Depth,
    /// What a server is told that asks who we are.
    pub credentials: Option<Credentials>,
    /// Bounds of bytes.
    pub limits: Limits,
}

impl Fetch {
    /// One try within `time`, into the folder `inside`, which is made. The answer is the commit; its branch is the
    /// HEAD of the new repository, and every tree and file of it is there.
    ///
    /// libgit2 waits for a silent server as long as that keeps the connection open, so it waits in a thread of its
    /// own, which is left behind when the time is over and ends with its connection.
    pub fn run(&self, inside: &Path, time: Duration) -> Result<String, SourceError> {
        allowed(&self.url)?;
        let over = Arc::new(AtomicBool::new(false));
        let transfer = Transfer {
            location: without_credentials(&self.url),
            fetch: self.clone(),
            inside: PathBuf::from(inside),
            over: over.clone(),
        };
        let location = transfer.location.clone();
        let (send, receive) = channel();
        std::thread::spawn(move || {
            // Nobody listens any more when the time is over.
            let _ = send.send(transfer.run());
        });
        let outcome = receive.recv_timeout(time);
        over.store(true, Ordering::Relaxed);
        match outcome {
            Ok(outcome) => outcome,
            Err(RecvTimeoutError::Timeout) => {
                Err(SourceError::FetchTimedOut { location, seconds: self.limits.max_fetch_seconds })
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(SourceError::FetchFailed { location, cause: "the fetch broke off".into() })
            }
        }
    }
}
