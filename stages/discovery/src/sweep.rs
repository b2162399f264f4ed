//! One search from its first slice to its last: cut, read, compared with the count that GitHub gives.

use crate::cuts::{Cuts, MOST_RESULTS};
use crate::found::Unsettled;
use crate::query::{Search, Slice};
use crate::question::Page;
use crate::session::Session;
use crate::{DiscoveryError, date};
use std::collections::HashSet;

/// How often a slice is read where its answers do not agree with each other.
const READINGS: u32 = 3;

/// What came of a search.
#[derive(Default)]
pub(crate) struct Swept {
    /// Slices read.
    pub(crate) slices: u64,
    /// Repositories that GitHub counts in them.
    pub(crate) counted: u64,
    /// Slices whose answers never agreed.
    pub(crate) unsettled: Vec<Unsettled>,
}

/// Reads a whole search.
pub(crate) async fn sweep(session: &mut Session, search: &Search) -> Result<Swept, DiscoveryError> {
    let mut swept = Swept::default();
    let stretches = stretches(search, session.github().counts_at_once());
    let whole = search.whole();
    let counts = if stretches.len() > 1 {
        let slice = |&created: &(u64, u64)| search.words(Slice { created, ..whole });
        session.counts(&stretches.iter().map(slice).collect::<Vec<_>>()).await?
    } else {
        // Here a count costs as much as a page, and a small search is through with it.
        let words = search.words(whole);
        let first = session.page(&words, None).await?;
        session.expect(first.total);
        if first.total <= MOST_RESULTS {
            read(session, &words, first, &mut swept).await?;
            return Ok(swept);
        }
        vec![first.total]
    };
    if stretches.len() > 1 {
        session.expect(counts.iter().sum());
    }
    let mut cuts = Cuts::new(stretches.into_iter().zip(counts));
    while let Some(created) = cuts.next() {
        let slice = Slice { created, ..whole };
        let words = search.words(slice);
        let first = session.page(&words, None).await?;
        cuts.learn(created.1, first.total);
        if first.total <= MOST_RESULTS {
            read(session, &words, first, &mut swept).await?;
        } else if created.0 == created.1 {
            by_stars(session, search, slice, &mut swept).await?;
        } else {
            continue;
        }
        cuts.done();
    }
    Ok(swept)
}

/// The years of a search, where counts come together in few requests; else all of it at once.
fn stretches(search: &Search, counts_at_once: usize) -> Vec<(u64, u64)> {
    let (from, to) = search.created;
    let year = |second: u64| date::format(second).get(..4).and_then(|year| year.parse::<u64>().ok());
    let starts = |year: u64| date::parse(&format!("{year}-01-01"));
    let (Some(first), Some(last)) = (year(from), year(to)) else { return vec![(from, to)] };
    if counts_at_once == 1 {
        return vec![(from, to)];
    }
    let starts = (first + 1..=last).filter_map(starts);
    let begins: Vec<u64> = std::iter::once(from).chain(starts).collect();
    let ends = begins.iter().skip(1).map(|begin| begin - 1).chain([to]);
    begins.iter().copied().zip(ends).collect()
}

/// A single second with too many repositories: cut by stars until each slice fits.
async fn by_stars(
    session: &mut Session,
    search: &Search,
    slice: Slice,
    swept: &mut Swept,
) -> Result<(), DiscoveryError> {
    let mut waiting = vec![slice.stars];
    while let Some(stars) = waiting.pop() {
        let words = search.words(Slice { stars, ..slice });
        let first = session.page(&words, None).await?;
        // Stars are spread over orders of magnitude.
        let middle = match stars.1 {
            None => stars.0.max(1) * 4,
            Some(most) => stars.0 + (most - stars.0) / 2,
        };
        if first.total > MOST_RESULTS && stars.1 != Some(stars.0) && middle < u64::MAX / 8 {
            waiting.extend([(middle + 1, stars.1), (stars.0, Some(middle))]);
        } else {
            read(session, &words, first, swept).await?;
        }
    }
    Ok(())
}

/// Reads a slice from its first page on, again where pages do not agree.
async fn read(
    session: &mut Session,
    words: &str,
    first: Page,
    swept: &mut Swept,
) -> Result<(), DiscoveryError> {
    let mut first = Some(first);
    let mut reading = Reading::default();
    for _ in 0..READINGS {
        let page = match first.take() {
            Some(page) => page,
            None => session.page(words, None).await?,
        };
        reading = Reading::default();
        let mut next = reading.add(page);
        while let Some(after) = next {
            next = reading.add(session.page(words, Some(after)).await?);
        }
        if reading.is_settled() {
            break;
        }
    }
    if !reading.is_settled() {
        let Reading { total, incomplete, .. } = reading;
        let found = reading.found.len() as u64;
        swept.unsettled.push(Unsettled { words: words.to_owned(), total, found, incomplete });
    }
    swept.slices += 1;
    swept.counted += reading.total;
    session.recover();
    Ok(())
}

/// One reading of a slice.
#[derive(Default)]
struct Reading {
    found: HashSet<u64>,
    total: u64,
    pages: u64,
    changed: bool,
    incomplete: bool,
}

impl Reading {
    /// Adds a page; where the next one begins.
    fn add(&mut self, page: Page) -> Option<String> {
        // When a repository comes or goes, all behind it move, and one may move past the end of a page.
        self.changed |= self.pages > 0 && page.total != self.total;
        self.total = page.total;
        self.incomplete |= page.incomplete;
        self.pages += 1;
        let before = self.found.len();
        self.found.extend(page.repositories.iter().map(|repository| repository.id));
        // A page without anything new would be followed by others for ever.
        if self.found.len() == before { None } else { page.next }
    }

    fn is_settled(&self) -> bool {
        !self.changed && !self.incomplete && self.found.len() as u64 == self.total
    }
}
