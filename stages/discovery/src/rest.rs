//! GitHub's REST interface: paths of requests, and their answers read.

use crate::api::{Method, Request, Resource};
use crate::question::Page;
use crate::repository::Repository;
use serde_json::Value;

/// One page of a search. Sorted by stars, since the order must not change between two pages and the default,
/// by likeness, does.
pub(crate) fn search(words: &str, after: Option<&str>, size: u32) -> Request {
    let page = after.unwrap_or("1");
    let query = encode(words);
    Request {
        method: Method::Get,
        path: format!(
            "/search/repositories?q={query}&sort=stars&order=desc&per_page={size}&page={}",
            encode(page)
        ),
        resource: Resource::Search,
        etag: None,
        can_be_smaller: false,
        question: format!("page {page} of the search `{words}`"),
    }
}

/// One repository by its name; none where it is no name.
pub(crate) fn named(name: &str) -> Option<Request> {
    let (owner, repository) = name.split_once('/')?;
    let sound = |part: &str| {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        !part.is_empty() && part.len() <= 100 && part.chars().all(allowed) && part != "." && part != ".."
    };
    (sound(owner) && sound(repository)).then(|| Request {
        method: Method::Get,
        path: format!("/repos/{owner}/{repository}"),
        resource: Resource::Core,
        etag: None,
        can_be_smaller: false,
        question: format!("the repository {name}"),
    })
}

/// Reads a page of a search.
pub(crate) fn page(body: &Value, link: Option<&str>) -> Option<Page> {
    let repositories = body.get("items")?.as_array()?.iter().map(repository);
    Some(Page {
        total: body.get("total_count")?.as_u64()?,
        incomplete: body.get("incomplete_results").and_then(Value::as_bool).unwrap_or_default(),
        next: link.and_then(next_page),
        repositories: repositories.collect::<Option<_>>()?,
    })
}

/// The number in `<https://…&page=3>; rel="next"`.
fn next_page(link: &str) -> Option<String> {
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let parameters = next.split_once('?')?.1.split('>').next()?;
    let number = parameters.split('&').find_map(|parameter| parameter.strip_prefix("page="))?;
    number.chars().all(|letter| letter.is_ascii_digit()).then(|| number.to_owned())
}

/// Reads a repository.
pub(crate) fn repository(body: &Value) -> Option<Repository> {
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = |name: &str| body.get(name).and_then(Value::as_u64).unwrap_or_default();
    let truth = |name: &str| body.get(name).and_then(Value::as_bool).unwrap_or_default();
    let of = |name: &str, field: &str| body.get(name).map(|value| text(value, field)).unwrap_or_default();
    Some(Repository {
        id: body.get("id")?.as_u64()?,
        full_name: body.get("full_name")?.as_str()?.to_owned(),
        default_branch: text(body, "default_branch"),
        commit: String::new(),
        is_empty: false,
        licence: of("license", "spdx_id"),
        stars: number("stargazers_count"),
        forks: number("forks_count"),
        is_fork: truth("fork"),
        parent: of("parent", "full_name"),
        is_archived: truth("archived"),
        created: text(body, "created_at"),
        pushed: text(body, "pushed_at"),
        updated: text(body, "updated_at"),
        kilobytes: number("size"),
        language: text(body, "language"),
        languages: Vec::new(),
    })
}

/// Percent-encoding of everything that is not unreserved.
fn encode(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_stands_in_the_link_header() {
        let link = "<https://api.github.com/search/repositories?q=a&per_page=100&page=3>; rel=\"next\", \
                    <https://api.github.com/search/repositories?q=a&per_page=100&page=10>; rel=\"last\"";
        assert_eq!(next_page(link).as_deref(), Some("3"));
        assert_eq!(next_page("<https://a/b?page=1>; rel=\"prev\""), None);
    }

    #[test]
    fn search_words_and_names_cannot_leave_their_place() {
        let path = search("language:\"C#\" stars:1..*&page=9", None, 100).path;
        assert!(path.contains("q=language%3A%22C%23%22%20stars%3A1..%2A%26page%3D9&sort=stars"), "{path}");
        for name in ["a", "a/b/c", "a/..", "../a", "a/b?c", "a/b c", "/b", "a/", "http://x/y"] {
            assert!(named(name).is_none(), "{name}");
        }
        assert_eq!(named("a-1/b_2.c").map(|request| request.path).as_deref(), Some("/repos/a-1/b_2.c"));
    }
}
