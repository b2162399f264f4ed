//! The words of identifiers and titles, by which names are compared.

use super::hash::HashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A set of words, as numbers that a [`Vocabulary`] gave them: comparing names is most of what some modes do.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordSet(Vec<u32>);

impl WordSet {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }

    pub(crate) fn contains(&self, word: u32) -> bool {
        self.0.contains(&word)
    }

    /// How many words both have.
    pub(crate) fn shared(&self, other: &Self) -> usize {
        self.iter().filter(|word| other.contains(*word)).count()
    }

    /// Whether the other has all of these.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.iter().all(|word| other.contains(word))
    }

    /// The words of several sets.
    pub(crate) fn union<'s>(sets: impl Iterator<Item = &'s Self>) -> Self {
        let all: BTreeSet<u32> = sets.flat_map(Self::iter).collect();
        Self(all.into_iter().collect())
    }
}

/// Names taken apart, each once.
pub(crate) struct Vocabulary<'a> {
    apart: fn(&str) -> BTreeSet<String>,
    names: RefCell<HashMap<&'a str, Rc<WordSet>>>,
    numbers: RefCell<HashMap<String, u32>>,
}

impl<'a> Vocabulary<'a> {
    /// One that takes names apart by `apart`.
    pub(crate) fn new(apart: fn(&str) -> BTreeSet<String>) -> Self {
        Self { apart, names: RefCell::default(), numbers: RefCell::default() }
    }

    /// The words of a name.
    pub(crate) fn words(&self, name: &'a str) -> Rc<WordSet> {
        if let Some(known) = self.names.borrow().get(name) {
            return known.clone();
        }
        let mut numbers = self.numbers.borrow_mut();
        let mut number = |word| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        };
        let words = Rc::new(WordSet((self.apart)(name).into_iter().map(&mut number).collect()));
        self.names.borrow_mut().insert(name, words.clone());
        words
    }
}

/// The words of a name in lower case, without `test`: `createAllUsers`, `CREATE_ALL_USERS` and
/// `testCreate_allUsers` are all of `create`, `all`, `users`. What is neither letter nor digit parts words, so
/// that the title of a test (`creates all users`) has words too.
pub(crate) fn words(name: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut letters = name.chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        if begins_word(before, letter, letters.peek().copied()) {
            take(&mut word, &mut words);
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    take(&mut word, &mut words);
    words
}

/// Whether `letter` begins another word: `U` in `allUsers`, `D` in `HTMLDocument`, everything after a sign.
fn begins_word(before: Option<char>, letter: char, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    if !letter.is_alphanumeric() || !before.is_alphanumeric() {
        return true;
    }
    letter.is_uppercase() && (!before.is_uppercase() || after.is_some_and(char::is_lowercase))
}

fn take(word: &mut String, words: &mut BTreeSet<String>) {
    if !word.is_empty() && word != "test" {
        words.insert(std::mem::take(word));
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_of_every_style_have_the_same_words() {
        for name in [
            "createAllUsers",
            "create_all_users",
            "CREATE_ALL_USERS",
            "test_createAllUsers",
            "TestCreateAllUsers",
        ] {
            assert_eq!(words(name).into_iter().collect::<Vec<_>>(), ["all", "create", "users"], "{name}");
        }
    }

    #[test]
    fn abbreviations_digits_titles_and_nothing() {
        let joined = |name: &str| words(name).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(joined("parseHTMLDocument"), "document html parse");
        assert_eq!(joined("testLANG799"), "lang799");
        assert_eq!(joined("utf8Decode"), "decode utf8");
        assert_eq!(joined("should not read `req.url` twice"), "not read req should twice url");
        assert_eq!(joined("größeÄndern"), "größe ändern");
        assert_eq!(joined("test"), "");
        assert_eq!(joined("latest_tests"), "latest tests");
        assert_eq!(joined(""), "");
    }
}
