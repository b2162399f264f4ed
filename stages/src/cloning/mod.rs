//! Cloning: from the place of a repository to pinned objects that can be read. A remote repository is
//! fetched into a store of clones; a local one is read where it lies. Finds its licence on the way.

mod arrival;
mod history;
mod hosts;
mod licence;
mod store;
#[cfg(test)]
mod tests;

use arrival::Arrival;
pub(crate) use licence::is_evidence;
pub use store::Store;

use crate::records::{FirstCommit, History, Record, Repository, Schema};
use crate::sources::{self, Depth, Limits, Listed, Listing, Location, Pin, Reading, Source, SourceError};
use crate::stage::{Input, Output, RepositoryStage, StageError, TableError, Work, write};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Settings of cloning.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Most bytes of source text in one repository; bounds the memory that a repository can take.
    pub max_repository_bytes: u64,
    /// Most bytes that a fetch may receive.
    pub max_fetch_bytes: u64,
    /// Longest fetch with all its tries, in seconds.
    pub max_fetch_seconds: u64,
    /// Tries of a fetch that the network or the server cut off.
    pub fetch_attempts: u32,
    /// Pause after the first of them, in seconds; each next one is twice as long.
    pub fetch_pause_seconds: u64,
    /// Workers that fetch at once.
    pub fetches: u32,
    /// Fetches from one host at once.
    pub fetches_per_host: u32,
    /// What becomes of a clone when its repository is parsed.
    pub keep: Keep,
    /// Folder of clones, which runs may share; without one, that of the run.
    pub store: PathBuf,
    /// Bytes of clones beyond which none is kept until it is parsed; it is fetched a second time then.
    pub max_store_bytes: u64,
    /// Whether repositories are fetched with their history, which says when each source file first came.
    pub history: bool,
}

/// What becomes of clones.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// They go when their repositories are parsed.
    None,
    /// They stay, as one pack each.
    Pack,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_repository_bytes: 512 << 20,
            max_fetch_bytes: 4 << 30,
            max_fetch_seconds: 1_800,
            fetch_attempts: 5,
            fetch_pause_seconds: 2,
            fetches: 4,
            fetches_per_host: 4,
            keep: Keep::Pack,
            store: PathBuf::new(),
            max_store_bytes: 50 << 30,
            history: false,
        }
    }
}

impl From<SourceError> for StageError {
    fn from(error: SourceError) -> Self {
        match error {
            // No fault of the repository's, and the next one would fare the same.
            SourceError::DiskFull { .. } => Self::Tables(TableError(error.into())),
            _ => Self::Repository { reason: error.reason(), detail: error.to_string() },
        }
    }
}

/// What discovery can say of an entry without reading its files: names, kind and, for local places, the
/// commit or digest. A place that cannot be resolved gets its reason instead of a commit, so that it is
/// looked at again as soon as that changes.
pub fn resolve(
    location: &str,
    revision: &str,
    host: &str,
    name: &str,
    settings: &crate::Settings,
) -> Repository {
    let place = place(location, revision);
    let (default_host, default_name) = sources::default_name(&place);
    let source = match &place {
        Location::Directory(_) => "directory",
        Location::Git { .. } => "git",
        Location::Archive(_) => "archive",
    };
    let commit = if sources::is_remote(location) {
        String::new()
    } else {
        match sources::pin(&place, &limits(settings), &|path| wanted(settings, path)) {
            Ok(pin) => pin.commit,
            Err(error) => format!("unresolved:{}", error.reason()),
        }
    };
    let or = |given: &str, default: String| if given.is_empty() { default } else { given.to_owned() };
    Repository {
        host: or(host, default_host),
        repository: or(name, default_name),
        commit,
        source: source.to_owned(),
        // A token in a URL must not reach a row, a plan or a log; such a repository is fetched without it.
        location: sources::without_credentials(location),
        revision: revision.to_owned(),
        source_files: 0,
        source_bytes: 0,
        licence: String::new(),
        licence_files: Vec::new(),
        licence_confidence: 0,
        vendored: Vec::new(),
        vendored_licences: Vec::new(),
    }
}

