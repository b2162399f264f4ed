//! Why nothing, or not everything, could be put into storage. No message holds a credential or a signed address.

use std::path::{Path, PathBuf};

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The address names no bucket.
    #[error("`{0}` is no place in object storage; write it as s3://bucket/prefix")]
    NoPlace(String),
    /// The endpoint is no address of a server.
    #[error(
        "`{0}` is no address of a server; write it as https://host or http://host:port, without a password"
    )]
    NoEndpoint(String),
    /// The environment lacks a credential.
    #[error("object storage needs {0}, and it is not in the environment")]
    NoCredentials(&'static str),
    /// The client could not be set up.
    #[error("no connection can be made: {0}")]
    NoClient(std::io::Error),
    /// The server did not answer, or only that it cannot now.
    #[error(
        "{server} cannot be reached for {what}: {cause}; what is there already is not sent again next time"
    )]
    Unreachable {
        /// Which server.
        server: String,
        /// What was asked for.
        what: String,
        /// What came instead.
        cause: String,
    },
    /// The server says no.
    #[error("{server} refuses {what}: {cause}{}", hint(cause))]
    Refused {
        /// Which server.
        server: String,
        /// What was asked for.
        what: String,
        /// Status and code.
        cause: String,
    },
    /// The place holds something else.
    #[error(
        "{place} holds {count} objects that are not of this export, such as {first}; choose another prefix"
    )]
    NotEmpty {
        /// Where.
        place: String,
        /// How many there are.
        count: usize,
        /// One of them.
        first: String,
    },
    /// The place holds another whole export.
    #[error("{0} holds another finished export; choose another prefix")]
    Taken(String),
    /// More than one request may carry.
    #[error("{} has {bytes} bytes and an object may have 5 GiB at most; choose a smaller `shard_bytes`", path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

impl StorageError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}

/// What to do about the codes that people meet.
fn hint(cause: &str) -> &'static str {
    let known = [
        ("NoSuchBucket", "; create the bucket first, or mend its name"),
        ("AccessDenied", "; the credentials may not list, read and write there"),
        ("SignatureDoesNotMatch", "; the secret key, or the clock of this machine, is wrong"),
        ("InvalidAccessKeyId", "; the server does not know the access key"),
        ("RequestTimeTooSkewed", "; set the clock of this machine"),
        ("PermanentRedirect", "; set AWS_REGION to the region of the bucket"),
        ("AuthorizationHeaderMalformed", "; set AWS_REGION to the region of the bucket"),
    ];
    known.into_iter().find(|(code, _)| cause.contains(code)).map_or("", |(_, hint)| hint)
}
