//! What is asked: a request's way, headers and body, each checked before anything runs.

use crate::Bounds;
use http::{HeaderMap, Method, StatusCode, header};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::net::IpAddr;
use trefoil_execution::problem::Case;

/// A request that is not answered as it stands.
pub(crate) type Refusal = (StatusCode, String);

/// What a request wants.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    List,
    Run { environment: String, way: Way },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Verify,
    Cov,
}

impl Wish {
    pub(crate) fn of(method: &Method, path: &str) -> Result<Self, Refusal> {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let (wish, fitting) = match parts.as_slice() {
            ["environments"] => (Self::List, Method::GET),
            ["environments", name, "verify"] => (Self::run(name, Way::Verify), Method::POST),
            ["environments", name, "cov"] => (Self::run(name, Way::Cov), Method::POST),
            _ => {
                let ways = "GET /environments, POST /environments/NAME/verify, POST /environments/NAME/cov";
                return Err((StatusCode::NOT_FOUND, format!("nothing is at {path}; there are {ways}")));
            }
        };
        if *method != fitting {
            return Err((StatusCode::METHOD_NOT_ALLOWED, format!("{path} is for {fitting}, not {method}")));
        }
        Ok(wish)
    }

    fn run(name: &str, way: Way) -> Self {
        Self::Run { environment: name.to_owned(), way }
    }
}

/// Refuses what a web page can have a browser send to loopback: names that its owner leads here, and bodies of kinds
/// that need no leave.
pub(crate) fn check_headers(headers: &HeaderMap, is_loopback: bool, has_body: bool) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if is_loopback && !names_loopback(text(header::HOST)) {
        let message = "the header Host has to name this machine: 127.0.0.1, [::1] or localhost";
        return Err((StatusCode::FORBIDDEN, message.to_owned()));
    }
    let kind = text(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    if has_body && !kind.eq_ignore_ascii_case("application/json") {
        let message = format!("the body is `{kind}`; send JSON as `content-type: application/json`");
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    Ok(())
}

fn names_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The body of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    pub(crate) cases: Vec<Case>,
    /// `cov`: lines of these files only.
    #[serde(default)]
    pub(crate) paths: Option<BTreeSet<String>>,
}

impl Batch {
    pub(crate) fn read(bytes: &[u8], bounds: &Bounds) -> Result<Self, Refusal> {
        let bad = |message| (StatusCode::BAD_REQUEST, message);
        let batch: Self = serde_json::from_slice(bytes).map_err(|cause| {
            bad(format!(
                "the body is not as it should be: {cause}; it is {{\"cases\": [{{\"id\", \"path\", \"source\"}}]}}"
            ))
        })?;
        let count = batch.cases.len();
        if count > bounds.cases {
            return Err(bad(format!("{count} cases are too many; send at most {} at a time", bounds.cases)));
        }
        let ids: BTreeSet<&str> = batch.cases.iter().map(|case| case.id.as_str()).collect();
        if ids.len() < count {
            return Err(bad("two cases have the same id; answers are told apart by it".to_owned()));
        }
        Ok(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_taken() {
        for host in ["127.0.0.1:80", "localhost", "LOCALHOST:1", "[::1]:7117", "127.9.9.9"] {
            assert!(names_loopback(host), "{host}");
        }
        for host in ["", "evil.example", "127.0.0.1.evil.example:80", "10.0.0.1", "[::2]", "localhost.evil"] {
            assert!(!names_loopback(host), "{host}");
        }
    }

    #[test]
    fn each_way_has_its_method() {
        let run = |way| Ok(Wish::Run { environment: "a".into(), way });
        assert_eq!(Wish::of(&Method::POST, "/environments/a/cov"), run(Way::Cov));
        assert_eq!(Wish::of(&Method::GET, "/environments/"), Ok(Wish::List));
        assert_eq!(Wish::of(&Method::GET, "/environments/a/cov").unwrap_err().0, 405);
        assert_eq!(Wish::of(&Method::POST, "/environments/a/../b/cov").unwrap_err().0, 404);
    }
}
