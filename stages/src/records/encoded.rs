//! A row as a model takes it.

use super::record;

record! {
    /// Source and target of one row of ConTest, as text and as the ids of a vocabulary.
    pub struct EncodedRow "encoded" version 1 {
        /// Id of the row.
        id: String,
        /// Language.
        language: String,
        /// Set-up, focal method and contexts.
        source: String,
        /// Assertions.
        target: String,
        /// Ids of the source.
        source_ids: Vec<u32>,
        /// Ids of the target.
        target_ids: Vec<u32>,
        /// One of both is longer than was asked for.
        is_too_long: bool,
    }
}
