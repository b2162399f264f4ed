//! The worker's side: one shard of one stage, repository by repository.

use super::plan::{RunContext, shard_of, stage, stage_before};
use super::retry::Retry;
use super::{Event, Quarantine, fingerprint};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use trefoil_shards::{Manifest, ShardInput, ShardWriter};
use trefoil_stages::records::{Column, Failure, Record, Repository, Schema};
use trefoil_stages::sources::Credentials;
use trefoil_stages::{Input, RepositoryStage, StageError, TableError, Work, stage as rows};

/// A repository and the fingerprint that its rows will have.
struct Turn {
    key: String,
    repository: Repository,
    fingerprint: String,
}

/// One shard of one stage.
pub struct ShardTask<'a> {
    context: &'a RunContext,
    stage: &'static dyn RepositoryStage,
    shard: u32,
    turns: Vec<Turn>,
    input: RepositoryInput,
    clones: PathBuf,
    credentials: Option<Credentials>,
}

impl<'a> ShardTask<'a> {
    /// Opens what the task reads.
    pub fn open(
        context: &'a RunContext,
        place: usize,
        shard: u32,
        credentials: Option<Credentials>,
    ) -> Result<Self> {
        let stage = stage(place)?;
        let before = ShardInput::open(&context.folder.shard(stage_before(place), shard))?;
        let settings = &context.plan.settings;
        let fingerprints: BTreeMap<String, String> = before
            .manifest
            .repositories
            .iter()
            .filter(|(_, entry)| entry.failure.is_none())
            .map(|(key, entry)| {
                (key.clone(), fingerprint::of_repository(stage, settings, key, &entry.fingerprint))
            })
            .collect();
        let names = if place == 0 { "discovery" } else { "cloning" };
        let mut input = RepositoryInput::of_shard(context, shard);
        let mut turns = Vec::with_capacity(fingerprints.len());
        for (key, fingerprint) in fingerprints {
            input.take(&key);
            let repository = rows::read::<Repository>(&mut input, names)?.pop();
            let repository = repository.with_context(|| format!("{key} has no row in {names}"))?;
            turns.push(Turn { key, repository, fingerprint });
        }
        Ok(Self { context, stage, shard, turns, input, clones: context.clones(), credentials })
    }

    fn folder(&self) -> PathBuf {
        self.context.folder.shard(self.stage.name(), self.shard)
    }

    fn schemas(&self) -> Vec<&'static Schema> {
        self.stage.writes().iter().copied().chain([&Failure::SCHEMA]).collect()
    }

    /// Computes the shard, carrying over what an earlier version of it holds already.
    pub fn run(&mut self, retry: Retry) -> Result<()> {
        let quarantine = Quarantine::load(&self.context.folder.quarantine(self.stage.name(), self.shard))?;
        let mut known: HashMap<String, (String, String)> = quarantine.repositories.into_iter().collect();
        let mut earlier = earlier_version(&self.folder());
        // A repository that fails after some of its rows went into the file cannot be taken back: the shard
        // is started again with the failure known beforehand. Every round adds one, so this ends.
        while let Some((key, failure)) = self.attempt(&known, earlier.as_mut(), retry)? {
            known.insert(key, failure);
        }
        let work = |turn| work(self.context, &self.clones, self.credentials.as_ref(), turn);
        self.turns.iter().try_for_each(|turn| Ok(self.stage.finished(&work(&turn.repository))?))
    }

    fn attempt(
        &mut self,
        known: &HashMap<String, (String, String)>,
        mut earlier: Option<&mut ShardInput>,
        retry: Retry,
    ) -> Result<Option<(String, (String, String))>> {
        let pairs = self.turns.iter().map(|turn| (turn.key.as_str(), turn.fingerprint.as_str()));
        let fingerprint = fingerprint::of_shard(self.stage.name(), pairs);
        let mut writer =
            ShardWriter::create(&self.folder(), self.stage.name(), &fingerprint, &self.schemas())?;
        for place in 0..self.turns.len() {
            let Some(turn) = self.turns.get(place) else { break };
            if let Some(failure) = known.get(&turn.key) {
                write_failure(&mut writer, turn, self.stage.name(), failure)?;
                continue;
            }
            if let Some(earlier) = earlier.as_deref_mut()
                && earlier.manifest.repositories.get(&turn.key).is_some_and(|entry| {
                    entry.fingerprint == turn.fingerprint
                        && !entry.failure.as_deref().is_some_and(|failure| retry.takes(failure))
                })
            {
                writer.carry_over(earlier, &turn.key)?;
                continue;
            }
            Event::Start { key: turn.key.clone() }.send();
            self.input.take(&turn.key);
            let work = work(self.context, &self.clones, self.credentials.as_ref(), &turn.repository);
            match process(self.stage, &work, &mut self.input, &mut writer)? {
                None => writer.end_repository(&turn.key, &turn.fingerprint, None)?,
                Some(failure) if writer.forget_repository() => {
                    write_failure(&mut writer, turn, self.stage.name(), &failure)?;
                }
                Some(failure) => return Ok(Some((turn.key.clone(), failure))),
            }
            Event::End { bytes: turn.repository.source_bytes }.send();
        }
        writer.commit()?;
        Ok(None)
    }

    /// Works on one repository and keeps nothing.
    pub fn trial(&mut self, key: &str) -> Result<()> {
        let Some(turn) = self.turns.iter().find(|turn| turn.key == key) else { return Ok(()) };
        let folder = self.context.folder.stage(self.stage.name()).join(format!("trial-{:05}", self.shard));
        let mut writer = ShardWriter::create(&folder, self.stage.name(), "", &self.schemas())?;
        self.input.take(key);
        let work = work(self.context, &self.clones, self.credentials.as_ref(), &turn.repository);
        process(self.stage, &work, &mut self.input, &mut writer)?;
        writer.abandon()?;
        Ok(())
    }
}

