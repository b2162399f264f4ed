//! What the user sees of long work: a bar per stage with rate and ETA on a terminal, plain lines otherwise;
//! and the figures of `--timings`.

use crate::engine::plan::TaskKind;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Seconds between two plain lines of one stage.
const QUIET: Duration = Duration::from_secs(10);

/// Progress of all stages.
pub struct Progress {
    terminal: Option<MultiProgress>,
    quiet: bool,
    start: Instant,
    stages: Mutex<BTreeMap<usize, Stage>>,
}

struct Stage {
    name: &'static str,
    bar: Option<ProgressBar>,
    tasks: u64,
    skipped: u64,
    repositories: u64,
    bytes: u64,
    first: Option<Instant>,
    last: Instant,
    spoken: Instant,
    cpu_seconds: f64,
    peak_bytes: u64,
}

/// Figures of one stage.
#[derive(Serialize)]
struct Timing {
    stage: &'static str,
    tasks: u64,
    repositories: u64,
    source_bytes: u64,
    wall_seconds: f64,
    cpu_seconds: f64,
    megabytes_per_second: f64,
    peak_worker_bytes: u64,
}

/// Every stage in the order of the way of the data.
fn place(name: &str) -> usize {
    let local = trefoil_stages::all();
    match local.iter().position(|stage| stage.name() == name) {
        Some(place) => place,
        None => {
            local.len()
                + ["dedup", "splitting", "export"].iter().position(|known| *known == name).unwrap_or(3)
        }
    }
}

fn name(task: TaskKind) -> &'static str {
    match task {
        TaskKind::Shard { stage, .. } => trefoil_stages::all().get(stage).map_or("", |stage| stage.name()),
        TaskKind::Dedup => "dedup",
        TaskKind::Splitting => "splitting",
        TaskKind::Export { .. } => "export",
    }
}

fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

