//! Functions that a test hands over for somebody else to call: `queue::poll`, `raises(Empty, queue.pop)`, and objects
//! that are called as functions are.

use super::{CALL, Gathering, Use, Way, place_of};
use crate::matching::index::{CallSite, File};
use crate::matching::resolution::{Target, is_type, makes_objects};
use crate::matching::tables::Declaration;

/// Most references of one test that are looked at.
const MAX_REFERENCES: usize = 60;

impl<'a> Gathering<'_, 'a> {
    /// Takes in the methods that the language's own sign hands over (`queue::poll`).
    pub(super) fn method_references(&mut self, file: &'a File<'a>, test: &'a Declaration) {
        let Some(sign) = self.resolution.reference_sign() else { return };
        let text = file.text.get(test.start_byte as usize..test.end_byte as usize).unwrap_or_default();
        for (at, _) in text.match_indices(sign).take(MAX_REFERENCES) {
            let (before, after) = (text.get(..at), text.get(at + sign.len()..));
            let object = before.map_or("", |before| last_path(before));
            let name = after.map_or("", |after| first_name(after));
            if object.is_empty() || self.resolution.named(name).next().is_none() {
                continue;
            }
            let start = test.start_byte + (at - object.len()) as u32;
            let made = Use {
                way: Way::Body,
                start,
                end: test.start_byte + (at + sign.len() + name.len()) as u32,
                in_assertion: file.is_asserted(test, start),
                arguments: 0,
                resolved: true,
                closing: false,
                kept: false,
            };
            let mut found = self.resolution.handed_over(file, test, start, object, name);
            found.retain(|target| !self.is_of_tests(target));
            let sure = found.len() == 1;
            for target in found {
                self.add(self.concrete(target), made, sure);
            }
        }
    }

    /// Keeps in mind what a call makes, if it stands where something is handed over.
    pub(super) fn note_callable(&mut self, target: Target<'a>, file: &'a File<'a>, call: &CallSite<'a>) {
        let own = target.declaration;
        let makes = makes_objects(own) || is_type(own);
        if !makes || !self.resolution.calls_by_syntax() || self.resolution.named(CALL).next().is_none() {
            return;
        }
        let before = file.text.get(..call.start as usize).unwrap_or_default().trim_end();
        if !before.ends_with(['(', ',', '[', '{', ':', '=']) || before.ends_with(" =") {
            return;
        }
        let class = if is_type(own) { Some(own) } else { target.file.parent(own) };
        self.callables
            .extend(class.map(|class| (Target { file: target.file, declaration: class }, call.start)));
    }

    /// Takes in the methods by which objects are called that the test made and handed over, and did not call itself.
    pub(super) fn callables(&mut self) {
        for (class, start) in std::mem::take(&mut self.callables) {
            let mut lineage = self.resolution.lineage(class).into_iter();
            let own = |class: Target<'a>| {
                let member = class.file.members(class.declaration).find(|member| member.name == CALL)?;
                Some(Target { file: class.file, declaration: member })
            };
            let Some(target) = lineage.find_map(own).filter(|target| !self.is_of_tests(target)) else {
                continue;
            };
            if self.places.contains_key(&place_of(&target)) {
                continue;
            }
            let made = Use {
                way: Way::Reference,
                start,
                end: start,
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

/// The path of names that a text ends with.
fn last_path(text: &str) -> &str {
    let start = text.rfind(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.')));
    let bare = start.map_or(Some(text), |at| text.get(at..)).unwrap_or_default();
    bare.trim_start_matches(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
}

/// The name that a text begins with.
fn first_name(text: &str) -> &str {
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_a_sign_is_found() {
        assert_eq!(last_path("assertThrows(E.class, this.queue"), "this.queue");
        assert_eq!(last_path("x = é"), "é");
        assert_eq!((last_path("f("), last_path("")), ("", ""));
        assert_eq!((first_name("poll);"), first_name("poll"), first_name("")), ("poll", "poll", ""));
    }
}
