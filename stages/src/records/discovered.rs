//! What the host of a repository says of it.

use super::record;

record! {
    /// The evidence that discovery found of one repository. `host` and `repository` are its key, as in
    /// [`super::Repository`]; what is read of it stands there.
    pub struct Discovered "discovered" version 2 {
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
    } described {
        /// Language with the most bytes.
        language: String,
        /// Languages, largest first; empty where they are not known.
        languages: Vec<String>,
        /// KiB of each, rounded up.
        language_kilobytes: Vec<u32>,
    }
}
