//! What the global stages decide; later steps apply it.

use super::record;

record! {
    /// Whether a pair is kept by deduplication.
    pub struct DedupDecision "decisions" version 1 {
        /// Pair id.
        id: String,
        /// Id of the test case.
        test_id: String,
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Language.
        language: String,
        /// The pair that stands for all with the same digest; the pair's own id if it is kept.
        representative: String,
        /// Number of pairs with the same digest.
        copies: u32,
        /// Characters of the exported row.
        characters: u32,
    }
}

record! {
    /// The split of a kept pair, one column per way to split.
    pub struct Assignment "assignments" version 1 {
        /// Pair id.
        id: String,
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Key of the repository that stands for the cluster of forks and copies.
        cluster: String,
        /// Language.
        language: String,
        /// Split by project: `train`, `validation` or `test`.
        project: String,
        /// Split at random.
        random: String,
        /// Characters of the exported row.
        characters: u32,
    }
}
