//! Counting tokens as a given `tokenizer.json` makes them, for budgets of prompts.

use std::path::Path;
use tokenizers::Tokenizer;

/// Counts the tokens of texts.
pub struct Counter {
    tokenizer: Tokenizer,
}

/// Why tokens cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The file is not there or is no tokeniser.
    #[error("cannot read the tokeniser {file}: {cause}; it has to be a tokenizer.json of Hugging Face")]
    NoTokenizer {
        /// The file.
        file: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A text that the tokeniser refuses.
    #[error("the tokeniser refuses a text: {0}")]
    Refused(String),
}

impl Counter {
    /// Loads a `tokenizer.json`. What it says of truncation and padding does not count, since both change lengths.
    pub fn load(path: &Path) -> Result<Self, CountError> {
        let no_tokenizer =
            |cause: String| CountError::NoTokenizer { file: path.display().to_string(), cause };
        let bytes = std::fs::read(path).map_err(|error| no_tokenizer(error.to_string()))?;
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| no_tokenizer(error.to_string()))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| no_tokenizer(error.to_string()))?;
        Ok(Self { tokenizer })
    }

    /// Tokens of a text, without those that a model's format puts around it.
    pub fn count(&self, text: &str) -> Result<u32, CountError> {
        let encoding = self
            .tokenizer
            .encode_fast(text, false)
            .map_err(|error| CountError::Refused(error.to_string()))?;
        Ok(u32::try_from(encoding.len()).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = r#"{"version":"1.0","truncation":{"direction":"Right","max_length":2,"strategy":"LongestFirst","stride":0},"padding":null,"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,"model":{"type":"WordLevel","vocab":{"[UNK]":0,"a":1},"unk_token":"[UNK]"}}"#;

    #[test]
    fn tokens_are_counted_whatever_the_file_says_of_truncation() {
        let path = std::env::temp_dir().join(format!("trefoil-count-{}.json", std::process::id()));
        std::fs::write(&path, WORDS).unwrap();
        let counter = Counter::load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(counter.count("a b, c").unwrap(), 4);
        assert_eq!(counter.count("").unwrap(), 0);
    }

    #[test]
    fn a_file_that_is_no_tokeniser_is_named() {
        let message = Counter::load(Path::new("no/tokenizer.json")).err().unwrap().to_string();
        assert!(
            message.contains("no/tokenizer.json") && message.contains("tokenizer.json of Hugging Face"),
            "{message}"
        );
    }
}
