//! The server: takes connections, counts limits, lets faults strike, hands requests to what answers them.

use crate::fault::{At, Fault, passing};
use crate::http::{self, Request, Response};
use crate::limits::{Limits, Used};
use crate::population::{Random, Repository};
use crate::{git, graphql, rest};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// What the server is like.
#[derive(Clone, Default)]
pub struct Script {
    /// Its repositories.
    pub repositories: Vec<Repository>,
    /// Tokens that it takes; without any it takes every one, and none at all.
    pub tokens: Vec<String>,
    /// Its limits; none without.
    pub limits: Option<Limits>,
    /// Faults and when they strike.
    pub faults: Vec<(At, Fault)>,
    /// Share of answers that fail in a passing way.
    pub fault_share: f64,
    /// Seed of those.
    pub seed: u64,
    /// Milliseconds since 1970, where time is simulated.
    pub clock: Option<Arc<AtomicU64>>,
    /// Simulated milliseconds that an answer takes.
    pub latency: u64,
    /// Folder of git repositories, `owner/name.git`.
    pub git: Option<PathBuf>,
}

/// What was asked of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// All requests.
    pub requests: u64,
    /// Those that failed by fault or limit.
    pub failed: u64,
    /// By the first part of their path.
    pub by_path: BTreeMap<String, u64>,
    /// By token; empty without one.
    pub by_token: BTreeMap<String, u64>,
    /// Answers that said that nothing has changed.
    pub not_modified: u64,
    /// Bytes of all answers, without heads.
    pub bytes: u64,
}

struct Inner {
    script: Script,
    used: Used,
    served: Served,
    random: Random,
    /// The last search and what it found.
    search: Option<(String, Vec<usize>)>,
}

/// A server at work; it ends when this is dropped.
pub struct StandIn {
    address: SocketAddr,
    inner: Arc<Mutex<Inner>>,
    over: Arc<AtomicBool>,
}

impl StandIn {
    /// Starts a server on a free port of loopback.
    pub fn start(script: Script) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let random = Random(script.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
        let inner = Inner { script, used: Used::default(), served: Served::default(), random, search: None };
        let inner = Arc::new(Mutex::new(inner));
        let over = Arc::new(AtomicBool::new(false));
        let (shared, ended) = (inner.clone(), over.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let shared = shared.clone();
                std::thread::spawn(move || {
                    let _ = serve(stream, &shared, address);
                });
            }
        });
        Ok(Self { address, inner, over })
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    pub fn served(&self) -> Served {
        lock(&self.inner).served.clone()
    }

    /// Changes the script.
    pub fn change(&self, change: impl FnOnce(&mut Script)) {
        let mut inner = lock(&self.inner);
        change(&mut inner.script);
        inner.search = None;
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(stream: TcpStream, inner: &Mutex<Inner>, address: SocketAddr) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = http::read(&mut reader)? {
        let git_root = lock(inner).script.git.clone().filter(|_| git::repository_of(&request).is_some());
        let (response, fault) = match git_root {
            Some(root) => {
                let (refusal, fault) = lock(inner).refusal(&request);
                (refusal.unwrap_or_else(|| git::answer(&request, &root)), fault)
            }
            None => lock(inner).answer(&request, &format!("http://{address}")),
        };
        lock(inner).served.bytes += response.body.len() as u64;
        if !http::write(&mut writer, &response, fault.as_ref())? {
            return Ok(());
        }
    }
    Ok(())
}

impl Inner {
    fn now(&self) -> u64 {
        match &self.script.clock {
            Some(clock) => clock.load(Ordering::SeqCst) / 1_000,
            None => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        }
    }

    fn count(&mut self, request: &Request) {
        self.served.requests += 1;
        let first = request.path.split('/').nth(1).unwrap_or_default();
        *self.served.by_path.entry(first.to_owned()).or_default() += 1;
        *self.served.by_token.entry(token(request).to_owned()).or_default() += 1;
        if let Some(clock) = &self.script.clock {
            clock.fetch_add(self.script.latency, Ordering::SeqCst);
        }
    }

    /// The fault that strikes a request, scripted or passing.
    fn fault(&mut self, request: &Request) -> Option<Fault> {
        let number = self.served.requests - 1;
        let mut faults = self.script.faults.iter_mut();
        let scripted =
            faults.find_map(|(at, fault)| at.strikes(number, &request.path).then(|| fault.clone()));
        let fault = match scripted {
            Some(fault) => Some(fault),
            None if self.script.fault_share > 0.0 && self.random.share() < self.script.fault_share => {
                Some(passing(&mut self.random))
            }
            None => None,
        };
        self.served.failed += u64::from(fault.is_some());
        fault
    }

