//! Answers of an earlier discovery with their ETags. GitHub does not count an answer that says that nothing has
//! changed, so that a list can be refreshed without touching the limits. GraphQL has no such thing and needs
//! it less, with fifty names in a request.

use crate::DiscoveryError;
use crate::repository::Repository;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
struct Entry {
    etag: String,
    repository: Repository,
}

/// By the name that was asked for.
#[derive(Default)]
pub(crate) struct Known {
    path: Option<PathBuf>,
    entries: BTreeMap<String, Entry>,
}

impl Known {
    /// What an earlier discovery left. A file that cannot be read only costs requests.
    pub(crate) fn load(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap_or_default();
        let entries = serde_json::from_slice(&bytes).unwrap_or_default();
        Self { path: Some(path.to_owned()), entries }
    }

    pub(crate) fn etag(&self, name: &str) -> Option<String> {
        self.entries.get(name).map(|entry| entry.etag.clone())
    }

    pub(crate) fn repository(&self, name: &str) -> Option<&Repository> {
        self.entries.get(name).map(|entry| &entry.repository)
    }

    pub(crate) fn learn(&mut self, name: &str, etag: Option<String>, repository: &Repository) {
        if let Some(etag) = etag {
            self.entries.insert(name.to_owned(), Entry { etag, repository: repository.clone() });
        }
    }

    /// Writes everything down for the next discovery, in one step.
    pub(crate) fn store(&self) -> Result<(), DiscoveryError> {
        let Some(path) = self.path.as_ref().filter(|_| !self.entries.is_empty()) else { return Ok(()) };
        let fault = |error| DiscoveryError::io("write", path)(error);
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().prefix(".tmp-").tempfile_in(folder).map_err(fault)?;
        serde_json::to_writer(&mut file, &self.entries).map_err(|error| fault(error.into()))?;
        file.as_file().sync_all().map_err(fault)?;
        file.persist(path).map_err(|error| fault(error.error))?;
        Ok(())
    }
}
