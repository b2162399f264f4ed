//! ROUGE-1, ROUGE-2 and ROUGE-L of one pair (Lin, 2004), as the package rouge-score computes them, on tokens as given.

use crate::tokens::{Tokens, grams, shared};

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Share of the prediction that is expected.
    pub precision: f64,
    /// Share of the reference that is predicted.
    pub recall: f64,
    /// Harmonic mean of both.
    pub f: f64,
}

impl Measure {
    fn new(shared: u64, predicted: usize, expected: usize) -> Self {
        let share = |whole: usize| if whole == 0 { 0.0 } else { shared as f64 / whole as f64 };
        let (precision, recall) = (share(predicted), share(expected));
        let sum = precision + recall;
        let f = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f }
    }
}

/// ROUGE-N for orders from 1 to 4.
pub fn rouge_n(tokens: &Tokens, order: usize) -> Measure {
    let (predicted, expected) = (grams(&tokens.prediction, order), grams(&tokens.reference, order));
    Measure::new(shared(&predicted, &expected), predicted.len(), expected.len())
}

/// ROUGE-L: by the longest common subsequence.
pub fn rouge_l(tokens: &Tokens) -> Measure {
    let Tokens { prediction, reference } = tokens;
    Measure::new(common_subsequence(prediction, reference), prediction.len(), reference.len())
}

/// Length of the longest common subsequence, 64 columns of the table at a time (Hyyrö, 2004).
fn common_subsequence(a: &[u32], b: &[u32]) -> u64 {
    let words = a.len().div_ceil(64);
    let symbols = a.iter().chain(b).max().map_or(0, |last| *last as usize + 1);
    let mut places = vec![0_u64; symbols * words];
    for (at, symbol) in a.iter().enumerate() {
        if let Some(word) = places.get_mut(*symbol as usize * words + at / 64) {
            *word |= 1 << (at % 64);
        }
    }
    // Bit i is 0 where the table grows from column i to the next.
    let mut row = vec![u64::MAX; words];
    for symbol in b {
        let from = *symbol as usize * words;
        let mut carry = false;
        for (word, place) in row.iter_mut().zip(places.get(from..from + words).unwrap_or_default()) {
            let kept = *word & place;
            let (sum, first) = word.overflowing_add(kept);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *word = sum | (*word & !place);
        }
    }
    let last = a.len() % 64;
    let count = |(at, word): (usize, &u64)| {
        let unused = if at + 1 == words && last != 0 { u64::MAX << last } else { 0 };
        u64::from((word | unused).count_zeros())
    };
    row.iter().enumerate().map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(prediction: &[u32], reference: &[u32]) -> Tokens {
        Tokens { prediction: prediction.to_vec(), reference: reference.to_vec() }
    }

    /// The table of the textbook.
    fn by_table(a: &[u32], b: &[u32]) -> u64 {
        let mut row = vec![0; a.len() + 1];
        for symbol in b {
            let mut diagonal = 0;
            for (at, own) in a.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if own == symbol { diagonal + 1 } else { above.max(row[at]) };
                diagonal = above;
            }
        }
        row[a.len()]
    }

    #[test]
    fn subsequences_are_as_long_as_the_table_says() {
        let mut state = 7_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..300 {
            let (long, short, symbols) = (next(200), next(150), next(12) + 1);
            let a: Vec<u32> = (0..long).map(|_| next(symbols)).collect();
            let b: Vec<u32> = (0..short).map(|_| next(symbols)).collect();
            assert_eq!(common_subsequence(&a, &b), by_table(&a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn shares_of_both_sides() {
        let pair = tokens(&[1, 2, 3, 4], &[1, 3, 4, 5, 6, 7]);
        let one = rouge_n(&pair, 1);
        assert_eq!((one.precision, one.recall), (0.75, 0.5));
        assert!((one.f - 0.6).abs() < 1e-12);
        assert_eq!(rouge_n(&pair, 2).precision, 1.0 / 3.0);
        assert_eq!(rouge_l(&pair).recall, 0.5);
    }

    #[test]
    fn nothing_gives_nothing() {
        for pair in [tokens(&[], &[1]), tokens(&[1], &[]), tokens(&[], &[]), tokens(&[2], &[1])] {
            assert_eq!((rouge_n(&pair, 1), rouge_l(&pair)), (Measure::default(), Measure::default()));
        }
    }
}
