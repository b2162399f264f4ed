//! Why a whole repository could not be read.

use std::io;

/// What went wrong with a repository as a whole. Messages name the repository, the cause and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is nothing at the location.
    #[error("{location}: no repository here ({cause}); check the path or URL, and that it may be read")]
    Missing {
        /// The location as given.
        location: String,
        /// What was found instead.
        cause: String,
    },
    /// A URL was opened that is not on the disk yet.
    #[error("{location}: a remote repository cannot be opened in place; fetch it first")]
    NotFetched {
        /// The location as given.
        location: String,
    },
    /// A git repository without a single commit.
    #[error("{location}: the repository has no commits; leave it out of the list")]
    Empty {
        /// The location as given.
        location: String,
    },
    /// The revision names nothing, or no commit.
    #[error("{location}: revision `{revision}` {cause}; give a branch, a tag or a full commit id")]
    RevisionNotFound {
        /// The location as given.
        location: String,
        /// The revision as given.
        revision: String,
        /// What is wrong with it.
        cause: String,
    },
    /// Objects are damaged or missing.
    #[error("{location}: the repository is damaged ({cause}); clone it again, `git fsck` shows more")]
    Corrupt {
        /// The location as given.
        location: String,
        /// The object and what is wrong with it.
        cause: String,
    },
    /// Reading it would reach outside it.
    #[error("{location}: the repository is unsafe to read ({cause}); clone it anew without sharing objects")]
    Unsafe {
        /// The location as given.
        location: String,
        /// What reaches outside.
        cause: String,
    },
    /// It belongs to another user, which git refuses too.
    #[error(
        "{location}: another user owns the repository; change its owner or add it to git's safe.directory"
    )]
    Owner {
        /// The location as given.
        location: String,
    },
    /// A git repository of a kind that cannot be read.
    #[error(
        "{location}: the repository cannot be read ({cause}); clone it with SHA-1 ids and without extensions"
    )]
    Unsupported {
        /// The location as given.
        location: String,
        /// What is not supported.
        cause: String,
    },
    /// It exceeds a limit on entries or on bytes.
    #[error("{location}: too large ({cause}); raise the limit or leave the repository out")]
    TooLarge {
        /// The location as given.
        location: String,
        /// The limit that was exceeded.
        cause: String,
    },
    /// A URL of a scheme that is not on the list.
    #[error("{location}: {cause}; only https, http and git URLs are fetched")]
    ProtocolNotAllowed {
        /// The location as given, without credentials.
        location: String,
        /// The protocol and why it is refused.
        cause: String,
    },
    /// The transfer failed; another try may succeed.
    #[error("{location}: fetching failed ({cause}); check the network and try again")]
    FetchFailed {
        /// The location as given, without credentials.
        location: String,
        /// What the transport said.
        cause: String,
    },
    /// The transfer took longer than allowed.
    #[error("{location}: fetching took longer than {seconds} s; raise the limit or try again")]
    FetchTimedOut {
        /// The location as given, without credentials.
        location: String,
        /// The limit.
        seconds: u64,
    },
    /// The server knows no repository of this name, or none any more.
    #[error("{location}: the repository is gone ({cause}); take it off the list, or discover anew")]
    Gone {
        /// The location as given, without credentials.
        location: String,
        /// What the server said.
        cause: String,
    },
    /// The server may not show it, for legal reasons.
    #[error("{location}: the server may not show the repository ({cause}); take it off the list")]
    Blocked {
        /// The location as given, without credentials.
        location: String,
        /// What the server said.
        cause: String,
    },
    /// The server shows it to others only. To strangers many servers say so of what is gone, too.
    #[error(
        "{location}: the repository is private or gone ({cause}); a token that may read it goes into the environment"
    )]
    Private {
        /// The location as given, without credentials.
        location: String,
        /// What the server said.
        cause: String,
    },
    /// The server sends us to another one.
    #[error(
        "{location}: the repository has moved to another server ({cause}); put its new place on the list"
    )]
    Moved {
        /// The location as given, without credentials.
        location: String,
        /// From where to where.
        cause: String,
    },
    /// The server sends us round and round.
    #[error("{location}: the server redirects without end; look at the URL in a browser")]
    RedirectLoop {
        /// The location as given, without credentials.
        location: String,
    },
    /// The default branch of a repository with other branches.
    #[error("{location}: the default branch does not exist; give a branch, a tag or a commit as `revision`")]
    DefaultBranchGone {
        /// The location as given, without credentials.
        location: String,
    },
    /// Nobody vouches for the server.
    #[error(
        "{location}: the server's certificate is not trusted ({cause}); check the URL, the clock and the machine's certificates"
    )]
    CertificateNotTrusted {
        /// The location as given, without credentials.
        location: String,
        /// What is wrong with it.
        cause: String,
    },
    /// This disk takes no more.
    #[error("{location}: the clone cannot be written ({cause}); free some space and start the run again")]
    DiskFull {
        /// The location as given, without credentials.
        location: String,
        /// What the system said.
        cause: String,
    },
    /// A file that is no archive of a known kind.
    #[error("{location}: not an archive that can be read ({cause}); pack it as tar, tar.gz, tar.xz or zip")]
    ArchiveUnsupported {
        /// The archive.
        location: String,
        /// What it seems to be.
        cause: String,
    },
    /// The archive ends too early.
    #[error("{location}: the archive is cut short ({cause}); download it again")]
    ArchiveTruncated {
        /// The archive.
        location: String,
        /// Where it ended.
        cause: String,
    },
    /// The archive contradicts itself.
    #[error("{location}: the archive is damaged ({cause}); download it again")]
    ArchiveCorrupt {
        /// The archive.
        location: String,
        /// What is wrong.
        cause: String,
    },
    /// The archive would decompress to far more than its size.
    #[error("{location}: decompression bomb ({cause}); leave it out, or raise the limit if you trust it")]
    ArchiveBomb {
        /// The archive.
        location: String,
        /// The limit that was exceeded.
        cause: String,
    },
    /// The operating system failed.
    #[error("{location}: {action} failed ({cause}); check the disk and the permissions")]
    Io {
        /// The location as given.
        location: String,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        cause: io::Error,
    },
}

