//! The REST interface.

use crate::http::{Request, Response};
use crate::population::{Repository, State};
use crate::search::{MOST_RESULTS, search};
use serde_json::{Value, json};

/// `/search/repositories`.
pub(crate) fn search_repositories(
    request: &Request,
    places: &[usize],
    population: &[Repository],
    incomplete: bool,
    address: &str,
) -> Response {
    let number = |name: &str, default: usize| match request.parameter(name) {
        Some(text) => text.parse().unwrap_or(default),
        None => default,
    };
    let (size, page) = (number("per_page", 30).clamp(1, 100), number("page", 1).max(1));
    let shown = places.len().min(MOST_RESULTS);
    if (page - 1) * size >= MOST_RESULTS {
        return Response::message(422, "Only the first 1000 search results are available");
    }
    let from = ((page - 1) * size).min(shown);
    let to = (page * size).min(shown);
    // A search that was given up shows what it has found until then.
    let to = if incomplete { from + (to - from) / 2 } else { to };
    let items: Vec<Value> = places[from..to].iter().map(|&place| population[place].rest(false)).collect();
    let body = json!({"total_count": places.len(), "incomplete_results": incomplete, "items": items});
    let mut response = Response::json(200, &body);
    let query: Vec<&str> = request.parameters.split('&').filter(|pair| !pair.starts_with("page=")).collect();
    let link = |page: usize, name: &str| {
        format!("<{address}{}?{}&page={page}>; rel=\"{name}\"", request.path, query.join("&"))
    };
    let last = shown.div_ceil(size);
    let mut links = Vec::new();
    if page > 1 {
        links.push(link(page - 1, "prev"));
    }
    if page < last {
        links.extend([link(page + 1, "next"), link(last, "last")]);
    }
    if !links.is_empty() {
        response.headers.push(("link".to_owned(), links.join(", ")));
    }
    response
}

/// What answers to the words of a request; an answer that refuses it where they mean nothing.
pub(crate) fn found(words: &str, population: &[Repository]) -> Result<Vec<usize>, Response> {
    search(words, population).map_err(|cause| Response::message(422, &format!("Validation Failed: {cause}")))
}

/// `/repos/{owner}/{name}` and `/repositories/{id}`.
pub(crate) fn one(request: &Request, population: &[Repository], address: &str) -> Response {
    let not_found = || Response::message(404, "Not Found");
    let by_id = request.path.strip_prefix("/repositories/").and_then(|id| id.parse::<u64>().ok());
    let name = request.path.strip_prefix("/repos/").unwrap_or_default();
    let is_named = |known: &str| known.eq_ignore_ascii_case(name);
    let here = population.iter().find(|repository| {
        Some(repository.id) == by_id || by_id.is_none() && is_named(&repository.full_name)
    });
    if let Some(repository) = here {
        return match repository.state {
            State::There | State::Private => alone(request, repository),
            State::Gone | State::GoneWhenAsked => not_found(),
            State::Blocked => Response::message(451, "Repository access blocked"),
        };
    }
    let moved =
        population.iter().find(|repository| repository.former_names.iter().any(|name| is_named(name)));
    let Some(moved) = moved.filter(|_| by_id.is_none()) else { return not_found() };
    let to = format!("{address}/repositories/{}", moved.id);
    let mut response = Response::json(301, &json!({"message": "Moved Permanently", "url": to}));
    response.headers.push(("location".to_owned(), to));
    response
}

fn alone(request: &Request, repository: &Repository) -> Response {
    let mut response = Response::json(200, &repository.rest(true));
    let sum =
        response.body.iter().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let etag = format!("W/\"{sum:016x}\"");
    if request.header("if-none-match") == Some(etag.as_str()) {
        return Response { status: 304, headers: vec![("etag".to_owned(), etag)], body: Vec::new() };
    }
    response.headers.push(("etag".to_owned(), etag));
    response
}
