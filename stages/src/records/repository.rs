//! A repository as it was pinned.

use super::record;

record! {
    /// One repository of the run: where it is and what exactly was read of it.
    pub struct Repository "repositories" version 3 {
        /// Host (`github.com`, `local`).
        host: String,
        /// Name on the host (`owner/name`).
        repository: String,
        /// Commit, `content:<digest>` of a directory, `sha256:<digest>` of an archive.
        commit: String,
        /// `git`, `directory` or `archive`.
        source: String,
        /// Path or URL as the user gave it.
        location: String,
        /// Revision as the user gave it; empty for the default branch.
        revision: String,
        /// Files of a known language.
        source_files: u64,
        /// Their bytes.
        source_bytes: u64,
        /// SPDX expression of its licence; empty where it is not known.
        licence: String,
        /// Files at its root that the licence comes from.
        licence_files: Vec<String>,
        /// How far their texts agree with those of SPDX, in per cent.
        licence_confidence: u32,
        /// Directories inside it with licence texts of their own, as copies of others' code have.
        vendored: Vec<String>,
        /// SPDX expression of each; empty where it is not known.
        vendored_licences: Vec<String>,
    }
}

record! {
    /// The columns of [`Repository`] that name it.
    pub struct RepositoryKey "repositories" version 3 {
        /// Host.
        host: String,
        /// Name.
        repository: String,
        /// Commit.
        commit: String,
    }
}

impl Repository {
    /// `host/owner/name`, the key that sharding, seeds and manifests use.
    pub fn key(&self) -> String {
        format!("{}/{}", self.host, self.repository)
    }
}
