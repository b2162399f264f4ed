//! Which subtrees can be passed by. Most of a tree is names, types and tokens, and moving the cursor over
//! them costs more than everything else the walk does.

/// What stands in every node that holds something of interest, other than at its start: every call and
/// method has a `(`, every creation the word `new`, every comment a `//` or `/*`.
/// Declarations without them are found since the bodies that hold them are always entered.
///
/// A creation is the first thing in many a node around it; so its mark is the second byte of its word.
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
            b'(' => true,
            b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
            b'e' => {
                self.text.get((from + at).saturating_sub(1)..).is_some_and(|word| word.starts_with(b"new"))
            }
            _ => false,
        };
        rest.iter().enumerate().position(is_mark).map_or(self.text.len(), |at| from + at)
    }
}
