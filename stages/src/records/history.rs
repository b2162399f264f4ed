//! What the past of a repository says of its files, where it was asked for.

use super::record;

record! {
    /// The past of the commit that was read. There is none for repositories without git.
    pub struct History "histories" version 1 {
        /// Host (`github.com`, `local`).
        host: String,
        /// Name on the host (`owner/name`).
        repository: String,
        /// The commit that was read.
        commit: String,
        /// When its author wrote it, in UTC (`2017-01-02T03:04:05Z`).
        authored: String,
        /// When it was committed.
        committed: String,
        /// It and its ancestors.
        commits: u64,
        /// Whether all of them were there. Otherwise the repository is shallow, and a file may be older than it seems.
        is_whole: bool,
    }
}

record! {
    /// When a source file first came: the earliest commit that has a file of this path while none of its parents has
    /// one. Renames are not followed.
    pub struct FirstCommit "first_commits" version 1 {
        /// Host.
        host: String,
        /// Name on the host.
        repository: String,
        /// The commit that was read.
        commit: String,
        /// Path in the repository.
        path: String,
        /// Git's id of the file's bytes, as they were read.
        blob_id: String,
        /// The commit that brought it.
        first_commit: String,
        /// When its author wrote it, in UTC (`2017-01-02T03:04:05Z`).
        authored: String,
        /// When it was committed; the earliest of several is told by this.
        committed: String,
    }
}
