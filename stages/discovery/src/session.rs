//! Questions that are asked once: what the journal knows is not asked again, and what is asked is kept before
//! it counts.

use crate::DiscoveryError;
use crate::journal::Journal;
use crate::question::{Answer, GitHub, Looked, Page, Question, SMALLEST_PAGE};
use crate::watch::{Progress, Watch};
use std::collections::HashSet;
use std::sync::Arc;

/// Repositories on a page; more are not to be had.
const LARGEST_PAGE: u32 = 100;

/// A discovery at work.
pub(crate) struct Session {
    github: GitHub,
    /// None for an estimate, which nobody goes on with.
    journal: Option<Journal>,
    watch: Arc<dyn Watch>,
    /// Ids of all repositories that were found, for counting; their rows are in the journal.
    found: HashSet<u64>,
    progress: Progress,
    page_size: u32,
}

impl Session {
    pub(crate) fn new(github: GitHub, journal: Option<Journal>, watch: Arc<dyn Watch>) -> Self {
        let progress = Progress::default();
        Self { github, journal, watch, found: HashSet::new(), progress, page_size: LARGEST_PAGE }
    }

    pub(crate) fn github(&self) -> &GitHub {
        &self.github
    }

    /// Adds to what there should be.
    pub(crate) fn expect(&mut self, more: u64) {
        self.progress.expected += more;
        self.watch.progress(&self.progress);
    }

    pub(crate) fn found(&self) -> u64 {
        self.found.len() as u64
    }

    async fn ask(&mut self, question: Question) -> Result<Answer, DiscoveryError> {
        if self.watch.is_cancelled() {
            return Err(DiscoveryError::Interrupted);
        }
        let known = match &mut self.journal {
            Some(journal) => journal.replay(&question)?,
            None => None,
        };
        let replayed = known.is_some();
        let answer = match (known, &mut self.journal) {
            (Some(answer), _) => answer,
            (None, Some(journal)) => {
                let answer = self.github.ask(&question).await?;
                journal.keep(question, answer)?
            }
            (None, None) => self.github.ask(&question).await?,
        };
        match &answer {
            Answer::Page(page) => self.found.extend(page.repositories.iter().map(|found| found.id)),
            Answer::Named(looked) => self.found.extend(looked.iter().filter_map(|looked| match looked {
                Looked::Found(found) => Some(found.id),
                Looked::Absent(..) => None,
            })),
            Answer::Counts(_) | Answer::TooHeavy => {}
        }
        self.progress.found = self.found();
        self.progress.requests = self.github.api.traffic.requests;
        if replayed {
            self.progress.replayed = self.progress.found;
        }
        self.watch.progress(&self.progress);
        Ok(answer)
    }

    /// Counts, as many in one request as can be had.
    pub(crate) async fn counts(&mut self, words: &[String]) -> Result<Vec<u64>, DiscoveryError> {
        let size = self.github.counts_at_once();
        let mut portions: Vec<&[String]> = words.chunks(size).rev().collect();
        let mut counts = Vec::new();
        while let Some(portion) = portions.pop() {
            match self.ask(Question::Counts(portion.to_vec())).await? {
                Answer::Counts(more) => counts.extend(more),
                Answer::TooHeavy => portions.extend(halves(portion)),
                Answer::Page(_) | Answer::Named(_) => return Err(mixed_up()),
            }
        }
        Ok(counts)
    }

    /// Repositories by name, in the order of the names.
    pub(crate) async fn look_up(&mut self, names: &[String]) -> Result<(), DiscoveryError> {
        let size = self.github.names_at_once();
        let mut portions: Vec<&[String]> = names.chunks(size).rev().collect();
        while let Some(portion) = portions.pop() {
            if self.ask(Question::Named(portion.to_vec())).await? == Answer::TooHeavy {
                portions.extend(halves(portion));
            }
        }
        Ok(())
    }

    /// A page, smaller where the server cannot do it.
    pub(crate) async fn page(&mut self, words: &str, after: Option<String>) -> Result<Page, DiscoveryError> {
        loop {
            let question =
                Question::Page { words: words.to_owned(), after: after.clone(), size: self.page_size };
            match self.ask(question).await? {
                Answer::Page(page) => return Ok(page),
                Answer::TooHeavy => self.page_size = (self.page_size / 2).max(SMALLEST_PAGE),
                Answer::Counts(_) | Answer::Named(_) => return Err(mixed_up()),
            }
        }
    }

    /// What was too much for one slice need not be for the next.
    pub(crate) fn recover(&mut self) {
        self.page_size = (self.page_size * 2).min(LARGEST_PAGE);
    }
}

/// The two halves, so that the first is taken first from a stack.
fn halves(portion: &[String]) -> impl Iterator<Item = &[String]> {
    let (first, second) = portion.split_at(portion.len() / 2);
    [second, first].into_iter().filter(|half| !half.is_empty())
}

fn mixed_up() -> DiscoveryError {
    DiscoveryError::Facets("the journal answers another question".to_owned())
}
