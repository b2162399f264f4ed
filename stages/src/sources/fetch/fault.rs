//! What an error of libgit2 means: a repository's own fate, the network's, or this machine's.
//!
//! libgit2 has codes for few of these. Where it has none its words are all there is to go by.

use std::io;

use git2::{Error, ErrorClass, ErrorCode};

use crate::sources::SourceError;

/// Says what went wrong with the repository at `location`.
pub(super) fn of(error: &Error, location: &str) -> SourceError {
    let (location, cause) = (location.to_owned(), error.message().to_owned());
    if is_full_disk(&cause) {
        return SourceError::DiskFull { location, cause };
    }
    if error.code() == ErrorCode::Certificate
        || error.class() == ErrorClass::Ssl && cause.contains("certificate")
    {
        return SourceError::CertificateNotTrusted { location, cause };
    }
    if cause.contains("too many redirects") {
        return SourceError::RedirectLoop { location };
    }
    if cause.contains("cannot redirect from") {
        return SourceError::Moved { location, cause };
    }
    match status(&cause) {
        Some(404 | 410) => return SourceError::Gone { location, cause },
        Some(403) => return SourceError::Private { location, cause },
        Some(451) => return SourceError::Blocked { location, cause },
        _ => {}
    }
    if error.code() == ErrorCode::Auth || cause.contains("authentication required") {
        return SourceError::Private { location, cause };
    }
    if error.code() == ErrorCode::NotFound || cause.contains("not exported") {
        let cause = format!("it does not exist or is private: {cause}");
        return SourceError::Missing { location, cause };
    }
    match error.class() {
        ErrorClass::NoMemory => SourceError::TooLarge {
            location,
            cause: "an object of it takes more memory than a worker may have".into(),
        },
        ErrorClass::Os | ErrorClass::Filesystem if !is_transport(error) => {
            SourceError::Io { location, action: "fetching", cause: io::Error::other(cause) }
        }
        ErrorClass::Indexer | ErrorClass::Zlib | ErrorClass::Odb | ErrorClass::Object => {
            SourceError::Corrupt { location, cause }
        }
        _ => SourceError::FetchFailed { location, cause },
    }
}

/// libgit2 does not pass on the server's words for an object that it will not give; it stumbles over them.
pub(super) fn is_refusal(error: &Error) -> bool {
    let words = ["not our ref", "unadvertised", "unexpected packet type", "cannot fetch a specific object"];
    let spoken = is_transport(error) || error.class() == ErrorClass::Invalid;
    spoken && words.iter().any(|words| error.message().contains(words))
}

/// The status of an HTTP answer that was not the wanted one.
fn status(cause: &str) -> Option<u16> {
    cause.strip_prefix("unexpected http status code: ")?.trim().parse().ok()
}

/// Whether the network failed. libgit2 files the errors of sockets and of disks under one class.
fn is_transport(error: &Error) -> bool {
    let socket = ["socket", "connect", "resolve"];
    match error.class() {
        ErrorClass::Net | ErrorClass::Http | ErrorClass::Ssl | ErrorClass::None => true,
        ErrorClass::Os => socket.iter().any(|word| error.message().contains(word)),
        _ => false,
    }
}

/// Whether this disk takes no more, in the system's words.
fn is_full_disk(cause: &str) -> bool {
    ["No space left on device", "File too large", "Disk quota exceeded", "Read-only file system"]
        .iter()
        .any(|words| cause.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_words_have_their_reasons() {
        let http = |words: &str| Error::new(ErrorCode::GenericError, ErrorClass::Http, words);
        let os = |words: &str| Error::new(ErrorCode::GenericError, ErrorClass::Os, words);
        let cases = [
            (http("unexpected http status code: 404"), "repository_gone"),
            (http("unexpected http status code: 451"), "repository_blocked"),
            (http("unexpected http status code: 403"), "repository_private"),
            (http("remote authentication required but no callback set"), "repository_private"),
            (http("unexpected http status code: 502"), "fetch_failed"),
            (http("too many redirects or authentication replays"), "redirect_loop"),
            (
                Error::new(ErrorCode::GenericError, ErrorClass::Net, "cannot redirect from 'a' to 'b'"),
                "repository_moved",
            ),
            (Error::new(ErrorCode::Certificate, ErrorClass::Ssl, "x"), "certificate_not_trusted"),
            (os("failed to write chunk: No space left on device"), "disk_full"),
            (os("failed to connect to h: Connection refused"), "fetch_failed"),
            (os("failed to open"), "read_failed"),
            (
                Error::new(ErrorCode::GenericError, ErrorClass::NoMemory, "Out of memory"),
                "repository_too_large",
            ),
            (Error::new(ErrorCode::GenericError, ErrorClass::Indexer, "early EOF"), "repository_corrupt"),
        ];
        for (error, reason) in cases {
            assert_eq!(of(&error, "https://h/a").reason(), reason, "{error}");
        }
    }
}
