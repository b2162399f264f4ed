//! Secrets and e-mail addresses in texts. Only what its issuer gives a form that nothing else has is taken for a
//! secret: wide rules take every hash in an assertion for one. Who wants them brings [`Rules`] along. What is found is replaced by as many characters, so
//! that spans and layout stay, and its value is kept nowhere.

use super::Rules;

/// Rule of e-mail addresses.
pub const EMAIL: &str = "email";

/// A text without what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Redacted<'a> {
    /// The text.
    pub text: String,
    /// What was found, in order.
    pub found: Vec<Found<'a>>,
}

/// Something that should not be handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// The rule.
    pub rule: &'a str,
    /// First byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

/// A token that its issuer marks by a prefix, as documented by the issuer.
struct Prefixed {
    rule: &'static str,
    prefix: &'static str,
    /// Characters after the prefix, at least and at most.
    length: (usize, usize),
    /// Other characters than letters and digits.
    more: &'static str,
}

const fn prefixed(
    rule: &'static str,
    prefix: &'static str,
    length: (usize, usize),
    more: &'static str,
) -> Prefixed {
    Prefixed { rule, prefix, length, more }
}

static PREFIXED: [Prefixed; 25] = [
    prefixed("aws_access_key", "AKIA", (16, 16), ""),
    prefixed("aws_access_key", "ASIA", (16, 16), ""),
    prefixed("github_token", "ghp_", (36, 36), ""),
    prefixed("github_token", "gho_", (36, 36), ""),
    prefixed("github_token", "ghu_", (36, 36), ""),
    prefixed("github_token", "ghs_", (36, 36), ""),
    prefixed("github_token", "ghr_", (36, 76), ""),
    prefixed("github_token", "github_pat_", (60, 100), "_"),
    prefixed("gitlab_token", "glpat-", (20, 60), "-_."),
    prefixed("slack_token", "xoxb-", (20, 200), "-"),
    prefixed("slack_token", "xoxp-", (20, 200), "-"),
    prefixed("slack_token", "xoxa-", (20, 200), "-"),
    prefixed("slack_webhook", "https://hooks.slack.com/services/", (20, 100), "/"),
    prefixed("google_api_key", "AIza", (35, 35), "-_"),
    prefixed("google_oauth_token", "ya29.", (40, 500), "-_"),
    prefixed("npm_token", "npm_", (36, 36), ""),
    prefixed("pypi_token", "pypi-AgEIcHlwaS5vcmc", (40, 500), "-_"),
    prefixed("stripe_key", "sk_live_", (24, 120), ""),
    prefixed("stripe_key", "rk_live_", (24, 120), ""),
    prefixed("sendgrid_key", "SG.", (60, 80), "-_."),
    prefixed("anthropic_key", "sk-ant-", (80, 130), "-_"),
    prefixed("openai_key", "sk-proj-", (40, 200), "-_"),
    prefixed("hugging_face_token", "hf_", (34, 34), ""),
    prefixed("shopify_token", "shpat_", (32, 32), ""),
    prefixed("digitalocean_token", "dop_v1_", (64, 64), ""),
];

/// Replaces what our own rules and those brought along find that `wanted` asks for.
pub fn redact<'a>(text: &str, rules: &'a Rules, wanted: impl Fn(&str) -> bool) -> Redacted<'a> {
    let brought = rules.find(text).into_iter();
    let brought = brought.map(|(rule, place)| Found { rule, start: place.start, end: place.end }).collect();
    let mut found: Vec<Found<'a>> =
        [prefixed_tokens(text), private_keys(text), json_web_tokens(text), emails(text), brought]
            .concat()
            .into_iter()
            .filter(|one| wanted(one.rule))
            .collect();
    found.sort_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
    let mut clean = String::with_capacity(text.len());
    let mut kept = Vec::with_capacity(found.len());
    for one in found {
        // What lies inside another is gone with it.
        if one.start < clean.len() {
            continue;
        }
        clean.push_str(text.get(clean.len()..one.start).unwrap_or_default());
        clean.push_str(&stand_in(one.rule, text.get(one.start..one.end).unwrap_or_default()));
        kept.push(one);
    }
    clean.push_str(text.get(clean.len()..).unwrap_or_default());
    Redacted { text: clean, found: kept }
}

/// As many bytes as the secret, with its line breaks. An address stays one, of a domain that nobody can have
/// (RFC 2606), where it is long enough.
fn stand_in(rule: &str, secret: &str) -> String {
    const DOMAIN: &str = "@example.invalid";
    if rule == EMAIL {
        return match secret.len().checked_sub(DOMAIN.len()) {
            Some(length @ 1..) => format!("{}{DOMAIN}", "x".repeat(length)),
            _ => "x@y".chars().chain(std::iter::repeat('y')).take(secret.len()).collect(),
        };
    }
    let mut word = rule.to_uppercase().chars().collect::<Vec<_>>().into_iter().chain(std::iter::repeat('X'));
    secret.bytes().map(|byte| if byte == b'\n' { '\n' } else { word.next().unwrap_or('X') }).collect()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// Whether what stands before `start` cannot belong to the same word.
fn begins(text: &str, start: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    before.is_none_or(|byte| !is_word(*byte) && *byte != b'_')
}

/// Length of the run of such bytes at the start of `text`.
fn run(text: &str, inside: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| inside(*byte)).count()
}