/// What kind of place a location is: URLs and folders with git's files are git, files are archives.
fn place(location: &str, revision: &str) -> Location {
    let path = Path::new(location);
    let bare = || ["HEAD", "objects", "refs"].iter().all(|name| path.join(name).exists());
    let git = sources::is_remote(location) || path.join(".git").exists() || bare();
    if git || !revision.is_empty() {
        let revision = (!revision.is_empty()).then(|| revision.to_owned());
        Location::Git { location: location.to_owned(), revision }
    } else if path.is_file() {
        Location::Archive(path.to_owned())
    } else {
        Location::Directory(path.to_owned())
    }
}

fn limits(settings: &crate::Settings) -> Limits {
    Limits {
        max_file_bytes: settings.parsing.max_file_bytes,
        max_kept_bytes: settings.cloning.max_repository_bytes,
        max_fetch_bytes: settings.cloning.max_fetch_bytes,
        max_fetch_seconds: settings.cloning.max_fetch_seconds,
        ..Limits::default()
    }
}

/// Whether a file of this path is read: to be parsed, for what it says of a project, or for the licence.
fn wanted(settings: &crate::Settings, path: &str) -> bool {
    let project = trefoil_languages::of_project_file(path);
    is_source(settings, path)
        || project.is_some_and(|(language, _)| is_chosen(settings, language))
        || is_evidence(path)
}

/// Whether a file of this path is parsed.
fn is_source(settings: &crate::Settings, path: &str) -> bool {
    trefoil_languages::of_path(path).is_some_and(|language| is_chosen(settings, language))
}

/// Whether files of this language are parsed.
pub(crate) fn is_chosen(settings: &crate::Settings, language: &trefoil_languages::Language) -> bool {
    settings.parsing.languages.iter().any(|name| name == language.name)
}

/// Opens a repository, after bringing it here where that is needed.
pub(crate) fn open(work: &Work<'_>, depth: Depth) -> Result<Box<dyn Source>, StageError> {
    let Repository { location, revision, commit, .. } = work.repository;
    let wanted = |path: &str| wanted(work.settings, path);
    let limits = limits(work.settings);
    if !sources::is_remote(location) {
        return Ok(sources::open(&place(location, revision), &limits, &wanted)?);
    }
    let revision = if commit.is_empty() { revision } else { commit };
    let settings = &work.settings.cloning;
    let arrival = Arrival {
        location,
        revision,
        depth,
        credentials: work.credentials,
        clones: work.clones,
        settings,
        limits: limits.clone(),
    };
    let (held, commit) = arrival.bring()?;
    let place = Location::Git { location: held.path().display().to_string(), revision: None };
    match sources::open(&place, &limits, &wanted) {
        Ok(source) => Ok(Box::new(Cloned { source, _held: held })),
        Err(error) => {
            drop(held);
            let error = error.into();
            forget_damaged(work, &commit, &error);
            Err(error)
        }
    }
}

/// The files of a clone, which is held while they are read.
struct Cloned {
    source: Box<dyn Source>,
    _held: store::Held,
}

impl Source for Cloned {
    fn pin(&self) -> &Pin {
        self.source.pin()
    }

    fn listing(&self) -> &Listing {
        self.source.listing()
    }

    fn read(&mut self, index: usize) -> Result<Reading, SourceError> {
        self.source.read(index)
    }

    fn history(&self, paths: &[&str]) -> Result<Option<sources::History>, SourceError> {
        self.source.history(paths)
    }
}

/// Removes a clone that was damaged after it came, so that it is fetched when the repository is taken again.
pub(crate) fn forget_damaged(work: &Work<'_>, commit: &str, error: &StageError) {
    let damaged = matches!(error, StageError::Repository { reason: "repository_corrupt", .. });
    if damaged && sources::is_remote(&work.repository.location) {
        // What cannot be removed is found damaged again.
        let _ = Store::new(work.clones).remove(commit);
    }
}

/// Removes the clone of a repository that is parsed for good, where none is kept.
pub fn release(work: &Work<'_>) -> Result<(), TableError> {
    match work.settings.cloning.keep {
        Keep::Pack => Ok(()),
        Keep::None => remove(work, &work.repository.commit),
    }
}

