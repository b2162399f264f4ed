//! What GitHub says of a repository: the evidence that is kept of each.

use serde::{Deserialize, Serialize};

/// One repository as GitHub describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Repository {
    /// GitHub's number of it, which renames and moves leave alone.
    pub id: u64,
    /// `owner/name`.
    pub full_name: String,
    /// Empty where there is none.
    pub default_branch: String,
    /// Newest commit of the default branch; empty where it is not known or there is none.
    pub commit: String,
    /// Whether it was said that there is no commit at all.
    pub is_empty: bool,
    /// SPDX id as GitHub declares it, `NOASSERTION` where it does not know the licence, empty where it found none.
    pub licence: String,
    /// Stars.
    pub stars: u64,
    /// Forks of it.
    pub forks: u64,
    /// Whether it is a fork.
    pub is_fork: bool,
    /// What it was forked from; empty where that is not known.
    pub parent: String,
    /// Whether it is closed for changes.
    pub is_archived: bool,
    /// Date of creation, as GitHub writes it.
    pub created: String,
    /// Date of the last push.
    pub pushed: String,
    /// Date of the last change of anything.
    pub updated: String,
    /// Size on GitHub's disks with all history, in KiB.
    pub kilobytes: u64,
    /// Language with the most bytes.
    pub language: String,
    /// Languages with their bytes, largest first; empty where they are not known.
    pub languages: Vec<(String, u64)>,
}

/// Why a repository that was asked for is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// 404: deleted, private, or never there.
    RepositoryGone,
    /// 451: blocked for a legal reason.
    RepositoryBlocked,
    /// Redirects that lead round in circles or are too many.
    RedirectLoop,
    /// A redirect to another server.
    RedirectedElsewhere,
    /// Any other refusal of this one repository.
    RepositoryRefused,
}

impl Absence {
    /// The stable word that rows use.
    pub fn reason(self) -> &'static str {
        match self {
            Self::RepositoryGone => "repository_gone",
            Self::RepositoryBlocked => "repository_blocked",
            Self::RedirectLoop => "redirect_loop",
            Self::RedirectedElsewhere => "redirected_elsewhere",
            Self::RepositoryRefused => "repository_refused",
        }
    }
}
