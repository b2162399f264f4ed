//! Errors of durable tables; each names the file.

use std::path::{Path, PathBuf};

/// What went wrong with a file of a run.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}{}", path.display(), hint(source))]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{} is damaged: {detail}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
}

impl ShardError {
    /// For `map_err` after an operation on a file.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    /// A damaged file.
    pub fn damaged(path: &Path, detail: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), detail: detail.to_string() }
    }
}

impl From<ShardError> for trefoil_stages::TableError {
    fn from(error: ShardError) -> Self {
        Self(Box::new(error))
    }
}

fn hint(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
    match error.kind() {
        StorageFull => "; free some space and start the run again, finished shards are kept",
        PermissionDenied | ReadOnlyFilesystem => "; choose an output folder that can be written",
        _ => "",
    }
}
