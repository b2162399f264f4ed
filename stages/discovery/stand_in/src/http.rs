//! HTTP/1.1 by hand: a server must be able to answer wrongly.

use crate::fault::Fault;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A request.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) parameters: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A parameter, decoded.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.parameters.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| decode(value))
    }
}

fn decode(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let hexadecimal = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match (byte, hexadecimal.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(decoded)) => {
                bytes.push(decoded);
                rest = &after[2..];
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(byte),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An answer.
#[derive(Debug, Default)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json; charset=utf-8".to_owned())];
        Self { status, headers, body: body.to_string().into_bytes() }
    }

    pub(crate) fn message(status: u16, message: &str) -> Self {
        Self::json(status, &serde_json::json!({"message": message, "documentation_url": "about:blank"}))
    }
}

/// The next request of a connection; none when the client has closed it.
pub(crate) fn read(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let (path, parameters) = target.split_once('?').unwrap_or((target, ""));
    let mut request =
        Request { method, path: path.to_owned(), parameters: parameters.to_owned(), ..Request::default() };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim_end();
        let Some((name, value)) = line.split_once(':') else { break };
        request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    if request.header("transfer-encoding").is_some_and(|coding| coding.contains("chunked")) {
        read_chunks(reader, &mut request.body)?;
    } else {
        let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        request.body.resize(length, 0);
        reader.read_exact(&mut request.body)?;
    }
    Ok(Some(request))
}

fn read_chunks(reader: &mut BufReader<TcpStream>, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        let start = body.len();
        body.resize(start + length, 0);
        reader.read_exact(&mut body[start..])?;
        reader.read_line(&mut line)?;
        if length == 0 {
            return Ok(());
        }
    }
}

/// Sends an answer, as well or as badly as the fault has it; whether the connection can be used again.
pub(crate) fn write(stream: &mut TcpStream, response: &Response, fault: Option<&Fault>) -> io::Result<bool> {
    let length = match fault {
        Some(Fault::LengthTooLarge) => response.body.len() + 100,
        Some(Fault::LengthTooSmall) => response.body.len() / 2,
        Some(Fault::HalfBody) => response.body.len() / 2,
        _ => response.body.len(),
    };
    let mut head = format!("HTTP/1.1 {} -\r\n", response.status);
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {length}\r\n\r\n"));
    stream.write_all(head.as_bytes())?;
    let half = &response.body[..response.body.len() / 2];
    match fault {
        Some(Fault::Reset) => {
            stream.write_all(half)?;
            // Closing with this set sends a reset instead of an end.
            rustix::net::sockopt::set_socket_linger(&*stream, Some(Duration::ZERO))?;
            Ok(false)
        }
        Some(Fault::CutBody) => {
            stream.write_all(half)?;
            Ok(false)
        }
        Some(Fault::HalfBody) => {
            stream.write_all(half)?;
            Ok(true)
        }
        Some(Fault::SlowLoris) => {
            for byte in &response.body {
                stream.write_all(&[*byte])?;
                std::thread::sleep(Duration::from_millis(50));
            }
            Ok(true)
        }
        Some(Fault::LengthTooLarge | Fault::LengthTooSmall) => {
            stream.write_all(&response.body)?;
            Ok(false)
        }
        _ => {
            stream.write_all(&response.body)?;
            Ok(true)
        }
    }
}
