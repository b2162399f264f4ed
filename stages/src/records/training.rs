//! Tokenised training data.

use super::record;

record! {
    /// Texts one after the other as ids of a vocabulary, cut into rows of one length.
    pub struct TokenRow "tokens" version 1 {
        /// The ids.
        input_ids: Vec<u32>,
    }
}
