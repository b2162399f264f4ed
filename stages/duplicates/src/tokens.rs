//! Code to tokens: names, numbers, strings and single marks; white space and comments are left out.
//!
//! A scan of bytes that needs no grammar: it must be as fast as hashing, and a parser would cost a hundred times
//! as much. What it takes wrongly (a regular expression of JavaScript that holds a quote) it takes wrongly in both
//! copies.

use crate::keywords::is_keyword;

/// How comments begin in a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// `//` to the end of the line, and `/*` to `*/`.
    #[default]
    Slashes,
    /// `#` to the end of the line.
    Hash,
}

impl Comments {
    /// By what begins a comment that ends with its line (`#`, `//`).
    pub fn beginning_with(mark: &str) -> Self {
        if mark == "#" { Self::Hash } else { Self::Slashes }
    }
}

/// Calls `visit` with the hash of each token of `text`, in order. With `normalise`, names that are no keywords,
/// numbers and strings each have one hash for all.
pub fn tokens(text: &str, comments: Comments, normalise: bool, mut visit: impl FnMut(u64)) {
    let text = text.as_bytes();
    let mut at = 0;
    while let Some(&first) = text.get(at) {
        let class = CLASSES[first as usize];
        let start = at;
        match class {
            Class::Space => {
                at += 1;
                continue;
            }
            Class::Name => {
                let hash;
                (at, hash) = word(text, at, |class| matches!(class, Class::Name | Class::Digit));
                let is_name = normalise && !text.get(start..at).is_some_and(is_keyword);
                visit(if is_name { NAME } else { hash });
            }
            Class::Digit => {
                let hash;
                (at, hash) = word(text, at, |class| matches!(class, Class::Name | Class::Digit | Class::Dot));
                visit(if normalise { NUMBER } else { hash });
            }
            Class::Quote => {
                at = end_of_string(text, at, first);
                visit(if normalise { STRING } else { hash(text.get(start..at).unwrap_or_default()) });
            }
            Class::Comment if end_of_comment(text, at, comments).is_some() => {
                at = end_of_comment(text, at, comments).unwrap_or(at + 1);
            }
            Class::Comment | Class::Dot | Class::Mark => {
                visit(step(BASIS, first));
                at += 1;
            }
        }
    }
}

/// Hashes of what is normalised; no token hashes to them but by chance.
const NAME: u64 = 0x6e61_6d65_0000_0001;
const NUMBER: u64 = 0x6e75_6d62_0000_0002;
const STRING: u64 = 0x7374_7269_0000_0003;

/// FNV-1a, byte by byte while the bytes are looked at anyway.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(BASIS, |hash, byte| step(hash, *byte))
}

/// End and hash of the word that starts at `start`.
fn word(text: &[u8], start: usize, inside: impl Fn(Class) -> bool) -> (usize, u64) {
    let mut hash = BASIS;
    let mut at = start;
    for &byte in text.get(start..).unwrap_or_default() {
        if !inside(CLASSES[byte as usize]) {
            break;
        }
        hash = step(hash, byte);
        at += 1;
    }
    (at, hash)
}

/// One past the end of the string that starts at `start`. Three quotes begin a text of several lines; so does a
/// backtick; any other string ends with its line at the latest.
fn end_of_string(text: &[u8], start: usize, quote: u8) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    if quote != b'`' && rest.starts_with(&[quote; 3]) {
        let end = rest.get(3..).and_then(|rest| rest.windows(3).position(|window| window == [quote; 3]));
        return end.map_or(text.len(), |end| start + end + 6);
    }
    let mut escaped = false;
    for (length, &byte) in rest.iter().enumerate().skip(1) {
        match byte {
            b'\n' if quote != b'`' => return start + length,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return start + length + 1,
            _ => {}
        }
    }
    text.len()
}

/// One past the end of the comment at `start`, if one starts there.
fn end_of_comment(text: &[u8], start: usize, comments: Comments) -> Option<usize> {
    let rest = text.get(start..)?;
    let line = || rest.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| start + end);
    match (comments, rest) {
        (Comments::Hash, [b'#', ..]) | (Comments::Slashes, [b'/', b'/', ..]) => Some(line()),
        (Comments::Slashes, [b'/', b'*', inside @ ..]) => {
            let end = inside.windows(2).position(|window| window == b"*/");
            Some(end.map_or(text.len(), |end| start + end + 4))
        }
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Class {
    Space,
    Name,
    Digit,
    Dot,
    Quote,
    /// `/` and `#`, which may begin a comment.
    Comment,
    Mark,
}

/// Class of each byte; every byte beyond ASCII belongs to a name.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Mark; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => Class::Name,
            b'0'..=b'9' => Class::Digit,
            b'.' => Class::Dot,
            b'"' | b'\'' | b'`' => Class::Quote,
            b'/' | b'#' => Class::Comment,
            _ => Class::Mark,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, comments: Comments, normalise: bool) -> Vec<u64> {
        let mut all = Vec::new();
        tokens(text, comments, normalise, |token| all.push(token));
        all
    }

    fn same(a: &str, b: &str, comments: Comments, normalise: bool) -> bool {
        all(a, comments, normalise) == all(b, comments, normalise)
    }

    #[test]
    fn layout_and_comments_do_not_count() {
        let plain = "int f(int a) { return a + 1.5f; }";
        let laid_out = "int f(int a)\n{ // first\n  return a /* so far */ + 1.5f;\n}";
        assert!(same(plain, laid_out, Comments::Slashes, false));
        assert_eq!(all(plain, Comments::Slashes, false).len(), 13);
        assert!(same("x = 1 # one\ny", "x = 1\ny", Comments::Hash, false));
        assert!(!same("x = 1 # one\ny", "x = 1\ny", Comments::Slashes, false));
    }

    #[test]
    fn a_string_is_one_token_and_no_comment() {
        assert_eq!(all(r#"get("http://a \" b")"#, Comments::Slashes, false).len(), 4);
        assert_eq!(all("f('''a\n'b' # c''')", Comments::Hash, false).len(), 4);
        assert_eq!(all("`a\nb` + 'c", Comments::Slashes, false).len(), 3);
        assert_eq!(all("'open\nnext", Comments::Slashes, false).len(), 2);
        for unfinished in ["\"", "'''", "/*", "//", "`", "#", "\"\\", "/"] {
            assert!(all(unfinished, Comments::Slashes, false).len() <= 1, "{unfinished}");
        }
    }

    #[test]
    fn names_numbers_and_strings_can_be_normalised() {
        let (a, b) = ("if (count > 3) return \"x\";", "if (size > 40) return 'yy';");
        assert!(same(a, b, Comments::Slashes, true));
        assert!(!same(a, b, Comments::Slashes, false));
        assert!(!same("return x", "delete x", Comments::Slashes, true), "keywords stay");
    }
}
