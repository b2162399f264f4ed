//! Git's smart HTTP through git's own `http-backend`.

use crate::http::{Request, Response};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Answers a request for a repository below `root`; none where it is no such request.
pub(crate) fn answer(request: &Request, root: &Path) -> Option<Response> {
    let served = ["/info/refs", "/git-upload-pack"].iter().any(|end| request.path.ends_with(end));
    if !served || request.path.contains("..") {
        return None;
    }
    Some(backend(request, root).unwrap_or_else(|error| Response::message(500, &error.to_string())))
}

#[expect(clippy::disallowed_methods, reason = "the stand-in is no part of the program")]
fn backend(request: &Request, root: &Path) -> std::io::Result<Response> {
    let mut command = std::process::Command::new("git");
    command.arg("http-backend").env("GIT_PROJECT_ROOT", root).env("GIT_HTTP_EXPORT_ALL", "1");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    // One commit by its id, as GitHub lets it be fetched.
    let settings = [
        ("uploadpack.allowAnySHA1InWant", "true"),
        ("uploadpack.allowFilter", "true"),
        ("safe.directory", "*"),
    ];
    command.env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (number, (key, value)) in settings.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{number}"), key).env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
    command.env("REQUEST_METHOD", &request.method).env("PATH_INFO", &request.path);
    command.env("QUERY_STRING", &request.parameters).env("REMOTE_ADDR", "127.0.0.1");
    command.env("CONTENT_LENGTH", request.body.len().to_string());
    for (variable, header) in [
        ("CONTENT_TYPE", "content-type"),
        ("HTTP_CONTENT_ENCODING", "content-encoding"),
        ("GIT_PROTOCOL", "git-protocol"),
    ] {
        command.env(variable, request.header(header).unwrap_or_default());
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let body = request.body.clone();
    let stdin = child.stdin.take();
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&body)));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    Ok(response(&output.stdout))
}

/// CGI's answer: headers, one of which may be the status, an empty line, the body.
fn response(output: &[u8]) -> Response {
    let end = output.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(output.len());
    let head = String::from_utf8_lossy(&output[..end]).into_owned();
    let mut response = Response { status: 200, headers: Vec::new(), body: Vec::new() };
    response.body = output.get(end + 4..).unwrap_or_default().to_vec();
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        if name.eq_ignore_ascii_case("status") {
            response.status = value.split(' ').next().and_then(|code| code.parse().ok()).unwrap_or(500);
        } else {
            response.headers.push((name.to_owned(), value.to_owned()));
        }
    }
    response
}
