//! The driver's side: which task is next, worker processes and how they end.

use super::plan::{RunContext, TaskKind, stage, stage_before};
use super::queue::{Pool, Queue, Waiting};
use super::retry::Retry;
use super::task::ShardTask;
use super::workers::Workers;
use super::{Cancel, Event, Order, Quarantine, fingerprint};
use crate::process::Ending;
use crate::progress::Progress;
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeSet;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use trefoil_shards::{Manifest, RepositoryEntry};
use trefoil_stages::cloning::Keep;

/// Attempts at a task whose worker dies without a repository to blame.
const ATTEMPTS: u32 = 3;

/// How tasks are run.
pub struct Scheduler<'a> {
    /// The run.
    pub context: &'a RunContext,
    /// Workers at once, and threads of each.
    pub jobs: usize,
    /// Those that there are.
    pub workers: &'a Workers,
    /// Failed repositories that are taken again.
    pub retry: Retry,
    /// Shards that hold remote repositories.
    pub remote: &'a BTreeSet<u32>,
    /// Set by Ctrl-C.
    pub cancel: &'a Cancel,
    /// Shown to the user.
    pub progress: &'a Progress,
}

impl Scheduler<'_> {
    /// Brings every shard through all repository-local stages. Shards go on independently: one may be
    /// matched while another is still parsed.
    pub fn run_local_stages(&self) -> Result<()> {
        let queue = Queue::default();
        for shard in 0..self.context.plan.shards {
            self.advance(&queue, 0, shard)?;
        }
        let fetches =
            if self.remote.is_empty() { 0 } else { self.context.plan.settings.cloning.fetches.max(1) };
        std::thread::scope(|scope| {
            for _ in 0..fetches {
                scope.spawn(|| self.work_off(&queue, Pool::Fetching));
            }
            for _ in 0..self.jobs {
                scope.spawn(|| self.work_off(&queue, Pool::Computing));
            }
        });
        queue.outcome()?;
        self.cancel.check()
    }

    fn work_off(&self, queue: &Queue, pool: Pool) {
        while let Some(next) = queue.next(pool, self.jobs, || self.cancel.is_set()) {
            let result = self
                .run_shard(next.stage, next.shard)
                .and_then(|()| self.advance(queue, next.stage + 1, next.shard));
            queue.done(result);
        }
    }

    /// Queues the first stage from `from` on that is not done for this shard.
    fn advance(&self, queue: &Queue, from: usize, shard: u32) -> Result<()> {
        for place in from..trefoil_stages::all().len() {
            if !self.is_done(place, shard)? {
                let fetches = self.may_fetch(place, shard);
                let pool = if fetches && place == 0 { Pool::Fetching } else { Pool::Computing };
                let makes_room =
                    fetches && place > 0 && self.context.plan.settings.cloning.keep == Keep::None;
                let bytes = self.bytes_before(place, shard);
                queue.add(pool, Waiting { makes_room, bytes, stage: place, shard });
                return Ok(());
            }
            self.progress.skipped(stage(place)?.name());
        }
        Ok(())
    }

    /// Whether a shard may need other hosts in a stage: it has remote repositories, and the stage reads them.
    fn may_fetch(&self, place: usize, shard: u32) -> bool {
        self.remote.contains(&shard) && stage(place).is_ok_and(|stage| stage.fetches())
    }

    /// Size of the shard's tables in the stage before: what decides how long it takes.
    fn bytes_before(&self, place: usize, shard: u32) -> u64 {
        let folder = self.context.folder.shard(stage_before(place), shard);
        let manifest = Manifest::load(&folder).ok().flatten();
        manifest.map_or(0, |manifest| manifest.tables.values().map(|table| table.bytes).sum())
    }

    /// Whether a shard of a stage is finished, sound and made from what is there now.
    pub fn is_done(&self, place: usize, shard: u32) -> Result<bool> {
        let Ok(wanted) = self.wanted(place, shard) else { return Ok(false) };
        let folder = self.context.folder.shard(stage(place)?.name(), shard);
        let manifest = match Manifest::load(&folder) {
            Ok(Some(manifest)) => manifest,
            Ok(None) => return Ok(false),
            Err(error) => {
                self.progress.note(&format!("{error}; it is computed again"));
                return Ok(false);
            }
        };
        if manifest.fingerprint != wanted {
            return Ok(false);
        }
        if self.retry.concerns(&manifest) {
            return Ok(false);
        }
        match manifest.check(&folder) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.progress.note(&format!("{error}; it is computed again"));
                Ok(false)
            }
        }
    }

    /// The fingerprint that a shard of a stage must have.
    fn wanted(&self, place: usize, shard: u32) -> Result<String> {
        let stage = stage(place)?;
        let folder = self.context.folder.shard(stage_before(place), shard);
        let before =
            Manifest::load(&folder)?.with_context(|| format!("{} is not finished", folder.display()))?;
        let sound = before.repositories.iter().filter(|(_, entry)| entry.failure.is_none());
        let wanted: Vec<(&str, String)> = sound
            .map(|(key, entry): (&String, &RepositoryEntry)| {
                let settings = &self.context.plan.settings;
                (key.as_str(), fingerprint::of_repository(stage, settings, key, &entry.fingerprint))
            })
            .collect();
        let pairs = wanted.iter().map(|(key, print)| (*key, print.as_str()));
        Ok(fingerprint::of_shard(stage.name(), pairs))
    }

    /// Whether a shard has no repository to work on in this stage.
    fn is_empty(&self, place: usize, shard: u32) -> Result<bool> {
        let before = Manifest::load(&self.context.folder.shard(stage_before(place), shard))?;
        Ok(before.is_some_and(|before| before.repositories.values().all(|entry| entry.failure.is_some())))
    }

    /// One task to its end. A repository that brings the worker down is found, tried alone and, when it
    /// does so again, put in quarantine, and the task goes on without it.
    fn run_shard(&self, place: usize, shard: u32) -> Result<()> {
        let name = stage(place)?.name();
        let path = self.context.folder.quarantine(name, shard);
        let fingerprint = self.wanted(place, shard)?;
        let mut quarantine = match Quarantine::load(&path)? {
            earlier if self.retry != Retry::All && earlier.fingerprint == fingerprint => earlier,
            _ => Quarantine { fingerprint, ..Quarantine::default() },
        };
        quarantine.store(&path)?;
        let task = TaskKind::Shard { stage: place, shard };
        let mut unexplained = 0;
        if self.is_empty(place, shard)? {
            // Nothing in it can bring a process down, so it needs none of its own.
            return ShardTask::open(self.context, place, shard, None)?.run(Retry::None);
        }
        loop {
            let end = self.run_worker(task, None)?;
            let (suspect, ending) = match end {
                End::Done => break,
                End::TimedOut { key } => {
                    let detail = format!(
                        "not finished after {} s; raise engine.repository_seconds and run with --retry-failed",
                        self.context.plan.engine.repository_seconds
                    );
                    quarantine.add(&key, "timeout", detail, &path)?;
                    continue;
                }
                End::Died { suspect, ending } => (suspect, ending),
            };
            let again = match &suspect {
                Some(key) => self.run_worker(task, Some(key))?,
                None => End::Done,
            };
            match (suspect, again) {
                (Some(key), End::Died { ending, .. }) => {
                    let detail = format!(
                        "the worker process ended with {} at this repository, twice (memory limit {} bytes)",
                        ending.words(),
                        self.context.plan.engine.worker_memory_bytes
                    );
                    quarantine.add(&key, "worker_crashed", detail, &path)?;
                }
                (Some(key), End::TimedOut { .. }) => {
                    quarantine.add(&key, "timeout", "not finished in time".to_owned(), &path)?;
                }
                (_, End::Done) | (None, _) => {
                    unexplained += 1;
                    if unexplained >= ATTEMPTS {
                        bail!(
                            "the worker for {name}, shard {shard} died {ATTEMPTS} times ({}): {}",
                            ending.words(),
                            ending.errors.trim()
                        );
                    }
                }
            }
        }
        Quarantine::remove(&path)
    }

    /// Runs a task that belongs to no shard.
    pub fn run_global(&self, task: TaskKind) -> Result<()> {
        match self.run_worker(task, None)? {
            End::Done => Ok(()),
            End::Died { ending, .. } => {
                Err(anyhow!("the worker ended with {}: {}", ending.words(), ending.errors.trim()))
            }
            End::TimedOut { key } => bail!("the worker was stopped at {key}"),
        }
    }

    fn run_worker(&self, task: TaskKind, trial: Option<&str>) -> Result<End> {
        let fetches = matches!(task, TaskKind::Shard { stage, shard } if self.may_fetch(stage, shard));
        let mut worker = match trial {
            // What it is tried with must not come from the tasks before.
            Some(_) => self.workers.start(fetches)?,
            None => self.workers.take(fetches)?,
        };
        let index = self.context.plan.index(task);
        let order = Order { index, trial: trial.map(str::to_owned), retry: self.retry };
        worker.order(&serde_json::to_string(&order)?);
        self.progress.started(task);
        let fetching = if fetches { self.context.plan.settings.cloning.max_fetch_seconds } else { 0 };
        let limit = Duration::from_secs(self.context.plan.engine.repository_seconds.saturating_add(fetching));
        let mut suspect: Option<(String, Instant)> = None;
        loop {
            match worker.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) => match Event::parse(&line) {
                    Some(Event::Start { key }) => suspect = Some((key, Instant::now())),
                    Some(Event::End { bytes }) => {
                        suspect = None;
                        self.progress.repository(task, bytes);
                    }
                    Some(Event::Done { cpu_seconds, peak_bytes }) => {
                        self.progress.usage(task, cpu_seconds, peak_bytes);
                        self.progress.task_done(task);
                        self.workers.give_back(fetches, worker);
                        return Ok(End::Done);
                    }
                    None => {}
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.cancel.is_set() {
                worker.kill();
                worker.wait().context("cannot wait for a worker process")?;
                return Err(super::Interrupted.into());
            }
            if let Some((key, since)) = &suspect
                && since.elapsed() > limit
            {
                let key = key.clone();
                worker.kill();
                worker.wait().context("cannot wait for a worker process")?;
                return Ok(End::TimedOut { key });
            }
        }
        let ending = worker.wait().context("cannot wait for a worker process")?;
        self.cancel.check()?;
        match ending.status.code() {
            // The worker says itself why the run cannot go on (disk full, damaged table …).
            Some(2) => bail!("{}", ending.errors.trim().trim_start_matches("error: ")),
            _ => Ok(End::Died { suspect: suspect.map(|(key, _)| key), ending }),
        }
    }
}

enum End {
    Done,
    Died { suspect: Option<String>, ending: Ending },
    TimedOut { key: String },
}