/// The finished and sound earlier version of a shard, if there is one.
fn earlier_version(folder: &Path) -> Option<ShardInput> {
    let manifest = Manifest::load(folder).ok()??;
    manifest.check(folder).ok()?;
    ShardInput::open(folder).ok()
}

/// What a stage is told of one repository.
pub fn work<'w>(
    context: &'w RunContext,
    clones: &'w Path,
    credentials: Option<&'w Credentials>,
    repository: &'w Repository,
) -> Work<'w> {
    Work { repository, settings: &context.plan.settings, clones, credentials }
}

/// Runs the stage on one repository; the answer is its failure, if any. Panics stop here.
fn process(
    stage: &dyn RepositoryStage,
    work: &Work<'_>,
    input: &mut RepositoryInput,
    writer: &mut ShardWriter,
) -> Result<Option<(String, String)>> {
    match catch_unwind(AssertUnwindSafe(|| stage.process(work, input, writer))) {
        Ok(Ok(())) => Ok(None),
        Ok(Err(StageError::Repository { reason, detail })) => Ok(Some((reason.to_owned(), detail))),
        Ok(Err(StageError::Tables(error))) => Err(error.into()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Ok(Some(("panicked".to_owned(), text.unwrap_or_default())))
        }
    }
}

fn write_failure(
    writer: &mut ShardWriter,
    turn: &Turn,
    stage: &str,
    (reason, detail): &(String, String),
) -> Result<()> {
    let row = Failure {
        host: turn.repository.host.clone(),
        repository: turn.repository.repository.clone(),
        commit: turn.repository.commit.clone(),
        stage: stage.to_owned(),
        reason: reason.clone(),
        detail: detail.clone(),
    };
    rows::write(writer, &Failure::SCHEMA, &[row])?;
    writer.end_repository(&turn.key, &turn.fingerprint, Some(reason))?;
    Ok(())
}

/// What a stage sees of earlier stages: the rows of the repository in hand.
#[derive(Default)]
pub struct RepositoryInput {
    folder: PathBuf,
    shard: u32,
    key: String,
    open: HashMap<&'static str, ShardInput>,
}

impl RepositoryInput {
    /// The rows of the repositories of one shard; nothing is in hand yet.
    pub fn of_shard(context: &RunContext, shard: u32) -> Self {
        Self { folder: context.folder.root().to_owned(), shard, ..Self::default() }
    }

    /// Takes a repository in hand.
    pub fn take(&mut self, key: &str) {
        key.clone_into(&mut self.key);
    }
}

impl Input for RepositoryInput {
    fn visit(
        &mut self,
        stage: &'static str,
        schema: &Schema,
        visit: &mut dyn FnMut(&[Column<'_>], usize),
    ) -> Result<(), TableError> {
        if !self.open.contains_key(stage) {
            let folder = crate::run_folder::RunFolder::new(&self.folder).shard(stage, self.shard);
            self.open.insert(stage, ShardInput::open(&folder)?);
        }
        match self.open.get_mut(stage) {
            Some(shard) => Ok(shard.visit(&self.key, schema, visit)?),
            None => Ok(()),
        }
    }
}

/// Reads rows of one repository out of any finished stage; for commands and the export.
pub fn rows_of<R: Record>(
    context: &RunContext,
    stage: &'static str,
    key: &str,
    wanted: impl Fn(&R) -> bool,
) -> Result<Vec<R>> {
    let mut input = RepositoryInput::of_shard(context, shard_of(key, context.plan.shards));
    input.take(key);
    Ok(rows::read_if(&mut input, stage, wanted)?)
}
