//! What runs before a test and is no part of its body: set-up methods of its classes, blocks, files and packages,
//! fixtures that it asks for.

use super::python;
use crate::export::contest::{self, ContextOf};
use crate::matching::index::File;
use crate::matching::resolution::{Resolution, Target};
use crate::matching::tables::Declaration;

/// What a language adds to set-up methods around the test.
struct MemberRules {
    language: &'static str,
    find: for<'a> fn(&Question<'_, 'a>) -> Vec<Target<'a>>,
}

static RULES: [MemberRules; 3] = [
    MemberRules { language: "go", find: of_package },
    MemberRules { language: "python", find: python::fixtures },
    MemberRules { language: "csharp", find: class_fixtures },
];

/// Whose members are sought, and where.
pub(super) struct Question<'s, 'a> {
    pub(super) resolution: &'s Resolution<'a>,
    pub(super) test: Target<'a>,
    pub(super) focal: Target<'a>,
    pub(super) settings: &'s contest::Settings,
}

/// Everything that runs before a test, in about the order in which it runs: of the file before of classes, of outer
/// classes before of inner ones, of superclasses before of those that descend from them.
pub(super) fn setup_members<'a>(
    resolution: &Resolution<'a>,
    test: Target<'a>,
    focal: Target<'a>,
    settings: &contest::Settings,
) -> Vec<Target<'a>> {
    let question = Question { resolution, test, focal, settings };
    let mut found: Vec<Target<'a>> = top_level(test.file).filter(|it| is_set_up(it.declaration)).collect();
    let rules = RULES.iter().find(|rules| rules.language == resolution.language.name);
    found.extend(rules.map(|rules| (rules.find)(&question)).unwrap_or_default());
    let mut holders: Vec<Target<'a>> = question.around().collect();
    holders.reverse();
    for holder in holders {
        let mut lineage = resolution.lineage(holder);
        lineage.retain(|class| *class == holder || question.is_near(class.file));
        for class in lineage.into_iter().rev() {
            let members = class.file.members(class.declaration).filter(|member| is_set_up(member));
            found.extend(members.map(|declaration| Target { file: class.file, declaration }));
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|target| seen.insert(target.declaration.id.as_str()));
    found
}

impl<'a> Question<'_, 'a> {
    /// The classes or blocks around the test, innermost first.
    pub(super) fn around(&self) -> impl Iterator<Item = Target<'a>> + use<'a> {
        let file = self.test.file;
        let outer = std::iter::successors(file.parent(self.test.declaration), |outer| file.parent(outer));
        outer.map(move |declaration| Target { file, declaration })
    }

    fn is_near(&self, file: &File<'a>) -> bool {
        self.settings.context == ContextOf::Repository
            || file.position == self.test.file.position
            || file.position == self.focal.file.position
    }
}

/// The declarations of a file that stand in no other. Methods of Go belong to their types all the same.
pub(super) fn top_level<'a>(file: &'a File<'a>) -> impl Iterator<Item = Target<'a>> {
    let own = file.declarations.iter().filter(|declaration| declaration.parent.is_none());
    own.filter(|declaration| declaration.kind != "method")
        .map(move |declaration| Target { file, declaration })
}

fn is_set_up(declaration: &Declaration) -> bool {
    declaration.role == "setup" && declaration.body_start.is_some()
}

/// Go: `TestMain` of the package, and set-up methods of the suite that the test is a method of. Both may stand in
/// another file of the package.
fn of_package<'a>(question: &Question<'_, 'a>) -> Vec<Target<'a>> {
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let own = folder(&question.test.file.row.path);
    let receiver = |declaration: &'a Declaration| {
        declaration
            .supertypes
            .first()
            .filter(|_| declaration.kind == "method" && declaration.parent.is_none())
    };
    let suite = receiver(question.test.declaration);
    let files = question.resolution.index.files.iter();
    let files = files.filter(|file| file.row.language == "go" && folder(&file.row.path) == own);
    let mut found = Vec::new();
    for file in files.filter(|file| file.row.package == question.test.file.row.package) {
        for declaration in file.declarations.iter().filter(|declaration| is_set_up(declaration)) {
            let of = receiver(declaration);
            if of.is_none() || of == suite {
                found.push(Target { file, declaration });
            }
        }
    }
    found
}

/// C#: constructors of the classes that xUnit makes one of for all tests of a class.
fn class_fixtures<'a>(question: &Question<'_, 'a>) -> Vec<Target<'a>> {
    let mut found = Vec::new();
    for class in question.around() {
        let named = class.declaration.supertypes.iter().filter_map(|written| fixture_type(written));
        for fixture in named.flat_map(|name| question.resolution.types_named(name)) {
            let members = fixture.file.members(fixture.declaration);
            let runs = members.filter(|member| {
                member.body_start.is_some()
                    && (member.kind == "constructor" || member.name == "InitializeAsync")
            });
            found.extend(runs.map(|declaration| Target { file: fixture.file, declaration }));
        }
    }
    found
}

/// `Database` of `IClassFixture<Shop.Database>`.
fn fixture_type(written: &str) -> Option<&str> {
    let (interface, rest) = written.split_once('<')?;
    let interface = interface.rsplit('.').next().unwrap_or(interface).trim();
    let is_fixture = matches!(interface, "IClassFixture" | "ICollectionFixture");
    let name = rest.trim_end().strip_suffix('>').filter(|_| is_fixture)?;
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit('.').next().map(str::trim)
}
