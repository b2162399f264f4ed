//! Search words and what answers to them.

use crate::date;
use crate::population::{Repository, State};

/// Most results that a search shows.
pub(crate) const MOST_RESULTS: usize = 1_000;

type Range = (u64, u64);

/// Search words, read.
#[derive(Default)]
struct Query {
    languages: Vec<String>,
    licences: Vec<String>,
    stars: Option<Range>,
    size: Option<Range>,
    created: Option<Range>,
    pushed: Option<Range>,
    forks: Option<String>,
    archived: Option<bool>,
}

/// The places of what answers to search words, most stars first; or what is wrong with the words.
pub(crate) fn search(words: &str, population: &[Repository]) -> Result<Vec<usize>, String> {
    let query = read(words)?;
    let places = population.iter().enumerate().filter(|(_, repository)| query.finds(repository));
    let mut places: Vec<usize> = places.map(|(place, _)| place).collect();
    places.sort_by_key(|&place| (u64::MAX - population[place].stars, population[place].id));
    Ok(places)
}

fn read(words: &str) -> Result<Query, String> {
    let mut query = Query::default();
    for word in split(words) {
        let (name, value) = word.split_once(':').ok_or_else(|| format!("`{word}` is no search word"))?;
        let value = value.trim_matches('"');
        let twice = |before: &Option<Range>| match before {
            Some(_) => Err(format!("`{name}` stands twice, which GitHub does not take for both")),
            None => Ok(()),
        };
        match name {
            "language" => query.languages.push(value.to_lowercase()),
            "license" => query.licences.push(value.to_lowercase()),
            "stars" => {
                twice(&query.stars)?;
                query.stars = Some(range(value, &number)?);
            }
            "size" => query.size = Some(range(value, &number)?),
            "created" => {
                twice(&query.created)?;
                query.created = Some(range(value, &moment)?);
            }
            "pushed" => query.pushed = Some(range(value, &moment)?),
            "fork" => query.forks = Some(value.to_owned()),
            "archived" => query.archived = Some(value == "true"),
            "sort" => {}
            _ => return Err(format!("`{name}` is no search word of repositories")),
        }
    }
    Ok(query)
}

/// Words, with quoted ones kept whole.
fn split(words: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for letter in words.chars() {
        quoted ^= letter == '"';
        if letter == ' ' && !quoted {
            all.push(std::mem::take(&mut word));
        } else {
            word.push(letter);
        }
    }
    all.push(word);
    all.retain(|word| !word.is_empty());
    all
}

/// First and last value that a text stands for.
type Reading = dyn Fn(&str) -> Option<Range>;

fn range(text: &str, reading: &Reading) -> Result<Range, String> {
    let read = |text: &str| reading(text).ok_or_else(|| format!("`{text}` is no number or date"));
    if let Some((from, to)) = text.split_once("..") {
        let from = if from == "*" { 0 } else { read(from)?.0 };
        let to = if to == "*" { u64::MAX } else { read(to)?.1 };
        return Ok((from, to));
    }
    match text.strip_prefix(">=") {
        Some(from) => Ok((read(from)?.0, u64::MAX)),
        None => read(text),
    }
}

fn number(text: &str) -> Option<Range> {
    let number = text.parse().ok()?;
    Some((number, number))
}

fn moment(text: &str) -> Option<Range> {
    let (second, exact) = date::parse(text)?;
    Some((second, if exact { second } else { second + 86_399 }))
}

impl Query {
    fn finds(&self, repository: &Repository) -> bool {
        let inside =
            |range: &Option<Range>, value: u64| range.is_none_or(|(from, to)| (from..=to).contains(&value));
        let among = |names: &[String], value: &str| {
            names.is_empty() || names.iter().any(|name| name.eq_ignore_ascii_case(value))
        };
        let forks = match self.forks.as_deref() {
            Some("true") => true,
            Some("only") => repository.parent.is_some(),
            _ => repository.parent.is_none(),
        };
        matches!(repository.state, State::There | State::GoneWhenAsked | State::Private)
            && inside(&self.created, repository.created)
            && inside(&self.stars, repository.stars)
            && forks
            && among(&self.languages, repository.language())
            && among(&self.licences, &repository.licence)
            && inside(&self.size, repository.kilobytes)
            && inside(&self.pushed, repository.pushed)
            && self.archived.is_none_or(|archived| archived == repository.archived)
    }
}
