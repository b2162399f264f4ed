//! Texts as sets of shingles, and how alike two sets are.

use crate::Settings;
use crate::tokens::{Comments, tokens};

/// Makes sets of shingles; keeps its buffers between texts.
pub struct Shingler {
    settings: Settings,
    tokens: Vec<u64>,
    /// [`BASE`] to the power of the shingle's length.
    outgoing: u64,
}

/// Base of the rolling polynomial hash; odd, so that nothing is lost by multiplying.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Shingler {
    /// For texts under these settings.
    pub fn new(settings: &Settings) -> Self {
        let length = u32::try_from(settings.shingle).unwrap_or(u32::MAX);
        Self { settings: *settings, tokens: Vec::new(), outgoing: BASE.wrapping_pow(length) }
    }

    /// Fills `set` with the 32-bit hashes of the text's shingles, sorted, each once. Two different shingles of
    /// two texts with 300 together have the same hash in 1 of 50,000 comparisons, and one shingle moves hardly
    /// any pair over the threshold.
    pub fn set(&mut self, text: &str, comments: Comments, set: &mut Vec<u32>) {
        self.tokens.clear();
        set.clear();
        let all = &mut self.tokens;
        tokens(text, comments, self.settings.normalise, |token| all.push(token));
        if all.len() < self.settings.least_tokens {
            return;
        }
        let length = self.settings.shingle.max(1);
        let mut hash = 0_u64;
        for (place, token) in all.iter().enumerate() {
            hash = hash.wrapping_mul(BASE).wrapping_add(mix(*token));
            if let Some(left) = place.checked_sub(length).and_then(|left| all.get(left)) {
                hash = hash.wrapping_sub(mix(*left).wrapping_mul(self.outgoing));
            }
            if place + 1 >= length {
                set.push((mix(hash) >> 32) as u32);
            }
        }
        if !all.is_empty() && all.len() < length {
            set.push((mix(hash ^ all.len() as u64) >> 32) as u32);
        }
        set.sort_unstable();
        set.dedup();
    }
}

/// Spreads the bits of a number over all of it (the finaliser of MurmurHash3).
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let number = (number ^ (number >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}

/// The Jaccard index of two sorted sets; 0 if one is empty.
pub fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let common = common(a, b);
    common as f64 / (a.len() + b.len() - common) as f64
}

/// Elements of both. Without branches that depend on the data, which cannot be foreseen.
fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}
