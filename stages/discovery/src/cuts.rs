//! Where to cut a search by creation date, so that each slice holds close to a thousand repositories and hardly
//! ever more. GitHub shows a thousand results of a search and no more; a slice with fewer wastes the end of its
//! last page, one with more costs a request that only tells so.
//!
//! Dates of creation are cut first and stars only inside a single second: a date never changes, while a
//! repository that gains a star between two pages would move from one slice into another and be missed.

/// Most results of one search.
pub(crate) const MOST_RESULTS: u64 = 1_000;

/// How many deviations below the bound a slice is planned. Lower values waste requests on slices that do not
/// fit, higher ones pages that are not full; the simulated populations of the tests cost least from 1.2 to 1.8.
const CAUTION: f64 = 1.5;

/// A stretch of time whose number of repositories is known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: u64,
    to: u64,
    count: f64,
}

impl Piece {
    fn width(&self) -> f64 {
        (self.to - self.from + 1) as f64
    }
}

/// What is known of the part of a search that is still to be read.
#[derive(Debug)]
pub(crate) struct Cuts {
    /// The known pieces, adjacent and in order; the first begins where the next slice begins.
    pieces: Vec<Piece>,
    /// Repositories a second in the slice before.
    local: Option<f64>,
    /// Square of the share by which plans have been wrong beyond chance.
    error: f64,
}

impl Cuts {
    /// From known counts of adjacent stretches.
    pub(crate) fn new(counts: impl Iterator<Item = ((u64, u64), u64)>) -> Self {
        let pieces: Vec<Piece> =
            counts.map(|((from, to), count)| Piece { from, to, count: count as f64 }).collect();
        // One stretch says nothing of how its repositories lie in it, many say a lot.
        let error = if pieces.len() > 1 { 0.02 } else { 0.1 };
        Self { pieces, local: None, error }
    }

    /// The next slice, first and last second; none when all is read.
    pub(crate) fn next(&self) -> Option<(u64, u64)> {
        let first = self.pieces.first()?;
        let mut known = 0.0;
        for piece in &self.pieces {
            if known + piece.count > MOST_RESULTS as f64 {
                let inside = self.seconds_that_fit(piece, known);
                return Some((first.from, (piece.from + inside).saturating_sub(1).max(first.from)));
            }
            known += piece.count;
        }
        self.pieces.last().map(|last| (first.from, last.to))
    }

    /// How many seconds of a piece fit behind so many repositories before it.
    fn seconds_that_fit(&self, piece: &Piece, before: f64) -> u64 {
        let fits = |seconds: u64| {
            let (mean, deviation) = self.expected(piece, seconds);
            before + mean + CAUTION * deviation <= MOST_RESULTS as f64
        };
        let (mut fitting, mut beyond) = (0, piece.to - piece.from + 1);
        while beyond - fitting > 1 {
            let middle = fitting + (beyond - fitting) / 2;
            if fits(middle) { fitting = middle } else { beyond = middle }
        }
        fitting
    }

    /// Mean and deviation of the number of repositories in the first seconds of a piece. They lie as thick as
    /// in the slice before at its beginning, and altogether they must come to the piece's count.
    fn expected(&self, piece: &Piece, seconds: u64) -> (f64, f64) {
        let share = seconds as f64 / piece.width();
        let average = piece.count / piece.width();
        // Above twice the average the mean would shrink with time.
        let local = self.local.unwrap_or(average).min(2.0 * average);
        let mean = seconds as f64 * (local * (1.0 - share) + average * share);
        let open = 1.0 - share;
        (mean, (mean * open + self.error * (mean * open).powi(2)).sqrt())
    }

    /// Takes note that a slice from the beginning to `to` holds so many, whether it is read now or too large.
    pub(crate) fn learn(&mut self, to: u64, count: u64) {
        let Some(first) = self.pieces.first() else { return };
        let (from, planned) = (first.from, self.mean_up_to(to));
        let wrong = ((count as f64 - planned) / planned.max(1.0)).clamp(-1.0, 1.0);
        let beyond_chance = (wrong.powi(2) - 1.0 / planned.max(1.0)).max(0.0);
        self.error = 0.8 * self.error + 0.2 * beyond_chance;
        let known = Piece { from, to, count: count as f64 };
        self.local = Some((known.count + 0.5) / known.width());
        let inside: f64 = self.pieces.iter().filter(|piece| piece.to <= to).map(|piece| piece.count).sum();
        self.pieces.retain(|piece| piece.to > to);
        if let Some(cut) = self.pieces.first_mut() {
            cut.count = (cut.count - (known.count - inside)).max(0.0);
            cut.from = to + 1;
        }
        self.pieces.insert(0, known);
    }

    fn mean_up_to(&self, to: u64) -> f64 {
        let before = self.pieces.iter().take_while(|piece| piece.from <= to);
        before.map(|piece| self.expected(piece, piece.to.min(to) - piece.from + 1).0).sum()
    }

    /// The first slice is read; what follows begins behind it.
    pub(crate) fn done(&mut self) {
        if !self.pieces.is_empty() {
            self.pieces.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a population to the end; requests beside the least possible, of which there are `least`.
    fn requests(dates: &[u64], known: &[(u64, u64)]) -> (u64, u64) {
        let count = |from: u64, to: u64| {
            (dates.partition_point(|date| *date <= to) - dates.partition_point(|date| *date < from)) as u64
        };
        let mut cuts = Cuts::new(known.iter().map(|&(from, to)| ((from, to), count(from, to))));
        let (mut requests, mut found) = (0, 0);
        while let Some((from, to)) = cuts.next() {
            let inside = count(from, to);
            cuts.learn(to, inside);
            if inside > MOST_RESULTS {
                assert!(to > from, "a single second is not planned for");
                requests += 1;
                continue;
            }
            requests += inside.div_ceil(100).max(1);
            found += inside;
            cuts.done();
        }
        assert_eq!(found, dates.len() as u64, "every repository is in exactly one slice");
        (requests, found.div_ceil(100))
    }

    /// Dates that grow denser, with an ebb each week and a flood on some days.
    fn dates(number: u64, mut seed: u64) -> Vec<u64> {
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut dates = Vec::new();
        while (dates.len() as u64) < number {
            let date = (random().sqrt() * 600e6) as u64;
            let weekend = date / 86_400 % 7 >= 5;
            let flood = (date / 86_400).is_multiple_of(97);
            if flood || random() < if weekend { 0.5 } else { 0.8 } {
                dates.push(date);
            }
        }
        dates.sort_unstable();
        dates
    }

    #[test]
    fn slices_come_close_to_the_least_possible_number_of_requests() {
        let years: Vec<(u64, u64)> =
            (0..20).map(|year| (year * 30_000_000, year * 30_000_000 + 29_999_999)).collect();
        for seed in 1..9 {
            let dates = dates(100_000, seed);
            for known in [&years[..], &[(0, 599_999_999)]] {
                let (requests, least) = requests(&dates, known);
                assert!(requests * 100 <= least * 107, "{requests} requests instead of {least}");
            }
        }
    }

    #[test]
    fn any_population_is_covered() {
        assert_eq!(requests(&[], &[(0, 99)]), (1, 0));
        let lumps: Vec<u64> = (0..50_u64).flat_map(|lump| vec![lump * lump * 1_000; 900]).collect();
        let (spent, least) = requests(&lumps, &[(0, 3_000_000)]);
        assert!(spent < least * 4, "{spent} for {least}");
        let all: Vec<u64> = (0..1_000).collect();
        assert_eq!(requests(&all, &[(0, 5_000_000)]), (10, 10));
    }
}