fn prefixed_tokens(text: &str) -> Vec<Found<'static>> {
    let mut found = Vec::new();
    for Prefixed { rule, prefix, length: (least, most), more } in &PREFIXED {
        for (start, _) in text.match_indices(prefix).filter(|(start, _)| begins(text, *start)) {
            let after = text.get(start + prefix.len()..).unwrap_or_default();
            let length = run(after, |byte| is_word(byte) || more.as_bytes().contains(&byte));
            let value = after.get(..length).unwrap_or_default();
            if (*least..=*most).contains(&length) && is_drawn(value) {
                found.push(Found { rule, start, end: start + prefix.len() + length });
            }
        }
    }
    found
}

/// Whether a value looks drawn: `AKIAXXXXXXXXXXXXXXXX` and `…EXAMPLE` are made up for documents.
fn is_drawn(value: &str) -> bool {
    let distinct = value.bytes().collect::<std::collections::BTreeSet<_>>().len();
    distinct >= 8 && !value.to_ascii_lowercase().contains("example")
}

const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_MARK: &str = "PRIVATE KEY";

fn private_keys(text: &str) -> Vec<Found<'static>> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices(KEY_BEGIN) {
        let rest = text.get(start..).unwrap_or_default();
        let head = rest.lines().next().unwrap_or_default();
        let end = rest.find("-----END ").and_then(|end| {
            let tail = rest.get(end + KEY_BEGIN.len() - 2..)?;
            Some(end + KEY_BEGIN.len() - 2 + tail.find("-----")? + 5)
        });
        if let Some(end) = end.filter(|_| head.contains(KEY_MARK)) {
            found.push(Found { rule: "private_key", start, end: start + end });
        }
    }
    found
}

/// Three parts in URL-safe base 64, of which the first two are JSON objects (`eyJ` is `{"`).
fn json_web_tokens(text: &str) -> Vec<Found<'static>> {
    let part = |byte: u8| is_word(byte) || byte == b'-' || byte == b'_';
    let of = |(start, _): (usize, &str)| {
        let rest = text.get(start..)?;
        let length = run(rest, |byte| part(byte) || byte == b'.');
        let token = rest.get(..length)?.trim_end_matches('.');
        let mut parts = token.split('.');
        let (head, body, seal) = (parts.next()?, parts.next()?, parts.next()?);
        let sound = head.len() >= 15 && body.len() >= 15 && body.starts_with("eyJ") && seal.len() >= 20;
        (sound && parts.next().is_none()).then_some(Found {
            rule: "json_web_token",
            start,
            end: start + token.len(),
        })
    };
    text.match_indices("eyJ").filter(|(start, _)| begins(text, *start)).filter_map(of).collect()
}

/// Domains that the standards keep for examples, and names that tests make up.
const MADE_UP: [&str; 12] = [
    "example.com",
    "example.org",
    "example.net",
    "test.com",
    "foo.com",
    "bar.com",
    "domain.com",
    "email.com",
    "mail.com",
    "company.com",
    "localhost.localdomain",
    "acme.com",
];

fn emails(text: &str) -> Vec<Found<'static>> {
    let bytes = text.as_bytes();
    let local = |byte: u8| is_word(byte) || b"._%+-".contains(&byte);
    let domain = |byte: u8| is_word(byte) || byte == b'.' || byte == b'-';
    let of = |(at, _): (usize, &str)| {
        let before = bytes.get(..at)?.iter().rev().take_while(|byte| local(**byte)).count();
        let start = at - before;
        let name = text.get(start..at)?.trim_start_matches(['.', '-', '%', '+', '_']);
        let start = at - name.len();
        let after = text.get(at + 1..)?;
        let whole = after.get(..run(after, domain))?.trim_end_matches(['.', '-']);
        let (host, top) = whole.rsplit_once('.')?;
        let lower = whole.to_ascii_lowercase();
        let reserved = [".example", ".invalid", ".test", ".localhost"].iter().any(|end| lower.ends_with(end));
        let sound = !name.is_empty()
            && !name.ends_with('.')
            && !host.is_empty()
            && !host.starts_with(['.', '-'])
            && (2..=24).contains(&top.len())
            && top.bytes().all(|byte| byte.is_ascii_lowercase())
            // People write domains in small letters; `Component.class` is code.
            && lower == whole
            && !MADE_UP.contains(&lower.as_str())
            && !reserved
            // `git@host.com:path` and `user@host.com()` are no addresses of people.
            && !after.get(whole.len()..).is_some_and(|rest| rest.starts_with([':', '(', '/']));
        sound.then_some(Found { rule: EMAIL, start, end: at + 1 + whole.len() })
    };
    text.match_indices('@').filter_map(of).collect()
}