/// Removes a clone that is no longer read, where the store holds more than it may.
pub(crate) fn let_go(work: &Work<'_>, commit: &str) -> Result<(), StageError> {
    let bytes = Store::new(work.clones).bytes().map_err(|error| not_removed(work, error))?;
    if bytes > work.settings.cloning.max_store_bytes { Ok(remove(work, commit)?) } else { Ok(()) }
}

fn remove(work: &Work<'_>, commit: &str) -> Result<(), TableError> {
    if !sources::is_remote(&work.repository.location) {
        return Ok(());
    }
    Store::new(work.clones).remove(commit).map(drop).map_err(|error| not_removed(work, error))
}

fn not_removed(work: &Work<'_>, error: std::io::Error) -> TableError {
    TableError(SourceError::writing(&work.repository.location, "removing a clone", error).into())
}

/// The stage.
pub struct Cloning;

impl RepositoryStage for Cloning {
    fn name(&self) -> &'static str {
        "cloning"
    }

    fn version(&self) -> u32 {
        6
    }

    fn reads(&self) -> &'static [&'static str] {
        &["discovery"]
    }

    fn writes(&self) -> &'static [&'static Schema] {
        &[&Repository::SCHEMA, &History::SCHEMA, &FirstCommit::SCHEMA]
    }

    fn settings(&self, settings: &crate::Settings) -> serde_json::Value {
        let cloning = &settings.cloning;
        serde_json::json!({
            "max_repository_bytes": cloning.max_repository_bytes,
            "max_fetch_bytes": cloning.max_fetch_bytes,
            "max_fetch_seconds": cloning.max_fetch_seconds,
            "history": cloning.history,
            "languages": settings.parsing.languages,
            "max_file_bytes": settings.parsing.max_file_bytes,
        })
    }

    fn fetches(&self) -> bool {
        true
    }

    fn process(&self, work: &Work<'_>, _: &mut dyn Input, output: &mut dyn Output) -> Result<(), StageError> {
        let Repository { location, commit, .. } = work.repository;
        let with_history = work.settings.cloning.history;
        let mut source = open(work, if with_history { Depth::History } else { Depth::Commit })?;
        let pin = source.pin();
        if !sources::is_remote(location) && pin.commit != *commit {
            return Err(changed(location));
        }
        let pinned = pin.commit.clone();
        let of_source = |file: &&Listed| is_source(work.settings, &file.path);
        let files: Vec<&Listed> = source.listing().files.iter().filter(of_source).collect();
        let (source_files, bytes) = (files.len() as u64, files.iter().map(|file| file.bytes).sum());
        let limit = work.settings.cloning.max_repository_bytes;
        if bytes > limit {
            let detail = format!("{bytes} bytes of source; cloning.max_repository_bytes is {limit}");
            return Err(StageError::Repository { reason: "repository_too_large", detail });
        }
        let past = match with_history {
            true => history::rows(source.as_ref(), work.repository, &files),
            false => Ok(None),
        };
        let read = past
            .and_then(|past| Ok((past, licence::find(source.as_mut())?, licence::vendored(source.as_mut())?)))
            .map_err(StageError::from);
        drop(source);
        let (past, licence, vendored) = read.inspect_err(|error| forget_damaged(work, &pinned, error))?;
        let_go(work, &pinned)?;
        let row = Repository {
            commit: pinned,
            source_files,
            source_bytes: bytes,
            licence: licence.expression,
            licence_files: licence.files,
            licence_confidence: licence.confidence,
            vendored: vendored.keys().cloned().collect(),
            vendored_licences: vendored.into_values().collect(),
            ..work.repository.clone()
        };
        write(output, &Repository::SCHEMA, &[row])?;
        if let Some((history, first)) = past {
            write(output, &History::SCHEMA, &[history])?;
            write(output, &FirstCommit::SCHEMA, &first)?;
        }
        Ok(())
    }
}

/// A place that is not what it was when the run began.
pub(crate) fn changed(location: &str) -> StageError {
    StageError::Repository {
        reason: "changed_while_reading",
        detail: format!("{location} changed during the run; run again to take it as it is now"),
    }
}
