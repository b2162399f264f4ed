//! GitHub's limits: so many requests or points in a window, for each token and each resource apart.

use crate::date;
use std::collections::HashMap;

/// Requests that pass: in an hour, searches in a minute, points of GraphQL in an hour.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Plain requests an hour.
    pub core: u64,
    /// Searches over REST a minute.
    pub search: u64,
    /// Points an hour.
    pub graphql: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { core: 5_000, search: 30, graphql: 5_000 }
    }
}

#[derive(Clone, Copy)]
struct Window {
    ends: u64,
    used: u64,
}

/// What is used up.
#[derive(Default)]
pub(crate) struct Used {
    windows: HashMap<(String, &'static str), Window>,
}

impl Used {
    /// Counts a request; whether it passes, and the headers that say what is left.
    pub(crate) fn count(
        &mut self,
        token: &str,
        resource: &'static str,
        cost: u64,
        limits: &Limits,
        now: u64,
    ) -> (bool, Vec<(String, String)>) {
        let (limit, length) = match resource {
            "search" => (limits.search, 60),
            "graphql" => (limits.graphql, 3_600),
            _ => (limits.core, 3_600),
        };
        let window = self.windows.entry((token.to_owned(), resource)).or_insert(Window { ends: 0, used: 0 });
        if now >= window.ends {
            *window = Window { ends: now + length, used: 0 };
        }
        let passes = window.used + cost <= limit;
        window.used = (window.used + cost).min(limit);
        let header = |name: &str, value: String| (format!("x-ratelimit-{name}"), value);
        let headers = vec![
            header("limit", limit.to_string()),
            header("remaining", (limit - window.used).to_string()),
            header("reset", window.ends.to_string()),
            header("used", window.used.to_string()),
            header("resource", resource.to_owned()),
            ("date".to_owned(), date::header(now)),
        ];
        (passes, headers)
    }
}
