//! Why discovery cannot go on. What it has found until then is kept; starting it again goes on from there.

use std::path::{Path, PathBuf};

/// An end of discovery.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// The facets of the config say nothing that can be sought.
    #[error("github: {0}")]
    Facets(String),
    /// A source of tokens cannot be used.
    #[error("{origin}: no token can be read from it ({cause})")]
    Token {
        /// Variable or file.
        origin: String,
        /// What is wrong.
        cause: String,
    },
    /// The API's address cannot be used.
    #[error(
        "github.api: `{address}` cannot be asked ({cause}); give an address such as https://api.github.com"
    )]
    Address {
        /// As given.
        address: String,
        /// What is wrong.
        cause: String,
    },
    /// GraphQL is not there for the anonymous.
    #[error(
        "github.interface is `graphql`, which GitHub answers only with a token; set GITHUB_TOKEN or use `rest`"
    )]
    NoToken,
    /// Every token was refused.
    #[error("every token was refused (401); give a valid one in GITHUB_TOKEN and start again to go on")]
    Unauthorised,
    /// The server's certificate is not to be trusted; asking again would not help.
    #[error(
        "{address}: the server's certificate is not trusted ({cause}); check the address and the machine's certificates"
    )]
    Certificate {
        /// Whose.
        address: String,
        /// What TLS said.
        cause: String,
    },
    /// No useful answer for longer than the patience lasts.
    #[error(
        "no answer to {question} after {tries} tries in {seconds} s; the last said: {cause}. Start again to go on"
    )]
    Patience {
        /// What was asked.
        question: String,
        /// How often.
        tries: u64,
        /// How long.
        seconds: u64,
        /// The last fault.
        cause: String,
    },
    /// The API refuses the question itself.
    #[error("GitHub refuses {question} ({status}): {cause}")]
    Refused {
        /// What was asked.
        question: String,
        /// HTTP status.
        status: u16,
        /// GitHub's message.
        cause: String,
    },
    /// The journal cannot be used.
    #[error("{path}: {cause}", path = .path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// What is wrong and what to do.
        cause: String,
    },
    /// The system failed.
    #[error("cannot {action} {path} ({cause}); check the disk and the permissions", path = .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The user wants it to end.
    #[error("discovery was interrupted; start again to go on")]
    Interrupted,
}

impl DiscoveryError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { action, path, cause }
    }
}
