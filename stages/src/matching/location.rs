//! From a call in a test to the declaration that it means, by names alone.

use super::callables::{Callables, Candidate, is_local, is_plain_callable};
use super::index::{CallSite, File, Index};
use super::tables::Declaration;
use trefoil_languages::Language;

/// Finds the declarations of one language of a repository.
pub(crate) struct Locator<'a> {
    callables: Callables<'a>,
    inner: Callables<'a>,
}

/// Why a call has no declaration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unlocated {
    /// Nothing of the name in the repository, tests aside.
    NotInRepository,
    /// Several of the name, and neither the receiver nor the test's class tells which.
    Ambiguous,
}

impl Unlocated {
    /// The answer of a ballot.
    pub(crate) fn answer(self) -> &'static str {
        match self {
            Self::NotInRepository => "not_in_repository",
            Self::Ambiguous => "several_declarations",
        }
    }
}

impl<'a> Locator<'a> {
    pub(crate) fn new(index: &'a Index<'a>, language: &Language) -> Self {
        let callables = Callables::new(index, language.name, |file, it| {
            is_plain_callable(file, it) && !is_local(file, it)
        });
        let inner = Callables::new(index, language.name, |file, it| {
            is_plain_callable(file, it) && is_local(file, it)
        });
        Self { callables, inner }
    }

    /// The declaration of a call in a test.
    pub(crate) fn locate(
        &self,
        file: &File<'a>,
        test: &Declaration,
        call: &CallSite<'_>,
    ) -> Result<Candidate<'a>, Unlocated> {
        match self.callables.named(call.name) {
            [] => match self.inner.named(call.name) {
                [] => Err(Unlocated::NotInRepository),
                [only] => Ok(*only),
                _ => Err(Unlocated::Ambiguous),
            },
            [only] => Ok(*only),
            several => {
                let receiver = call.receiver.rsplit('.').next().unwrap_or_default();
                let class = class_name(file, test);
                only_in_class(several, receiver)
                    .or_else(|| only_in_class(several, &without_test(class)))
                    .ok_or(Unlocated::Ambiguous)
            }
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

/// What holds a test: its class or `describe` block, and for a function of the file itself the file's name
/// without its ending, since modules stand for classes in the languages that have such functions.
pub(crate) fn class_name<'a>(file: &File<'a>, test: &Declaration) -> &'a str {
    match file.parent(test) {
        Some(class) => &class.name,
        None => {
            let name = file.row.path.rsplit('/').next().unwrap_or_default();
            name.split('.').next().unwrap_or_default()
        }
    }
}

/// `StackTest`, `TestStack`, `StackTests` and `test_stack` as `Stack` and `stack`.
fn without_test(class: &str) -> String {
    let start = ["Test", "test_"].iter().find_map(|word| class.strip_prefix(word)).unwrap_or(class);
    let end = ["Tests", "Test", "_test"].iter().find_map(|word| start.strip_suffix(word)).unwrap_or(start);
    end.to_owned()
}
