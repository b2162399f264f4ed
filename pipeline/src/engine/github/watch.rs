//! Discovery on the terminal: found so far, rate, time left, and what is waited for.

use crate::engine::Cancel;
use crate::progress::Progress;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trefoil_discovery::{Progress as Figures, Watch};

/// Seconds between two lines.
const QUIET: Duration = Duration::from_secs(10);

/// Waits that are worth a line.
const LONG: Duration = Duration::from_secs(5);

/// Writes lines to standard error.
pub struct OnTerminal {
    say: Box<dyn Fn(&str) + Send + Sync>,
    cancel: Cancel,
    start: Instant,
    spoken: Mutex<Option<Instant>>,
}

impl OnTerminal {
    pub fn new(progress: &Progress, cancel: &Cancel) -> Self {
        Self {
            say: progress.speaker(),
            cancel: cancel.clone(),
            start: Instant::now(),
            spoken: Mutex::default(),
        }
    }
}

impl Watch for OnTerminal {
    fn progress(&self, figures: &Figures) {
        let mut spoken = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
        if spoken.is_some_and(|spoken| spoken.elapsed() < QUIET) {
            return;
        }
        *spoken = Some(Instant::now());
        (self.say)(&line(figures, self.start.elapsed().as_secs_f64()));
    }

    fn waits(&self, time: Duration, why: &str) {
        if time >= LONG {
            (self.say)(&format!("discovery waits {} s: {why}", time.as_secs()));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }
}

/// Found, expected, rate and time left.
fn line(figures: &Figures, seconds: f64) -> String {
    let Figures { found, expected, requests, replayed } = *figures;
    let rate = found.saturating_sub(replayed) as f64 / seconds.max(0.001);
    let left = match rate {
        rate if rate > 0.0 => format!(", ETA {:.0} s", expected.saturating_sub(found) as f64 / rate),
        _ => String::new(),
    };
    format!(
        "discovery: {found} of about {expected} repositories, {requests} requests, {rate:.0} a second{left}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_count_from_this_start() {
        let figures = Figures { found: 3_000, expected: 10_000, requests: 21, replayed: 1_000 };
        let text = line(&figures, 20.0);
        assert!(text.contains("3000 of about 10000") && text.contains("100 a second, ETA 70 s"), "{text}");
    }
}
