//! One request after the other, each until it is answered or given up.

use crate::{Access, StorageError};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rusty_s3::S3Action;
use rusty_s3::actions::ListObjectsV2;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// Largest response that is read.
const MOST_BYTES: usize = 16 << 20;
/// Attempts at a request.
const TRIES: u32 = 5;
/// Wait before the second attempt; it doubles from one to the next.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// Time for an answer, and bytes a second that an upload reaches at least.
const PATIENCE: (Duration, u64) = (Duration::from_secs(60), 64 << 10);
/// How long a signature holds.
const SIGNED_FOR: Duration = Duration::from_secs(6 * 3600);

/// What came back.
pub(crate) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// A server, its connections and how to be let in.
pub(crate) struct Connection {
    pub bucket: rusty_s3::Bucket,
    server: String,
    access: Access,
    http: Client<HttpsConnector<HttpConnector>, FileBody>,
}

impl Connection {
    pub(crate) fn new(
        access: Access,
        (bucket, server): (rusty_s3::Bucket, String),
    ) -> Result<Self, StorageError> {
        let tls = hyper_rustls::HttpsConnectorBuilder::new().with_native_roots();
        let connector = tls.map_err(StorageError::NoClient)?.https_or_http().enable_http1().build();
        Ok(Self { bucket, server, access, http: Client::builder(TokioExecutor::new()).build(connector) })
    }

    pub(crate) async fn list(&self, prefix: &str, from: Option<String>) -> Result<Answer, StorageError> {
        let mut list = ListObjectsV2::new(&self.bucket, Some(self.access.credentials()));
        list.with_prefix(prefix.to_owned());
        if let Some(token) = from {
            list.with_continuation_token(token);
        }
        self.send(list, &[], None, &format!("the list of s3://{}/{prefix}", self.bucket.name())).await
    }

    pub(crate) async fn head(&self, key: &str) -> Result<Answer, StorageError> {
        let head = self.bucket.head_object(Some(self.access.credentials()), key);
        self.send(head, &[], None, &self.named(key)).await
    }

    /// Sends a file; `headers` are signed along.
    pub(crate) async fn put(
        &self,
        key: &str,
        file: &Path,
        headers: &[(&str, String)],
    ) -> Result<Answer, StorageError> {
        let put = self.bucket.put_object(Some(self.access.credentials()), key);
        self.send(put, headers, Some(file), &self.named(key)).await
    }

    pub(crate) fn refused(&self, what: &str, answer: &Answer) -> StorageError {
        StorageError::Refused { server: self.server.clone(), what: what.to_owned(), cause: cause(answer) }
    }

    pub(crate) fn named(&self, key: &str) -> String {
        format!("s3://{}/{key}", self.bucket.name())
    }

    async fn send<'a, A: S3Action<'a>>(
        &self,
        mut action: A,
        headers: &[(&str, String)],
        file: Option<&Path>,
        what: &str,
    ) -> Result<Answer, StorageError> {
        for (name, value) in headers {
            action.headers_mut().insert((*name).to_owned(), value.clone());
        }
        let mut wait = FIRST_WAIT;
        let mut last = String::new();
        for attempt in 1..=TRIES {
            let body = FileBody::open(file)?;
            let patience = PATIENCE.0 + Duration::from_secs(body.left / PATIENCE.1);
            let mut message = http::Request::builder()
                .method(A::METHOD.to_str())
                .uri(action.sign(SIGNED_FOR).as_str())
                .header(http::header::USER_AGENT, concat!("trefoil/", env!("CARGO_PKG_VERSION")));
            for (name, value) in headers {
                message = message.header(*name, value);
            }
            // The address is signed, so the error of a bad one is not shown.
            let message = message.body(body).map_err(|_| StorageError::NoEndpoint(self.server.clone()))?;
            match tokio::time::timeout(patience, self.exchange(message)).await {
                Ok(Ok(answer)) if !is_passing(answer.status) => return Ok(answer),
                Ok(Ok(answer)) => last = cause(&answer),
                Ok(Err(error)) => last = error,
                Err(_) => last = format!("no answer within {} seconds", patience.as_secs()),
            }
            if attempt < TRIES {
                tokio::time::sleep(wait).await;
                wait *= 2;
            }
        }
        let (server, what) = (self.server.clone(), what.to_owned());
        Err(StorageError::Unreachable { server, what, cause: format!("{last}, {TRIES} times") })
    }

    async fn exchange(&self, message: http::Request<FileBody>) -> Result<Answer, String> {
        let response = self.http.request(message).await.map_err(|error| with_causes(&error))?;
        let (parts, body) = response.into_parts();
        let body = Limited::new(body, MOST_BYTES).collect().await.map_err(|error| error.to_string())?;
        Ok(Answer { status: parts.status, headers: parts.headers, body: body.to_bytes() })
    }
}

/// Whether the server may answer otherwise in a moment.
fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502..=599)
}

/// Status and S3's code. Nothing else of the answer is shown: it may quote the key and what was signed.
fn cause(answer: &Answer) -> String {
    let text = String::from_utf8_lossy(&answer.body);
    let code =
        text.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>")).map(|(code, _)| code);
    let is_word = |code: &&str| code.len() <= 60 && code.chars().all(|letter| letter.is_ascii_alphanumeric());
    match code.filter(is_word) {
        Some(code) => format!("{} {code}", answer.status),
        None => answer.status.to_string(),
    }
}

/// An error with the causes behind it, which hyper keeps to itself.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// A file that is read while it is sent, or nothing.
struct FileBody {
    file: Option<File>,
    left: u64,
}

impl FileBody {
    fn open(path: Option<&Path>) -> Result<Self, StorageError> {
        let Some(path) = path else { return Ok(Self { file: None, left: 0 }) };
        let open = || {
            let file = File::open(path)?;
            let left = file.metadata()?.len();
            Ok(Self { file: Some(file), left })
        };
        open().map_err(StorageError::file(path))
    }
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let mut buffer = vec![0; self.left.min(1 << 18) as usize];
        let read = self.file.as_mut().map_or(Ok(0), |file| file.read(&mut buffer));
        Poll::Ready(Some(read.and_then(|read| {
            if read == 0 {
                return Err(std::io::Error::other("the file has become shorter"));
            }
            buffer.truncate(read);
            self.left -= read as u64;
            Ok(Frame::data(buffer.into()))
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
