//! How long to wait before asking again: longer each time, and never quite as long as others do.

use std::time::Duration;

/// Longest pause after a failure.
const MAX_PAUSE: Duration = Duration::from_secs(300);

/// GitHub asks for at least a minute where a secondary limit names no time, and for more each time after.
const SECONDARY: Duration = Duration::from_secs(60);
const MAX_SECONDARY: Duration = Duration::from_secs(1_800);

/// Pauses, with a jitter that a seed decides.
pub(super) struct Backoff {
    state: u64,
}

impl Backoff {
    pub(super) fn new(seed: u64) -> Self {
        // The generator stands still at zero.
        Self { state: seed ^ 0x9e37_79b9_7f4a_7c15 | 1 }
    }

    /// After the so-manyth failure in a row.
    pub(super) fn after_failure(&mut self, failures: u32) -> Duration {
        let doubled = Duration::from_secs(1) * 2_u32.pow(failures.saturating_sub(1).min(16));
        let jitter = 0.5 + self.share() / 2.0;
        doubled.min(MAX_PAUSE).mul_f64(jitter)
    }

    /// After the so-manyth secondary limit without a time.
    pub(super) fn after_secondary(&mut self, failures: u32) -> Duration {
        let doubled = SECONDARY * 2_u32.pow(failures.saturating_sub(1).min(8));
        doubled.min(MAX_SECONDARY).mul_f64(1.0 + self.share() / 4.0)
    }

    /// From 0 up to below 1 (xorshift, Marsaglia 2003).
    fn share(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound_and_follow_from_the_seed() {
        let pauses = |seed| {
            let mut backoff = Backoff::new(seed);
            (1..40).map(|failures| backoff.after_failure(failures)).collect::<Vec<_>>()
        };
        assert_eq!(pauses(1), pauses(1));
        assert_ne!(pauses(1), pauses(2));
        assert!(pauses(0).iter().all(|pause| *pause >= Duration::from_millis(500) && *pause <= MAX_PAUSE));
        assert!(pauses(1)[20..].iter().all(|pause| *pause >= MAX_PAUSE / 2));
        assert!(Backoff::new(1).after_secondary(1) >= SECONDARY);
    }
}
