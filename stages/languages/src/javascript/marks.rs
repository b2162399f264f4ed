//! Which subtrees can be passed by. Most of a tree is names, literals and tokens, and moving the cursor over
//! them costs more than everything else the walk does.

/// The characters without which nothing of interest can stand in a node, other than at its start: calls and
/// functions have a `(` or `=>`, classes and objects a `{`, creations the word `new`, comments `//` or `/*`.
/// Statements that are of interest without any of them are entered whatever their text.
///
/// Ranges are asked about in the order of their starts, so the text is read once, from front to back.
pub(super) struct Marks<'text> {
    text: &'text [u8],
    /// The first mark at or after the last start that had to be looked up.
    next: usize,
}

impl<'text> Marks<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        Self { text: text.as_bytes(), next: 0 }
    }

    /// Whether there is a mark in a node after its first byte. A first byte that is a mark belongs to what
    /// the walk has done already.
    pub(super) fn inside(&mut self, start: usize, end: usize) -> bool {
        self.between(start + 1, end)
    }

    /// Whether there is a mark from `start` up to `end`.
    pub(super) fn between(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            self.next = self.mark_from(start);
        }
        self.next < end
    }

    /// The mark that the last question led to, the first one at or after the place asked about.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    fn mark_from(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let is_mark = |(at, byte): (usize, &u8)| match byte {
            b'(' | b'{' => true,
            b'>' => at > 0 && rest.get(at - 1) == Some(&b'='),
            b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
            // The rarest letter of the word.
            b'w' => at > 1 && rest.get(at - 2..at) == Some(b"ne"),
            _ => false,
        };
        rest.iter().enumerate().position(is_mark).map_or(self.text.len(), |at| from + at)
    }
}
