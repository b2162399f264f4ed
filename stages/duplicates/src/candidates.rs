//! Which texts are worth comparing: those that agree in a band.

use rayon::prelude::*;

/// With how many others of its bucket a text is compared at most: those next to it in size, since what is alike is
/// of like size. Keeps a bucket of boilerplate from taking quadratic time.
const NEIGHBOURS: usize = 128;

/// What candidates are found by.
pub(crate) struct Banded<'a> {
    /// Band hashes, text after text.
    pub hashes: &'a [u32],
    /// Bands of a text.
    pub bands: usize,
    /// Shingles of each text; a text without any is no candidate.
    pub sizes: &'a [u32],
    /// Least Jaccard index.
    pub threshold: f64,
}

impl Banded<'_> {
    /// Calls `visit` with pairs of texts, the smaller number first, many at a time. A pair comes once, except that
    /// those of crowded buckets may come again. The order depends on the texts alone.
    pub(crate) fn visit<E>(&self, mut visit: impl FnMut(&[(u32, u32)]) -> Result<(), E>) -> Result<(), E> {
        let mut crowded = vec![false; self.sizes.len()];
        let mut pairs = Vec::new();
        for band in 0..self.bands {
            let order = self.order(band);
            for bucket in order.chunk_by(|a, b| a >> 32 == b >> 32).filter(|bucket| bucket.len() > 1) {
                let mut texts: Vec<u32> = bucket.iter().map(|entry| *entry as u32).collect();
                texts.sort_unstable_by_key(|text| (self.size(*text), *text));
                self.compare(&texts, band, &crowded, &mut pairs);
                if texts.len() > NEIGHBOURS + 1 {
                    texts
                        .iter()
                        .filter_map(|text| crowded.get_mut(*text as usize).map(|it| *it = true))
                        .count();
                }
                if pairs.len() >= AT_ONCE {
                    visit(&pairs)?;
                    pairs.clear();
                }
            }
        }
        visit(&pairs)
    }

    /// Band hash and text of all texts, sorted.
    fn order(&self, band: usize) -> Vec<u64> {
        let of_band = self.hashes.iter().skip(band).step_by(self.bands);
        let entry = |(text, hash): (u32, &u32)| u64::from(*hash) << 32 | u64::from(text);
        let with_shingles = (0..).zip(of_band).filter(|(text, _)| self.size(*text) > 0);
        let mut order: Vec<u64> = with_shingles.map(entry).collect();
        order.par_sort_unstable();
        order
    }

    fn compare(&self, texts: &[u32], band: usize, crowded: &[bool], pairs: &mut Vec<(u32, u32)>) {
        for (place, &a) in texts.iter().enumerate() {
            let most = self.size(a) as f64 / self.threshold;
            let neighbours = texts.iter().skip(place + 1).take(NEIGHBOURS);
            for &b in neighbours.take_while(|b| f64::from(self.size(**b)) <= most + 1e-9) {
                if !self.compared_before(a, b, band, crowded) {
                    pairs.push((a.min(b), a.max(b)));
                }
            }
        }
    }

    /// Whether an earlier band has brought the two together; not certain where a bucket was crowded.
    fn compared_before(&self, a: u32, b: u32, band: usize, crowded: &[bool]) -> bool {
        let is_crowded = |text: u32| crowded.get(text as usize).copied().unwrap_or_default();
        let hashes = |text: u32| self.hashes.get(text as usize * self.bands..).unwrap_or_default();
        let earlier = hashes(a).iter().zip(hashes(b)).take(band);
        !(is_crowded(a) && is_crowded(b)) && { earlier }.any(|(a, b)| a == b)
    }

    fn size(&self, text: u32) -> u32 {
        self.sizes.get(text as usize).copied().unwrap_or_default()
    }
}

/// Pairs that are compared side by side.
const AT_ONCE: usize = 1 << 16;
