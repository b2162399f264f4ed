//! Which repositories a config means: those that it names, those of its lists, and those that GitHub finds, each
//! once.

use super::github::{self, Found};
use crate::config::Config;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use trefoil_shards::{ListedRepository, read_list};
use trefoil_stages::records::{Discovered, Failure};
use trefoil_stages::sources;

/// What a config means.
pub struct Entries {
    /// Repositories with their places.
    pub there: Vec<ListedRepository>,
    /// Those that have none any more.
    pub failures: Vec<Failure>,
}

/// The entries of the config, then those of its lists in their order, then what GitHub found beside them, if
/// that is finished. Relative paths count from the file that names them; they were made so when the config was
/// loaded.
pub fn entries(config: &Config, folder: &RunFolder) -> Result<Entries> {
    let mut there = named(config)?;
    there.extend(listed(config)?);
    if !config.github.is_asked() {
        return Ok(Entries { there, failures: Vec::new() });
    }
    let found = github::found(&folder.github()).context("what was found on GitHub cannot be read")?;
    Ok(joined(there, found, config))
}

/// Numbers, 0 where the list does not say, and names of the repositories of lists that lie on GitHub.
pub fn listed_on_github(config: &Config) -> Result<Vec<(u64, String)>> {
    let named = |entry: &ListedRepository| Some((entry.id, name_on_github(entry, config)?));
    Ok(listed(config)?.iter().filter_map(named).collect())
}

/// `owner/name` of an entry that lies on GitHub.
fn name_on_github(entry: &ListedRepository, config: &Config) -> Option<String> {
    let path = entry.location.strip_prefix(config.github.web.trim_end_matches('/'))?.trim_matches('/');
    Some(path.strip_suffix(".git").unwrap_or(path).to_owned())
}

fn joined(entries: Vec<ListedRepository>, found: Found, config: &Config) -> Entries {
    let web = config.github.web.trim_end_matches('/');
    let by_id: BTreeMap<u64, &Discovered> = found.repositories.iter().map(|row| (row.id, row)).collect();
    let absent: BTreeSet<&str> = found.failures.iter().map(|failure| failure.repository.as_str()).collect();
    let (mut there, mut taken) = (Vec::new(), BTreeSet::new());
    for mut entry in entries {
        let name = name_on_github(&entry, config);
        if name.as_deref().is_some_and(|name| absent.contains(name)) {
            continue;
        }
        let looked_up = name.as_ref().and_then(|name| found.names.get(name)).copied();
        let known = looked_up.or((entry.id != 0).then_some(entry.id)).and_then(|id| by_id.get(&id));
        if let Some(known) = known {
            // It may have moved since the list was made.
            entry = as_found(entry, known, web);
            if !taken.insert(key(&entry)) {
                continue;
            }
        } else {
            taken.insert(key(&entry));
        }
        there.push(entry);
    }
    let mut failures = found.failures;
    for row in &found.repositories {
        let entry = as_found(ListedRepository::default(), row, web);
        if row.is_empty {
            failures.push(empty(row));
        } else if taken.insert(key(&entry)) {
            there.push(entry);
        }
    }
    Entries { there, failures }
}

/// The entry at its present place, at the commit that was newest when it was found.
fn as_found(entry: ListedRepository, found: &Discovered, web: &str) -> ListedRepository {
    let or = |given: String, default: &str| if given.is_empty() { default.to_owned() } else { given };
    ListedRepository {
        host: or(entry.host, &found.host),
        name: or(entry.name, &found.repository),
        location: format!("{web}/{}.git", found.repository),
        revision: or(entry.revision, &found.commit),
        id: found.id,
    }
}

/// What tells repositories apart; GitHub's names do not by case.
fn key(entry: &ListedRepository) -> String {
    let place = sources::Location::Git { location: entry.location.clone(), revision: None };
    let (host, name) = sources::default_name(&place);
    let or = |given: &str, default: String| if given.is_empty() { default } else { given.to_owned() };
    format!("{}/{}", or(&entry.host, host), or(&entry.name, name)).to_lowercase()
}

fn empty(row: &Discovered) -> Failure {
    Failure {
        host: row.host.clone(),
        repository: row.repository.clone(),
        commit: String::new(),
        stage: "discovery".into(),
        reason: "repository_empty".into(),
        detail: "the repository has no commits".into(),
    }
}

fn named(config: &Config) -> Result<Vec<ListedRepository>> {
    let mut all = Vec::new();
    for repository in &config.repositories {
        let entry = ListedRepository {
            host: repository.host.clone().unwrap_or_default(),
            name: repository.name.clone().unwrap_or_default(),
            location: repository.location.clone(),
            revision: repository.revision.clone().unwrap_or_default(),
            id: 0,
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
    Ok(all)
}

fn listed(config: &Config) -> Result<Vec<ListedRepository>> {
    let mut all = Vec::new();
    for list in &config.lists {
        let folder = list.parent().unwrap_or(Path::new("."));
        for mut entry in read_list(list, &config.github.web)? {
            let relative = !entry.location.is_empty() && !sources::is_remote(&entry.location);
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
