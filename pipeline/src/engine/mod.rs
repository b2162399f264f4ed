//! The run engine: a plan of idempotent tasks, carried out by worker processes of this same program.
//!
//! A task reads finished shards, writes one shard and is done when the shard's manifest is there. Everything
//! else follows: resume, incremental rebuild, and the same bytes whatever is killed and however many work.

mod clones;
mod discovery;
mod entries;
mod evidence;
mod export;
mod fingerprint;
pub mod github;
mod global;
pub mod near;
pub mod plan;
mod queue;
mod retry;
mod schedule;
mod task;
mod workers;

pub use discovery::{discover, outlook as discovery_outlook};
pub use export::{ExportPlan, SPLITS, dataset_folder};
pub use retry::Retry;
pub use task::rows_of;

use crate::config::Config;
use crate::process::Usage;
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result};
use plan::{Plan, RunContext, TaskKind};
use schedule::Scheduler;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use workers::Workers;

/// A task that the driver has a worker do, one line of JSON each.
#[derive(Serialize, Deserialize)]
struct Order {
    /// Number of the task in the plan.
    index: usize,
    /// Try this one repository and keep nothing, to see whether it brings the process down.
    trial: Option<String>,
    /// Which of the repositories that failed are taken again.
    retry: Retry,
}

/// What a worker tells the driver, one line of JSON each.
#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// It starts on a repository.
    Start {
        /// Key of the repository.
        key: String,
    },
    /// It has finished that repository.
    End {
        /// Bytes of its source.
        bytes: u64,
    },
    /// It has finished its task.
    Done {
        /// User and system time that it took.
        cpu_seconds: f64,
        /// Peak resident memory.
        peak_bytes: u64,
    },
}

