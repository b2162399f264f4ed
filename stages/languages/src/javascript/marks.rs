//! What the walk looks for in a text to pass by subtrees that cannot hold anything of interest.

/// Calls and functions have a `(` or `=>`, classes and objects a `{`, creations the word `new`, comments `//`
/// or `/*`. Statements that are of interest without any of them are entered whatever their text.
pub(super) fn find(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let is_mark = |(at, byte): (usize, &u8)| match byte {
        b'(' | b'{' => true,
        b'>' => at > 0 && rest.get(at - 1) == Some(&b'='),
        b'/' => matches!(rest.get(at + 1), Some(b'/' | b'*')),
        // The rarest letter of the word.
        b'w' => at > 1 && rest.get(at - 2..at) == Some(b"ne"),
        _ => false,
    };
    rest.iter().enumerate().position(is_mark).map_or(text.len(), |at| from + at)
}
