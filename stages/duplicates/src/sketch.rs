//! MinHash signatures of sets by fast similarity sketching (Dahlgaard, Knudsen and Thorup, FOCS 2017): elements
//! are thrown into the places of the signature, round after round with other hashes, until every place has one;
//! the smallest stays. Two signatures agree in each place with the probability of the sets' Jaccard index, as with
//! one permutation per place, but a signature of k places costs about n + k log k hashes instead of n k.

use crate::shingles::mix;

/// Fills `signature` for a set that is not empty.
pub fn sketch(set: &[u32], signature: &mut [u64]) {
    signature.fill(u64::MAX);
    let places = signature.len() as u64;
    let mut empty = signature.len();
    for round in 0..2 * places {
        // From here on the elements go to one place each round, so that none stays empty for want of luck.
        let forced = round.checked_sub(places);
        for element in set {
            let hash = mix(u64::from(*element) | (round + 1) << 32);
            let place = forced.unwrap_or(((hash >> 32) * places) >> 32);
            let value = round << 32 | hash & 0xffff_ffff;
            if let Some(kept) = signature.get_mut(place as usize) {
                empty -= usize::from(*kept == u64::MAX);
                *kept = value.min(*kept);
            }
        }
        if empty == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(a: &[u32], b: &[u32], places: usize) -> f64 {
        let (mut left, mut right) = (vec![0; places], vec![0; places]);
        sketch(a, &mut left);
        sketch(b, &mut right);
        left.iter().zip(&right).filter(|(a, b)| a == b).count() as f64 / places as f64
    }

    #[test]
    fn signatures_agree_as_often_as_sets_overlap() {
        for size in [4_u32, 20, 100, 2_000] {
            // Sets of `size` elements with three quarters in common: a Jaccard index of 0.6.
            let trials = 40;
            let mean = (0..trials)
                .map(|trial| {
                    let from = trial * 10_000;
                    let a: Vec<u32> = (from..from + size).collect();
                    let b: Vec<u32> = (from + size / 4..from + size / 4 + size).collect();
                    agreement(&a, &b, 128)
                })
                .sum::<f64>()
                / f64::from(trials);
            assert!((mean - 0.6).abs() < 0.05, "{size}: {mean}");
        }
    }

    #[test]
    fn a_single_element_fills_the_signature() {
        let mut signature = [0; 64];
        sketch(&[7], &mut signature);
        assert!(signature.iter().all(|value| *value != u64::MAX));
        assert_eq!(agreement(&[7], &[8], 64), 0.0);
    }
}
