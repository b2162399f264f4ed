//! Methods that a test calls without brackets: properties, operators, and functions that it hands over to an
//! assertion for the call.

use super::{Gathering, Use, Way};
use crate::matching::hash::HashSet;
use crate::matching::index::File;
use crate::matching::resolution::Target;
use crate::matching::tables::Declaration;

/// What follows an object, and the methods that answer for it, the first that is there.
const AFTER: [(&str, &[&str]); 22] = [
    ("==", &["__eq__"]),
    ("!=", &["__ne__", "__eq__"]),
    ("<=", &["__le__"]),
    (">=", &["__ge__"]),
    ("+=", &["__iadd__", "__add__"]),
    ("-=", &["__isub__", "__sub__"]),
    ("*=", &["__imul__", "__mul__"]),
    ("/=", &["__itruediv__", "__truediv__"]),
    ("|=", &["__ior__", "__or__"]),
    ("&=", &["__iand__", "__and__"]),
    ("<<", &["__lshift__"]),
    (">>", &["__rshift__"]),
    ("//", &["__floordiv__"]),
    ("<", &["__lt__"]),
    (">", &["__gt__"]),
    ("+", &["__add__"]),
    ("-", &["__sub__"]),
    ("*", &["__mul__"]),
    ("/", &["__truediv__"]),
    ("%", &["__mod__"]),
    ("|", &["__or__"]),
    ("&", &["__and__"]),
];

/// Words that stand before an object, and the methods that answer for it.
const BEFORE: [(&str, &[&str]); 2] =
    [("with ", &["__enter__", "__aenter__"]), (" in ", &["__contains__", "__iter__"])];

/// Words after which an object alone is asked whether it is true, and the methods that answer for it.
const BEFORE_TRUTH: ([&str; 2], &[&str]) = (["not ", "assert "], &["__bool__", "__len__"]);

/// Most paths of one test that are looked at.
const MAX_PATHS: usize = 400;

impl<'a> Gathering<'_, 'a> {
    /// Takes in what the paths of names (`cart.items`) in a test's text call by standing there.
    pub(super) fn syntax(&mut self, file: &'a File<'a>, test: &'a Declaration) {
        let text = file.text.get(test.start_byte as usize..test.end_byte as usize).unwrap_or_default();
        let mut seen: HashSet<(&str, &str)> = HashSet::default();
        for (at, path) in paths(text).take(MAX_PATHS) {
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + path.len()..));
            let after = after.unwrap_or_default();
            if after.starts_with(['(', '"', '\'']) {
                continue;
            }
            let start = test.start_byte + at as u32;
            let made = Use {
                way: Way::Syntax,
                start,
                end: start + path.len() as u32,
                in_assertion: file.is_asserted(test, start),
                arguments: 0,
                resolved: true,
                closing: false,
                kept: false,
            };
            let handed_over = made.in_assertion && before.trim_end().ends_with(',');
            let (object, name) = path.rsplit_once('.').unwrap_or(("", path));
            if (handed_over || !object.is_empty())
                && self.resolution.named(name).next().is_some()
                && seen.insert((path, ""))
            {
                let found = if handed_over {
                    self.resolution.handed_over(file, test, start, object, name)
                } else {
                    self.resolution.methods_at(file, test, start, object, name)
                };
                self.member(found.first().copied(), made, handed_over);
            }
            for name in operators(before, after) {
                if self.resolution.named(name).next().is_none() {
                    continue;
                }
                // What answered for the first does for the others.
                if !seen.insert((path, name)) {
                    break;
                }
                let found = self.resolution.methods_at(file, test, start, path, name);
                if let Some(target) = found.first().filter(|target| !self.is_of_tests(target)) {
                    self.add(*target, made, true);
                    break;
                }
            }
        }
    }

    /// A member that is named and not called: a property, or a method that an assertion calls.
    fn member(&mut self, found: Option<Target<'a>>, made: Use, handed_over: bool) {
        let Some(target) = found.filter(|target| !self.is_of_tests(target)) else { return };
        if self.resolution.is_property(target.declaration) {
            self.add(target, made, true);
        } else if handed_over {
            self.add(target, Use { way: Way::Body, ..made }, true);
        }
    }
}

/// The methods that may answer for an object between these texts.
fn operators(before: &str, after: &str) -> impl Iterator<Item = &'static str> {
    let next = after.trim_start_matches(' ');
    let binary = AFTER.iter().find(|(sign, _)| next.starts_with(sign)).map(|(_, names)| *names);
    let item: &[&str] = match next.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((_, rest)) if before.ends_with("del ") && !rest.is_empty() => &["__delitem__"],
        Some((_, rest)) if is_assignment(rest) => &["__setitem__"],
        Some(_) => &["__getitem__"],
        None => &[],
    };
    let prefix = BEFORE.iter().find(|(word, _)| before.ends_with(word)).map(|(_, names)| *names);
    let (words, truth) = BEFORE_TRUTH;
    let ends = next.is_empty() || next.starts_with(['\n', '\r', ')', ',', ':']);
    let asked = ends && words.iter().any(|word| before.ends_with(word));
    let all = [binary.unwrap_or_default(), item, prefix.unwrap_or_default(), if asked { truth } else { &[] }];
    all.into_iter().flatten().copied()
}

fn is_assignment(text: &str) -> bool {
    let rest = text.trim_start();
    rest.starts_with('=') && !rest.starts_with("==")
}

/// The paths of names in a text, each with its place.
fn paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    text.split(move |letter| !is_part(letter)).filter_map(move |path| {
        let bare = path.trim_end_matches('.');
        let is_path = bare.starts_with(|first: char| first.is_alphabetic() || first == '_');
        is_path.then(|| (path.as_ptr() as usize - text.as_ptr() as usize, bare))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_told_by_what_stands_around() {
        let all = |before: &str, after: &str| operators(before, after).collect::<Vec<_>>();
        assert_eq!(all("assert ", " == other"), ["__eq__"]);
        assert_eq!(all("assert 'a' in ", ""), ["__contains__", "__iter__"]);
        assert_eq!(all("    ", "['a'] = 1"), ["__setitem__"]);
        assert_eq!(all("    del ", "['a']\n"), ["__delitem__"]);
        assert_eq!(all("x = ", "['a']"), ["__getitem__"]);
        assert_eq!(all("    ", " |= other"), ["__ior__", "__or__"]);
        assert_eq!(all("assert not ", "\n"), ["__bool__", "__len__"]);
        assert_eq!(all("assert ", " == other"), ["__eq__"]);
        assert!(all("x = ", ".go()").is_empty());
    }

    #[test]
    fn paths_are_found_with_their_places() {
        let found: Vec<_> = paths("a.b == c(1.5, _d.e.)").collect();
        assert_eq!(found, [(0, "a.b"), (7, "c"), (14, "_d.e")]);
    }
}
