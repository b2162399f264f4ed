//! What is sought: the facets of a config as GitHub's search words, and the slices that a search is cut into.

use crate::DiscoveryError;
use serde::{Deserialize, Serialize};

/// Whether repositories of a kind are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// None of them.
    #[default]
    No,
    /// Them too.
    Yes,
    /// Nothing else.
    Only,
}

/// What repositories must be like.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Facets {
    /// Languages by GitHub's names; one search for each.
    pub languages: Vec<String>,
    /// Licences by GitHub's keys (`mit`, `apache-2.0`); one search for each. Empty for any.
    pub licences: Vec<String>,
    /// Fewest stars.
    pub min_stars: u64,
    /// Most stars; 0 for any number.
    pub max_stars: u64,
    /// Forks.
    pub forks: Wanted,
    /// Archived repositories.
    pub archived: Wanted,
    /// First day or second of creation.
    pub created_from: String,
    /// Last day or second of creation; empty for the moment at which discovery begins.
    pub created_to: String,
    /// First day of the last push; empty for any.
    pub pushed_from: String,
    /// Last day of the last push; empty for any.
    pub pushed_to: String,
}

impl Default for Facets {
    fn default() -> Self {
        Self {
            languages: Vec::new(),
            licences: Vec::new(),
            min_stars: 10,
            max_stars: 0,
            forks: Wanted::No,
            archived: Wanted::Yes,
            // GitHub's oldest repository is of 2007-10-29.
            created_from: "2007-10-01".to_owned(),
            created_to: String::new(),
            pushed_from: String::new(),
            pushed_to: String::new(),
        }
    }
}

/// One search of several: a language and a licence, with everything that slices do not change.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Search words without stars and creation.
    words: String,
    /// Stars.
    pub stars: (u64, Option<u64>),
    /// Creation, first and last second.
    pub created: (u64, u64),
}

impl Facets {
    /// The searches that together find what is sought. Without an upper bound of creation, `now` is the bound,
    /// so that a discovery of days does not chase what is created meanwhile.
    pub fn searches(&self, now: u64) -> Result<Vec<Search>, DiscoveryError> {
        let created_to = if self.created_to.is_empty() { now } else { last_second(&self.created_to)? };
        let created = (first_second(&self.created_from)?, created_to);
        if created.0 > created.1 {
            return Err(DiscoveryError::Facets("created_from is later than created_to".to_owned()));
        }
        let stars = (self.min_stars, (self.max_stars > 0).then_some(self.max_stars));
        if stars.1.is_some_and(|most| most < stars.0) {
            return Err(DiscoveryError::Facets("max_stars is below min_stars".to_owned()));
        }
        let common = self.common()?;
        let any = [String::new()];
        let or_any = |names: &'_ [String]| if names.is_empty() { any.to_vec() } else { names.to_vec() };
        let mut searches = Vec::new();
        for language in or_any(&self.languages) {
            for licence in or_any(&self.licences) {
                let words = [word("language", &language)?, word("license", &licence)?, common.clone()];
                let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| !w.is_empty()).collect();
                searches.push(Search { words: words.join(" "), stars, created });
            }
        }
        Ok(searches)
    }

    fn common(&self) -> Result<String, DiscoveryError> {
        let mut words = Vec::new();
        match self.forks {
            Wanted::No => {}
            Wanted::Yes => words.push("fork:true".to_owned()),
            Wanted::Only => words.push("fork:only".to_owned()),
        }
        match self.archived {
            Wanted::No => words.push("archived:false".to_owned()),
            Wanted::Yes => {}
            Wanted::Only => words.push("archived:true".to_owned()),
        }
        let pushed = |text: &str, second: &dyn Fn(&str) -> Result<u64, DiscoveryError>| match text {
            "" => Ok("*".to_owned()),
            text => second(text).map(trefoil_dates::format),
        };
        let range = (pushed(&self.pushed_from, &first_second)?, pushed(&self.pushed_to, &last_second)?);
        if range != ("*".to_owned(), "*".to_owned()) {
            words.push(format!("pushed:{}..{}", range.0, range.1));
        }
        Ok(words.join(" "))
    }
}

