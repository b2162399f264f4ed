//! How much of its limits a token has left, from what the server says with every answer.

use super::transport::Raw;
use crate::date;
use std::time::Duration;

/// What GitHub counts apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Plain requests, 5,000 an hour.
    Core,
    /// Searches over REST, 30 a minute.
    Search,
    /// Points of GraphQL, 5,000 an hour.
    Graphql,
}

/// Longest wait that an answer can impose; whatever it says, after that it is asked again.
const MAX_WAIT: Duration = Duration::from_secs(3_700);

/// One resource of one token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Budget {
    /// Left in the present window; unknown before the first answer.
    remaining: Option<u64>,
    /// When the window ends, by our clock.
    reset: Duration,
    /// Nothing may be asked before this, by our clock.
    blocked_until: Duration,
}

impl Budget {
    /// From when on something may be asked.
    pub(super) fn free_at(&self) -> Duration {
        let reset = if self.remaining == Some(0) { self.reset } else { Duration::ZERO };
        self.blocked_until.max(reset)
    }

    /// What is left, as far as is known.
    pub(super) fn left(&self, now: Duration) -> u64 {
        if now >= self.reset { u64::MAX } else { self.remaining.unwrap_or(u64::MAX) }
    }

    /// Takes note of what an answer says.
    pub(super) fn learn(&mut self, answer: &Raw, now: Duration) {
        let Some(remaining) = answer.number("x-ratelimit-remaining") else { return };
        self.remaining = Some(remaining);
        if let Some(reset) = answer.number("x-ratelimit-reset") {
            // A second more, since both are cut to whole seconds.
            self.reset = now + until(answer, reset, now) + Duration::from_secs(1);
        }
    }

    /// Lets nothing be asked for a time.
    pub(super) fn block(&mut self, now: Duration, time: Duration) {
        self.blocked_until = self.blocked_until.max(now + time.min(MAX_WAIT));
    }
}

/// Time until a moment of the server, whose clock need not be ours.
fn until(answer: &Raw, moment: u64, now: Duration) -> Duration {
    let server = answer.header("date").and_then(date::parse_http).map_or(now, Duration::from_secs);
    Duration::from_secs(moment).saturating_sub(server).min(MAX_WAIT)
}

/// Seconds of `Retry-After`, which may also be a date.
pub(super) fn retry_after(answer: &Raw, now: Duration) -> Option<Duration> {
    let text = answer.header("retry-after")?;
    match text.trim().parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => Some(until(answer, date::parse_http(text)?, now)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderMap;

    fn answer(headers: &[(&'static str, &str)]) -> Raw {
        let headers = headers.iter().map(|(name, value)| ((*name).parse().unwrap(), value.parse().unwrap()));
        Raw { status: 200, headers: headers.collect::<HeaderMap>(), body: Vec::new() }
    }

    #[test]
    fn an_exhausted_budget_is_free_when_the_window_ends_by_the_servers_clock() {
        let mut budget = Budget::default();
        let now = Duration::from_secs(1_000_000);
        // The server's clock is an hour ahead of ours.
        let date = [("date", "Mon, 12 Jan 1970 14:46:40 GMT"), ("x-ratelimit-remaining", "0")];
        budget.learn(&answer(&[date[0], date[1], ("x-ratelimit-reset", "1003630")]), now);
        assert_eq!(budget.free_at(), now + Duration::from_secs(31));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = Duration::from_secs(784_111_777);
        assert_eq!(retry_after(&answer(&[("retry-after", "7")]), now), Some(Duration::from_secs(7)));
        let date = answer(&[("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT")]);
        assert_eq!(retry_after(&date, now), Some(Duration::from_secs(10)));
        assert_eq!(retry_after(&answer(&[("retry-after", "soon")]), now), None);
    }

    #[test]
    fn no_answer_makes_us_wait_for_ever() {
        let mut budget = Budget::default();
        budget.learn(
            &answer(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "18446744073709551615")]),
            Duration::ZERO,
        );
        budget.block(Duration::ZERO, Duration::from_secs(1 << 40));
        assert!(budget.free_at() <= MAX_WAIT + Duration::from_secs(1));
    }
}
