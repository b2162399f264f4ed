//! Tokens as numbers, so that comparing them costs the same whatever their length.

use std::collections::HashMap;

/// A prediction and its reference as numbers: equal tokens have equal numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The prediction.
    pub prediction: Vec<u32>,
    /// The reference.
    pub reference: Vec<u32>,
}

impl Tokens {
    /// Numbers the tokens of both.
    pub fn new<T: AsRef<str>>(prediction: &[T], reference: &[T]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::with_capacity(prediction.len() + reference.len());
        let all = prediction.iter().chain(reference).map(|token| {
            let next = numbers.len() as u32;
            *numbers.entry(token.as_ref()).or_insert(next)
        });
        let mut all: Vec<u32> = all.collect();
        let reference = all.split_off(prediction.len());
        Self { prediction: all, reference }
    }
}

/// Sorted runs of `order` tokens; orders above 4 are cut to 4.
pub(crate) fn grams(tokens: &[u32], order: usize) -> Vec<u128> {
    let pack = |window: &[u32]| window.iter().fold(0_u128, |packed, token| packed << 32 | u128::from(*token));
    let mut grams: Vec<u128> = tokens.windows(order.clamp(1, 4)).map(pack).collect();
    grams.sort_unstable();
    grams
}

/// How many elements two sorted lists share, each as often as it is in both.
pub(crate) fn shared(a: &[u128], b: &[u128]) -> u64 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut count = 0;
    while let (Some(left), Some(right)) = (a.peek(), b.peek()) {
        match left.cmp(right) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                count += 1;
                a.next();
                b.next();
            }
        }
    }
    count
}