fn word(name: &str, value: &str) -> Result<String, DiscoveryError> {
    // A quote or a colon would make other search words of it.
    if value.chars().any(|letter| letter == '"' || letter == ':' || letter.is_control()) {
        return Err(DiscoveryError::Facets(format!("`{value}` cannot be searched for")));
    }
    Ok(match value {
        "" => String::new(),
        value if value.contains(' ') => format!("{name}:\"{value}\""),
        value => format!("{name}:{value}"),
    })
}

fn first_second(text: &str) -> Result<u64, DiscoveryError> {
    trefoil_dates::parse(text).ok_or_else(|| {
        DiscoveryError::Facets(format!("`{text}` is no date; write 2020-01-31 or 2020-01-31T12:00:00Z"))
    })
}

fn last_second(text: &str) -> Result<u64, DiscoveryError> {
    Ok(first_second(text)? + if text.contains('T') { 0 } else { 86_399 })
}

/// A part of a search: repositories created from one second to another, with stars from one number to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Creation, first and last second.
    pub created: (u64, u64),
    /// Stars, least and most.
    pub stars: (u64, Option<u64>),
}

impl Search {
    /// All of it.
    pub fn whole(&self) -> Slice {
        Slice { created: self.created, stars: self.stars }
    }

    /// The same with another number of fewest stars.
    pub fn with_stars(&self, fewest: u64) -> Self {
        Self { stars: (fewest, self.stars.1), ..self.clone() }
    }

    /// The search words of a slice.
    pub fn words(&self, slice: Slice) -> String {
        let most = slice.stars.1.map_or("*".to_owned(), |most| most.to_string());
        let created = (trefoil_dates::format(slice.created.0), trefoil_dates::format(slice.created.1));
        let space = if self.words.is_empty() { "" } else { " " };
        format!("{}{space}stars:{}..{most} created:{}..{}", self.words, slice.stars.0, created.0, created.1)
    }

    /// The search words of a slice and of a size on GitHub's disks in KiB.
    pub fn words_with_size(&self, slice: Slice, size: (u64, Option<u64>)) -> String {
        let most = size.1.map_or("*".to_owned(), |most| most.to_string());
        format!("{} size:{}..{most}", self.words(slice), size.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facets_become_search_words() {
        let facets = Facets {
            languages: vec!["Java".into(), "Jupyter Notebook".into()],
            licences: vec!["mit".into()],
            max_stars: 99,
            forks: Wanted::Yes,
            archived: Wanted::No,
            created_from: "2020-01-01".into(),
            created_to: "2020-12-31".into(),
            pushed_from: "2021-06-01".into(),
            ..Facets::default()
        };
        let searches = facets.searches(0).unwrap();
        let words: Vec<String> = searches.iter().map(|search| search.words(search.whole())).collect();
        let rest = "license:mit fork:true archived:false pushed:2021-06-01T00:00:00Z..* stars:10..99 \
                    created:2020-01-01T00:00:00Z..2020-12-31T23:59:59Z";
        assert_eq!(words, [format!("language:Java {rest}"), format!("language:\"Jupyter Notebook\" {rest}")]);
    }

    #[test]
    fn facets_that_say_nothing_sound_are_refused() {
        let with = |change: &dyn Fn(&mut Facets)| {
            let mut facets = Facets::default();
            change(&mut facets);
            facets.searches(2_000_000_000).map(|_| ()).unwrap_err().to_string()
        };
        assert!(with(&|facets| facets.created_from = "soon".into()).contains("`soon` is no date"));
        assert!(with(&|facets| facets.created_to = "2001-01-01".into()).contains("later than"));
        assert!(with(&|facets| facets.max_stars = 3).contains("below min_stars"));
        assert!(with(&|facets| facets.languages = vec!["a\" user:b".into()]).contains("cannot be searched"));
    }
}
