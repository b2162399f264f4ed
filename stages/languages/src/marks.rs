//! Which subtrees can be passed by. Most of a tree is names, types and tokens, and moving a cursor over them
//! costs more than everything else a walk does. What counts as a mark is each language's own.

/// Places in a text without which nothing of interest can stand in a node, other than at its start.
///
/// Ranges are asked about in the order of their starts, so the text is read once, from front to back.
pub(crate) struct Marks<'text> {
    text: &'text [u8],
    /// Where the first mark at or after a place is, the text's length if there is none.
    find: fn(text: &[u8], from: usize) -> usize,
    /// The first mark at or after the last start that had to be looked up.
    next: usize,
}

impl<'text> Marks<'text> {
    pub(crate) fn new(text: &'text str, find: fn(text: &[u8], from: usize) -> usize) -> Self {
        Self { text: text.as_bytes(), find, next: 0 }
    }

    /// Whether there is a mark in a node after its first byte. A first byte that is a mark belongs to what
    /// the walk has done already.
    pub(crate) fn inside(&mut self, start: usize, end: usize) -> bool {
        self.between(start + 1, end)
    }

    /// Whether there is a mark from `start` up to `end`.
    pub(crate) fn between(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            self.next = (self.find)(self.text, start);
        }
        self.next < end
    }

    /// The mark that the last question led to, the first one at or after the place asked about.
    pub(crate) fn next(&self) -> usize {
        self.next
    }
}
