//! Worker processes: one goes from task to task, since starting takes longer than a small task.

use super::plan::RunContext;
use crate::process::Worker;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most threads of one worker. There are as many workers as jobs, so these only matter while fewer shards
/// than jobs are left.
const MOST_THREADS: usize = 16;

/// The workers of a run that have nothing to do.
pub struct Workers {
    plan: PathBuf,
    threads: usize,
    /// Whether each may fetch, and the worker.
    idle: Mutex<Vec<(bool, Worker)>>,
}

impl Workers {
    /// None yet, for the plan of a run and so many threads each.
    pub fn new(context: &RunContext, jobs: usize) -> Self {
        let (plan, threads) = (context.folder.plan(), jobs.min(MOST_THREADS));
        Self { plan, threads, idle: Mutex::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(bool, Worker)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that has nothing to do, or a new one.
    pub fn take(&self, fetches: bool) -> Result<Worker> {
        let mut idle = self.idle();
        match idle.iter().rposition(|(may_fetch, _)| *may_fetch == fetches) {
            Some(place) => Ok(idle.swap_remove(place).1),
            None => {
                drop(idle);
                self.start(fetches)
            }
        }
    }

    /// Has one wait for its next task.
    pub fn give_back(&self, fetches: bool, worker: Worker) {
        self.idle().push((fetches, worker));
    }

    /// A new one.
    pub fn start(&self, fetches: bool) -> Result<Worker> {
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let arguments = ["task".to_owned(), "--plan".to_owned(), self.plan.display().to_string()];
        let mut variables = vec![
            ("RAYON_NUM_THREADS", self.threads.to_string()),
            ("POLARS_MAX_THREADS", "1".to_owned()),
            // Memory that is given back to the system is soon asked for again, and cleared by it; of pages of two
            // megabytes most are cleared for nothing.
            ("MIMALLOC_PURGE_DELAY", "-1".to_owned()),
            ("MIMALLOC_ALLOW_THP", "0".to_owned()),
            // Only what is in use counts against the limit of memory.
            ("MIMALLOC_ARENA_EAGER_COMMIT", "0".to_owned()),
        ];
        if !fetches {
            // libgit2 reads the system's certificates when it starts, longer than a small shard takes.
            variables.extend(["SSL_CERT_FILE", "SSL_CERT_DIR"].map(|name| (name, "/dev/null".to_owned())));
        }
        Worker::start(&program, &arguments, &variables, fetches)
            .with_context(|| format!("cannot start a worker process of {}", program.display()))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for (_, mut worker) in self.idle().drain(..) {
            worker.kill();
            // What it did is on disk; how it ends is nobody's concern.
            let _ = worker.wait();
        }
    }
}
