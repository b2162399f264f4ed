//! Discovery: the repositories that the config means, each resolved to what it is right now.
//!
//! It runs in the driver at every start, because only it can see that a branch has moved or a file changed.

use super::entries::{Entries, entries};
use super::plan::{RunContext, shard_of};
use super::{Cancel, fingerprint, github};
use crate::config::Config;
use crate::progress::Progress;
use anyhow::{Result, bail};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use trefoil_shards::{ListedRepository, Manifest, ShardWriter};
use trefoil_stages::cloning;
use trefoil_stages::records::{Failure, Record, Repository};
use trefoil_stages::sources;
use trefoil_stages::stage;

/// Writes the discovery shards that differ from what is there; those that hold remote repositories.
pub fn discover(
    config: &Config,
    context: &RunContext,
    cancel: &Cancel,
    progress: &Progress,
) -> Result<BTreeSet<u32>> {
    if config.github.is_asked() {
        github::Search::new(config, None, cancel, progress)?.run(&context.folder)?;
    }
    let (found, failures) = resolve(config, context)?;
    progress.note(&format!("discovery: {} repositories", found.len()));
    let shards = shards(&found, &failures, context.plan.shards);
    shards.iter().filter(|shard| !shard.is_done(context)).try_for_each(|shard| shard.write(context))?;
    Ok(shards.iter().filter(|shard| shard.is_remote()).map(|shard| shard.number).collect())
}

/// How many repositories the config names, and the shards that would differ from what is there.
pub fn outlook(config: &Config, context: &RunContext) -> Result<(usize, BTreeSet<u32>)> {
    if config.github.is_asked() && !github::is_finished(config, &context.folder)? {
        bail!(
            "what GitHub will find is not known yet; `trefoil discover` finds it, and with --estimate only counts it"
        );
    }
    let (found, failures) = resolve(config, context)?;
    let shards = shards(&found, &failures, context.plan.shards);
    let stale = shards.iter().filter(|shard| !shard.is_done(context)).map(|shard| shard.number);
    Ok((found.len(), stale.collect()))
}

/// A shard as it should be.
struct Wanted<'a> {
    number: u32,
    repositories: Vec<(&'a Repository, String)>,
    failures: &'a [Failure],
}

fn shards<'a>(found: &'a Found, failures: &'a [Failure], count: u32) -> Vec<Wanted<'a>> {
    // Entries that could not even be named belong to no shard of their own; the first keeps them.
    let failures = |number| if number == 0 { failures } else { &[] };
    let empty = |number| Wanted { number, repositories: Vec::new(), failures: failures(number) };
    let mut shards: Vec<Wanted<'_>> = (0..count).map(empty).collect();
    for (key, repository) in found {
        let print = fingerprint::of_discovered(repository);
        shards[shard_of(key, count) as usize].repositories.push((repository, print));
    }
    shards
}

impl Wanted<'_> {
    fn folder(&self, context: &RunContext) -> PathBuf {
        context.folder.shard("discovery", self.number)
    }

    fn is_remote(&self) -> bool {
        self.repositories.iter().any(|(repository, _)| sources::is_remote(&repository.location))
    }

    fn fingerprint(&self) -> String {
        let keys: Vec<String> = self.repositories.iter().map(|(repository, _)| repository.key()).collect();
        let parts =
            keys.iter().zip(&self.repositories).map(|(key, (_, print))| (key.as_str(), print.as_str()));
        let faults = self.failures.iter().flat_map(|Failure { host, repository, detail, .. }| {
            [(host.as_str(), repository.as_str()), ("", detail.as_str())]
        });
        fingerprint::of_shard("discovery", parts.chain(faults))
    }

    fn is_done(&self, context: &RunContext) -> bool {
        let folder = self.folder(context);
        let there = Manifest::load(&folder).ok().flatten();
        there.is_some_and(|there| there.fingerprint == self.fingerprint() && there.check(&folder).is_ok())
    }

    fn write(&self, context: &RunContext) -> Result<()> {
        let schemas = [&Repository::SCHEMA, &Failure::SCHEMA];
        let mut writer =
            ShardWriter::create(&self.folder(context), "discovery", &self.fingerprint(), &schemas)?;
        // The empty key sorts before all others.
        if !self.failures.is_empty() {
            stage::write(&mut writer, &Failure::SCHEMA, self.failures)?;
            writer.end_repository("", "", Some("not_taken"))?;
        }
        for (repository, print) in &self.repositories {
            stage::write(&mut writer, &Repository::SCHEMA, std::slice::from_ref(*repository))?;
            writer.end_repository(&repository.key(), print, None)?;
        }
        writer.commit()?;
        Ok(())
    }
}

type Found = BTreeMap<String, Repository>;

fn resolve(config: &Config, context: &RunContext) -> Result<(Found, Vec<Failure>)> {
    let Entries { there, failures: absent } = entries(config, &context.folder)?;
    let (entries, nowhere): (Vec<_>, Vec<_>) =
        there.into_iter().partition(|entry| !entry.location.is_empty());
    let settings = &context.plan.settings;
    let resolved: Vec<Repository> = entries
        .into_par_iter()
        .map(|entry| cloning::resolve(&entry.location, &entry.revision, &entry.host, &entry.name, settings))
        .collect();
    let mut found = Found::new();
    let mut failures: Vec<Failure> = nowhere.into_iter().map(without_location).chain(absent).collect();
    for repository in resolved {
        let key = repository.key();
        match found.get(&key) {
            None => {
                found.insert(key, repository);
            }
            Some(first) if first.location == repository.location && first.revision == repository.revision => {
            }
            Some(first) => failures.push(Failure {
                detail: format!(
                    "{} has the name of {}; give one of them another `name` or `host`",
                    repository.location, first.location
                ),
                host: repository.host,
                repository: repository.repository,
                commit: repository.commit,
                stage: "discovery".into(),
                reason: "duplicate_name".into(),
            }),
        }
    }
    let place =
        |failure: &Failure| (failure.detail.clone(), failure.host.clone(), failure.repository.clone());
    failures.sort_by_cached_key(place);
    Ok((found, failures))
}

fn without_location(entry: ListedRepository) -> Failure {
    Failure {
        host: entry.host,
        repository: entry.name,
        commit: String::new(),
        stage: "discovery".into(),
        reason: "no_location".into(),
        detail: "the entry has no `location`; give a path or a URL".into(),
    }
}