impl Progress {
    /// Shown on standard error: bars on a terminal, lines otherwise.
    pub fn new() -> Self {
        let terminal = std::io::stderr()
            .is_terminal()
            .then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(5)));
        Self { terminal, quiet: false, start: Instant::now(), stages: Mutex::default() }
    }

    /// Shows nothing.
    pub fn silent() -> Self {
        Self { terminal: None, quiet: true, start: Instant::now(), stages: Mutex::default() }
    }

    /// A line of its own.
    pub fn note(&self, text: &str) {
        self.speaker()(text);
    }

    /// What writes such lines, for whoever outlives a borrow of this.
    pub fn speaker(&self) -> Box<dyn Fn(&str) + Send + Sync> {
        match (&self.terminal, self.quiet) {
            (Some(terminal), _) => {
                let terminal = terminal.clone();
                Box::new(move |text| terminal.suspend(|| eprintln!("{text}")))
            }
            (None, true) => Box::new(|_| {}),
            (None, false) => Box::new(|text| eprintln!("{text}")),
        }
    }

    /// Expects this many shards in each repository-local stage.
    pub fn expect(&self, shards: u32) {
        for stage in trefoil_stages::all() {
            self.with(stage.name(), |stage| {
                if let Some(bar) = &stage.bar {
                    bar.set_length(u64::from(shards));
                }
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Stage>> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, name: &'static str, change: impl FnOnce(&mut Stage)) {
        let mut stages = self.lock();
        let stage = stages.entry(place(name)).or_insert_with(|| self.stage(name));
        change(stage);
        stage.last = Instant::now();
        if let Some(bar) = &stage.bar {
            bar.set_position(stage.tasks + stage.skipped);
            bar.set_message(stage.figures());
        } else if !self.quiet && stage.spoken.elapsed() >= QUIET {
            stage.spoken = Instant::now();
            eprintln!(
                "{:>6.0} s  {}: {}, {}",
                self.start.elapsed().as_secs_f64(),
                stage.name,
                counted(stage.tasks, "shard", "shards"),
                stage.figures()
            );
        }
    }

    fn stage(&self, name: &'static str) -> Stage {
        let style =
            ProgressStyle::with_template("{prefix:>10} {bar:24} {pos}/{len} shards, {msg}, ETA {eta}");
        let bar = self.terminal.as_ref().map(|terminal| {
            let bar = terminal.add(ProgressBar::new(0)).with_prefix(name);
            match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        let now = Instant::now();
        Stage {
            name,
            bar,
            tasks: 0,
            skipped: 0,
            repositories: 0,
            bytes: 0,
            first: None,
            last: now,
            spoken: now,
            cpu_seconds: 0.0,
            peak_bytes: 0,
        }
    }

    /// A shard that was finished before.
    pub fn skipped(&self, name: &'static str) {
        self.with(name, |stage| stage.skipped += 1);
    }

    /// A worker starts on a task.
    pub fn started(&self, task: TaskKind) {
        self.with(name(task), |stage| {
            stage.first.get_or_insert_with(Instant::now);
        });
    }

    /// A repository is through.
    pub fn repository(&self, task: TaskKind, bytes: u64) {
        self.with(name(task), |stage| {
            stage.repositories += 1;
            stage.bytes += bytes;
        });
    }

    /// A worker's own account.
    pub fn usage(&self, task: TaskKind, cpu_seconds: f64, peak_bytes: u64) {
        self.with(name(task), |stage| {
            stage.cpu_seconds += cpu_seconds;
            stage.peak_bytes = stage.peak_bytes.max(peak_bytes);
        });
    }

    /// A task is finished.
    pub fn task_done(&self, task: TaskKind) {
        self.with(name(task), |stage| stage.tasks += 1);
    }

    /// Ends the bars and says in a line per stage what was done.
    pub fn finish(&self) {
        for stage in self.lock().values() {
            if let Some(bar) = &stage.bar {
                bar.finish_and_clear();
            }
            if !self.quiet && stage.tasks > 0 {
                eprintln!(
                    "{:>10}: {}, {}",
                    stage.name,
                    counted(stage.tasks, "shard", "shards"),
                    stage.figures()
                );
            }
        }
    }

    /// Writes the figures of `--timings`.
    pub fn write_timings(&self, path: &Path) -> anyhow::Result<()> {
        let timings: Vec<Timing> = self.lock().values().map(Stage::timing).collect();
        let (cpu_seconds, peak_bytes) = crate::process::Usage::of_process().so_far();
        let all = serde_json::json!({
            "wall_seconds": self.start.elapsed().as_secs_f64(),
            "driver": { "cpu_seconds": cpu_seconds, "peak_bytes": peak_bytes },
            "stages": timings,
        });
        Ok(trefoil_shards::write_json(path, &all)?)
    }
}

impl Stage {
    /// From the start of its first task to its last news.
    fn seconds(&self) -> f64 {
        self.first.map_or(0.0, |first| (self.last - first).as_secs_f64())
    }

    fn rate(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.seconds().max(0.001)
    }

    fn figures(&self) -> String {
        match (self.repositories, self.bytes) {
            (0, _) => format!("{:.1} s", self.seconds()),
            (repositories, 0) => {
                let repositories = counted(repositories, "repository", "repositories");
                format!("{repositories}, {:.1} s", self.seconds())
            }
            (repositories, bytes) => {
                let repositories = counted(repositories, "repository", "repositories");
                format!("{repositories}, {:.1} MB, {:.1} MB/s", bytes as f64 / 1e6, self.rate())
            }
        }
    }

    fn timing(&self) -> Timing {
        Timing {
            stage: self.name,
            tasks: self.tasks,
            repositories: self.repositories,
            source_bytes: self.bytes,
            wall_seconds: self.seconds(),
            cpu_seconds: self.cpu_seconds,
            megabytes_per_second: self.rate(),
            peak_worker_bytes: self.peak_bytes,
        }
    }
}
