//! Digests by which deduplication finds equal texts. White space is left out: layout makes no new test.

/// BLAKE3 of texts, 32 hexadecimal digits; `"\0"` among them keeps its neighbours apart.
pub(super) fn digest(texts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    texts.iter().for_each(|text| add(&mut hasher, text));
    let mut digits = hasher.finalize().to_hex().to_string();
    digits.truncate(32);
    digits
}

fn add(hasher: &mut blake3::Hasher, text: &str) {
    for word in text.split_whitespace() {
        hasher.update(word.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_does_not_count_and_sides_do() {
        assert_eq!(digest(&["a b\n", "\0", "c"]), digest(&["ab", "\0", " c"]));
        assert_ne!(digest(&["ab", "\0", "c"]), digest(&["a", "\0", "bc"]));
        assert_eq!(digest(&["a b"]), blake3::hash(b"ab").to_hex()[..32]);
        assert_eq!(digest(&["a", "\0", "b"]), blake3::hash(b"a\0b").to_hex()[..32]);
    }
}
