//! Rules for secrets that users bring along, in the format of gitleaks: `[[rules]]` with an id, a regular expression,
//! keywords, a least entropy and lists of what is allowed. Of a file only what concerns texts is read; a rule about
//! paths, or one whose expression Rust's engine does not take, is named with the reason and not used.
//!
//! gitleaks takes expressions of Go's RE2, nearly all of which Rust's `regex` takes, too: neither looks around or back.

use regex::{Regex, RegexBuilder, RegexSet};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// Most bytes of a compiled expression: counted repetitions of Unicode classes take some megabytes.
const MOST_COMPILED: usize = 64 << 20;

/// Rules, ready to be used.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// Finds the keywords in small letters, all in one go; `of_keyword` has the rule of each.
    keywords: RegexSet,
    of_keyword: Vec<usize>,
    allowed: Vec<Allowed>,
    unused: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Rule {
    id: String,
    pattern: Regex,
    /// Group that is the secret; 0 for the first that takes part, or the whole match where there is none.
    group: usize,
    entropy: f64,
    has_keywords: bool,
    allowed: Vec<Allowed>,
}

/// What is no secret though a rule finds it.
#[derive(Debug)]
struct Allowed {
    patterns: Vec<Regex>,
    stop_words: Vec<String>,
    target: Target,
    needs_all: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

#[derive(Deserialize)]
struct FileToml {
    #[serde(default)]
    rules: Vec<RuleToml>,
    #[serde(default)]
    allowlist: Option<AllowedToml>,
    #[serde(default)]
    allowlists: Vec<AllowedToml>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RuleToml {
    id: String,
    #[serde(default)]
    regex: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    secret_group: usize,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    allowlist: Option<AllowedToml>,
    #[serde(default)]
    allowlists: Vec<AllowedToml>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AllowedToml {
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
    #[serde(default)]
    regex_target: Target,
    #[serde(default)]
    condition: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    commits: Vec<String>,
    #[serde(default, rename = "targetRules")]
    target_rules: Vec<String>,
}

impl Rules {
    /// Reads a file of rules. An error says that it is none; single rules that cannot be used are in
    /// [`Rules::unused`].
    pub fn read(text: &str) -> Result<Self, String> {
        let file: FileToml = toml::from_str(text).map_err(|error| error.to_string())?;
        if file.rules.is_empty() {
            return Err("there are no `[[rules]]`".to_owned());
        }
        let mut read = Self::default();
        let shared: Vec<AllowedToml> = file.allowlist.into_iter().chain(file.allowlists).collect();
        let (of_some, of_all): (Vec<_>, Vec<_>) =
            shared.into_iter().partition(|it| !it.target_rules.is_empty());
        read.allowed = allowed(of_all).map_err(|error| format!("in the allowlist: {error}"))?;
        let mut words = Vec::new();
        for rule in file.rules {
            let (id, keywords) = (rule.id.clone(), rule.keywords.clone());
            match Rule::new(rule, &of_some) {
                Ok(rule) => {
                    words.extend(keywords.iter().map(|word| regex::escape(&word.to_lowercase())));
                    read.of_keyword.extend(keywords.iter().map(|_| read.rules.len()));
                    read.rules.push(rule);
                }
                Err(reason) => {
                    read.unused.insert(id, reason);
                }
            }
        }
        read.keywords = RegexSet::new(words).map_err(|error| format!("in the keywords: {error}"))?;
        Ok(read)
    }

    /// Rules that are not used, with the reasons.
    pub fn unused(&self) -> &BTreeMap<String, String> {
        &self.unused
    }

    /// The rules and places of all that they find.
    pub(super) fn find<'a>(&'a self, text: &str) -> Vec<(&'a str, Range<usize>)> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let mut wanted: Vec<bool> = self.rules.iter().map(|rule| !rule.has_keywords).collect();
        for keyword in self.keywords.matches(&text.to_lowercase()) {
            if let Some(wanted) = self.of_keyword.get(keyword).and_then(|rule| wanted.get_mut(*rule)) {
                *wanted = true;
            }
        }
        let rules = self.rules.iter().zip(wanted).filter(|(_, wanted)| *wanted);
        rules.flat_map(|(rule, _)| rule.find(text, &self.allowed)).collect()
    }
}

impl Rule {
    fn new(rule: RuleToml, of_some: &[AllowedToml]) -> Result<Self, String> {
        if rule.regex.is_empty() {
            return Err("it has no regex".to_owned());
        }
        if !rule.path.is_empty() {
            return Err("it is about paths, too".to_owned());
        }
        let pattern = compiled(&rule.regex)?;
        if rule.secret_group >= pattern.captures_len() {
            return Err(format!("its regex has no group {}", rule.secret_group));
        }
        let mut allowed = allowed(rule.allowlist.into_iter().chain(rule.allowlists))?;
        let of_this = of_some.iter().filter(|one| one.target_rules.contains(&rule.id));
        for one in of_this {
            allowed.extend(Allowed::new(one)?);
        }
        Ok(Self {
            id: rule.id,
            pattern,
            group: rule.secret_group,
            entropy: rule.entropy,
            has_keywords: !rule.keywords.is_empty(),
            allowed,
        })
    }

