//! The rule of UnitTests (MERA Code) for C#: a test is linked to the method whose name is in its own name and
//! which it calls; only tests that this is true of one method for.

use super::callables::{Callables, Candidate, is_local, is_plain_callable, listing};
use super::index::{File, Index};
use super::tables::Declaration;
use super::verdict::{Ballot, Matcher, Mode, Prepare, Verdict};
use std::collections::BTreeSet;

pub(super) static MODE: Mode = Mode {
    name: "unittests-csharp",
    language: Some(LANGUAGE),
    prepare: Prepare::Names(|index| Box::new(CalledByName::new(index))),
};

const LANGUAGE: &str = "csharp";
const NAME_AND_CALL: &str = "name_and_call";
/// Of NUnit, xUnit and MSTest, as the rule lists them.
const ATTRIBUTES: [&str; 6] = ["Test", "TestCase", "TestCaseSource", "Fact", "Theory", "TestMethod"];

struct CalledByName<'a>(Callables<'a>);

impl<'a> CalledByName<'a> {
    fn new(index: &'a Index<'a>) -> Self {
        Self(Callables::new(index, LANGUAGE, |file, declaration| {
            is_plain_callable(file, declaration)
                && declaration.kind == "method"
                && !is_local(file, declaration)
        }))
    }

    fn ballot(&self, file: &File<'_>, test: &Declaration) -> Ballot<'a> {
        if !test.annotations.iter().any(|name| is_test_attribute(name)) {
            let detail = format!("none of its attributes is one of {}", ATTRIBUTES.join(", "));
            return Ballot::none(NAME_AND_CALL, "no_test_attribute", detail);
        }
        let called: BTreeSet<&str> = file.invoked_names(test).collect();
        let named: Vec<Candidate<'a>> = called
            .into_iter()
            .filter(|name| !name.is_empty() && test.name.contains(name))
            .flat_map(|name| self.0.named(name))
            .copied()
            .collect();
        match &named[..] {
            [] => {
                let detail = format!("no called method of the repository has its name in `{}`", test.name);
                Ballot::none(NAME_AND_CALL, "no_called_method_in_name", detail)
            }
            [(focal_file, focal)] => {
                let detail = format!("`{}` is called and in the test's name", focal.name);
                Ballot::callable(NAME_AND_CALL, focal_file, focal, detail)
            }
            several => Ballot::none(NAME_AND_CALL, "several_called_methods_in_name", listing(several)),
        }
    }
}

impl<'a> Matcher<'a> for CalledByName<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}

/// `NUnit.Framework.TestAttribute` is the same as `Test`.
fn is_test_attribute(written: &str) -> bool {
    let name = written.rsplit('.').next().unwrap_or(written);
    ATTRIBUTES.contains(&name.strip_suffix("Attribute").unwrap_or(name))
}
