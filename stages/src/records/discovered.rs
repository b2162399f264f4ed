//! What the host of a repository says of it.

use super::record;

record! {
    /// The evidence that discovery found of one repository. `host` and `repository` are its key, as in
    /// [`super::Repository`]; what is read of it stands there.
    pub struct Discovered "discovered" version 1 {
        /// Host (`github.com`).
        host: String,
        /// Name on the host at the time (`owner/name`).
        repository: String,
        /// The host's number of it, which renames leave alone.
        id: u64,
        /// Default branch; empty where there is none.
        default_branch: String,
        /// Newest commit of it; empty where it is not known.
        commit: String,
        /// Whether it was said to have no commit at all.
        is_empty: bool,
        /// Licence as the host declares it: an SPDX id, `NOASSERTION` or empty.
        declared_licence: String,
        /// Stars.
        stars: u64,
        /// Forks of it.
        forks: u64,
        /// Whether it is a fork.
        is_fork: bool,
        /// What it was forked from; empty where that is not known.
        fork_parent: String,
        /// Whether it is closed for changes.
        is_archived: bool,
        /// Date of creation.
        created: String,
        /// Date of the last push.
        pushed: String,
        /// Date of the last change.
        updated: String,
        /// Size on the host's disks with all history, in KiB.
        kilobytes: u64,
        /// Language with the most bytes.
        language: String,
        /// Languages, largest first; empty where they are not known.
        languages: Vec<String>,
        /// KiB of each, rounded up.
        language_kilobytes: Vec<u32>,
    }
}
