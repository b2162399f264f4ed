//! What the walk looks for in a text to pass by subtrees that cannot hold anything of interest.

/// Every call, creation and method has a `(`, every type and initialiser a `{`, every comment a `//` or `/*`,
/// every assert statement its word.
/// Fields, enum constants and imports have none of them; the bodies that hold them are always entered.
pub(super) fn find(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let is_mark = |(at, byte): (usize, &u8)| match byte {
        b'(' | b'{' => true,
        b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
        b'a' => rest.get(at..).is_some_and(|rest| rest.starts_with(b"assert")),
        _ => false,
    };
    rest.iter().enumerate().position(is_mark).map_or(text.len(), |at| from + at)
}
