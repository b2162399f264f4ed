//! Discovery: the repositories that the config and its lists name, each resolved to what it is right now.
//!
//! It runs in the driver at every start, because only it can see that a branch has moved or a file changed.

use super::fingerprint;
use super::plan::{RunContext, shard_of};
use crate::config::Config;
use crate::progress::Progress;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trefoil_shards::{ListedRepository, Manifest, ShardWriter, read_list};
use trefoil_stages::cloning;
use trefoil_stages::records::{Failure, Record, Repository};
use trefoil_stages::stage;

/// Writes the discovery shards that differ from what is there.
pub fn discover(config: &Config, context: &RunContext, progress: &Progress) -> Result<()> {
    let (found, failures) = resolve(config, context)?;
    progress.note(&format!("discovery: {} repositories", found.len()));
    let shards = context.plan.shards;
    let mut by_shard: Vec<Vec<&Repository>> = vec![Vec::new(); shards as usize];
    for (key, repository) in &found {
        by_shard[shard_of(key, shards) as usize].push(repository);
    }
    for (shard, repositories) in (0..).zip(by_shard) {
        write_shard(context, shard, &repositories, &failures)?;
    }
    Ok(())
}

fn write_shard(
    context: &RunContext,
    shard: u32,
    repositories: &[&Repository],
    failures: &[Failure],
) -> Result<()> {
    let folder = context.folder.shard("discovery", shard);
    // Entries that could not even be named belong to no shard of their own; the first keeps them.
    let failures = if shard == 0 { failures } else { &[] };
    let prints: Vec<_> = repositories.iter().map(|r| (r.key(), fingerprint::of_discovered(r))).collect();
    let faults = failures.iter().flat_map(|Failure { host, repository, detail, .. }| {
        [(host.as_str(), repository.as_str()), ("", detail.as_str())]
    });
    let parts = prints.iter().map(|(key, print)| (key.as_str(), print.as_str())).chain(faults);
    let wanted = fingerprint::of_shard("discovery", parts);
    let there = Manifest::load(&folder).ok().flatten();
    if there.is_some_and(|there| there.fingerprint == wanted && there.check(&folder).is_ok()) {
        return Ok(());
    }
    let mut writer =
        ShardWriter::create(&folder, "discovery", &wanted, &[&Repository::SCHEMA, &Failure::SCHEMA])?;
    // The empty key sorts before all others.
    if !failures.is_empty() {
        stage::write(&mut writer, &Failure::SCHEMA, failures)?;
        writer.end_repository("", "", Some("not_taken"))?;
    }
    for (repository, (key, print)) in repositories.iter().zip(&prints) {
        stage::write(&mut writer, &Repository::SCHEMA, &[(*repository).clone()])?;
        writer.end_repository(key, print, None)?;
    }
    writer.commit()?;
    Ok(())
}

type Found = BTreeMap<String, Repository>;

fn resolve(config: &Config, context: &RunContext) -> Result<(Found, Vec<Failure>)> {
    let (entries, nowhere): (Vec<_>, Vec<_>) =
        entries(config)?.into_iter().partition(|entry| !entry.location.is_empty());
    let settings = &context.plan.settings;
    let resolved: Vec<Repository> = entries
        .into_par_iter()
        .map(|entry| cloning::resolve(&entry.location, &entry.revision, &entry.host, &entry.name, settings))
        .collect();
    let mut found = Found::new();
    let mut failures: Vec<Failure> = nowhere.into_iter().map(without_location).collect();
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

/// The entries of the config, then those of its lists in their order. Relative paths count from the file
/// that names them; they were made so when the config was loaded.
fn entries(config: &Config) -> Result<Vec<ListedRepository>> {
    let mut all = Vec::new();
    for repository in &config.repositories {
        let entry = ListedRepository {
            host: repository.host.clone().unwrap_or_default(),
            name: repository.name.clone().unwrap_or_default(),
            location: repository.location.clone(),
            revision: repository.revision.clone().unwrap_or_default(),
        };
        match repository.location.strip_suffix("/*") {
            None => all.push(entry),
            Some(_) if repository.name.is_some() => {
                bail!("repositories: `{}` stands for many and cannot have one `name`", repository.location)
            }
            Some(folder) => {
                for location in folders_in(Path::new(folder))? {
                    all.push(ListedRepository { location: location.display().to_string(), ..entry.clone() });
                }
            }
        }
    }
    for list in &config.lists {
        let folder = list.parent().unwrap_or(Path::new("."));
        for mut entry in read_list(list)? {
            let relative = !entry.location.is_empty() && !trefoil_stages::sources::is_remote(&entry.location);
            if relative {
                entry.location = folder.join(&entry.location).display().to_string();
            }
            all.push(entry);
        }
    }
    Ok(all)
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    Ok(folders)
}

/// Number of different repositories that the config names.
pub fn count(config: &Config, context: &RunContext) -> Result<usize> {
    Ok(resolve(config, context)?.0.len())
}
