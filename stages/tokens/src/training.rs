//! Which words a vocabulary is trained on, and the training itself, in an order that nothing but the words decides.

use crate::vocabulary::TokensError;
use std::collections::{BTreeMap, BTreeSet};
use tokenizers::models::unigram::{Unigram, UnigramTrainer};

/// Sign of the beginning of a word, which sentencepiece chose.
pub(crate) const WORD: char = '▁';
/// Longer words, string literals mostly, tell nothing of subwords, and the lattice of a very long one overflows.
const LONGEST_WORD: usize = 256;
/// Share of all characters that have a piece of their own (sentencepiece); the others are written as bytes.
const CHARACTER_COVERAGE: f64 = 0.9995;
/// Most text of different words that is trained on, in bytes; its suffix array takes some twenty times as much. The
/// rarest words are left out.
const MOST_TEXT: usize = 64 << 20;

/// The words and tags of texts, counted.
#[derive(Clone, Debug, Default)]
pub struct Words {
    words: BTreeMap<String, u32>,
    tags: BTreeSet<String>,
}

impl Words {
    /// Takes in a text.
    pub fn add(&mut self, text: &str) {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if is_tag(word) {
                if !self.tags.contains(word) {
                    self.tags.insert(word.to_owned());
                }
            } else if word.len() <= LONGEST_WORD {
                match self.words.get_mut(word) {
                    Some(count) => *count = count.saturating_add(1),
                    None => drop(self.words.insert(word.to_owned(), 1)),
                }
            }
        }
    }

    /// The tags, in order.
    pub(crate) fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(String::as_str)
    }

    /// Pieces of words with their logarithmic probabilities, the likeliest first.
    ///
    /// The trainer finds what several words have in common; a word that is no part of others, such as a bracket, it never
    /// takes for a piece however frequent it is. The commonest words are therefore pieces, too.
    pub(crate) fn pieces(&self, size: u32) -> Result<Vec<(String, f64)>, TokensError> {
        let sentences = self.sentences();
        let mut pieces = whole_words(&sentences, size as usize / WHOLE_WORDS);
        let room = size.saturating_sub(pieces.len() as u32);
        let known: BTreeSet<String> = pieces.iter().map(|(piece, _)| piece.clone()).collect();
        let trained = train(sentences, room)?;
        pieces.extend(trained.into_iter().filter(|(piece, _)| !known.contains(piece)));
        pieces.sort_by(|(a, one), (b, other)| other.total_cmp(one).then_with(|| a.cmp(b)));
        Ok(pieces)
    }

    /// What is trained on: words with the sign before them, without those of rare characters, in order.
    fn sentences(&self) -> Vec<(String, u32)> {
        let alphabet = self.alphabet();
        let known = |word: &str| word.chars().all(|character| alphabet.contains(&character));
        let mut words: Vec<(&str, u32)> = self
            .words
            .iter()
            .filter(|(word, _)| known(word))
            .map(|(word, count)| (word.as_str(), *count))
            .collect();
        words.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut bytes = 0;
        words.retain(|(word, _)| {
            bytes += word.len();
            bytes <= MOST_TEXT
        });
        words.sort_unstable();
        words.into_iter().map(|(word, count)| (format!("{WORD}{word}"), count)).collect()
    }

    fn alphabet(&self) -> BTreeSet<char> {
        let mut counts: BTreeMap<char, u64> = BTreeMap::new();
        for (word, count) in &self.words {
            for character in word.chars() {
                *counts.entry(character).or_default() += u64::from(*count);
            }
        }
        let wanted = counts.values().sum::<u64>() as f64 * CHARACTER_COVERAGE;
        let mut by_count: Vec<(char, u64)> = counts.into_iter().collect();
        by_count.sort_by_key(|(character, count)| (std::cmp::Reverse(*count), *character));
        let mut covered = 0;
        let kept = by_count.into_iter().take_while(|(_, count)| {
            let more = (covered as f64) < wanted;
            covered += count;
            more
        });
        kept.map(|(character, _)| character).collect()
    }
}

/// One in so many pieces may be a whole word.
const WHOLE_WORDS: usize = 4;

