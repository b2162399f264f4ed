//! What the user sees of discovery, and how the user ends it.

use std::time::Duration;

/// How far discovery is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Repositories found.
    pub found: u64,
    /// Repositories that there should be, once GitHub has said so.
    pub expected: u64,
    /// Requests sent by this process.
    pub requests: u64,
    /// Repositories that were known from an earlier start.
    pub replayed: u64,
}

/// Somebody who watches.
pub trait Watch: Send + Sync {
    /// There are news.
    fn progress(&self, progress: &Progress);
    /// Nothing happens for so long.
    fn waits(&self, time: Duration, why: &str);
    /// Whether it should end.
    fn is_cancelled(&self) -> bool;
}

/// Nobody.
pub struct Unwatched;

impl Watch for Unwatched {
    fn progress(&self, _: &Progress) {}
    fn waits(&self, _: Duration, _: &str) {}
    fn is_cancelled(&self) -> bool {
        false
    }
}
