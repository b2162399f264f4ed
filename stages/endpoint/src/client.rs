//! Sends requests, several at a time, each until it is answered or given up.

use crate::journal::{Answer, Journal, question};
use crate::wire::{Completed, body, completed};
use crate::{EndpointError, Model, Request};
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

type Bytes = std::io::Cursor<Vec<u8>>;
type Http = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// Largest response that is read.
const MOST_BYTES: usize = 16 << 20;
/// Longest wait before a request is sent again.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// What asking came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Requests that were answered already.
    pub known: usize,
    /// Requests that were answered now.
    pub answered: usize,
    /// Requests that were given up; they are asked again next time.
    pub failed: usize,
}

/// Asks what the journal does not answer yet. A request that the server cannot answer is an error in the journal; an
/// `Err` says that it would answer none.
pub fn ask(model: &Model, requests: Vec<Request>, journal: &mut Journal) -> Result<Asked, EndpointError> {
    let url = format!("{}/chat/completions", model.url.trim_end_matches('/'));
    let is_address = url.parse::<http::Uri>().is_ok_and(|uri| uri.host().is_some() && uri.scheme().is_some());
    if !is_address {
        return Err(EndpointError::NoAddress(model.url.clone()));
    }
    let all = requests.len();
    let open: VecDeque<Request> = requests.into_iter().filter(|it| !journal.answers(model, it)).collect();
    let mut asked = Asked { known: all - open.len(), ..Asked::default() };
    if open.is_empty() {
        return Ok(asked);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(EndpointError::NoRuntime)?;
    runtime.block_on(ask_all(Arc::new(Server::new(model, url)?), open, journal, &mut asked))?;
    Ok(asked)
}

async fn ask_all(
    server: Arc<Server>,
    mut open: VecDeque<Request>,
    journal: &mut Journal,
    asked: &mut Asked,
) -> Result<(), EndpointError> {
    let mut under_way = JoinSet::new();
    loop {
        while under_way.len() < server.model.concurrency.max(1)
            && let Some(request) = open.pop_front()
        {
            let server = server.clone();
            under_way.spawn(async move {
                let outcome = server.until_answered(&request).await;
                (request, outcome)
            });
        }
        let Some(joined) = under_way.join_next().await else { return Ok(()) };
        // A task that panicked leaves its request open for the next time.
        let Ok((request, outcome)) = joined else { continue };
        let mut answer = Answer {
            instance_id: request.id.clone(),
            model_name_or_path: server.model.name.clone(),
            question: question(&server.model, &request),
            ..Answer::default()
        };
        match outcome {
            Ok(Completed { text, finish_reason, prompt_tokens, completion_tokens }) => {
                asked.answered += 1;
                answer.prediction = Some(text);
                answer.finish_reason = finish_reason;
                (answer.prompt_tokens, answer.completion_tokens) = (prompt_tokens, completion_tokens);
            }
            Err(Failure::OfThis(cause)) => {
                asked.failed += 1;
                answer.error = cause;
            }
            Err(Failure::OfAll(cause)) => {
                let (url, model) = (server.url.clone(), server.model.name.clone());
                return Err(EndpointError::Refused { url, model, cause });
            }
        }
        journal.add(answer)?;
    }
}

/// Why a request has no answer.
enum Failure {
    /// Another may have one.
    OfThis(String),
    /// No other would have one.
    OfAll(String),
}

/// What one attempt came to.
enum Attempt {
    Done(Completed),
    Failed(Failure),
    /// To be tried again, not before this time has passed if the server names one.
    Again(String, Option<Duration>),
}

struct Server {
    model: Model,
    url: String,
    http: Http,
}

impl Server {
    fn new(model: &Model, url: String) -> Result<Self, EndpointError> {
        let tls = hyper_rustls::HttpsConnectorBuilder::new().with_native_roots();
        let connector = tls.map_err(EndpointError::NoRuntime)?.https_or_http().enable_http1().build();
        let http = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { model: model.clone(), url, http })
    }

    async fn until_answered(&self, request: &Request) -> Result<Completed, Failure> {
        let mut wait = Duration::from_millis(500);
        let mut last = String::new();
        for attempt in 1..=self.model.tries.max(1) {
            match self.attempt(request).await {
                Attempt::Done(completed) => return Ok(completed),
                Attempt::Failed(failure) => return Err(failure),
                Attempt::Again(cause, named) => {
                    last = cause;
                    if attempt < self.model.tries.max(1) {
                        tokio::time::sleep(named.unwrap_or(wait).min(LONGEST_WAIT)).await;
                        wait *= 2;
                    }
                }
            }
        }
        Err(Failure::OfThis(format!("given up after {} attempts: {last}", self.model.tries.max(1))))
    }

    async fn attempt(&self, request: &Request) -> Attempt {
        let sent = match self.message(request) {
            Ok(message) => self.http.request(message),
            Err(cause) => return Attempt::Failed(Failure::OfThis(cause)),
        };
        let limit = Duration::from_secs(self.model.seconds.max(1));
        let exchange = async {
            let response = sent.await.map_err(|error| with_causes(&error))?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, MOST_BYTES).collect().await.map_err(|error| error.to_string())?;
            Ok::<_, String>((parts, body.to_bytes()))
        };
        match tokio::time::timeout(limit, exchange).await {
            Err(_) => Attempt::Again(format!("no answer within {} seconds", self.model.seconds), None),
            Ok(Err(cause)) => Attempt::Again(cause, None),
            Ok(Ok((parts, body))) => understood(parts.status, &parts.headers, &body),
        }
    }

    fn message(&self, request: &Request) -> Result<http::Request<Full<Bytes>>, String> {
        let bytes = body(&self.model, request).map_err(|error| error.to_string())?;
        let mut message = http::Request::builder()
            .method(Method::POST)
            .uri(&self.url)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, concat!("trefoil/", env!("CARGO_PKG_VERSION")));
        if let Some(key) = &self.model.key {
            let mut value = header::HeaderValue::from_str(&format!("Bearer {}", key.0))
                .map_err(|_| "the key holds characters that no header may have".to_owned())?;
            value.set_sensitive(true);
            message = message.header(header::AUTHORIZATION, value);
        }
        message.body(Full::new(Bytes::new(bytes))).map_err(|error| error.to_string())
    }
}

/// What a response means. A server that is busy or broken is asked again; one that knows neither model nor key is not;
/// what else it refuses concerns this request, such as a prompt that is too long for the model.
fn understood(status: StatusCode, headers: &http::HeaderMap, body: &[u8]) -> Attempt {
    let said = || {
        let text = String::from_utf8_lossy(body.get(..body.len().min(300)).unwrap_or_default()).into_owned();
        format!("{status}: {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    match status.as_u16() {
        200 => completed(body).map_or_else(|cause| Attempt::Again(cause, None), Attempt::Done),
        408 | 409 | 425 | 429 | 500.. => Attempt::Again(said(), retry_after(headers)),
        401 | 403 | 404 => Attempt::Failed(Failure::OfAll(said())),
        _ => Attempt::Failed(Failure::OfThis(said())),
    }
}

fn retry_after(headers: &http::HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// An error with the causes behind it, which hyper keeps to itself.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
