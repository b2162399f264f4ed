//! The plan of a run: what every worker process needs to know, and the numbers of its tasks.

use crate::config;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use trefoil_stages::{RepositoryStage, Settings};

/// Contents of `plan.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Version of the program.
    pub program: String,
    /// Shards.
    pub shards: u32,
    /// Address that repositories of GitHub are cloned from; its tokens are shown to no other server.
    pub web: String,
    /// Limits of workers.
    pub engine: config::Engine,
    /// Settings of the stages.
    pub settings: Settings,
}

/// A task by what it does. Its number is its place in: every shard of the first stage, of the second …,
/// deduplication, splitting, the groups of export.
#[derive(Clone, Copy)]
pub enum TaskKind {
    /// One shard of a repository-local stage.
    Shard {
        /// The stage's place in [`trefoil_stages::all`].
        stage: usize,
        /// The shard.
        shard: u32,
    },
    /// Deduplication.
    Dedup,
    /// Splitting.
    Splitting,
    /// One group of shards of the export.
    Export {
        /// The group's place in the export plan.
        group: usize,
    },
}

impl Plan {
    /// The plan of a config.
    pub fn of(config: &config::Config) -> Self {
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            shards: config.run.shards,
            web: config.github.web.clone(),
            engine: config.engine.clone(),
            settings: config.settings(),
        }
    }

    /// The plan in a run's folder.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes =
            std::fs::read(path).with_context(|| format!("cannot read the plan {}", path.display()))?;
        serde_json::from_slice(&bytes)
            .with_context(|| format!("the plan {} is damaged; run again", path.display()))
    }

    /// Number of a task.
    pub fn index(&self, task: TaskKind) -> usize {
        let local = trefoil_stages::all().len() * self.shards as usize;
        match task {
            TaskKind::Shard { stage, shard } => stage * self.shards as usize + shard as usize,
            TaskKind::Dedup => local,
            TaskKind::Splitting => local + 1,
            TaskKind::Export { group } => local + 2 + group,
        }
    }

    /// The task with this number.
    pub fn task(&self, index: usize) -> TaskKind {
        let shards = self.shards as usize;
        let local = trefoil_stages::all().len() * shards;
        match index.checked_sub(local) {
            None => TaskKind::Shard { stage: index / shards, shard: (index % shards) as u32 },
            Some(0) => TaskKind::Dedup,
            Some(1) => TaskKind::Splitting,
            Some(after) => TaskKind::Export { group: after - 2 },
        }
    }
}

/// The stage at a place of the list.
pub fn stage(place: usize) -> Result<&'static dyn RepositoryStage> {
    match trefoil_stages::all().get(place) {
        Some(stage) => Ok(*stage),
        None => bail!("there is no stage number {place}"),
    }
}

/// Name of the stage before the one at `place`.
pub fn stage_before(place: usize) -> &'static str {
    place
        .checked_sub(1)
        .and_then(|before| trefoil_stages::all().get(before))
        .map_or("discovery", |stage| stage.name())
}

/// The shard of a repository: a hash of its key alone, so that adding repositories renumbers no other.
pub fn shard_of(key: &str, shards: u32) -> u32 {
    let digest = trefoil_stages::records::identity(&["shard", key]);
    let start = digest.get(..16).unwrap_or_default();
    let number = u64::from_str_radix(start, 16).unwrap_or_default();
    (number % u64::from(shards)) as u32
}

/// Everything that belongs to one run in this process.
pub struct RunContext {
    /// Where it lies.
    pub folder: RunFolder,
    /// Its plan.
    pub plan: Plan,
}

impl RunContext {
    /// Where clones of remote repositories are kept.
    pub fn clones(&self) -> PathBuf {
        match &self.plan.settings.cloning.store {
            own if own.as_os_str().is_empty() => self.folder.clones(),
            shared => shared.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_tasks_agree() {
        let plan = Plan {
            program: String::new(),
            shards: 3,
            web: String::new(),
            engine: config::Engine::default(),
            settings: Settings::default(),
        };
        for index in 0..40 {
            assert_eq!(plan.index(plan.task(index)), index);
        }
    }
}
