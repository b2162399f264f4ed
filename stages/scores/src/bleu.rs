//! BLEU of a corpus (Papineni et al., 2002), as sacrebleu computes it: one reference each, tokens as given, and
//! exponential smoothing of orders without a match.

use crate::tokens::{Tokens, grams, shared};

/// Longest n-gram.
pub const ORDER: usize = 4;

/// Counts that add up over a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// N-grams of the predictions that are in their references, by order from 1.
    pub matches: [u64; ORDER],
    /// N-grams of the predictions.
    pub totals: [u64; ORDER],
    /// Tokens of the predictions.
    pub predicted: u64,
    /// Tokens of the references.
    pub expected: u64,
}

/// BLEU with its parts, all from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bleu {
    /// The score: brevity penalty times the geometric mean of the precisions.
    pub score: f64,
    /// Precision of each order, smoothed.
    pub precisions: [f64; ORDER],
    /// 1 where the predictions are at least as long as the references.
    pub brevity_penalty: f64,
}

impl Bleu {
    /// The score with all weight on one order, from 1: its precision times the brevity penalty (BLEU-1 to BLEU-4 of
    /// ConTest, whose table has BLEU as their geometric mean).
    pub fn of_order(&self, order: usize) -> f64 {
        let precision = order.checked_sub(1).and_then(|at| self.precisions.get(at));
        precision.map_or(0.0, |precision| precision * self.brevity_penalty)
    }
}

impl Counts {
    /// The counts of one pair.
    pub fn of(tokens: &Tokens) -> Self {
        let Tokens { prediction, reference } = tokens;
        let mut counts =
            Self { predicted: prediction.len() as u64, expected: reference.len() as u64, ..Self::default() };
        for (at, (matches, total)) in counts.matches.iter_mut().zip(&mut counts.totals).enumerate() {
            let predicted = grams(prediction, at + 1);
            *total = predicted.len() as u64;
            *matches = shared(&predicted, &grams(reference, at + 1));
        }
        counts
    }

    /// These counts and others.
    pub fn and(mut self, other: &Self) -> Self {
        let add = |own: &mut [u64; ORDER], other: &[u64; ORDER]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        };
        add(&mut self.matches, &other.matches);
        add(&mut self.totals, &other.totals);
        self.predicted += other.predicted;
        self.expected += other.expected;
        self
    }

    /// The score of the corpus.
    pub fn bleu(&self) -> Bleu {
        let brevity_penalty = match (self.predicted, self.expected) {
            (0, _) => 0.0,
            (predicted, expected) if predicted >= expected => 1.0,
            (predicted, expected) => (1.0 - expected as f64 / predicted as f64).exp(),
        };
        let mut bleu = Bleu { brevity_penalty, ..Bleu::default() };
        if self.matches.iter().all(|matches| *matches == 0) {
            return bleu;
        }
        let mut smoothing = 1.0;
        let counts = self.matches.iter().zip(&self.totals);
        for (precision, (matches, total)) in bleu.precisions.iter_mut().zip(counts) {
            if *total == 0 {
                break;
            }
            *precision = if *matches == 0 {
                smoothing *= 2.0;
                1.0 / (smoothing * *total as f64)
            } else {
                *matches as f64 / *total as f64
            };
        }
        let logarithms: f64 = bleu.precisions.iter().map(|precision| precision.ln()).sum();
        bleu.score = brevity_penalty * (logarithms / ORDER as f64).exp();
        bleu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(prediction: &str, reference: &str) -> Counts {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Counts::of(&Tokens::new(&words(prediction), &words(reference)))
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn equal_texts_have_one() {
        let bleu = counts("a b c d e", "a b c d e").bleu();
        assert_eq!((bleu.score, bleu.precisions, bleu.brevity_penalty), (1.0, [1.0; 4], 1.0));
    }

    /// By hand: 4 of 5 words, 2 of 4 pairs, 1 of 3, 0 of 2 which counts as 1 / (2 * 2).
    #[test]
    fn orders_without_a_match_are_smoothed() {
        let bleu = counts("a b c x d", "a b c d e").bleu();
        let expected = [0.8, 0.5, 1.0 / 3.0, 0.25];
        assert!(bleu.precisions.iter().zip(expected).all(|(a, b)| close(*a, b)), "{bleu:?}");
        assert!(close(bleu.score, expected.iter().product::<f64>().powf(0.25)));
    }

    #[test]
    fn short_predictions_are_punished() {
        let bleu = counts("a b c d", "a b c d e f g h").bleu();
        assert!(close(bleu.brevity_penalty, (-1.0_f64).exp()));
        assert!(close(bleu.of_order(1), (-1.0_f64).exp()) && close(bleu.score, (-1.0_f64).exp()));
    }

    #[test]
    fn repeated_words_count_as_often_as_they_are_expected() {
        assert_eq!(counts("the the the the", "the cat the").matches, [2, 0, 0, 0]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(counts("", "a b").bleu(), Bleu::default());
        assert_eq!(counts("x", "a b").bleu().score, 0.0);
        assert_eq!(counts("a b", "a b").bleu().score, 0.0, "too short for runs of four");
    }

    #[test]
    fn a_corpus_adds_counts_and_not_scores() {
        let corpus = counts("a b c d", "a b c d").and(&counts("x y z w", "a b c d"));
        assert!(close(corpus.bleu().of_order(1), 0.5));
    }
}
