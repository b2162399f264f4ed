//! The questions of discovery and their answers, whichever interface of GitHub they go through. Both can be
//! written down: the journal keeps every answer beside its question.

use crate::api::{Api, Reply};
use crate::known::Known;
use crate::repository::{Absence, Repository};
use crate::{DiscoveryError, graphql, rest};
use serde::{Deserialize, Serialize};

/// Which of GitHub's interfaces searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Interface {
    /// GraphQL with a token, REST without.
    #[default]
    Auto,
    /// One request for a hundred repositories with everything that is kept of them. Asks for a token.
    Graphql,
    /// One request for a hundred repositories without commit, parent and the bytes of languages.
    Rest,
}

/// What discovery asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How many repositories answer to each of these search words.
    Counts(Vec<String>),
    /// One page of those that answer to search words.
    Page {
        /// The search words.
        words: String,
        /// Where the page before ended.
        after: Option<String>,
        /// Most repositories on it.
        size: u32,
    },
    /// Repositories by name (`owner/name`).
    Named(Vec<String>),
}

/// Smallest page that is asked for where larger ones are too much.
pub(crate) const SMALLEST_PAGE: u32 = 10;

impl Question {
    /// Whether it can be asked in smaller portions.
    pub(crate) fn can_be_smaller(&self) -> bool {
        match self {
            Self::Counts(all) => all.len() > 1,
            Self::Page { size, .. } => *size > SMALLEST_PAGE,
            Self::Named(names) => names.len() > 1,
        }
    }
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// In the order of the question.
    Counts(Vec<u64>),
    /// A page.
    Page(Page),
    /// In the order of the question.
    Named(Vec<Looked>),
    /// The server could not do it in one go.
    TooHeavy,
}

/// One page of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// How many repositories answer to the search words.
    pub total: u64,
    /// Whether GitHub says that it did not look everywhere.
    pub incomplete: bool,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
    /// The repositories.
    pub repositories: Vec<Repository>,
}

/// What became of a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looked {
    /// There, perhaps under another name.
    Found(Box<Repository>),
    /// Not there.
    Absent(Absence, String),
}

/// Who answers: GitHub through one of its interfaces.
pub(crate) struct GitHub {
    pub(crate) api: Api,
    pub(crate) interface: Interface,
    pub(crate) known: Known,
}

impl GitHub {
    /// How many counts one request can bring.
    pub(crate) fn counts_at_once(&self) -> usize {
        if self.interface == Interface::Graphql { graphql::COUNTS_AT_ONCE } else { 1 }
    }

    /// How many names one request can look up.
    pub(crate) fn names_at_once(&self) -> usize {
        if self.interface == Interface::Graphql { graphql::NAMES_AT_ONCE } else { 1 }
    }

    /// Asks until there is an answer.
    pub(crate) async fn ask(&mut self, question: &Question) -> Result<Answer, DiscoveryError> {
        if self.interface == Interface::Rest {
            return self.ask_rest(question).await;
        }
        let request = graphql::request(question);
        match self.api.ask(&request).await? {
            Reply::TooHeavy => Ok(Answer::TooHeavy),
            Reply::Answer { body, .. } => {
                let answer = graphql::answer(question, &body);
                let mut answer = answer.ok_or_else(|| unreadable(&request.question))?;
                if let (Question::Named(names), Answer::Named(looked)) = (question, &mut answer) {
                    self.ask_why(names, looked).await?;
                }
                Ok(answer)
            }
            Reply::NotModified => Err(unreadable(&request.question)),
            Reply::Absent(_, cause) => {
                Err(DiscoveryError::Refused { question: request.question, status: 404, cause })
            }
        }
    }

    /// GraphQL says of a repository only that it is not there; REST says why.
    async fn ask_why(&mut self, names: &[String], looked: &mut [Looked]) -> Result<(), DiscoveryError> {
        for (name, looked) in names.iter().zip(looked) {
            if matches!(looked, Looked::Absent(..)) {
                *looked = self.look_up(name).await?;
            }
        }
        Ok(())
    }

    async fn ask_rest(&mut self, question: &Question) -> Result<Answer, DiscoveryError> {
        match question {
            Question::Named(names) => {
                let mut looked = Vec::new();
                for name in names {
                    looked.push(self.look_up(name).await?);
                }
                Ok(Answer::Named(looked))
            }
            Question::Counts(all) => {
                let mut counts = Vec::new();
                for words in all {
                    counts.push(self.search_page(words, None, 1).await?.total);
                }
                Ok(Answer::Counts(counts))
            }
            Question::Page { words, after, size } => {
                Ok(Answer::Page(self.search_page(words, after.as_deref(), *size).await?))
            }
        }
    }

    async fn search_page(
        &mut self,
        words: &str,
        after: Option<&str>,
        size: u32,
    ) -> Result<Page, DiscoveryError> {
        let request = rest::search(words, after, size);
        match self.api.ask(&request).await? {
            Reply::Answer { body, link, .. } => {
                rest::page(&body, link.as_deref()).ok_or_else(|| unreadable(&request.question))
            }
            Reply::Absent(_, cause) => {
                Err(DiscoveryError::Refused { question: request.question, status: 404, cause })
            }
            Reply::NotModified | Reply::TooHeavy => Err(unreadable(&request.question)),
        }
    }

    /// Asks for one repository by name, following renames.
    async fn look_up(&mut self, name: &str) -> Result<Looked, DiscoveryError> {
        let Some(mut request) = rest::named(name) else {
            let detail = format!("`{name}` is no name of a repository");
            return Ok(Looked::Absent(Absence::RepositoryGone, detail));
        };
        request.etag = self.known.etag(name);
        match self.api.ask(&request).await? {
            Reply::Answer { body, etag, .. } => {
                let repository = rest::repository(&body).ok_or_else(|| unreadable(&request.question))?;
                self.known.learn(name, etag, &repository);
                Ok(Looked::Found(Box::new(repository)))
            }
            Reply::NotModified => match self.known.repository(name) {
                Some(repository) => Ok(Looked::Found(Box::new(repository.clone()))),
                None => Err(unreadable(&request.question)),
            },
            Reply::Absent(absence, detail) => Ok(Looked::Absent(absence, detail)),
            Reply::TooHeavy => Err(unreadable(&request.question)),
        }
    }
}

fn unreadable(question: &str) -> DiscoveryError {
    DiscoveryError::Refused {
        question: question.to_owned(),
        status: 200,
        cause: "the answer has another form than GitHub's; is github.api its address?".to_owned(),
    }
}