impl SourceError {
    /// The stable word that records use.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "repository_missing",
            Self::NotFetched { .. } => "repository_not_fetched",
            Self::Empty { .. } => "repository_empty",
            Self::RevisionNotFound { .. } => "revision_not_found",
            Self::Corrupt { .. } => "repository_corrupt",
            Self::Unsafe { .. } => "repository_unsafe",
            Self::Owner { .. } => "repository_owned_by_another",
            Self::Unsupported { .. } => "repository_unsupported",
            Self::TooLarge { .. } => "repository_too_large",
            Self::ProtocolNotAllowed { .. } => "protocol_not_allowed",
            Self::FetchFailed { .. } => "fetch_failed",
            Self::FetchTimedOut { .. } => "fetch_timed_out",
            Self::Gone { .. } => "repository_gone",
            Self::Blocked { .. } => "repository_blocked",
            Self::Private { .. } => "repository_private",
            Self::Moved { .. } => "repository_moved",
            Self::RedirectLoop { .. } => "redirect_loop",
            Self::DefaultBranchGone { .. } => "default_branch_gone",
            Self::CertificateNotTrusted { .. } => "certificate_not_trusted",
            Self::DiskFull { .. } => "disk_full",
            Self::ArchiveUnsupported { .. } => "archive_unsupported",
            Self::ArchiveTruncated { .. } => "archive_truncated",
            Self::ArchiveCorrupt { .. } => "archive_corrupt",
            Self::ArchiveBomb { .. } => "archive_bomb",
            Self::Io { .. } => "read_failed",
        }
    }

    /// Whether another try of a fetch may end better: the network or the server failed, or what came was broken.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::FetchFailed { .. } | Self::Corrupt { .. })
    }

    /// The error for a clone that could not be written.
    pub fn writing(location: &str, action: &'static str, cause: io::Error) -> Self {
        let location = super::without_credentials(location);
        match cause.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge
            | io::ErrorKind::ReadOnlyFilesystem => {
                Self::DiskFull { location, cause: format!("{action}: {cause}") }
            }
            _ => Self::Io { location, action, cause },
        }
    }

    /// The error for a limit on the number of entries.
    pub(super) fn too_many(location: &str, limit: u64) -> Self {
        Self::TooLarge { location: location.into(), cause: format!("more than {limit} entries") }
    }

    /// The error for an index that a caller made up.
    pub(super) fn no_such_file(location: &str, index: usize) -> Self {
        let cause = io::Error::new(io::ErrorKind::InvalidInput, format!("no unread file of index {index}"));
        Self::Io { location: location.into(), action: "reading a listed file", cause }
    }
}
