//! What the global stages decide; later steps apply it.

use super::record;

record! {
    /// Whether a pair is kept by deduplication.
    pub struct DedupDecision "decisions" version 2 {
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
        /// The pair that stands for all that are the same; the pair's own id if it is kept.
        representative: String,
        /// Test that stands for the cluster of near-duplicates of this pair's test; its own id if there is none.
        test_cluster: String,
        /// Callable that stands for the near-duplicates of the focal one.
        focal_cluster: String,
        /// Pair that stands for the near-duplicates of both texts together.
        pair_cluster: String,
        /// Number of pairs that are the same.
        copies: u32,
        /// Characters of the exported row.
        characters: u32,
    }
}

record! {
    /// The split of a kept pair, one column per way to split.
    pub struct Assignment "assignments" version 2 {
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
        /// Test that stands for the cluster of near-duplicates of this pair's test; its own id if there is none.
        test_cluster: String,
        /// Callable that stands for the near-duplicates of the focal one.
        focal_cluster: String,
        /// Pair that stands for the near-duplicates of both texts together.
        pair_cluster: String,
        /// Split by project: `train`, `validation` or `test`.
        project: String,
        /// Split at random.
        random: String,
        /// Characters of the exported row.
        characters: u32,
    }
}

record! {
    /// The columns of [`Assignment`] that a run is divided anew by.
    pub struct Divisible "assignments" version 2 {
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
        /// Test that stands for the near-duplicates of this one.
        test_cluster: String,
        /// Callable that stands for the near-duplicates of the focal one.
        focal_cluster: String,
        /// Pair that stands for the near-duplicates of both texts.
        pair_cluster: String,
    }
}

record! {
    /// The split of a row in a division of its own (`trefoil split`). What else is known of it is found by its id.
    pub struct DividedRow "rows" version 2 {
        /// Pair id.
        id: String,
        /// `train`, `validation` or `test`; empty where the row is left out.
        split: String,
        /// Why it is left out.
        reason: String,
    }
}

record! {
    /// The columns of [`DividedRow`] that say where a row is.
    pub struct DividedKey "rows" version 2 {
        /// Pair id.
        id: String,
        /// Its split, or nothing.
        split: String,
    }
}
