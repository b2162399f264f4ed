//! What a discovery and the cloning after it would take, from counts alone.

use crate::DiscoveryError;
use crate::query::Search;
use crate::question::Interface;
use crate::session::Session;
use serde::Serialize;

/// What to expect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Repositories that the search finds.
    pub repositories: u64,
    /// Names to look up beside it.
    pub names: u64,
    /// Requests of discovery.
    pub requests: u64,
    /// Hours of discovery under GitHub's limits.
    pub hours: f64,
    /// Gigabytes on GitHub's disks, with all history, from counts by size. Clones without history are smaller.
    pub gigabytes: f64,
    /// Requests that the estimate itself took.
    pub asked: u64,
}

/// Sizes in KiB that are counted, and what a repository of each has on average. Bands of a factor of ten, with
/// the geometric middle; the last one is open.
const SIZES: [(u64, Option<u64>, f64); 6] = [
    (0, Some(99), 32.0),
    (100, Some(999), 316.0),
    (1_000, Some(9_999), 3_160.0),
    (10_000, Some(99_999), 31_600.0),
    (100_000, Some(999_999), 316_000.0),
    (1_000_000, None, 2_000_000.0),
];

/// Slices are seldom full to the last page, and a few answers in a hundred fail.
const OVERHEAD: f64 = 1.08;

/// Seconds that one answer takes: a page of a hundred over GraphQL and over REST.
const SECONDS: (f64, f64) = (2.0, 1.0);

/// Requests an hour that GitHub lets pass: with a token 5,000 and 30 searches a minute, without one 60 and 10.
const HOURLY: [f64; 2] = [60.0, 5_000.0];
const SEARCHES_A_MINUTE: [f64; 2] = [10.0, 30.0];

/// Asks for the counts.
pub(crate) async fn estimate(
    session: &mut Session,
    searches: &[Search],
    names: u64,
    tokens: usize,
) -> Result<Estimate, DiscoveryError> {
    let banded = searches.iter().flat_map(|search| {
        SIZES.iter().map(|(from, to, _)| search.words_with_size(search.whole(), (*from, *to)))
    });
    let counts = session.counts(&banded.collect::<Vec<_>>()).await?;
    let kilobytes = |of_one: &[u64]| -> f64 {
        of_one.iter().zip(SIZES).map(|(count, (_, _, average))| *count as f64 * average).sum()
    };
    let repositories: u64 = counts.iter().sum();
    let pages = counts.chunks(SIZES.len()).map(|of_one| of_one.iter().sum::<u64>().div_ceil(100).max(1));
    let searches = (pages.sum::<u64>() as f64 * OVERHEAD).ceil();
    let portions = names.div_ceil(session.github().names_at_once() as u64) as f64;
    let (known, accounts) = (usize::from(tokens > 0), tokens.max(1) as f64);
    let hourly = HOURLY[known] * accounts;
    let seconds = match session.github().interface {
        Interface::Rest => {
            let search = (searches * 60.0 / (SEARCHES_A_MINUTE[known] * accounts)).max(searches * SECONDS.1);
            search + (portions / hourly * 3_600.0).max(portions * SECONDS.1)
        }
        _ => ((searches + portions) / hourly * 3_600.0).max((searches + portions) * SECONDS.0),
    };
    Ok(Estimate {
        repositories,
        names,
        requests: (searches + portions) as u64,
        hours: seconds / 3_600.0,
        gigabytes: counts.chunks(SIZES.len()).map(kilobytes).sum::<f64>() * 1_024.0 / 1e9,
        asked: session.github().api.traffic.requests,
    })
}
