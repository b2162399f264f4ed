//! Digests by which deduplication finds equal texts. White space is left out: layout makes no new test.

/// BLAKE3 of the test, and of test and focal text with a zero byte between them, 32 hexadecimal digits each.
pub(super) fn digests(test: &str, focal: &str) -> (String, String) {
    let mut hasher = blake3::Hasher::new();
    add(&mut hasher, test);
    let test_digest = hex(&hasher);
    hasher.update(&[0]);
    add(&mut hasher, focal);
    (test_digest, hex(&hasher))
}

fn add(hasher: &mut blake3::Hasher, text: &str) {
    for word in text.split_whitespace() {
        hasher.update(word.as_bytes());
    }
}

fn hex(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_does_not_count_and_sides_do() {
        assert_eq!(digests("a b\n", "c"), digests("ab", " c"));
        assert_ne!(digests("ab", "c").1, digests("a", "bc").1);
        assert_eq!(digests("ab", "c").0, digests("ab", "d").0);
        assert_eq!(digests("a b", "").0, blake3::hash(b"ab").to_hex()[..32]);
        assert_eq!(digests("a", "b").1, blake3::hash(b"a\0b").to_hex()[..32]);
    }
}
