//! How a signature is cut into bands: texts that agree in all rows of a band are candidates.

use crate::shingles::mix;

/// Share of pairs exactly at the threshold that no band brings together; pairs above it are missed less often.
const MISSED_AT_THRESHOLD: f64 = 0.002;
/// Longest signature. More rows in a band mean fewer candidates in vain, but need more bands.
const MOST_PLACES: usize = 144;
/// Most rows that are tried.
const MOST_ROWS: usize = 32;

/// Bands and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banding {
    /// Bands.
    pub bands: usize,
    /// Places of the signature in each.
    pub rows: usize,
}

impl Banding {
    /// The most rows for which enough bands find room: a pair of Jaccard index `t` agrees in one of `b` bands of
    /// `r` rows with probability `1 - (1 - t^r)^b` (Leskovec, Rajaraman and Ullman, chapter 3.4).
    pub fn new(threshold: f64) -> Self {
        let fitting = |rows: usize| {
            let agrees = threshold.powi(rows as i32).min(1.0 - 1e-9);
            // Of many rows so little agrees that one less it would be one.
            let bands = (MISSED_AT_THRESHOLD.ln() / (-agrees).ln_1p()).ceil() as usize;
            let bands = bands.max(2);
            (bands.saturating_mul(rows) <= MOST_PLACES).then_some(Self { bands, rows })
        };
        (1..=MOST_ROWS).rev().find_map(fitting).unwrap_or(Self { bands: MOST_PLACES, rows: 1 })
    }

    /// Places of a signature.
    pub fn places(self) -> usize {
        self.bands * self.rows
    }

    /// A hash of each band.
    pub fn hashes(self, signature: &[u64]) -> impl Iterator<Item = u32> {
        signature
            .chunks(self.rows)
            .map(|band| (band.iter().fold(0, |hash, value| mix(hash ^ value)) >> 32) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_follow_from_the_threshold() {
        assert_eq!(Banding::new(0.7), Banding { bands: 23, rows: 4 });
        for threshold in [0.3, 0.5, 0.7, 0.8, 0.95, 1.0] {
            let Banding { bands, rows } = Banding::new(threshold);
            let missed = (1.0 - f64::powi(threshold, rows as i32)).powi(bands as i32);
            assert!(missed <= 0.002, "{threshold}: {missed}");
            assert!(bands * rows <= MOST_PLACES);
        }
    }
}
