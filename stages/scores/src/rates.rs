//! Shares of answers that meet something, and what longer contexts change about them.

/// How many of the answers that were judged met something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// Those that did.
    pub met: u64,
    /// All that were judged.
    pub judged: u64,
}

impl Rate {
    /// Counts one answer.
    pub fn add(&mut self, met: bool) {
        self.met += u64::from(met);
        self.judged += 1;
    }

    /// Both counts together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { met: self.met + other.met, judged: self.judged + other.judged }
    }

    /// The share, from 0 to 1; none where nothing was judged.
    pub fn share(self) -> Option<f64> {
        (self.judged > 0).then(|| self.met as f64 / self.judged as f64)
    }
}

/// What context adds to a share: the most and the least over the budgets, each minus the share without context
/// (CLOVER, section 4.2: `Δ_max` and `Δ_min`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextUtilisation {
    /// Best share with context minus that without.
    pub max: f64,
    /// Worst share with context minus that without.
    pub min: f64,
}

impl ContextUtilisation {
    /// From the share without context and those with; none where there is no share with context.
    pub fn new(without: f64, with: &[f64]) -> Option<Self> {
        let max = with.iter().copied().reduce(f64::max)?;
        let min = with.iter().copied().reduce(f64::min)?;
        Some(Self { max: max - without, min: min - without })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_counts_what_was_judged() {
        let mut rate = Rate::default();
        assert_eq!(rate.share(), None);
        [true, false, false, true].into_iter().for_each(|met| rate.add(met));
        assert_eq!(rate.share(), Some(0.5));
        assert_eq!(rate.plus(Rate { met: 1, judged: 4 }), Rate { met: 3, judged: 8 });
    }

    #[test]
    fn context_utilisation_is_that_of_the_papers_table() {
        // GPT-4o of table 4: 68.0 without; 71.0, 71.5, 70.9, 69.8 and 67.2 with context.
        let found = ContextUtilisation::new(68.0, &[71.0, 71.5, 70.9, 69.8, 67.2]).unwrap();
        assert!((found.max - 3.5).abs() < 1e-9 && (found.min + 0.8).abs() < 1e-9, "{found:?}");
        assert_eq!(ContextUtilisation::new(0.5, &[]), None);
    }
}
