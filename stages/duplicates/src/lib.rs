//! Near-duplicates of code: texts that share most of their shingles of tokens, found without comparing every
//! text with every other.
//!
//! A text becomes the set of its shingles ([`Settings::shingle`] consecutive tokens), the set a signature of
//! MinHash values, and the signature bands. Texts that agree in a band are candidates (locality-sensitive
//! hashing; Broder 1997, Indyk and Motwani 1998); what counts is the Jaccard index of the two sets, which is
//! computed for every candidate. Clusters are the connected components of what is alike.
//!
//! The answer depends on the texts and their order alone, never on threads. The crate knows no records, no Parquet
//! and no repositories.

mod banding;
mod candidates;
mod clusters;
mod detector;
mod keywords;
mod sets;
mod shingles;
mod sketch;
#[cfg(test)]
mod tests;
mod tokens;

pub use clusters::{Clusters, Forest};
pub use detector::{Alike, Detector, Text};
pub use shingles::{Shingler, jaccard};
pub use tokens::{Comments, tokens};

/// Below this no number of bands finds what is alike without comparing nearly everything.
pub const LEAST_THRESHOLD: f64 = 0.3;

/// What is alike, and how much memory may be used to find it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Least Jaccard index of two sets of shingles, from [`LEAST_THRESHOLD`] to 1.
    pub threshold: f64,
    /// Tokens of a shingle; 5 is what peers use for code (Allamanis 2019 compares bags, datatrove words of 5).
    /// A shorter text is one shingle of all its tokens, so that it is like nothing but its equals.
    pub shingle: usize,
    /// Whether all identifiers, numbers and strings count as the same one: finds renamed copies (type-2 clones).
    pub normalise: bool,
    /// A text of fewer tokens is like nothing, not even its equals: what is trivial says nothing of its origin.
    pub least_tokens: usize,
    /// Bytes of shingle sets that are kept in memory; what is beyond goes to the scratch file.
    pub memory_bytes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { threshold: 0.7, shingle: 5, normalise: false, least_tokens: 0, memory_bytes: 512 << 20 }
    }
}

/// Why duplicates could not be found.
#[derive(Debug, thiserror::Error)]
pub enum DuplicatesError {
    /// The scratch file.
    #[error("cannot {action} the scratch file for near-duplicates: {source}; free some space where it lies")]
    Scratch {
        /// What was tried.
        action: &'static str,
        /// Why not.
        source: std::io::Error,
    },
    /// More texts than have numbers.
    #[error("more than {} texts; look for near-duplicates in parts", u32::MAX)]
    TooMany,
}
