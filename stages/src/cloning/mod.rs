//! Cloning: from the place of a repository to pinned objects that can be read. A remote repository is
//! fetched into the run's folder once; a local one is read where it lies. Finds its licence on the way.

mod licence;

pub(crate) use licence::is_evidence;

use crate::records::{Record, Repository, Schema};
use crate::sources::{self, Limits, Listed, Location, Source, SourceError};
use crate::stage::{Input, Output, RepositoryStage, StageError, Work, write};
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
    /// Longest fetch, in seconds.
    pub max_fetch_seconds: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_repository_bytes: 512 << 20, max_fetch_bytes: 4 << 30, max_fetch_seconds: 1_800 }
    }
}

impl From<SourceError> for StageError {
    fn from(error: SourceError) -> Self {
        Self::Repository { reason: error.reason(), detail: error.to_string() }
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

/// Where the clone of a remote repository lies.
fn clone_folder(clones: &Path, repository: &Repository) -> PathBuf {
    clones.join(crate::records::identity(&["clone", &repository.location, &repository.revision]) + ".git")
}

/// Opens a repository that cloning has brought here.
pub(crate) fn open(work: &Work<'_>) -> Result<Box<dyn Source>, SourceError> {
    let Repository { location, revision, .. } = work.repository;
    let place = if sources::is_remote(location) {
        let clone = clone_folder(work.clones, work.repository);
        Location::Git { location: clone.display().to_string(), revision: None }
    } else {
        place(location, revision)
    };
    sources::open(&place, &limits(work.settings), &|path| wanted(work.settings, path))
}

/// The stage.
pub struct Cloning;

impl RepositoryStage for Cloning {
    fn name(&self) -> &'static str {
        "cloning"
    }

    fn version(&self) -> u32 {
        3
    }

    fn reads(&self) -> &'static [&'static str] {
        &["discovery"]
    }

    fn writes(&self) -> &'static [&'static Schema] {
        &[&Repository::SCHEMA]
    }

    fn settings(&self, settings: &crate::Settings) -> serde_json::Value {
        serde_json::json!({
            "cloning": settings.cloning,
            "languages": settings.parsing.languages,
            "max_file_bytes": settings.parsing.max_file_bytes,
        })
    }

    fn process(&self, work: &Work<'_>, _: &mut dyn Input, output: &mut dyn Output) -> Result<(), StageError> {
        let Repository { location, revision, commit, .. } = work.repository;
        if sources::is_remote(location) {
            let clone = clone_folder(work.clones, work.repository);
            if !clone.exists() {
                let revision = (!revision.is_empty()).then_some(revision.as_str());
                sources::fetch(location, revision, &clone, &limits(work.settings))?;
            }
        }
        let mut source = open(work)?;
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
        let licence = licence::find(source.as_mut())?;
        let row = Repository {
            commit: pinned,
            source_files,
            source_bytes: bytes,
            licence: licence.expression,
            licence_files: licence.files,
            licence_confidence: licence.confidence,
            ..work.repository.clone()
        };
        Ok(write(output, &Repository::SCHEMA, &[row])?)
    }
}

/// A place that is not what it was when the run began.
pub(crate) fn changed(location: &str) -> StageError {
    StageError::Repository {
        reason: "changed_while_reading",
        detail: format!("{location} changed during the run; run again to take it as it is now"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_of_a_url_reach_no_row() {
        let row = resolve("https://user:secret@example.org/a/b.git", "", "", "", &crate::Settings::default());
        assert_eq!((row.host.as_str(), row.repository.as_str()), ("example.org", "a/b"));
        assert_eq!(row.location, "https://example.org/a/b.git");
    }

    #[test]
    fn a_place_that_cannot_be_resolved_says_so_in_place_of_a_commit() {
        let row = resolve("/nonexistent/a", "", "", "", &crate::Settings::default());
        assert_eq!(row.commit, "unresolved:repository_missing");
    }
}
