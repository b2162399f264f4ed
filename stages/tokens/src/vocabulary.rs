//! A subword vocabulary that Hugging Face `tokenizers` and `transformers` load: a unigram model (Kudo, 2018) whose
//! rare characters are written as bytes, so that every text comes back, and whose tags are tokens of their own.

use crate::training::{WORD, Words, is_tag};
use std::path::{Path, PathBuf};
use tokenizers::decoders::byte_fallback::ByteFallback;
use tokenizers::decoders::sequence::Sequence;
use tokenizers::models::unigram::Unigram;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::{AddedToken, Tokenizer};

/// Why a vocabulary cannot be made or used.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// The training went wrong; more pieces or other words help.
    #[error("the vocabulary cannot be trained: {0}")]
    Training(String),
    /// Fewer pieces than the bytes and special tokens that every vocabulary has.
    #[error("a vocabulary of {size} pieces is too small; it must have more than {least}")]
    TooSmall {
        /// What was asked for.
        size: u32,
        /// What is there anyway.
        least: u32,
    },
    /// The file cannot be read or written.
    #[error("the vocabulary {path} cannot be used: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: String,
    },
    /// A text has no tokens, or tokens no text.
    #[error("a text cannot be tokenised: {0}")]
    Text(String),
}

/// Padding, start and end of a text, and what has no piece, in the order of their ids.
const SPECIAL: [&str; 4] = ["<pad>", "<s>", "</s>", "<unk>"];
const UNKNOWN: usize = 3;
const BYTES: u32 = 256;

/// A trained vocabulary.
pub struct Vocabulary(Tokenizer);

impl Vocabulary {
    /// Trains `size` pieces on words, bytes and special tokens included; tags come on top. The same words give the
    /// same vocabulary.
    pub fn train(words: &Words, size: u32) -> Result<Self, TokensError> {
        let least = BYTES + SPECIAL.len() as u32;
        let room = size.checked_sub(least).filter(|room| *room > 0);
        let room = room.ok_or(TokensError::TooSmall { size, least })?;
        let mut pieces: Vec<(String, f64)> = SPECIAL.iter().map(|token| ((*token).to_owned(), 0.0)).collect();
        let trained = words.pieces(room)?;
        let lowest = trained.last().map_or(0.0, |(_, score)| *score);
        pieces.extend((0..BYTES).map(|byte| (format!("<0x{byte:02X}>"), lowest)));
        pieces.extend(trained);
        let fault = |error: tokenizers::Error| TokensError::Training(error.to_string());
        let model = Unigram::from(pieces, Some(UNKNOWN), true).map_err(fault)?;
        let mut tokenizer = Tokenizer::new(model);
        let metaspace = Metaspace::new(WORD, PrependScheme::Always, true);
        tokenizer.with_pre_tokenizer(Some(metaspace.clone()));
        let decoders = vec![ByteFallback::new().into(), metaspace.into()];
        tokenizer.with_decoder(Some(Sequence::new(decoders)));
        let special = SPECIAL.iter().map(|token| AddedToken::from(*token, true));
        // Blanks around a tag separate it from words and are no part of these.
        let tags = words.tags().map(|tag| AddedToken::from(tag, true).lstrip(true).rstrip(true));
        tokenizer.add_special_tokens(special.chain(tags)).map_err(fault)?;
        Ok(Self(tokenizer))
    }

    /// Reads a vocabulary (`tokenizer.json`).
    pub fn load(path: &Path) -> Result<Self, TokensError> {
        let fault = |error: tokenizers::Error| file_fault(path, &error);
        Tokenizer::from_file(path).map(Self).map_err(fault)
    }

    /// Writes it for `tokenizers` and `transformers`.
    pub fn save(&self, path: &Path) -> Result<(), TokensError> {
        self.0.save(path, true).map_err(|error| file_fault(path, &error))
    }

    /// Tokens that there are, tags included.
    pub fn size(&self) -> usize {
        self.0.get_vocab_size(true)
    }

    /// The ids of a text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, TokensError> {
        let encoded =
            self.0.encode_fast(text, false).map_err(|error| TokensError::Text(error.to_string()))?;
        Ok(encoded.get_ids().to_vec())
    }

    /// The text of ids, words and tags separated by single blanks.
    pub fn decode(&self, ids: &[u32]) -> Result<String, TokensError> {
        let text = self.0.decode(ids, false).map_err(|error| TokensError::Text(error.to_string()))?;
        Ok(spaced(&text))
    }
}

fn file_fault(path: &Path, error: &tokenizers::Error) -> TokensError {
    TokensError::File { path: path.to_owned(), cause: error.to_string() }
}

/// The text with blanks before and behind tags, which libraries decode without.
pub fn spaced(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        let mut rest = word;
        while let Some(start) = rest.find("<[") {
            let Some(end) = rest.get(start..).and_then(|tag| tag.find("]>")) else { break };
            let (before, tag) = rest.split_at(start);
            let (tag, after) = tag.split_at(end + 2);
            words.extend([before, tag]);
            rest = after;
            if !is_tag(tag) {
                break;
            }
        }
        words.push(rest);
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 3] = [
        "<[block]> counter . inc ( ) ; <[/block]>",
        "<[block]> counter . reset ( ) ; getCounter ( ) ; <[/block]>",
        "<[call]> setCounter ( value ) <[argument_list]> <[/]> <[/call]>",
    ];

    fn words() -> Words {
        let mut words = Words::default();
        LINES.iter().cycle().take(300).for_each(|line| words.add(line));
        words
    }

    #[test]
    fn texts_come_back_whatever_is_in_them() {
        let vocabulary = Vocabulary::train(&words(), 320).unwrap();
        let unseen = "<[block]> \"日本␣語\" = naïve(x) ␛[ <[unseen]> ]> <[/block]>";
        for line in LINES.iter().chain([&unseen, &"no tag at all"]) {
            let ids = vocabulary.encode(line).unwrap();
            assert_eq!(&vocabulary.decode(&ids).unwrap(), line);
            assert!(!ids.contains(&(UNKNOWN as u32)), "{line}");
        }
    }

    #[test]
    fn tags_are_one_token_each_and_words_have_common_pieces() {
        let vocabulary = Vocabulary::train(&words(), 400).unwrap();
        assert_eq!(vocabulary.encode("<[call]> <[/call]>").unwrap().len(), 2);
        assert_eq!(vocabulary.encode("getCounter ( counter").unwrap().len(), 3);
    }

    #[test]
    fn the_same_words_give_the_same_vocabulary() {
        let folder = std::env::temp_dir().join(format!("trefoil-tokens-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let train = |name: &str| {
            let path = folder.join(name);
            Vocabulary::train(&words(), 300).unwrap().save(&path).unwrap();
            let loaded = Vocabulary::load(&path).unwrap();
            (std::fs::read(&path).unwrap(), loaded.encode(LINES[0]).unwrap())
        };
        let first = train("a.json");
        for _ in 0..5 {
            assert_eq!(train("b.json"), first);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn too_few_pieces_are_refused() {
        let error = Vocabulary::train(&words(), 200).err().unwrap().to_string();
        assert_eq!(error, "a vocabulary of 200 pieces is too small; it must have more than 260");
        assert!(
            Vocabulary::load(Path::new("/nowhere.json")).err().unwrap().to_string().contains("/nowhere.json")
        );
    }
}
