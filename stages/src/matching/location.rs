//! Where the modes of others find the declaration of a call, which their originals ask a type solver or a
//! language server for.

use super::callables::{Candidate, is_local, is_plain_callable};
use super::index::{CallSite, File};
use super::resolution::{Resolution, Resolved};
use super::tables::Declaration;

/// Why a call has no declaration that a test can be about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unlocated {
    /// It is not declared in the repository, or nothing of its name is.
    NotInRepository,
    /// It is declared among the tests, or is a class without a constructor.
    NotFocal,
    /// Several of the name, and nothing tells which.
    Ambiguous,
}

impl Unlocated {
    /// The answer of a ballot.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::NotInRepository => "not_in_repository",
            Self::NotFocal => "not_a_focal_method",
            Self::Ambiguous => "several_declarations",
        }
    }
}

/// The declaration of a call in a test; of overloads the first. Where reading does not tell what the call
/// means, the only one of its name stands for it, or the only one in the class that the receiver or the
/// test's class is called after.
pub(crate) fn locate<'a>(
    resolution: &Resolution<'a>,
    file: &File<'a>,
    test: &Declaration,
    call: &CallSite<'_>,
) -> Result<Candidate<'a>, Unlocated> {
    let is_focal = |(file, callable): &Candidate<'a>| is_plain_callable(file, callable);
    let candidate = |target: super::resolution::Target<'a>| (target.file, target.declaration);
    match resolution.resolve(file, call.position) {
        Resolved::One(target) => Some(candidate(target)).filter(is_focal).ok_or(Unlocated::NotFocal),
        Resolved::Several(targets) => {
            targets.into_iter().map(candidate).find(is_focal).ok_or(Unlocated::NotFocal)
        }
        Resolved::External => Err(Unlocated::NotInRepository),
        Resolved::Unknown => {
            let named = resolution.named(call.name).map(candidate).filter(is_focal).take(MAX_NAMESAKES + 1);
            by_name(named.collect(), file, test, call)
        }
    }
}

/// More of one name than this are told apart by no class.
const MAX_NAMESAKES: usize = 100;

fn by_name<'a>(
    mut named: Vec<Candidate<'a>>,
    file: &File<'a>,
    test: &Declaration,
    call: &CallSite<'_>,
) -> Result<Candidate<'a>, Unlocated> {
    if named.len() > MAX_NAMESAKES {
        return Err(Unlocated::Ambiguous);
    }
    named.dedup_by(|b, a| a.1.path == b.1.path && a.1.qualified_name == b.1.qualified_name);
    // What stands inside a function counts only where nothing else has the name.
    if named.iter().any(|(file, callable)| !is_local(file, callable)) {
        named.retain(|(file, callable)| !is_local(file, callable));
    }
    match &named[..] {
        [] => Err(Unlocated::NotInRepository),
        [only] => Ok(*only),
        several => {
            let receiver = call.receiver.rsplit('.').next().unwrap_or_default();
            let classes = class_names(file, test).map(without_test);
            let mut classes = std::iter::once(receiver).chain(classes);
            classes.find_map(|class| only_in_class(several, class)).ok_or(Unlocated::Ambiguous)
        }
    }
}

/// The only candidate whose class has this name, whatever the case of its letters: `stack.push()` may be
/// that of the class `Stack`.
fn only_in_class<'a>(several: &[Candidate<'a>], class: &str) -> Option<Candidate<'a>> {
    let is_member = |(file, callable): &&Candidate<'a>| {
        file.parent(callable).is_some_and(|parent| parent.name.eq_ignore_ascii_case(class))
    };
    let mut members = several.iter().filter(is_member);
    match (members.next(), members.next()) {
        (Some(only), None) => Some(*only),
        _ => None,
    }
}

/// The names of the classes or `describe` blocks around a test, the innermost first. For a function of the file
/// itself the file's name without its ending, since modules stand for classes in languages that have such.
pub(crate) fn class_names<'a>(file: &File<'a>, test: &Declaration) -> impl Iterator<Item = &'a str> {
    let around = std::iter::successors(file.parent(test), |outer| file.parent(outer));
    let name = file.row.path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().filter(|_| test.parent.is_none());
    around.map(|class| class.name.as_str()).chain(stem)
}

/// `StackTest`, `TestStack`, `StackTests` and `test_stack` as `Stack` and `stack`.
fn without_test(class: &str) -> &str {
    let start = ["Test", "test_"].iter().find_map(|word| class.strip_prefix(word)).unwrap_or(class);
    ["Tests", "Test", "_test"].iter().find_map(|word| start.strip_suffix(word)).unwrap_or(start)
}
