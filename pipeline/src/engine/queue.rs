//! Which shard is next, and for whom: workers that fetch wait for the network and go on beside those that keep the
//! cores busy.

use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A shard that waits for a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waiting {
    /// Whether clones go when it is done, which makes room for others.
    pub makes_room: bool,
    /// Of equals the largest goes first, so that no giant is left for the end.
    pub bytes: u64,
    /// Place of the stage.
    pub stage: usize,
    /// The shard.
    pub shard: u32,
}

/// Whose work it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Of workers that wait for other hosts.
    Fetching,
    /// Of workers that compute.
    Computing,
}

/// What is to be done, for both pools.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    fetching: BinaryHeap<Waiting>,
    computing: BinaryHeap<Waiting>,
    running: usize,
    error: Option<anyhow::Error>,
}

impl Queue {
    /// Adds a shard.
    pub fn add(&self, pool: Pool, waiting: Waiting) {
        let mut state = self.lock();
        match pool {
            Pool::Fetching => state.fetching.push(waiting),
            Pool::Computing => state.computing.push(waiting),
        }
        self.changed.notify_all();
    }

    /// The next shard for a worker of a pool, once there is one; nothing when no more will come or `is_over`. No
    /// more is fetched while so many shards (`ahead`) wait already that would make room.
    pub fn next(&self, pool: Pool, ahead: usize, is_over: impl Fn() -> bool) -> Option<Waiting> {
        let mut state = self.lock();
        loop {
            if state.error.is_some() || is_over() {
                return None;
            }
            let found = match pool {
                Pool::Fetching if state.arrived() < ahead => state.fetching.pop(),
                Pool::Fetching => None,
                Pool::Computing => state.computing.pop(),
            };
            if let Some(found) = found {
                state.running += 1;
                return Some(found);
            }
            if state.is_empty(pool) {
                return None;
            }
            let waited = self.changed.wait_timeout(state, Duration::from_millis(200));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Says that a shard is through with a stage, and how that ended. What comes next for it was added before.
    pub fn done(&self, outcome: anyhow::Result<()>) {
        let mut state = self.lock();
        state.running -= 1;
        if let Err(error) = outcome {
            state.error.get_or_insert(error);
        }
        self.changed.notify_all();
    }

    /// How everything ended.
    pub fn outcome(&self) -> anyhow::Result<()> {
        self.lock().error.take().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Shards whose clones wait to be parsed.
    fn arrived(&self) -> usize {
        self.computing.iter().filter(|waiting| waiting.makes_room).count()
    }

    /// Whether nothing is left for a pool, now and later: what is fetched is computed on, and not the other way.
    fn is_empty(&self, pool: Pool) -> bool {
        let fetched = self.fetching.is_empty();
        match pool {
            Pool::Fetching => fetched,
            Pool::Computing => fetched && self.computing.is_empty() && self.running == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(makes_room: bool, shard: u32) -> Waiting {
        Waiting { makes_room, bytes: 1, stage: 1, shard }
    }

    #[test]
    fn nothing_is_fetched_while_enough_waits_to_be_parsed() {
        let queue = Queue::default();
        queue.add(Pool::Fetching, waiting(false, 1));
        queue.add(Pool::Computing, waiting(true, 2));
        let once = std::cell::Cell::new(0);
        let second = || once.replace(once.get() + 1) > 0;
        assert_eq!(queue.next(Pool::Fetching, 1, second), None, "it had to wait");
        assert_eq!(queue.next(Pool::Fetching, 2, || false).map(|next| next.shard), Some(1));
        queue.done(Ok(()));
        assert_eq!(queue.next(Pool::Fetching, 2, || false), None, "no more will come");
    }

    #[test]
    fn what_makes_room_goes_first_and_all_end_together() {
        let queue = Queue::default();
        queue.add(Pool::Computing, Waiting { bytes: 9, ..waiting(false, 1) });
        queue.add(Pool::Computing, waiting(true, 2));
        let shards = [(); 2].map(|()| queue.next(Pool::Computing, 1, || false).map(|next| next.shard));
        assert_eq!(shards, [Some(2), Some(1)]);
        queue.done(Err(anyhow::anyhow!("first")));
        queue.done(Err(anyhow::anyhow!("second")));
        assert_eq!(queue.next(Pool::Computing, 1, || false), None);
        assert_eq!(queue.outcome().map_err(|error| error.to_string()), Err("first".to_owned()));
    }
}