/// The commonest words with the logarithms of their shares.
fn whole_words(sentences: &[(String, u32)], most: usize) -> Vec<(String, f64)> {
    let all: u64 = sentences.iter().map(|(_, count)| u64::from(*count)).sum();
    let mut words: Vec<&(String, u32)> = sentences.iter().filter(|(_, count)| *count > 1).collect();
    words.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let share = |count: u32| (f64::from(count) / all.max(1) as f64).ln();
    words.into_iter().take(most).map(|(word, count)| (word.clone(), share(*count))).collect()
}

fn train(sentences: Vec<(String, u32)>, size: u32) -> Result<Vec<(String, f64)>, TokensError> {
    if sentences.is_empty() {
        return Ok(Vec::new());
    }
    let mut trainer = UnigramTrainer::default();
    (trainer.show_progress, trainer.vocab_size) = (false, size);
    // How many threads there are decides how sums are rounded.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| TokensError::Training(error.to_string()))?;
    let trained = pool.install(|| {
        let mut model = Unigram::default();
        trainer.do_train(sentences, &mut model).map(|_| model)
    });
    let model = trained.map_err(|error| TokensError::Training(error.to_string()))?;
    Ok(in_order(model.iter().cloned().collect()))
}

/// Whether a word is a tag.
pub(crate) fn is_tag(word: &str) -> bool {
    word.starts_with("<[") && word.ends_with("]>")
}

/// The pieces, the likeliest first and equals by name. The trainer gives characters that it had lost again scores from
/// the lowest up, step by step, in the order of a hash map that differs from run to run; here they get the same scores
/// in their own order.
fn in_order(mut pieces: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let characters = |pieces: &[(String, f64)]| -> Vec<(f64, usize)> {
        let all = pieces.iter().enumerate().filter(|(_, (piece, _))| piece.chars().count() == 1);
        let mut all: Vec<(f64, usize)> = all.map(|(at, (_, score))| (*score, at)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    };
    pieces.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut lost: Vec<(f64, usize)> = Vec::new();
    let (mut step, mut base) = (0.0, None);
    for (score, at) in characters(&pieces) {
        let base = *base.get_or_insert(score);
        if score == base + step {
            lost.push((score, at));
            step += LOST_STEP;
        }
    }
    let mut places: Vec<usize> = lost.iter().map(|(_, at)| *at).collect();
    places.sort_unstable();
    for ((score, _), at) in lost.iter().zip(places) {
        if let Some(piece) = pieces.get_mut(at) {
            piece.1 = *score;
        }
    }
    pieces.sort_by(|(a, one), (b, other)| other.total_cmp(one).then_with(|| a.cmp(b)));
    pieces
}

/// What the trainer adds from one such character to the next.
const LOST_STEP: f64 = 0.0001;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_were_lost_are_in_their_own_order() {
        let pieces = |lost: [&str; 3]| {
            let scores = [-9.0, -9.0 + LOST_STEP, -9.0 + (LOST_STEP + LOST_STEP)];
            let mut all: Vec<(String, f64)> =
                lost.iter().zip(scores).map(|(piece, score)| ((*piece).to_owned(), score)).collect();
            all.extend([("ab".to_owned(), -3.0), ("x".to_owned(), -2.0), ("aa".to_owned(), -3.0)]);
            in_order(all)
        };
        let names: Vec<String> = pieces(["p", "q", "r"]).into_iter().map(|(piece, _)| piece).collect();
        assert_eq!(names, ["x", "aa", "ab", "r", "q", "p"]);
        assert_eq!(pieces(["p", "q", "r"]), pieces(["r", "p", "q"]));
    }

    #[test]
    fn rare_characters_and_long_words_are_not_trained_on() {
        let mut words = Words::default();
        (0..10_000).for_each(|_| words.add("<[block]> counter inc"));
        words.add("日本 counter");
        words.add(&"a".repeat(300));
        let sentences: Vec<String> = words.sentences().into_iter().map(|(word, _)| word).collect();
        assert_eq!(sentences, ["▁counter", "▁inc"]);
        assert_eq!(words.tags().collect::<Vec<_>>(), ["<[block]>"]);
    }
}
