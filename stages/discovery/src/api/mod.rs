//! GitHub's API with everything that can go wrong on the way: limits, waits, several tokens, broken answers,
//! redirects. Who asks gets an answer, an absence, or an error that ends discovery. It does not know what is
//! asked for.
//!
//! Requests go one after the other, as GitHub wants it: beside each other they run into its secondary limits.

mod backoff;
mod budget;
mod transport;
mod verdict;

pub use budget::Resource;

use crate::clock::Clock;
use crate::repository::Absence;
use crate::token::{Token, redact};
use crate::{DiscoveryError, Watch};
use backoff::Backoff;
use budget::Budget;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use transport::{Fault, Transport};
use verdict::{Verdict, judge};

/// How to ask.
pub(crate) enum Method {
    /// Read.
    Get,
    /// GraphQL.
    Post(serde_json::Value),
}

/// A question to the API.
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Path with its parameters.
    pub(crate) path: String,
    /// What counts it.
    pub(crate) resource: Resource,
    /// Answer that is known already.
    pub(crate) etag: Option<String>,
    /// Whether it can be asked in smaller portions, should the server give up on it.
    pub(crate) can_be_smaller: bool,
    /// For messages.
    pub(crate) question: String,
}

/// What came of it.
pub(crate) enum Reply {
    /// An answer in JSON.
    Answer {
        body: serde_json::Value,
        /// The header that says where the next page is.
        link: Option<String>,
        /// What to show when asking again.
        etag: Option<String>,
    },
    /// As known by the ETag.
    NotModified,
    /// It is not there.
    Absent(Absence, String),
    /// The server gives up on the question again and again: it is too much at once.
    TooHeavy,
}

/// How many requests were made, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Requests sent.
    pub requests: u64,
    /// Those among them that brought nothing: broken, refused for a limit, failed.
    pub fruitless: u64,
    /// Seconds spent waiting for limits and between tries.
    pub waited_seconds: u64,
}

/// One token with its connection and budgets.
struct Account {
    transport: Transport,
    budgets: [Budget; 3],
    refused: bool,
}

/// How the API is asked.
#[derive(Clone, Debug)]
pub struct ApiSettings {
    /// Address (`https://api.github.com`).
    pub address: String,
    /// Longest single exchange.
    pub request_limit: Duration,
    /// Longest time of nothing but faults on one question.
    pub patience: Duration,
    /// Seed of the jitter.
    pub seed: u64,
}

/// The API.
pub(crate) struct Api {
    settings: ApiSettings,
    accounts: Vec<Account>,
    tokens: Vec<Token>,
    clock: Arc<dyn Clock>,
    watch: Arc<dyn Watch>,
    backoff: Backoff,
    pub(crate) traffic: Traffic,
}

/// After so many failed gateways in a row a question is held to be too much at once.
const HEAVY_AFTER: u32 = 3;

/// Redirects that are followed; one is a rename, a few are renames of renames.
const MAX_REDIRECTS: u32 = 5;

impl Api {
    /// Must be called inside a runtime.
    pub(crate) fn new(
        settings: ApiSettings,
        tokens: &[Token],
        clock: Arc<dyn Clock>,
        watch: Arc<dyn Watch>,
    ) -> Result<Self, DiscoveryError> {
        let secrets: Vec<Option<&Token>> =
            if tokens.is_empty() { vec![None] } else { tokens.iter().map(Some).collect() };
        let accounts = secrets.into_iter().map(|token| {
            let transport = Transport::new(&settings.address, token, settings.request_limit)?;
            Ok(Account { transport, budgets: [Budget::default(); 3], refused: false })
        });
        Ok(Self {
            accounts: accounts.collect::<Result<_, DiscoveryError>>()?,
            tokens: tokens.to_vec(),
            clock,
            watch,
            backoff: Backoff::new(settings.seed),
            settings,
            traffic: Traffic::default(),
        })
    }

    /// Asks until there is an answer.
    pub(crate) async fn ask(&mut self, request: &Request) -> Result<Reply, DiscoveryError> {
        let mut path = request.path.clone();
        let (mut redirects, mut failures, mut gateways, mut limits) = (0, 0, 0, 0);
        let mut patience_until = None;
        loop {
            let account = self.account(request.resource).await?;
            let sent = self.send(account, request, &path).await?;
            let now = self.clock.now();
            let verdict = self.take_note(account, request, sent, now);
            if !matches!(verdict, Verdict::Reply(_) | Verdict::Redirect(_)) {
                self.traffic.fruitless += 1;
            }
            match verdict {
                Verdict::Reply(reply) => return Ok(reply),
                Verdict::Redirect(to) => {
                    redirects += 1;
                    match self.follow(&to, redirects) {
                        Ok(next) => path = next,
                        Err(absence) => {
                            return Ok(Reply::Absent(absence, format!("{} leads to {to}", request.path)));
                        }
                    }
                }
                Verdict::Refused { status, cause } => {
                    let (question, cause) = (request.question.clone(), redact(&cause, &self.tokens));
                    return Err(DiscoveryError::Refused { question, status, cause });
                }
                Verdict::Certificate(cause) => {
                    let cause = redact(&cause, &self.tokens);
                    return Err(DiscoveryError::Certificate {
                        address: self.settings.address.clone(),
                        cause,
                    });
                }
                // The next choice of an account waits, or takes another one.
                Verdict::TokenRefused => {}
                Verdict::Limited => {
                    limits += 1;
                    let free_at = self.budget(account, request.resource).free_at();
                    if free_at <= now {
                        // The answer names no time.
                        let time = self.backoff.after_secondary(limits);
                        self.budget(account, request.resource).block(now, time);
                    }
                }
                Verdict::Failed { cause, gateway } => {
                    failures += 1;
                    gateways = if gateway { gateways + 1 } else { 0 };
                    if gateways >= HEAVY_AFTER && request.can_be_smaller {
                        return Ok(Reply::TooHeavy);
                    }
                    let until = *patience_until.get_or_insert(now + self.settings.patience);
                    if now >= until {
                        return Err(self.out_of_patience(request, failures, &cause));
                    }
                    let time = self.backoff.after_failure(failures);
                    self.wait(time, &redact(&cause, &self.tokens)).await?;
                }
            }
        }
    }

