//! A server on loopback that speaks S3 as far as an upload needs it: a list in pages, heads, conditional puts, with
//! digests that it checks and faults on demand. It shares no code with the client.

#![allow(clippy::unwrap_used, reason = "tests only")]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What the server holds and has seen.
#[derive(Default)]
pub struct Held {
    /// Contents and digests by key.
    pub objects: BTreeMap<String, (Vec<u8>, String)>,
    /// First lines of the requests.
    pub requests: Vec<String>,
    /// Everything that came in before the bodies.
    pub heads: String,
    /// Statuses that the next puts are answered with, the last first; 0 for none at all.
    pub faults: Vec<u16>,
    /// Status of everything, if any.
    pub refuses: Option<(u16, &'static str)>,
}

/// The server, with the bucket `data-sets`.
pub struct Server {
    /// Its address.
    pub url: String,
    /// What it holds.
    pub held: Arc<Mutex<Held>>,
}

impl Server {
    /// Starts it.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let held = Arc::new(Mutex::new(Held::default()));
        let shared = held.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let held = shared.clone();
                std::thread::spawn(move || while serve(&stream, &held).is_some() {});
            }
        });
        Self { url, held }
    }

    /// Keys in the order in which they came.
    #[allow(dead_code, reason = "not every crate that tests against it asks")]
    pub fn puts(&self) -> Vec<String> {
        let held = self.held.lock().unwrap();
        let puts = held.requests.iter().filter_map(|line| line.strip_prefix("PUT /data-sets/"));
        puts.map(|line| line.split('?').next().unwrap().to_owned()).collect()
    }
}

/// One request; nothing when the connection is over.
fn serve(stream: &TcpStream, held: &Mutex<Held>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    (reader.read_line(&mut first).ok()? > 0).then_some(())?;
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (status, more, text) = {
        let mut held = held.lock().unwrap();
        held.heads += &format!("{first}{headers:?}\n");
        held.requests.push(first.trim().to_owned());
        answer(&mut held, &first, &headers, body)?
    };
    let length = if text.is_empty() { 0 } else { text.len() };
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n{more}\r\n{text}").ok()
}

fn answer(
    held: &mut Held,
    first: &str,
    headers: &BTreeMap<String, String>,
    body: Vec<u8>,
) -> Option<(u16, String, String)> {
    // What a real server quotes in its errors, no client may show.
    let fault = |status: u16, code: &str| {
        let text = format!("<Error><Code>{code}</Code><AWSAccessKeyId>the-key</AWSAccessKeyId></Error>");
        Some((status, String::new(), text))
    };
    let mut words = first.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let (path, query) = target.split_once('?')?;
    if let Some((status, code)) = held.refuses {
        return fault(status, code);
    }
    let is_signed = query.contains("X-Amz-Signature=") && query.contains("X-Amz-Credential=the-key%2F");
    let are_headers_signed = headers
        .keys()
        .filter(|name| name.starts_with("x-amz-"))
        .all(|name| query.split("X-Amz-SignedHeaders=").nth(1).is_some_and(|signed| signed.contains(name)));
    if !is_signed || !are_headers_signed {
        return fault(403, "SignatureDoesNotMatch");
    }
    let Some(key) = path.strip_prefix("/data-sets").map(|key| key.trim_start_matches('/').to_owned()) else {
        return fault(404, "NoSuchBucket");
    };
    match method {
        "GET" => Some((200, String::new(), page(held, query))),
        "HEAD" => match held.objects.get(&key) {
            Some((_, digest)) => Some((200, format!("x-amz-meta-sha256: {digest}\r\n"), String::new())),
            None => Some((404, String::new(), String::new())),
        },
        _ => match held.faults.pop() {
            Some(0) => None,
            Some(status) => fault(status, "SlowDown"),
            None if headers.contains_key("if-none-match") && held.objects.contains_key(&key) => {
                fault(412, "PreconditionFailed")
            }
            None => {
                let digest = BASE64_STANDARD.encode(Sha256::digest(&body));
                if headers.get("x-amz-checksum-sha256") != Some(&digest) {
                    return fault(400, "BadDigest");
                }
                held.objects.insert(key, (body, headers.get("x-amz-meta-sha256")?.clone()));
                Some((200, String::new(), String::new()))
            }
        },
    }
}

/// Two keys of the list; the token is the first key of the next two.
fn page(held: &Held, query: &str) -> String {
    let value = |name: &str| {
        let found = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
        found.unwrap_or_default().replace("%2F", "/")
    };
    let (prefix, from) = (value("prefix"), value("continuation-token"));
    let mut keys = held.objects.iter().filter(|(key, _)| key.starts_with(&prefix) && **key >= from);
    let contents: String = keys
        .by_ref()
        .take(2)
        .map(|(key, (body, _))| format!("<Contents><Key>{key}</Key><Size>{}</Size></Contents>", body.len()))
        .collect();
    let next = keys.next().map_or(String::new(), |(key, _)| {
        format!("<IsTruncated>true</IsTruncated><NextContinuationToken>{key}</NextContinuationToken>")
    });
    format!(
        "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{contents}{next}</ListBucketResult>"
    )
}
