//! One request and its whole answer, within limits of time and size. It knows octocrab and nothing of what
//! answers mean.

use super::Method;
use crate::DiscoveryError;
use crate::token::{Token, redact};
use http::{HeaderMap, HeaderValue, header};
use http_body_util::{BodyExt, Limited};
use octocrab::Octocrab;
use std::error::Error;
use std::time::Duration;

/// Largest answer; a page of a hundred repositories has half a megabyte.
const MAX_ANSWER_BYTES: usize = 32 << 20;

/// An answer as it came.
pub(super) struct Raw {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Raw {
    /// The same without any token, whatever the server sends back: from here on answers are written down and
    /// shown.
    pub(super) fn without(mut self, tokens: &[Token]) -> Self {
        if let Ok(text) = std::str::from_utf8(&self.body)
            && tokens.iter().any(|token| text.contains(token.reveal()))
        {
            self.body = redact(text, tokens).into_bytes();
        }
        for value in self.headers.values_mut() {
            let text = value.to_str().unwrap_or_default();
            if tokens.iter().any(|token| text.contains(token.reveal())) {
                *value =
                    HeaderValue::from_str(&redact(text, tokens)).unwrap_or(HeaderValue::from_static("***"));
            }
        }
        self
    }

    /// A header as text.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A header as a number.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.trim().parse().ok()
    }
}

/// Why there is no whole answer.
pub(super) enum Fault {
    /// Took too long.
    TimedOut(Duration),
    /// The connection failed or broke, or the answer did not keep its length.
    Broken(String),
    /// The server is not who it should be.
    Certificate(String),
}

/// A connection to the API with one token, or none.
pub(super) struct Transport {
    client: Octocrab,
    limit: Duration,
}

impl Transport {
    /// Must be called inside a runtime, which octocrab's queue lives in.
    pub(super) fn new(api: &str, token: Option<&Token>, limit: Duration) -> Result<Self, DiscoveryError> {
        let fault = |error: octocrab::Error| DiscoveryError::Address {
            address: api.to_owned(),
            cause: chain(&error),
        };
        let builder = Octocrab::builder().base_uri(api).map_err(fault)?;
        let builder = builder.set_connect_timeout(Some(limit)).set_read_timeout(Some(limit));
        let builder = match token {
            Some(token) => builder.personal_token(token.reveal().to_owned()),
            None => builder,
        };
        Ok(Self { client: builder.build().map_err(fault)?, limit })
    }

    /// Asks once.
    pub(super) async fn send(&self, method: &Method, path: &str, etag: Option<&str>) -> Result<Raw, Fault> {
        let exchange = async {
            let response = match method {
                Method::Get => {
                    let mut headers = HeaderMap::new();
                    if let Some(Ok(etag)) = etag.map(HeaderValue::from_str) {
                        headers.insert(header::IF_NONE_MATCH, etag);
                    }
                    self.client._get_with_headers(path, Some(headers)).await
                }
                Method::Post(body) => self.client._post(path, Some(body)).await,
            };
            let (parts, body) = response.map_err(|error| broken(&error))?.into_parts();
            let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await;
            let body = body.map_err(|error| broken(error.as_ref()))?.to_bytes().to_vec();
            Ok(Raw { status: parts.status.as_u16(), headers: parts.headers, body })
        };
        // octocrab's limits are for single reads; a server that sends a byte a minute keeps within those.
        tokio::time::timeout(self.limit, exchange).await.unwrap_or(Err(Fault::TimedOut(self.limit)))
    }
}

fn broken(error: &(dyn Error + 'static)) -> Fault {
    let text = chain(error);
    if text.contains("invalid peer certificate") { Fault::Certificate(text) } else { Fault::Broken(text) }
}

/// An error with all its causes, each said once.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        // octocrab appends a backtrace to its messages.
        let text = error.to_string();
        let text = text.lines().next().unwrap_or_default().trim().to_owned();
        if !text.is_empty() && !texts.iter().any(|said| said.contains(&text)) {
            texts.push(text);
        }
        next = error.source();
    }
    texts.join(": ")
}
