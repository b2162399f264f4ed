//! The fixtures of pytest that a test uses: by its parameters, by `usefixtures`, and those that are used by all.

use super::members::{Question, top_level};
use crate::matching::index::File;
use crate::matching::resolution::Target;
use std::collections::HashSet;

/// The fixtures of a test, those that a fixture asks for before it. A name means the fixture of the nearest class,
/// of the file, or of a `conftest.py` in the folder or one above, whichever mode the context has.
pub(super) fn fixtures<'a>(question: &Question<'_, 'a>) -> Vec<Target<'a>> {
    let places = places(question);
    let mut finding = Finding { places: &places, found: Vec::new(), asked: HashSet::new() };
    for place in places.iter().rev() {
        for fixture in place.iter().filter(|fixture| decorators(fixture).contains("autouse")) {
            finding.take(*fixture);
        }
    }
    let mut names = Vec::new();
    for target in [question.test].into_iter().chain(question.around()) {
        names.extend(named_by_usefixtures(decorators(&target)));
    }
    names.extend(question.test.declaration.parameter_names.iter().map(|name| name.as_str()));
    names.into_iter().for_each(|name| finding.ask(name));
    finding.found
}

/// The fixtures that can be asked for, by place, the nearest first.
fn places<'a>(question: &Question<'_, 'a>) -> Vec<Vec<Target<'a>>> {
    let is_fixture = |target: &Target<'a>| target.declaration.role == "fixture";
    let of_class = |class: Target<'a>| {
        let mut all = Vec::new();
        for class in question.resolution.lineage(class) {
            let members = class.file.members(class.declaration);
            all.extend(
                members.map(|declaration| Target { file: class.file, declaration }).filter(is_fixture),
            );
        }
        all
    };
    let mut places: Vec<Vec<Target<'a>>> = question.around().map(of_class).collect();
    places.push(top_level(question.test.file).filter(is_fixture).collect());
    let mut folder = question.test.file.row.path.as_str();
    while let Some((above, _)) = folder.rsplit_once('/') {
        places.extend(conftest(question, &format!("{above}/conftest.py")).map(|file| all(file, is_fixture)));
        folder = above;
    }
    places.extend(conftest(question, "conftest.py").map(|file| all(file, is_fixture)));
    places
}

fn conftest<'a>(question: &Question<'_, 'a>, path: &str) -> Option<&'a File<'a>> {
    question.resolution.index.file(path)
}

fn all<'a>(file: &'a File<'a>, wanted: impl Fn(&Target<'a>) -> bool) -> Vec<Target<'a>> {
    top_level(file).filter(wanted).collect()
}

struct Finding<'s, 'a> {
    places: &'s [Vec<Target<'a>>],
    found: Vec<Target<'a>>,
    asked: HashSet<&'a str>,
}

impl<'a> Finding<'_, 'a> {
    fn ask(&mut self, name: &str) {
        let fixtures = self.places.iter().flatten();
        let named = fixtures.filter(|fixture| {
            fixture.declaration.name == name || decorators(fixture).contains(&format!("name=\"{name}\""))
        });
        // A fixture may ask for another of its own name farther away.
        let next = named.copied().find(|fixture| !self.asked.contains(fixture.declaration.id.as_str()));
        if let Some(fixture) = next {
            self.take(fixture);
        }
    }

    /// Recursion ends since every fixture is asked once, and none has more than a few parameters.
    fn take(&mut self, fixture: Target<'a>) {
        if self.asked.len() >= MAX_FIXTURES || !self.asked.insert(fixture.declaration.id.as_str()) {
            return;
        }
        let own = named_by_usefixtures(decorators(&fixture)).into_iter();
        let parameters = fixture.declaration.parameter_names.iter().map(|name| name.as_str());
        own.chain(parameters).for_each(|name| self.ask(name));
        self.found.push(fixture);
    }
}

/// Most fixtures of one test, which bounds how deep one can ask for another.
const MAX_FIXTURES: usize = 100;

/// What stands before the `def`.
fn decorators<'a>(target: &Target<'a>) -> &'a str {
    let declaration = target.declaration;
    let range = declaration.start_byte as usize..declaration.signature_start as usize;
    target.file.text.get(range).unwrap_or_default()
}

fn named_by_usefixtures(decorators: &str) -> Vec<&str> {
    let lists = decorators.split("usefixtures(").skip(1).filter_map(|rest| rest.split(')').next());
    let words = lists.flat_map(|list| list.split(','));
    words.map(|word| word.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'')).collect()
}
