//! What an exchange means for whoever asked.

use super::Reply;
use super::budget::retry_after;
use super::transport::{Fault, Raw};
use crate::repository::Absence;
use serde_json::Value;
use std::time::Duration;

/// What to do next.
pub(super) enum Verdict {
    /// Hand this over.
    Reply(Reply),
    /// Ask there.
    Redirect(String),
    /// A limit. The answer, or what it says of the budget, tells for how long, or nothing does.
    Limited,
    /// The token is no longer valid.
    TokenRefused,
    /// Ask again later.
    Failed {
        /// What was wrong.
        cause: String,
        /// Whether the server gave up on the question.
        gateway: bool,
    },
    /// The question itself is refused.
    Refused {
        /// HTTP status.
        status: u16,
        /// GitHub's words.
        cause: String,
    },
    /// Not the server it should be.
    Certificate(String),
}

/// The verdict, and the wait that the answer itself names.
pub(super) fn judge(sent: Result<Raw, Fault>, now: Duration) -> (Verdict, Option<Duration>) {
    let answer = match sent {
        Ok(answer) => answer,
        Err(Fault::Certificate(cause)) => return (Verdict::Certificate(cause), None),
        Err(Fault::Broken(cause)) => return (failed(cause), None),
        Err(Fault::TimedOut(limit)) => {
            let cause = format!("no whole answer within {} s", limit.as_secs_f64());
            return (Verdict::Failed { cause, gateway: true }, None);
        }
    };
    let wait = retry_after(&answer, now);
    let verdict = match answer.status {
        200..=299 => content(&answer),
        301 | 302 | 307 | 308 => match answer.header("location") {
            Some(to) => Verdict::Redirect(to.to_owned()),
            None => failed("a redirect that leads nowhere".to_owned()),
        },
        304 => Verdict::Reply(Reply::NotModified),
        401 => Verdict::TokenRefused,
        403 | 429 => limit_or_refusal(&answer, wait),
        404 | 410 => absent(&answer, Absence::RepositoryGone),
        451 => absent(&answer, Absence::RepositoryBlocked),
        502 | 504 => Verdict::Failed { cause: status_line(&answer), gateway: true },
        408 | 500.. => Verdict::Failed { cause: status_line(&answer), gateway: false },
        status => Verdict::Refused { status, cause: message(&answer) },
    };
    match verdict {
        // 503 may say how long it will last.
        Verdict::Failed { .. } if wait.is_some() => (Verdict::Limited, wait),
        verdict => (verdict, wait),
    }
}

fn failed(cause: String) -> Verdict {
    Verdict::Failed { cause, gateway: false }
}

fn absent(answer: &Raw, absence: Absence) -> Verdict {
    Verdict::Reply(Reply::Absent(absence, message(answer)))
}

/// 403 and 429 mean a primary limit, a secondary one (with or without a time) or, 403 only, a refusal.
fn limit_or_refusal(answer: &Raw, wait: Option<Duration>) -> Verdict {
    let text = message(answer).to_lowercase();
    let said = ["rate limit", "abuse"].iter().any(|words| text.contains(words));
    let exhausted = answer.number("x-ratelimit-remaining") == Some(0);
    if wait.is_some() || exhausted || answer.status == 429 || said {
        Verdict::Limited
    } else {
        absent(answer, Absence::RepositoryRefused)
    }
}

fn content(answer: &Raw) -> Verdict {
    let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else {
        return failed(format!("an answer of {} bytes that is not whole JSON", answer.body.len()));
    };
    if let Some(verdict) = graphql_fault(&body) {
        return verdict;
    }
    let text = |name| answer.header(name).map(str::to_owned);
    Verdict::Reply(Reply::Answer { body, link: text("link"), etag: text("etag") })
}

/// GraphQL answers 200 whatever happens and names faults inside. Errors of single fields leave the others.
fn graphql_fault(body: &Value) -> Option<Verdict> {
    let errors = body.get("errors")?.as_array()?;
    let kinds: Vec<&str> = errors.iter().filter_map(|error| error.get("type")?.as_str()).collect();
    let said = errors.first().and_then(|error| error.get("message")?.as_str()).unwrap_or_default();
    if kinds.contains(&"RATE_LIMITED") || kinds.contains(&"RATE_LIMIT") {
        return Some(Verdict::Limited);
    }
    if kinds.contains(&"RESOURCE_LIMITS_EXCEEDED") || said.starts_with("Something went wrong while executing")
    {
        return Some(Verdict::Failed { cause: said.to_owned(), gateway: true });
    }
    if said.to_lowercase().contains("secondary rate limit") {
        return Some(Verdict::Limited);
    }
    match body.get("data") {
        Some(Value::Object(_)) => None,
        _ => Some(Verdict::Refused { status: 200, cause: said.to_owned() }),
    }
}

fn message(answer: &Raw) -> String {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    match body.get("message").and_then(Value::as_str) {
        Some(text) => text.chars().take(300).collect(),
        None => status_line(answer),
    }
}

fn status_line(answer: &Raw) -> String {
    format!("status {}", answer.status)
}
