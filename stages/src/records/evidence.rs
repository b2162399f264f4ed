//! All that is known of a repository, for those who decide whether its code may be used.

use super::{Discovered, History, Repository, record};

record! {
    /// What was read of a repository and, where it was discovered, what its host says of it; else that is empty.
    pub struct Evidence "evidence" version 2 {
        /// Host (`github.com`, `local`).
        host: String,
        /// Name on the host (`owner/name`).
        repository: String,
        /// The commit that was read.
        commit: String,
        /// The host's number of it; 0 where it was not discovered.
        id: u64,
        /// Default branch.
        default_branch: String,
        /// Licence as the host declares it.
        declared_licence: String,
        /// SPDX expression of the licence by the files at its root; empty where it is not known.
        licence: String,
        /// Those files.
        licence_files: Vec<String>,
        /// How far their texts agree with those of SPDX, in per cent.
        licence_confidence: u32,
        /// Directories with licence texts of their own.
        vendored: Vec<String>,
        /// SPDX expression of each; empty where it is not known.
        vendored_licences: Vec<String>,
    } described {
        /// Languages, largest first.
        languages: Vec<String>,
        /// KiB of each, rounded up.
        language_kilobytes: Vec<u32>,
        /// Files that were read to be parsed.
        source_files: u64,
        /// Their bytes.
        source_bytes: u64,
        /// When the author wrote the commit; empty unless the history was asked for (`cloning.history`).
        authored: String,
        /// When it was committed.
        committed: String,
    }
}

impl Evidence {
    /// Brings together what cloning and discovery found.
    pub fn of(read: Repository, past: Option<History>, said: Option<&Discovered>) -> Self {
        let (authored, committed) = past.map(|past| (past.authored, past.committed)).unwrap_or_default();
        let text = |of: fn(&Discovered) -> &String| said.map(of).cloned().unwrap_or_default();
        let number = |of: fn(&Discovered) -> u64| said.map(of).unwrap_or_default();
        Self {
            host: read.host,
            repository: read.repository,
            commit: read.commit,
            id: number(|said| said.id),
            default_branch: text(|said| &said.default_branch),
            declared_licence: text(|said| &said.declared_licence),
            licence: read.licence,
            licence_files: read.licence_files,
            licence_confidence: read.licence_confidence,
            vendored: read.vendored,
            vendored_licences: read.vendored_licences,
            stars: number(|said| said.stars),
            forks: number(|said| said.forks),
            is_fork: said.is_some_and(|said| said.is_fork),
            fork_parent: text(|said| &said.fork_parent),
            is_archived: said.is_some_and(|said| said.is_archived),
            created: text(|said| &said.created),
            pushed: text(|said| &said.pushed),
            updated: text(|said| &said.updated),
            kilobytes: number(|said| said.kilobytes),
            former_names: said.map(|said| said.former_names.clone()).unwrap_or_default(),
            languages: said.map(|said| said.languages.clone()).unwrap_or_default(),
            language_kilobytes: said.map(|said| said.language_kilobytes.clone()).unwrap_or_default(),
            source_files: read.source_files,
            source_bytes: read.source_bytes,
            authored,
            committed,
        }
    }
}
