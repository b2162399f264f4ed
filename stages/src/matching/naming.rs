//! The naming rule of UnitTests (MERA Code): a test is about the only function or method that has its name
//! without the prefix that makes it a test. Languages differ in the prefix and in what they count as tests and
//! candidates, which stands in a [`NamingRule`].

use super::callables::{Callables, listing};
use super::index::{File, Index};
use super::tables::Declaration;
use super::verdict::{Ballot, Matcher, Verdict};

/// What differs between languages.
pub(crate) struct NamingRule {
    /// Language.
    pub(crate) language: &'static str,
    /// How names of tests begin.
    pub(crate) prefix: &'static str,
    /// The answer for a test that is named otherwise.
    pub(crate) without_prefix: &'static str,
    /// How test files are called, for people.
    pub(crate) test_files: &'static str,
    /// The only framework that the rule is for, if there are others.
    pub(crate) framework: Option<&'static str>,
    /// The names that a test's name without its prefix stands for, those to be tried first in front.
    pub(crate) focal_names: fn(&str) -> Vec<String>,
    /// Whether a declaration can be a focal method.
    pub(crate) is_focal: fn(&File<'_>, &Declaration) -> bool,
}

/// The rule at work on a repository.
pub(crate) struct Naming<'a> {
    rule: &'static NamingRule,
    callables: Callables<'a>,
}

const NAME: &str = "name";

impl<'a> Naming<'a> {
    pub(crate) fn new(index: &'a Index<'a>, rule: &'static NamingRule) -> Self {
        Self { rule, callables: Callables::new(index, rule.language, rule.is_focal) }
    }

    fn ballot(&self, file: &File<'_>, test: &Declaration) -> Ballot<'a> {
        let NamingRule { prefix, without_prefix, test_files, framework, focal_names, .. } = self.rule;
        if !file.row.is_test_path {
            let detail = format!("`{}` is not called {test_files}", file.row.path);
            return Ballot::none(NAME, "not_a_test_file", detail);
        }
        let of_case = file.test_case(test).map(|case| case.framework.as_str());
        if framework.is_some() && *framework != of_case {
            let detail = format!("the rule is not for {}", of_case.unwrap_or("tests without a framework"));
            return Ballot::none(NAME, "other_framework", detail);
        }
        let Some(rest) = test.name.strip_prefix(prefix) else {
            let detail = format!("`{}` does not begin with `{prefix}`", test.name);
            return Ballot::none(NAME, without_prefix, detail);
        };
        for name in focal_names(rest) {
            match self.callables.named(&name) {
                [] => {}
                [(focal_file, focal)] => {
                    let detail = format!("`{name}` is the only one of its name outside test files");
                    return Ballot::callable(NAME, focal_file, focal, detail);
                }
                several => {
                    return Ballot::none(NAME, "several_functions_of_that_name", listing(several));
                }
            }
        }
        let detail = format!("no function or method `{rest}` outside test files");
        Ballot::none(NAME, "no_function_of_that_name", detail)
    }
}

impl<'a> Matcher<'a> for Naming<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        file.test_cases().map(|test| Verdict { test, ballots: vec![self.ballot(file, test)] }).collect()
    }
}
