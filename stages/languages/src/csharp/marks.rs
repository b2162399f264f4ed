//! What the walk looks for in a text to pass by subtrees that cannot hold anything of interest.

/// Every call and method has a `(`, every creation the word `new`, every comment a `//` or `/*`.
/// Declarations without them are found since the bodies that hold them are always entered.
///
/// A creation is the first thing in many a node around it; so its mark is the second byte of its word.
pub(super) fn find(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let is_mark = |(at, byte): (usize, &u8)| match byte {
        b'(' => true,
        b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
        b'e' => text.get((from + at).saturating_sub(1)..).is_some_and(|word| word.starts_with(b"new")),
        _ => false,
    };
    rest.iter().enumerate().position(is_mark).map_or(text.len(), |at| from + at)
}
