//! A tokenizer that others have made.

use std::path::Path;
use tokenizers::Tokenizer;

/// Any `tokenizer.json`.
pub struct Ready(Tokenizer);

/// Why a tokenizer does not work.
#[derive(Debug, thiserror::Error)]
pub enum ReadyError {
    /// The file.
    #[error("cannot read the tokenizer {path}: {detail}; give the `tokenizer.json` of a fast tokenizer")]
    Unreadable {
        /// Which file.
        path: String,
        /// Why not.
        detail: String,
    },
    /// A text.
    #[error("the tokenizer refuses a text: {0}")]
    Refused(String),
}

impl Ready {
    /// Reads a tokenizer; what it says of cutting and padding is left aside.
    pub fn load(path: &Path) -> Result<Self, ReadyError> {
        let fault = |error: tokenizers::Error| ReadyError::Unreadable {
            path: path.display().to_string(),
            detail: error.to_string(),
        };
        let mut tokenizer = Tokenizer::from_file(path).map_err(fault)?;
        tokenizer.with_truncation(None).map_err(fault)?;
        tokenizer.with_padding(None);
        Ok(Self(tokenizer))
    }

    /// Number of a token.
    pub fn id(&self, token: &str) -> Option<u32> {
        self.0.token_to_id(token)
    }

    /// The numbers of a text's tokens, without any that the tokenizer would add around it.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, ReadyError> {
        let encoding = self.0.encode(text, false).map_err(|error| ReadyError::Refused(error.to_string()))?;
        Ok(encoding.get_ids().to_vec())
    }
}
