//! Git's smart HTTP through git's own `http-backend`.

use crate::http::{Request, Response};
use crate::population::{Repository, State};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The repository that a request of git's is for; none where it is no such request.
pub(crate) fn repository_of(request: &Request) -> Option<&str> {
    let ends = ["/info/refs", "/git-upload-pack"];
    let path = ends.iter().find_map(|end| request.path.strip_suffix(end))?.trim_start_matches('/');
    (!path.contains("..")).then_some(path.strip_suffix(".git").unwrap_or(path))
}

/// Why a repository is not served; none where it is. What the population does not know is.
pub(crate) fn refusal(request: &Request, population: &[Repository], tokens: &[String]) -> Option<Response> {
    let name = repository_of(request)?;
    if let Some(known) = population.iter().find(|known| known.full_name == name) {
        return match known.state {
            State::There => None,
            State::Gone | State::GoneWhenAsked => Some(Response::message(404, "Not Found")),
            State::Blocked => Some(Response::message(451, "Repository access blocked")),
            State::Private if has_token(request, tokens) => None,
            State::Private => {
                let mut response = Response::message(401, "Repository not found.");
                let challenge = ("www-authenticate".to_owned(), "Basic realm=\"GitHub\"".to_owned());
                response.headers.push(challenge);
                Some(response)
            }
        };
    }
    let moved = population.iter().find(|known| known.former_names.iter().any(|former| former == name))?;
    let service = request.path.rsplit_once(name).map_or("", |(_, service)| service);
    let mut response = Response::message(301, "Moved Permanently");
    let to = format!("/{}{service}?{}", moved.full_name, request.parameters);
    response.headers.push(("location".to_owned(), to));
    Some(response)
}

/// Whether a request brings one of the tokens in the way that git does.
fn has_token(request: &Request, tokens: &[String]) -> bool {
    let given = request.header("authorization").and_then(|value| value.strip_prefix("Basic "));
    tokens.iter().any(|token| given == Some(base64(&format!("x-access-token:{token}")).as_str()))
}

/// RFC 4648.
fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = text.as_bytes().chunks(3).flat_map(|group| {
        let bits = (0..3).fold(0_u32, |bits, place| bits << 8 | u32::from(*group.get(place).unwrap_or(&0)));
        (0..4).map(move |place| match place <= group.len() {
            true => char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]),
            false => '=',
        })
    });
    groups.collect()
}

/// Answers a request for a repository below `root`.
pub(crate) fn answer(request: &Request, root: &Path) -> Response {
    backend(request, root).unwrap_or_else(|error| Response::message(500, &error.to_string()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_packed_as_git_packs_them() {
        for (text, packed) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(text), packed);
        }
    }
}
