//! How much the words of names tell: one that is in the name of every test tells nothing.

use super::super::hash::HashMap;
use super::super::words::WordSet;
use super::subject::Subject;
use std::rc::Rc;

/// In how many names each word is.
#[derive(Default)]
struct Words {
    names: u32,
    with: HashMap<u32, u32>,
}

impl Words {
    fn add(&mut self, name: &WordSet) {
        self.names += 1;
        for word in name.iter() {
            *self.with.entry(word).or_default() += 1;
        }
    }

    /// From 0 for a word of every name to 1 for a word of one.
    fn rarity(&self, word: u32) -> f64 {
        let with = self.with.get(&word).copied().unwrap_or(1).max(1);
        // With few names nothing is rare: then all words count.
        1.0 - f64::from(with).ln() / (f64::from(self.names) + 4.0).ln()
    }

    /// The part of what `whole` tells that `part` tells too.
    fn told(&self, whole: &WordSet, part: &WordSet) -> f64 {
        let sum = |words: &mut dyn Iterator<Item = u32>| words.map(|word| self.rarity(word)).sum::<f64>();
        let all = sum(&mut whole.iter());
        if all > 0.0 { sum(&mut whole.iter().filter(|word| part.contains(*word))) / all } else { 0.0 }
    }
}

/// The words of a repository's tests, and of what stands around them.
#[derive(Default)]
pub(super) struct Rarity {
    tests: Words,
    outers: Words,
    last_outer: Option<*const ()>,
}

impl Rarity {
    /// Takes in the names of a test; tests of one class come one after the other.
    pub(super) fn add(&mut self, subject: &Subject<'_>) {
        self.tests.add(&subject.words);
        let outer = Rc::as_ptr(&subject.outer).cast::<()>();
        if self.last_outer != Some(outer) {
            self.last_outer = Some(outer);
            self.outers.add(&subject.outer.words);
        }
    }

    /// The part of what a test's name tells that a function's name has.
    pub(super) fn told_by_test(&self, subject: &Subject<'_>, name: &WordSet) -> f64 {
        self.tests.told(&subject.words, name)
    }

    /// The part of what the names around a test tell that a function's name has.
    pub(super) fn told_by_outer(&self, subject: &Subject<'_>, name: &WordSet) -> f64 {
        self.outers.told(&subject.outer.words, name)
    }
}