impl Event {
    fn send(&self) {
        use std::io::Write;
        if let Ok(line) = serde_json::to_string(self) {
            let mut output = std::io::stdout().lock();
            // A driver that is gone ends this process through its standard input.
            let _ = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    }

    fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// Repositories of one task that brought its worker down: key to reason and detail. Kept on disk until the
/// shard is finished, so that a killed run does not have to find them again.
#[derive(Default, Serialize, Deserialize)]
pub struct Quarantine {
    /// Fingerprint of the shard: with other settings or input they have to prove themselves again.
    fingerprint: String,
    repositories: BTreeMap<String, (String, String)>,
}

impl Quarantine {
    fn load(path: &Path) -> Result<Self> {
        match std::fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .with_context(|| format!("{} is damaged; delete it", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn store(&self, path: &Path) -> Result<()> {
        if self.repositories.is_empty() {
            return Self::remove(path);
        }
        Ok(trefoil_shards::write_json(path, self)?)
    }

    fn add(&mut self, key: &str, reason: &str, detail: String, path: &Path) -> Result<()> {
        self.repositories.insert(key.to_owned(), (reason.to_owned(), detail));
        self.store(path)
    }

    fn remove(path: &Path) -> Result<()> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => {
                // The folder goes with its last file.
                let _ = path.parent().map(std::fs::remove_dir);
                Ok(())
            }
        }
    }
}

/// Ctrl-C or a request to end.
#[derive(Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// The run was interrupted by the user.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; finished shards are kept, start it again to go on")]
pub struct Interrupted;

impl Cancel {
    /// Set by SIGINT and SIGTERM from now on. A second signal ends the process at once.
    pub fn on_signals() -> Result<Self> {
        let cancel = Self::default();
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(signal, 130, cancel.0.clone())
                .and_then(|_| signal_hook::flag::register(signal, cancel.0.clone()))
                .context("cannot listen for signals")?;
        }
        Ok(cancel)
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<()> {
        if self.is_set() { Err(Interrupted.into()) } else { Ok(()) }
    }
}

/// How a run is to be done.
pub struct Options {
    /// Cores to keep busy.
    pub jobs: usize,
    /// Failed repositories that are taken again.
    pub retry: Retry,
}

/// Runs everything that is not done. The folder must be locked.
pub fn run(
    config: &Config,
    folder: &RunFolder,
    options: &Options,
    cancel: &Cancel,
    progress: &Progress,
) -> Result<RunContext> {
    trefoil_shards::remove_leftovers(folder.root())?;
    let context = RunContext { folder: folder.clone(), plan: Plan::of(config) };
    remove_other_shards(&context)?;
    let remote = discover(config, &context, cancel, progress)?;
    let earlier = std::fs::read(folder.plan()).ok();
    let now = serde_json::to_vec_pretty(&context.plan)?;
    if earlier.is_none_or(|earlier| earlier.trim_ascii_end() != now) {
        trefoil_shards::write_json(&folder.plan(), &context.plan)?;
    }
    clones::tidy(&context)?;
    let Options { jobs, retry } = *options;
    let remote = &remote;
    let workers = &Workers::new(&context, jobs);
    let scheduler = Scheduler { context: &context, jobs, workers, retry, remote, cancel, progress };
    scheduler.run_local_stages()?;
    if clones::failed_in_passing(&context, remote)? {
        // The others took some time, and the network may be back.
        Scheduler { retry: Retry::Passing, ..scheduler }.run_local_stages()?;
    }
    clones::release(&context, remote)?;
    evidence::write(config, &context)?;
    let scheduler = Scheduler { retry: Retry::None, ..scheduler };
    if !global::is_done(&context, TaskKind::Dedup)? {
        scheduler.run_global(TaskKind::Dedup)?;
    }
    if !global::is_done(&context, TaskKind::Splitting)? {
        scheduler.run_global(TaskKind::Splitting)?;
    }
    export::run(&scheduler)?;
    // Workers that crashed or were stopped left what they had begun.
    trefoil_shards::remove_leftovers(folder.root())?;
    // A run that was killed just after a shard was finished leaves its file here.
    remove_folder(&folder.quarantines())?;
    Ok(context)
}

/// A worker process: one task, or task after task as they are ordered, until it is ended from outside.
pub fn work(plan: &Path, index: Option<usize>) -> Result<()> {
    let mut usage = Usage::of_process();
    let folder = RunFolder::new(plan.parent().unwrap_or(plan));
    let plan = Plan::load(plan)?;
    let orders = crate::process::behave_as_worker(plan.engine.worker_memory_bytes);
    // This thread is one of those that share the work, since memory is given back at least cost where it was taken.
    rayon::ThreadPoolBuilder::new().use_current_thread().build_global().context("cannot start threads")?;
    let context = RunContext { folder, plan };
    let _lock = context.folder.lock_as_worker()?;
    if let Some(index) = index {
        return carry_out(&context, &Order { index, trial: None, retry: Retry::None });
    }
    for order in orders {
        let order = serde_json::from_str(&order).with_context(|| format!("no order: {order}"))?;
        carry_out(&context, &order)?;
        let (cpu_seconds, peak_bytes) = usage.so_far();
        Event::Done { cpu_seconds, peak_bytes }.send();
        usage = Usage::from_now();
    }
    Ok(())
}

fn carry_out(context: &RunContext, order: &Order) -> Result<()> {
    match context.plan.task(order.index) {
        TaskKind::Shard { stage, shard } => {
            let credentials = clones::credentials(&context.plan.web)?;
            let mut task = task::ShardTask::open(context, stage, shard, credentials)?;
            match &order.trial {
                Some(key) => task.trial(key),
                None => task.run(order.retry),
            }
        }
        TaskKind::Dedup => global::dedup(context),
        TaskKind::Splitting => global::split(context),
        TaskKind::Export { group } => export::write_group(context, group),
    }
}

/// What each stage would have to do, for `--dry-run` and `status`: finished and all shards by stage. Of
/// `stale` shards discovery has seen that their repositories are others now.
pub fn outlook(
    context: &RunContext,
    stale: &BTreeSet<u32>,
    retry: Retry,
    progress: &Progress,
) -> Result<Vec<(&'static str, u32, u32)>> {
    let cancel = Cancel::default();
    let remote = BTreeSet::new();
    let workers = &Workers::new(context, 1);
    let scheduler =
        Scheduler { context, jobs: 1, workers, retry, remote: &remote, cancel: &cancel, progress };
    let shards = context.plan.shards;
    let mut stages = Vec::new();
    let mut all_done = true;
    for (place, stage) in trefoil_stages::all().iter().enumerate() {
        let mut done = 0;
        for shard in 0..shards {
            done += u32::from(!stale.contains(&shard) && scheduler.is_done(place, shard)?);
        }
        all_done &= done == shards;
        stages.push((stage.name(), done, shards));
    }
    for (name, task) in [("dedup", TaskKind::Dedup), ("splitting", TaskKind::Splitting)] {
        all_done = all_done && global::is_done(context, task)?;
        stages.push((name, u32::from(all_done), 1));
    }
    let (done, groups) = if all_done { export::outlook(context)? } else { (0, 1) };
    stages.push(("export", done, groups));
    Ok(stages)
}

/// With another number of shards nothing of the old ones can be used.
fn remove_other_shards(context: &RunContext) -> Result<()> {
    let names = trefoil_stages::all().iter().map(|stage| stage.name()).chain(["discovery"]);
    let same = Plan::load(&context.folder.plan()).is_ok_and(|plan| plan.shards == context.plan.shards);
    names.filter(|_| !same).try_for_each(|name| remove_folder(&context.folder.stage(name)))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
