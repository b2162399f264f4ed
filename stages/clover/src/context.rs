//! Oracle context: the files that tell most about a test, as many as a budget of tokens allows (CLOVER, section 3).

use crate::calibration::Class;
use crate::prompt::snippet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Counts tokens; the tokeniser behind it is the caller's.
pub type Count<'a> = &'a (dyn Fn(&str) -> u32 + Sync);

/// The source files of a repository as snippets, each counted when it is first asked for.
pub struct Snippets<'a> {
    sources: &'a BTreeMap<String, Arc<str>>,
    count: Count<'a>,
    counted: std::cell::RefCell<BTreeMap<String, u32>>,
}

impl<'a> Snippets<'a> {
    /// Snippets of these files.
    pub fn new(sources: &'a BTreeMap<String, Arc<str>>, count: Count<'a>) -> Self {
        Self { sources, count, counted: std::cell::RefCell::default() }
    }

    /// The snippet of a file.
    pub fn text(&self, path: &str) -> String {
        self.sources.get(path).map(|text| snippet(path, text)).unwrap_or_default()
    }

    /// Tokens of a file's snippet by itself.
    pub fn tokens(&self, path: &str) -> u32 {
        if let Some(known) = self.counted.borrow().get(path) {
            return *known;
        }
        let tokens = (self.count)(&self.text(path));
        self.counted.borrow_mut().insert(path.to_owned(), tokens);
        tokens
    }

    /// Tokens of any text.
    pub fn count(&self, text: &str) -> u32 {
        (self.count)(text)
    }

    /// Whether a text has more than `limit` tokens. No token is shorter than a byte, so short texts need no count.
    pub fn more_than(&self, limit: u32, text: &str) -> bool {
        text.len() > limit as usize && self.count(text) > limit
    }
}

/// The files for a prompt with `room` tokens beside what is asked: the required ones, then of `order` each that still
/// fits. Nothing where the required ones do not fit.
pub fn fill<'s>(
    required: &[&'s str],
    order: &[(&'s str, Class)],
    room: u32,
    snippets: &Snippets<'_>,
) -> Option<Vec<(&'s str, Class)>> {
    let mut left = room;
    let mut chosen = Vec::new();
    for path in required {
        left = left.checked_sub(snippets.tokens(path))?;
        chosen.push((*path, Class::Required));
    }
    for (path, class) in order.iter().filter(|(path, _)| !required.contains(path)) {
        if left == 0 {
            break;
        }
        // An empty file says nothing.
        if snippets.sources.get(*path).is_none_or(|text| text.trim().is_empty()) {
            continue;
        }
        if let Some(rest) = left.checked_sub(snippets.tokens(path)) {
            left = rest;
            chosen.push((*path, *class));
        }
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> u32 {
        text.split_whitespace().count() as u32
    }

    fn chosen(required: &[&str], room: u32) -> Option<String> {
        let sources: BTreeMap<String, Arc<str>> = [("a.py", 10), ("b.py", 20), ("c.py", 5), ("d.py", 0)]
            .map(|(path, words)| (path.to_owned(), Arc::from("x ".repeat(words))))
            .into();
        let order = [
            ("d.py", Class::Peer),
            ("b.py", Class::Peer),
            ("a.py", Class::Other),
            ("c.py", Class::Repository),
        ];
        let snippets = Snippets::new(&sources, &words);
        let files = fill(required, &order, room, &snippets)?;
        Some(files.iter().map(|(path, class)| format!("{path}:{} ", class.as_str())).collect())
    }

    #[test]
    fn required_files_come_first_and_then_what_fits() {
        // A snippet is four words longer than its file.
        assert_eq!(chosen(&[], 100).unwrap(), "b.py:peer a.py:other c.py:repository ");
        assert_eq!(chosen(&["c.py"], 33).unwrap(), "c.py:required b.py:peer ");
        assert_eq!(chosen(&[], 23).unwrap(), "a.py:other c.py:repository ");
        assert_eq!(chosen(&["c.py", "a.py"], 22), None);
        assert_eq!(chosen(&["c.py", "a.py"], 23).unwrap(), "c.py:required a.py:required ");
    }
}