    fn out_of_patience(&self, request: &Request, tries: u32, cause: &str) -> DiscoveryError {
        DiscoveryError::Patience {
            question: request.question.clone(),
            tries: u64::from(tries),
            seconds: self.settings.patience.as_secs(),
            cause: redact(cause, &self.tokens),
        }
    }

    /// One exchange, given up when the user wants to end.
    async fn send(
        &mut self,
        account: usize,
        request: &Request,
        path: &str,
    ) -> Result<Result<transport::Raw, Fault>, DiscoveryError> {
        self.traffic.requests += 1;
        let Some(account) = self.accounts.get(account) else { return Err(DiscoveryError::Unauthorised) };
        let watch = self.watch.clone();
        let cancelled = async {
            while !watch.is_cancelled() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let exchange = account.transport.send(&request.method, path, request.etag.as_deref());
        tokio::select! {
            biased;
            sent = exchange => Ok(sent.map(|answer| answer.without(&self.tokens))),
            () = cancelled => Err(DiscoveryError::Interrupted),
        }
    }

    /// Judges an exchange and notes what it says of limits and tokens.
    fn take_note(
        &mut self,
        account: usize,
        request: &Request,
        sent: Result<transport::Raw, Fault>,
        now: Duration,
    ) -> Verdict {
        if let Ok(answer) = &sent {
            self.budget(account, request.resource).learn(answer, now);
        }
        let verdict = judge(sent, now);
        match &verdict {
            (Verdict::Limited, Some(time)) => self.budget(account, request.resource).block(now, *time),
            (Verdict::TokenRefused, _) => {
                if let Some(account) = self.accounts.get_mut(account) {
                    account.refused = true;
                }
            }
            _ => {}
        }
        verdict.0
    }

    fn budget(&mut self, account: usize, resource: Resource) -> &mut Budget {
        // The index comes from `account`, which found it in the list.
        let account = account.min(self.accounts.len().saturating_sub(1));
        &mut self.accounts[account].budgets[resource as usize]
    }

    /// The account with the most left, once one may ask.
    async fn account(&mut self, resource: Resource) -> Result<usize, DiscoveryError> {
        loop {
            if self.watch.is_cancelled() {
                return Err(DiscoveryError::Interrupted);
            }
            let now = self.clock.now();
            let alive = self.accounts.iter().enumerate().filter(|(_, account)| !account.refused);
            let budgets = alive.map(|(index, account)| (index, account.budgets[resource as usize]));
            // Free ones first, then the fullest, then the first.
            let best = budgets.min_by_key(|(index, budget)| {
                let free_at = budget.free_at();
                let wait = free_at.saturating_sub(now);
                (wait, std::cmp::Reverse(budget.left(now)), *index)
            });
            let Some((index, budget)) = best else { return Err(DiscoveryError::Unauthorised) };
            let wait = budget.free_at().saturating_sub(now);
            if wait.is_zero() {
                return Ok(index);
            }
            self.wait(wait, "GitHub's rate limit").await?;
        }
    }

    /// Waits in steps, so that the user can end it.
    async fn wait(&mut self, time: Duration, why: &str) -> Result<(), DiscoveryError> {
        self.watch.waits(time, why);
        self.traffic.waited_seconds += time.as_secs();
        let end = self.clock.now() + time;
        loop {
            if self.watch.is_cancelled() {
                return Err(DiscoveryError::Interrupted);
            }
            let left = end.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Ok(());
            }
            self.clock.sleep(left.min(Duration::from_secs(1))).await;
        }
    }

    /// The path that a redirect leads to, or why it is not followed. A token must not go to another server.
    fn follow(&self, to: &str, redirects: u32) -> Result<String, Absence> {
        if redirects > MAX_REDIRECTS {
            return Err(Absence::RedirectLoop);
        }
        let own = self.settings.address.trim_end_matches('/');
        let path = to.strip_prefix(own).unwrap_or(to);
        if path.starts_with('/') && !path.starts_with("//") {
            Ok(path.to_owned())
        } else {
            Err(Absence::RedirectedElsewhere)
        }
    }
}
