//! Against a server on loopback that answers, refuses, cuts and stalls as the prompt says.

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use trefoil_endpoint::{Asked, EndpointError, Journal, Key, Model, Request, ask};

/// What came in: how often each prompt was asked, how many at a time, and whether the key came along.
#[derive(Default)]
struct Seen {
    prompts: BTreeMap<String, usize>,
    now: usize,
    most: usize,
    keys: usize,
}

struct Server {
    url: String,
    seen: Arc<Mutex<Seen>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Seen::default()));
        let shared = seen.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = shared.clone();
                std::thread::spawn(move || serve(stream, &seen));
            }
        });
        Self { url, seen }
    }

    fn times(&self, prompt: &str) -> usize {
        self.seen.lock().unwrap().prompts.get(prompt).copied().unwrap_or_default()
    }
}

/// One request of a connection after the other.
fn serve(stream: TcpStream, seen: &Mutex<Seen>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let (mut length, mut has_key, mut first) = (0, false, String::new());
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            let lower = line.to_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            has_key |= line.trim() == "authorization: Bearer secret-key";
            if first.is_empty() {
                first.clone_from(&line);
            }
            if line.trim().is_empty() {
                break;
            }
        }
        assert!(first.starts_with("POST /v1/chat/completions "), "{first}");
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let prompt = body["messages"][0]["content"].as_str().unwrap().to_owned();
        let attempt = {
            let mut seen = seen.lock().unwrap();
            seen.keys += usize::from(has_key);
            seen.now += 1;
            seen.most = seen.most.max(seen.now);
            let count = seen.prompts.entry(prompt.clone()).or_default();
            *count += 1;
            *count
        };
        std::thread::sleep(Duration::from_millis(20));
        let goes_on = answer(&mut stream, &prompt, attempt);
        seen.lock().unwrap().now -= 1;
        if !goes_on {
            return;
        }
    }
}

fn answer(stream: &mut TcpStream, prompt: &str, attempt: usize) -> bool {
    let completion = serde_json::json!({
        "choices": [{"message": {"role": "assistant", "content": format!("reply to {prompt}")}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 3}
    })
    .to_string();
    let respond = |stream: &mut TcpStream, status: &str, headers: &str, body: &str| {
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()).is_ok()
    };
    match (prompt, attempt) {
        ("busy", 1 | 2) => respond(stream, "429 Too Many Requests", "Retry-After: 0.05\r\n", "{}"),
        ("down", 1) => respond(stream, "503 Service Unavailable", "Retry-After: 0\r\n", "later"),
        ("garbled", 1) => respond(stream, "200 OK", "", "{\"choices\": []"),
        ("cut", 1) => {
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{{\"choi");
            false
        }
        ("stalled", 1) => {
            std::thread::sleep(Duration::from_millis(2_500));
            false
        }
        ("too long", _) => respond(stream, "400 Bad Request", "", "{\"error\": \"context of 8192 tokens\"}"),
        ("broken", _) => respond(stream, "500 Internal Server Error", "Retry-After: 0\r\n", "no"),
        ("forbidden", _) => respond(stream, "401 Unauthorized", "", "{\"error\": \"bad key\"}"),
        _ => respond(stream, "200 OK", "", &completion),
    }
}

fn model(server: &Server) -> Model {
    Model {
        url: server.url.clone(),
        name: "small".into(),
        key: Some(Key::new(" secret-key\n")),
        temperature: 0.2,
        top_p: 1.0,
        concurrency: 4,
        tries: 4,
        seconds: 2,
    }
}

fn requests(prompts: &[&str]) -> Vec<Request> {
    let request =
        |prompt: &&str| Request { id: format!("row {prompt}"), prompt: (*prompt).into(), answer_tokens: 5 };
    prompts.iter().map(request).collect()
}

fn journal(folder: &tempfile::TempDir) -> Journal {
    Journal::open(&folder.path().join("predictions.jsonl")).unwrap()
}

fn asked(known: usize, answered: usize, failed: usize) -> Asked {
    Asked { known, answered, failed }
}

#[test]
fn every_request_is_answered_once_and_several_are_under_way() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let prompts: Vec<String> = (0..30).map(|number| format!("p{number}")).collect();
    let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
    let mut kept = journal(&folder);
    assert_eq!(ask(&model(&server), requests(&prompts), &mut kept).unwrap(), asked(0, 30, 0));
    let seen = server.seen.lock().unwrap();
    assert!(seen.prompts.values().all(|count| *count == 1));
    assert!((2..=4).contains(&seen.most), "{}", seen.most);
    assert_eq!(seen.keys, 30);
    for answer in kept.all() {
        let prompt = answer.instance_id.trim_start_matches("row ");
        assert_eq!(answer.prediction.as_deref(), Some(format!("reply to {prompt}").as_str()));
        assert_eq!((answer.prompt_tokens, answer.completion_tokens), (10, 3));
    }
}

#[test]
fn faults_are_outlasted() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let prompts = ["busy", "down", "garbled", "cut", "stalled"];
    let mut kept = journal(&folder);
    assert_eq!(ask(&model(&server), requests(&prompts), &mut kept).unwrap(), asked(0, 5, 0));
    assert_eq!(server.times("busy"), 3);
    assert!(kept.all().all(|answer| answer.error.is_empty() && answer.prediction.is_some()));
}

#[test]
fn what_the_server_cannot_answer_is_an_error_and_asked_again_next_time() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let prompts = ["fine", "too long", "broken"];
    let mut kept = journal(&folder);
    assert_eq!(ask(&model(&server), requests(&prompts), &mut kept).unwrap(), asked(0, 1, 2));
    assert_eq!((server.times("too long"), server.times("broken")), (1, 4));
    let error = kept.all().find(|answer| answer.instance_id == "row too long").unwrap();
    assert!(error.prediction.is_none() && error.error.contains("context of 8192 tokens"), "{error:?}");
    assert_eq!(ask(&model(&server), requests(&prompts), &mut journal(&folder)).unwrap(), asked(1, 0, 2));
    assert_eq!(server.times("fine"), 1);
}

#[test]
fn cut_off_anywhere_the_journal_asks_only_for_the_rest() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let prompts = ["a", "b", "c"];
    ask(&model(&server), requests(&prompts), &mut journal(&folder)).unwrap();
    let path = folder.path().join("predictions.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    assert_eq!(ask(&model(&server), requests(&prompts), &mut journal(&folder)).unwrap(), asked(2, 1, 0));
    let changed = Model { name: "large".into(), ..model(&server) };
    assert_eq!(ask(&changed, requests(&prompts), &mut journal(&folder)).unwrap(), asked(0, 3, 0));
}

#[test]
fn a_server_that_refuses_all_ends_it_and_no_key_is_told() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let error = ask(&model(&server), requests(&["forbidden"]), &mut journal(&folder)).unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(text.contains("401") && text.contains("`small`") && !text.contains("secret-key"), "{text}");
    let nowhere = Model { url: "here".into(), ..model(&server) };
    let error = ask(&nowhere, requests(&["a"]), &mut journal(&folder)).unwrap_err();
    assert!(matches!(error, EndpointError::NoAddress(_)));
}
