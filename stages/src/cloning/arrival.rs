//! How a remote repository comes here: out of the store, or else from its server, as often as that is worth it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::store::{Held, Store};
use super::{Settings, hosts};
use crate::sources::{Credentials, Depth, Fetch, Limits, SourceError};

/// Longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

/// A wish for one commit of a remote repository.
pub struct Arrival<'a> {
    /// URL.
    pub location: &'a str,
    /// Branch, tag or commit; empty for the default branch.
    pub revision: &'a str,
    /// With its history or without.
    pub depth: Depth,
    /// What the server is told that asks who we are.
    pub credentials: Option<&'a Credentials>,
    /// Where clones are kept.
    pub clones: &'a Path,
    /// How patiently.
    pub settings: &'a Settings,
    /// Bounds of bytes and time.
    pub limits: Limits,
}

impl Arrival<'_> {
    /// The clone, and its commit.
    pub fn bring(&self) -> Result<(Held, String), SourceError> {
        let store = Store::new(self.clones);
        // Any other revision may stand for another commit by now.
        let held = store.hold(self.revision, self.depth);
        if let Some(held) = held.map_err(|error| self.io("looking for the clone", error))? {
            return Ok((held, self.revision.to_owned()));
        }
        let fetch = Fetch {
            url: self.location.to_owned(),
            revision: (!self.revision.is_empty()).then(|| self.revision.to_owned()),
            depth: self.depth,
            credentials: self.credentials.cloned(),
            limits: self.limits.clone(),
        };
        let mut left = Duration::from_secs(self.limits.max_fetch_seconds);
        let mut attempt = 1;
        loop {
            let error = match self.fetch(&fetch, &store, &mut left) {
                Err(error) if error.is_passing() && attempt < self.settings.fetch_attempts => error,
                outcome => return outcome,
            };
            let pause = self.pause(attempt);
            if pause >= left {
                return Err(error);
            }
            std::thread::sleep(pause);
            left -= pause;
            attempt += 1;
        }
    }

    /// One try, which takes its time from what is left. Waiting for a turn takes nothing: that is for others' sake.
    fn fetch(
        &self,
        fetch: &Fetch,
        store: &Store<'_>,
        left: &mut Duration,
    ) -> Result<(Held, String), SourceError> {
        let _turn = hosts::turn(self.clones, self.location, self.settings.fetches_per_host)
            .map_err(|error| self.io("waiting for a turn", error))?;
        let under_way = store.begin().map_err(|error| self.io("making the clone", error))?;
        let inside = under_way.path().join("clone");
        let start = Instant::now();
        let outcome = fetch.run(&inside, *left);
        *left = left.saturating_sub(start.elapsed());
        let commit = outcome?;
        let held = store.place(&inside, &commit, self.depth);
        let held = held.map_err(|error| self.io("keeping the clone", error))?;
        Ok((held, commit))
    }

    /// Twice as long each time, less up to a half: many that failed together must not come back together. It is
    /// drawn from the place and the process, so that no clock has a part in it.
    fn pause(&self, attempt: u32) -> Duration {
        let longest = Duration::from_secs(self.settings.fetch_pause_seconds);
        let longest = longest.saturating_mul(1 << (attempt - 1).min(16)).min(LONGEST_PAUSE);
        let draw = [self.location, &attempt.to_string(), &std::process::id().to_string()].concat();
        let share = f64::from(blake3::hash(draw.as_bytes()).as_bytes()[0]) / 255.0;
        longest.mul_f64(0.5 + share / 2.0)
    }

    fn io(&self, action: &'static str, cause: std::io::Error) -> SourceError {
        SourceError::writing(self.location, action, cause)
    }
}
