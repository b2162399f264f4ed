//! Which subtrees can be passed by. Most of a tree is names, types and tokens, and moving a cursor over them
//! costs more than everything else a walk does. What counts as a mark is each language's own.

use memchr::memmem;

/// What a language's marks are.
pub(crate) struct Signs {
    /// Characters; of `/` only those at the start of a comment.
    pub(crate) characters: [u8; 3],
    /// Words.
    pub(crate) words: &'static [Sign],
}

/// A word that is a mark.
pub(crate) struct Sign {
    pub(crate) word: &'static str,
    /// Which of its bytes is the mark.
    pub(crate) mark: usize,
    /// How many of its bytes may stand before the place asked about.
    pub(crate) before: usize,
}

/// Places in a text without which nothing of interest can stand in a node, other than at its start.
///
/// Ranges are asked about in the order of their starts, so the text is read once, from front to back.
pub(crate) struct Marks<'text> {
    text: &'text [u8],
    characters: [u8; 3],
    /// Each word with the first of its marks at or after the last start that was looked up.
    words: Vec<(memmem::Finder<'static>, &'static Sign, usize)>,
    /// The first mark at or after the last start that had to be looked up.
    next: usize,
}

impl<'text> Marks<'text> {
    pub(crate) fn new(text: &'text str, signs: &'static Signs) -> Self {
        let words = signs.words.iter().map(|sign| (memmem::Finder::new(sign.word), sign, 0)).collect();
        Self { text: text.as_bytes(), characters: signs.characters, words, next: 0 }
    }

    /// Whether there is a mark in a node after its first byte. A first byte that is a mark belongs to what
    /// the walk has done already.
    pub(crate) fn inside(&mut self, start: usize, end: usize) -> bool {
        self.between(start + 1, end)
    }

    /// Whether there is a mark from `start` up to `end`.
    pub(crate) fn between(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            self.next = self.find(start);
        }
        self.next < end
    }

    /// The mark that the last question led to, the first one at or after the place asked about.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    fn find(&mut self, from: usize) -> usize {
        let mut first = character(self.text, self.characters, from);
        for (finder, sign, next) in &mut self.words {
            // One that begins too early is none.
            if *next + sign.before < from + sign.mark {
                let begin = from.saturating_sub(sign.before);
                let found = finder.find(self.text.get(begin..).unwrap_or_default());
                *next = found.map_or(self.text.len(), |at| begin + at + sign.mark);
            }
            first = first.min(*next);
        }
        first
    }
}

/// Where the first of the characters at or after a place is, the text's length if there is none.
pub(crate) fn character(text: &[u8], [one, two, three]: [u8; 3], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let mut found = memchr::memchr3_iter(one, two, three, rest);
    let is_mark = |at: &usize| rest.get(*at) != Some(&b'/') || matches!(rest.get(at + 1), Some(b'/' | b'*'));
    found.find(is_mark).map_or(text.len(), |at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static SIGNS: Signs = Signs {
        characters: *b"({/",
        words: &[Sign { word: "new", mark: 1, before: 1 }, Sign { word: "=>", mark: 1, before: 0 }],
    };

    /// Byte by byte.
    fn first(text: &[u8], from: usize) -> usize {
        let word = |at: usize, word: &[u8]| text.get(at..).is_some_and(|rest| rest.starts_with(word));
        let is_mark = |at: &usize| {
            matches!(text[*at], b'(' | b'{')
                || word(*at, b"//")
                || word(*at, b"/*")
                || (*at > 0 && word(at - 1, b"new"))
                || (*at > from && word(at - 1, b"=>"))
        };
        (from..text.len()).find(is_mark).unwrap_or(text.len())
    }

    proptest! {
        #[test]
        fn each_mark_is_found(text in "[ax(/*{=>new ]{0,40}", mut places in prop::collection::vec((0..45usize, 0..10usize), 1..8)) {
            let mut marks = Marks::new(&text, &SIGNS);
            places.sort_unstable();
            // What was looked up once is not looked up again.
            let mut next = 0;
            for (start, length) in places {
                if next < start {
                    next = if start < text.len() { first(text.as_bytes(), start) } else { text.len() };
                }
                prop_assert_eq!(marks.between(start, start + length), next < start + length);
                prop_assert_eq!(marks.next(), next);
            }
        }
    }
}
