//! What a test is about without calling it by its name: decorators, methods that syntax calls, functions that
//! are handed over, properties.

use super::{Gathering, Use, Way, place_of};
use crate::matching::hash::HashSet;
use crate::matching::index::File;
use crate::matching::resolution::Target;
use crate::matching::tables::Declaration;
use crate::matching::words::WordSet;

impl<'a> Gathering<'_, 'a> {
    /// Decorators of what the test declares inside.
    pub(super) fn decorators(&mut self, file: &'a File<'a>, test: &'a Declaration) {
        for inner in file.inside(test) {
            for path in &inner.annotations {
                for target in self.resolution.meant_by(file, inner, path) {
                    if self.is_of_tests(&target) {
                        continue;
                    }
                    let made = Use {
                        way: Way::Body,
                        start: inner.start_byte,
                        end: inner.start_byte,
                        in_assertion: false,
                        arguments: 0,
                        resolved: true,
                        closing: false,
                    };
                    self.add(target, made, true);
                }
            }
        }
    }

    /// Methods of the tested class that are called by syntax (`__len__`) and that the test is named after.
    pub(super) fn named_operators(&mut self, test: &'a Declaration) {
        for class in self.subject.outer.lineage.iter().copied() {
            for member in class.file.members(class.declaration) {
                let inner = member.name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
                let Some(inner) = inner.filter(|inner| *inner != "init") else { continue };
                let words = self.known.spellings.words(inner);
                if words.is_empty() || !words.is_within(&self.subject.words) {
                    continue;
                }
                let target = Target { file: class.file, declaration: member };
                let made = Use {
                    way: Way::Reference,
                    start: test.start_byte,
                    end: test.start_byte,
                    in_assertion: false,
                    arguments: 0,
                    resolved: false,
                    closing: false,
                };
                if !self.places.contains_key(&place_of(&target)) {
                    self.add(target, made, true);
                }
            }
        }
    }

    /// Functions and properties that the test names without a call, if its own name has their name's words.
    pub(super) fn references(&mut self, file: &'a File<'a>, test: &'a Declaration) {
        let text = file.text.get(test.start_byte as usize..test.end_byte as usize).unwrap_or_default();
        let mut seen: HashSet<&str> = HashSet::default();
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.len() > 2) {
            // Most words of a text are no name of a function.
            if self.resolution.named(word).next().is_none() || !seen.insert(word) {
                continue;
            }
            let words = self.known.spellings.words(word);
            let all = |own: &WordSet| !words.is_empty() && words.is_within(own);
            if !all(&self.subject.words) && !all(&self.subject.outer.words) {
                continue;
            }
            let related = |target: &&Target<'a>| self.is_of_subject(target);
            let chosen = match &*self.production(word) {
                [only] => Some(*only),
                several => several.iter().find(related).copied(),
            };
            let Some(target) = chosen else { continue };
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            let start = test.start_byte + at as u32;
            let known = self.places.contains_key(&place_of(&target));
            if !known {
                let end = start + word.len() as u32;
                let made = Use {
                    way: Way::Reference,
                    start,
                    end,
                    in_assertion: file.is_asserted(test, start),
                    arguments: 0,
                    resolved: false,
                    closing: false,
                };
                self.add(target, made, true);
            }
        }
    }
}