    /// What git is told instead of a repository, if anything, and the fault that strikes the answer.
    fn refusal(&mut self, request: &Request) -> (Option<Response>, Option<Fault>) {
        self.count(request);
        let fault = self.fault(request);
        let refusal = git::refusal(request, &self.script.repositories, &self.script.tokens);
        (fault.as_ref().and_then(instead).or(refusal), fault)
    }

    fn answer(&mut self, request: &Request, address: &str) -> (Response, Option<Fault>) {
        self.count(request);
        let known = &self.script.tokens;
        if !known.is_empty() && !known.iter().any(|known| known == token(request)) {
            self.served.failed += 1;
            return (Response::message(401, "Bad credentials"), None);
        }
        let fault = self.fault(request);
        let (mut response, resource, cost) = self.content(request, fault.as_ref(), address);
        if response.status == 304 {
            self.served.not_modified += 1;
        }
        if let Some(limits) = self.script.limits {
            // GitHub does not count what has not changed.
            let cost = if response.status == 304 { 0 } else { cost };
            let now = self.now();
            let (passes, headers) = self.used.count(token(request), resource, cost, &limits, now);
            if !passes {
                self.served.failed += 1;
                response = exceeded(resource);
            }
            response.headers.extend(headers);
        }
        (response, fault)
    }

    fn content(
        &mut self,
        request: &Request,
        fault: Option<&Fault>,
        address: &str,
    ) -> (Response, &'static str, u64) {
        let resource = match request.path.as_str() {
            "/graphql" => "graphql",
            path if path.starts_with("/search/") => "search",
            _ => "core",
        };
        if let Some(response) = fault.and_then(instead) {
            return (response, resource, 1);
        }
        let (response, cost) = match request.path.as_str() {
            "/graphql" => {
                let answered = graphql::answer(&request.body, &self.script.repositories);
                (Response::json(200, &answered.body), answered.points)
            }
            "/search/repositories" => (self.search(request, fault == Some(&Fault::Incomplete), address), 1),
            "/rate_limit" => (Response::json(200, &json!({"resources": {}})), 0),
            path if path.starts_with("/repos/") || path.starts_with("/repositories/") => {
                (rest::one(request, &self.script.repositories, address), 1)
            }
            _ => (Response::message(404, "Not Found"), 1),
        };
        if fault == Some(&Fault::Shift) {
            let top = self.script.repositories.iter().enumerate().max_by_key(|(_, one)| one.stars);
            if let Some(place) = top.map(|(place, _)| place) {
                self.script.repositories.remove(place);
                self.search = None;
            }
        }
        (response, resource, cost)
    }

    fn search(&mut self, request: &Request, incomplete: bool, address: &str) -> Response {
        let words = request.parameter("q").unwrap_or_default();
        if self.search.as_ref().is_none_or(|(known, _)| *known != words) {
            match rest::found(&words, &self.script.repositories) {
                Ok(places) => self.search = Some((words, places)),
                Err(refusal) => return refusal,
            }
        }
        let places = self.search.as_ref().map(|(_, places)| places.as_slice()).unwrap_or_default();
        rest::search_repositories(request, places, &self.script.repositories, incomplete, address)
    }
}

fn token(request: &Request) -> &str {
    let value = request.header("authorization").unwrap_or_default();
    value.strip_prefix("Bearer ").unwrap_or_default()
}

/// The answer that a fault gives instead of the right one; none where it only spoils that.
fn instead(fault: &Fault) -> Option<Response> {
    let mut response = match fault {
        Fault::Status(status, _, message) => Response::message(*status, message),
        Fault::Secondary(_) => {
            let message =
                "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
            Response::message(403, message)
        }
        Fault::Redirect(_) => Response::message(301, "Moved Permanently"),
        Fault::GraphqlFailure => {
            let message =
                "Something went wrong while executing your query on 2026-01-01. Please include `X`.";
            return Some(Response::json(200, &json!({"data": null, "errors": [{"message": message}]})));
        }
        _ => return None,
    };
    match fault {
        Fault::Status(_, headers, _) => response.headers.extend(headers.iter().cloned()),
        Fault::Secondary(Some(time)) => response.headers.push(("retry-after".to_owned(), time.to_string())),
        Fault::Redirect(to) => response.headers.push(("location".to_owned(), to.clone())),
        _ => {}
    }
    Some(response)
}

fn exceeded(resource: &str) -> Response {
    let message = "API rate limit exceeded for user ID 1.";
    match resource {
        "graphql" => Response::json(200, &json!({"errors": [{"type": "RATE_LIMITED", "message": message}]})),
        _ => Response::message(403, message),
    }
}
