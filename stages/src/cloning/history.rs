//! The rows of a repository's past.

use crate::records::{FirstCommit, History, Repository};
use crate::sources::{self, Listed, Source, SourceError};

/// What the source's past says of these files of the repository; nothing where it has no past.
pub fn rows(
    source: &dyn Source,
    of: &Repository,
    files: &[&Listed],
) -> Result<Option<(History, Vec<FirstCommit>)>, SourceError> {
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let Some(past) = source.history(&paths)? else { return Ok(None) };
    let commit = source.pin().commit.as_str();
    let sources::Dates { authored, committed } = past.pinned;
    let history = History {
        host: of.host.clone(),
        repository: of.repository.clone(),
        commit: commit.to_owned(),
        authored,
        committed,
        commits: past.commits,
        is_whole: past.is_whole,
    };
    let first = files.iter().zip(past.first).filter_map(|(file, first)| {
        let sources::First { commit: first_commit, dates } = first?;
        Some(FirstCommit {
            host: of.host.clone(),
            repository: of.repository.clone(),
            commit: commit.to_owned(),
            path: file.path.clone(),
            blob_id: file.blob.to_string(),
            first_commit,
            authored: dates.authored,
            committed: dates.committed,
        })
    });
    Ok(Some((history, first.collect())))
}
