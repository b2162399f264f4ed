//! A test with its focal method.

use super::record;

record! {
    /// One focal/test pair. Provenance columns are the test's, those with `focal_` the focal method's.
    pub struct Pair placed "pairs" version 2 {
        /// Identity of the pair, made of the two sides' ids.
        id: String,
        /// Id of the test case.
        test_id: String,
        /// Language.
        language: String,
        /// Qualified name of the test.
        test_name: String,
        /// `method` or `function`, which the blocks of JavaScript's tests are.
        test_kind: String,
        /// Ordinal of the test's callable in its file.
        test_ordinal: u32,
        /// Mode that made the pair.
        mode: String,
        /// Rule that decided.
        rule: String,
        /// How likely the pair is right, where the mode says so.
        confidence: Option<f64>,
        /// Place among the test's pairs, from 1, the most likely first.
        rank: u32,
        /// Id of the focal callable.
        focal_id: String,
        /// Qualified name of the focal callable.
        focal_name: String,
        /// `method`, `function`, `constructor`, `class`.
        focal_kind: String,
        /// Ordinal of the focal callable in its file.
        focal_ordinal: u32,
        /// Path of the focal file.
        focal_path: String,
        /// Its blob id.
        focal_blob_id: String,
        /// First byte of the focal callable.
        focal_start_byte: u32,
        /// Its end.
        focal_end_byte: u32,
        /// Its first line.
        focal_first_line: u32,
        /// Its last line.
        focal_last_line: u32,
        /// BLAKE3 of the two texts without white space; empty until filtering has seen the texts.
        text_digest: String,
        /// The same of the test's text alone.
        test_digest: String,
        /// Characters of the exported row; 0 until filtering.
        characters: u32,
    }
}

record! {
    /// The columns that deduplication and splitting read.
    pub struct PairKey "pairs" version 2 {
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
        /// Id of the focal callable.
        focal_id: String,
        /// Digest of both texts.
        text_digest: String,
        /// Digest of the test.
        test_digest: String,
        /// Characters of the exported row.
        characters: u32,
    }
}

record! {
    /// The columns of [`Pair`] that say where its two texts stand.
    pub struct PairPlace "pairs" version 2 {
        /// Pair id.
        id: String,
        /// Language.
        language: String,
        /// Path of the test.
        path: String,
        /// First byte of the test.
        start_byte: u32,
        /// Its end.
        end_byte: u32,
        /// Path of the focal file.
        focal_path: String,
        /// First byte of the focal callable.
        focal_start_byte: u32,
        /// Its end.
        focal_end_byte: u32,
    }
}

record! {
    /// The columns of [`Pair`] that say which file its test stands in.
    pub struct PairTest "pairs" version 2 {
        /// Pair id.
        id: String,
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Path of the test.
        path: String,
    }
}

record! {
    /// The columns of [`Pair`] that say how it was made.
    pub struct PairRule "pairs" version 2 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Language.
        language: String,
        /// Mode.
        mode: String,
        /// Rule.
        rule: String,
        /// Qualified name of the focal callable.
        focal_name: String,
    }
}

record! {
    /// The columns of [`Pair`] that name the focal method.
    pub struct PairFocal "pairs" version 2 {
        /// Host.
        host: String,
        /// Repository.
        repository: String,
        /// Language.
        language: String,
        /// Path of the focal file.
        focal_path: String,
        /// Qualified name of the focal callable.
        focal_name: String,
    }
}