    fn find<'a>(&'a self, text: &str, allowed: &[Allowed]) -> Vec<(&'a str, Range<usize>)> {
        let secret = |groups: regex::Captures<'_>| {
            let whole = groups.get(0)?;
            let first = || groups.iter().skip(1).flatten().find(|group| !group.is_empty());
            let secret = if self.group > 0 { groups.get(self.group)? } else { first().unwrap_or(whole) };
            let line_start = text.get(..whole.start())?.rfind('\n').map_or(0, |at| at + 1);
            let line_end = text.get(whole.end()..)?.find('\n').map_or(text.len(), |at| whole.end() + at);
            let line = text.get(line_start..line_end)?;
            let is_allowed = |one: &Allowed| one.allows(secret.as_str(), whole.as_str(), line);
            let counts = !secret.is_empty()
                && entropy(secret.as_str()) >= self.entropy
                && !allowed.iter().chain(&self.allowed).any(is_allowed);
            counts.then(|| (self.id.as_str(), secret.range()))
        };
        self.pattern.captures_iter(text).filter_map(secret).collect()
    }
}

impl Allowed {
    /// Nothing where the list is about paths and commits alone, of which a text knows nothing.
    fn new(list: &AllowedToml) -> Result<Option<Self>, String> {
        let needs_all = list.condition.eq_ignore_ascii_case("AND");
        let is_of_places = !list.paths.is_empty() || !list.commits.is_empty();
        let says_nothing = list.regexes.is_empty() && list.stopwords.is_empty();
        if says_nothing || needs_all && is_of_places {
            return Ok(None);
        }
        Ok(Some(Self {
            patterns: list.regexes.iter().map(|pattern| compiled(pattern)).collect::<Result<_, _>>()?,
            stop_words: list.stopwords.iter().map(|word| word.to_lowercase()).collect(),
            target: list.regex_target,
            needs_all,
        }))
    }

    fn allows(&self, secret: &str, whole: &str, line: &str) -> bool {
        let target = match self.target {
            Target::Secret => secret,
            Target::Match => whole,
            Target::Line => line,
        };
        let by_pattern = self.patterns.iter().any(|pattern| pattern.is_match(target));
        let secret = secret.to_lowercase();
        let by_word = self.stop_words.iter().any(|word| secret.contains(word.as_str()));
        if self.needs_all {
            (by_pattern || self.patterns.is_empty()) && (by_word || self.stop_words.is_empty())
        } else {
            by_pattern || by_word
        }
    }
}

fn allowed(lists: impl IntoIterator<Item = AllowedToml>) -> Result<Vec<Allowed>, String> {
    lists.into_iter().filter_map(|list| Allowed::new(&list).transpose()).collect()
}

fn compiled(pattern: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(pattern).size_limit(MOST_COMPILED).build();
    // The engine shows the whole expression with a mark below it; the last line says what is wrong.
    built.map_err(|error| error.to_string().lines().last().unwrap_or_default().trim().to_owned())
}

/// Shannon's entropy of the characters, in bits.
fn entropy(text: &str) -> f64 {
    let mut counts: BTreeMap<char, f64> = BTreeMap::new();
    text.chars().for_each(|letter| *counts.entry(letter).or_default() += 1.0);
    let all: f64 = counts.values().sum();
    -counts.values().map(|count| count / all * (count / all).log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
title = "ours"

[allowlist]
regexes = ['''^sample''']
paths = ['''vendor/''']

[[allowlists]]
targetRules = ["acme-token"]
stopwords = ["dummy"]

[[rules]]
id = "acme-token"
description = "found by its prefix"
regex = '''(?i)\bacme_([a-z0-9]{8})\b'''
keywords = ["acme_"]

[[rules]]
id = "drawn"
regex = '''key\s*=\s*"([^"]+)"'''
secretGroup = 1
entropy = 3.5
keywords = ["key"]
[[rules.allowlists]]
regexTarget = "line"
regexes = ['''# public''']

[[rules]]
id = "looks-back"
regex = '''(?<=x)y'''

[[rules]]
id = "a-path"
path = '''\.pem$'''
"#;

    fn found(text: &str) -> Vec<(String, String)> {
        let rules = Rules::read(FILE).unwrap();
        let found = rules.find(text).into_iter();
        found.map(|(rule, place)| (rule.to_owned(), text[place].to_owned())).collect()
    }

    #[test]
    fn secrets_are_found_by_keyword_pattern_group_and_entropy() {
        assert_eq!(found("ünd ACME_12345678;"), [("acme-token".to_owned(), "12345678".to_owned())]);
        assert_eq!(found("key = \"q9Xz7LmP2vR4\""), [("drawn".to_owned(), "q9Xz7LmP2vR4".to_owned())]);
        for harmless in [
            "key = \"aaaaaaaaaaaa\"",
            "key = \"q9Xz7LmP2vR4\" # public",
            "key = \"sampleq9Xz7LmP2vR4\"",
            "acme_dummy123",
            "KEY = \"\"",
        ] {
            assert_eq!(found(harmless), [], "{harmless}");
        }
    }

    #[test]
    fn rules_that_cannot_be_used_are_named_with_the_reason() {
        let rules = Rules::read(FILE).unwrap();
        let unused: Vec<&str> = rules.unused().keys().map(String::as_str).collect();
        assert_eq!(unused, ["a-path", "looks-back"]);
        assert!(rules.unused()["looks-back"].contains("look-around"), "{:?}", rules.unused());
        assert!(Rules::read("title = 'nothing'").unwrap_err().contains("no `[[rules]]`"));
        assert!(Rules::read("[[rules]]\nregex = 'x'").unwrap_err().contains("id"));
    }

    #[test]
    fn entropy_is_that_of_shannon() {
        assert_eq!((entropy("aaaa"), entropy("ab"), entropy("abcd")), (0.0, 1.0, 2.0));
    }
}
