//! The tables of a finished discovery.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use trefoil_discovery::Repository;
use trefoil_shards::{TableWriter, digest_of_file, read_table, temporary};
use trefoil_stages::records::{Discovered, Failure, Record};

/// Rows that are written at once.
const BATCH: usize = 4_096;

/// Writes the tables and the names; their digests. `listed` are numbers of repositories with the names that lists
/// know them by.
pub fn write(
    folder: &Path,
    host: &str,
    found: &trefoil_discovery::Found,
    listed: &[(u64, String)],
) -> Result<[String; 3]> {
    let mut met = met(folder, found, listed);
    let mut writer = Writer::<Discovered>::create(folder)?;
    let mut outcome = Ok(());
    found.each(|repository| {
        if outcome.is_ok() {
            let names = met.remove(&repository.id).unwrap_or_default();
            outcome = writer.add(discovered(host, repository, names));
        }
    })?;
    outcome?;
    let repositories = writer.finish()?;
    let mut writer = Writer::<Failure>::create(folder)?;
    for (name, result) in &found.names {
        if let Err((absence, detail)) = result {
            writer.add(Failure {
                host: host.to_owned(),
                repository: name.clone(),
                commit: String::new(),
                stage: "discovery".to_owned(),
                reason: absence.reason().to_owned(),
                detail: detail.clone(),
            })?;
        }
    }
    let failures = writer.finish()?;
    let there = found.names.iter().filter_map(|(name, result)| Some((name, *result.as_ref().ok()?)));
    let names = folder.join(NAMES);
    trefoil_shards::write_json(&names, &there.collect::<BTreeMap<_, _>>())?;
    Ok([repositories, failures, digest_of_file(&names)?.0])
}

const DISCOVERED: &str = "discovered.parquet";
const FAILURES: &str = "failures.parquet";
/// Which id each name belongs to.
const NAMES: &str = "names.json";

/// Digests of the files as they lie there.
pub fn digests(folder: &Path) -> Result<[String; 3]> {
    let digest = |name: &str| Ok::<_, anyhow::Error>(digest_of_file(&folder.join(name))?.0);
    Ok([digest(DISCOVERED)?, digest(FAILURES)?, digest(NAMES)?])
}

/// What a finished discovery has found.
pub struct Found {
    /// Repositories in the order of ids.
    pub repositories: Vec<Discovered>,
    /// Names that are not there.
    pub failures: Vec<Failure>,
    /// Ids of the names that are.
    pub names: BTreeMap<String, u64>,
}

/// Reads it.
pub fn found(folder: &Path) -> Result<Found> {
    let (mut repositories, mut failures) = (Vec::new(), Vec::new());
    read_table(&folder.join(DISCOVERED), |row: Discovered| repositories.push(row))?;
    read_table(&folder.join(FAILURES), |row: Failure| failures.push(row))?;
    let names = serde_json::from_slice(&std::fs::read(folder.join(NAMES))?)?;
    Ok(Found { repositories, failures, names })
}

/// The names that repositories were met under, by number: those that were looked up, those of lists, and those of the
/// discovery before, whose tables this one replaces.
fn met(
    folder: &Path,
    found: &trefoil_discovery::Found,
    listed: &[(u64, String)],
) -> BTreeMap<u64, BTreeSet<String>> {
    let mut met: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    let looked_up =
        found.names.iter().filter_map(|(name, result)| Some((*result.as_ref().ok()?, name.clone())));
    for (id, name) in looked_up.chain(listed.iter().cloned()) {
        met.entry(id).or_default().insert(name);
    }
    // What cannot be read, or is of another version, costs no more than the names in it.
    let _ = read_table(&folder.join(DISCOVERED), |row: Discovered| {
        met.entry(row.id).or_default().extend(row.former_names.into_iter().chain([row.repository]));
    });
    met
}

fn discovered(host: &str, repository: Repository, names: BTreeSet<String>) -> Discovered {
    // To GitHub names are the same whatever their case.
    let is_former = |name: &String| !name.eq_ignore_ascii_case(&repository.full_name);
    let former_names = names.into_iter().filter(is_former).collect();
    let kilobytes = |bytes: u64| u32::try_from(bytes.div_ceil(1_024)).unwrap_or(u32::MAX);
    let (languages, bytes): (Vec<String>, Vec<u64>) = repository.languages.into_iter().unzip();
    Discovered {
        host: host.to_owned(),
        repository: repository.full_name,
        id: repository.id,
        default_branch: repository.default_branch,
        commit: repository.commit,
        is_empty: repository.is_empty,
        declared_licence: repository.licence,
        stars: repository.stars,
        forks: repository.forks,
        is_fork: repository.is_fork,
        fork_parent: repository.parent,
        is_archived: repository.is_archived,
        created: repository.created,
        pushed: repository.pushed,
        updated: repository.updated,
        kilobytes: repository.kilobytes,
        former_names,
        language: repository.language,
        languages,
        language_kilobytes: bytes.into_iter().map(kilobytes).collect(),
    }
}

/// A table that appears whole or not at all.
struct Writer<R> {
    path: std::path::PathBuf,
    writer: TableWriter,
    rows: Vec<R>,
}

impl<R: Record> Writer<R> {
    fn create(folder: &Path) -> Result<Self> {
        let path = folder.join(format!("{}.parquet", R::SCHEMA.name));
        let writer = TableWriter::create(&temporary(&path), &R::SCHEMA)?;
        Ok(Self { path, writer, rows: Vec::new() })
    }

    fn add(&mut self, row: R) -> Result<()> {
        self.rows.push(row);
        if self.rows.len() == BATCH { self.hand_over() } else { Ok(()) }
    }

    fn hand_over(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.writer.append(&R::columns(&rows), rows.len())?;
        Ok(())
    }

    fn finish(mut self) -> Result<String> {
        self.hand_over()?;
        let file = self.writer.finish()?;
        std::fs::rename(temporary(&self.path), &self.path)?;
        Ok(file.sha256)
    }
}
