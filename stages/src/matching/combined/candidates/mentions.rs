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
                        kept: false,
                    };
                    self.add(target, made, true);
                }
            }
        }
    }

    /// Methods of the tested class that are called where none is named (`__len__`, `equals`) and that the test is
    /// named after.
    pub(super) fn named_operators(&mut self, test: &'a Declaration) {
        let mut seen: HashSet<&str> = HashSet::default();
        for class in self.subject.outer.lineage.iter().copied() {
            for member in class.file.members(class.declaration) {
                let named = self.resolution.is_called_unnamed(&member.name);
                // What the class declares itself hides what it inherits.
                if !named || !seen.insert(&member.name) {
                    continue;
                }
                let words = self.known.spellings.words(member.name.trim_matches('_'));
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
                    kept: false,
                };
                if !self.places.contains_key(&place_of(&target)) {
                    self.add(target, made, true);
                }
            }
        }
    }

    /// Functions and properties that the test names without a call, if its own name has their name's words.
    pub(super) fn references(&mut self, file: &'a File<'a>, test: &'a Declaration) {
        // The title of a block is its name, which would tell itself.
        let start = test.body_start.filter(|_| test.kind == "block").unwrap_or(test.start_byte);
        let text = file.text.get(start as usize..test.end_byte as usize).unwrap_or_default();
        let mut seen: HashSet<&str> = HashSet::default();
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| word.len() > 2) {
            // Most words of a text are no name of a function.
            if self.resolution.named(word).next().is_none() {
                continue;
            }
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            if !seen.insert(word) {
                continue;
            }
            // What it means where it is called it means here too.
            if self.found.candidates.iter().any(|known| known.target.declaration.name == word) {
                continue;
            }
            let words = self.known.spellings.words(word);
            let all = |own: &WordSet| !words.is_empty() && words.is_within(own);
            if !all(&self.subject.words) && !all(&self.subject.outer.words) {
                continue;
            }
            let is_member = text.get(..at).is_some_and(|before| before.ends_with('.'));
            if !is_member && is_variable(test, text, word) {
                continue;
            }
            let related = |target: &&Target<'a>| self.is_of_subject(target);
            // A word in quotes may be anything.
            let is_quoted = text.get(..at).is_some_and(|before| before.ends_with(['"', '\'', '`']));
            let chosen = match &*self.production(word) {
                [only] if !is_quoted => Some(*only),
                several => several.iter().find(related).copied(),
            };
            let Some(target) = chosen.filter(|target| !self.is_of_tests(target)) else { continue };
            if is_prose(text, at, word) || self.resolution.names_no_function(file, test, word) {
                continue;
            }
            let start = start + at as u32;
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
                    kept: false,
                };
                self.add(target, made, true);
            }
        }
    }
}

/// Whether a test has a variable or a parameter of this name.
fn is_variable(test: &Declaration, text: &str, word: &str) -> bool {
    let is_part = |before: &str| before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    let mut places = text.match_indices(word).map(|(at, _)| at);
    test.parameter_names.iter().any(|name| name == word)
        || places.any(|at| is_bound(text, at, word) && !text.get(..at).is_some_and(is_part))
}

/// Whether the word at a place in a text is a variable or an argument's name that gets a value there.
fn is_bound(text: &str, at: usize, word: &str) -> bool {
    let after = text.get(at + word.len()..).unwrap_or_default().trim_start();
    let gets_value = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    gets_value && !text.get(..at).is_some_and(|before| before.ends_with('.'))
}

/// Whether the word at a place in a text stands in a string that says more than the word, as far as its line tells.
fn is_prose(text: &str, at: usize, word: &str) -> bool {
    let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let after = text.get(at + word.len()..).unwrap_or_default();
    let rest = after.split('\n').next().unwrap_or_default();
    ['"', '\'', '`'].into_iter().any(|quote| {
        let inside = line.matches(quote).count() % 2 == 1 && rest.contains(quote);
        inside && !(line.ends_with(quote) && rest.starts_with(quote))
    })
}

#[cfg(test)]
mod tests {
    use super::{is_bound, is_prose};

    #[test]
    fn what_gets_a_value_is_no_mention() {
        let is = |text: &str| is_bound(text, text.find("stack").unwrap(), "stack");
        assert!(is("stack = make()"));
        assert!(is("check(stack=3)"));
        assert!(!is("tower.stack = 3"));
        assert!(!is("stack == 3"));
        assert!(!is("stack => 3"));
    }

    #[test]
    fn words_in_sentences_are_told_from_names() {
        let is = |text: &str| is_prose(text, text.find("stack").unwrap(), "stack");
        assert!(is("it(`makes a stack of two`)"));
        assert!(is("t.Run(\"the stack\", f)"));
        assert!(!is("check({ function: 'stack' })"));
        assert!(!is("apply(stack, 'x')"));
        assert!(!is("don't stack them"), "an apostrophe closes nothing");
    }
}
