//! Which subtrees can be passed by. Most of a tree is names, types and tokens, and moving the cursor over
//! them costs more than everything else the walk does.

/// The characters without which nothing of interest can stand in a node, other than at its start: every
/// call, creation and method has a `(`, every type and initialiser a `{`, every comment a `//` or `/*`,
/// every assert statement its word.
/// Fields, enum constants and imports have none of them; the bodies that hold them are always entered.
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
    /// the walk has done already: to arguments, a block or a comment.
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

    fn mark_from(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let is_mark = |(at, byte): (usize, &u8)| match byte {
            b'(' | b'{' => true,
            b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
            b'a' => rest.get(at..).is_some_and(|rest| rest.starts_with(b"assert")),
            _ => false,
        };
        rest.iter().enumerate().position(is_mark).map_or(self.text.len(), |at| from + at)
    }
}
