//! A client that sends what it is told, right or wrong.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Status, headers and body of an answer.
pub struct Answer {
    pub status: u16,
    pub headers: String,
    pub body: Value,
}

impl Answer {
    /// What the answer says is wrong.
    pub fn error(&self) -> &str {
        self.body["error"].as_str().unwrap_or_default()
    }
}

/// Sends these bytes and reads the answer.
pub fn send(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that refuses by the headers does not read the body.
    let _ = stream.write_all(bytes);
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (headers, body) = text.split_once("\r\n\r\n").unwrap();
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, headers: headers.to_lowercase(), body: serde_json::from_str(body).unwrap() }
}

/// A request as a well-behaved client sends it.
pub fn post(address: SocketAddr, path: &str, body: &str) -> Answer {
    let headers = "Host: localhost\r\nContent-Type: application/json\r\nConnection: close";
    let length = body.len();
    send(
        address,
        format!("POST {path} HTTP/1.1\r\n{headers}\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes(),
    )
}

/// A request without a body.
pub fn get(address: SocketAddr, path: &str, host: &str) -> Answer {
    send(address, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
}
