//! What a call of a test file means to the test, by its name, its receiver and what a file calls its testers.
//!
//! A *tester* is the value that a running test is reached by: `t *testing.T`, `c *check.C`, `c := qt.New(t)`.

use crate::Parameter;
use crate::outline::beginning;

/// Most names of a kind that are kept: files have a handful.
const MOST_NAMES: usize = 16;

/// Methods of a tester that fail the test.
const FAILURES: [&str; 6] = ["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];

/// Last parts of the paths of packages whose functions check something: testify's, gotest.tools', shoenig's,
/// matryer's. Their `New` gives an object whose methods do.
const PACKAGES: [&str; 4] = ["assert", "require", "must", "is"];

/// What an expectation begins with in Gomega and its like (`Expect(x).To(Equal(y))`).
const EXPECTATIONS: [&str; 6] = ["Expect", "ExpectWithOffset", "Ω", "Eventually", "Consistently", "expect"];

/// Beginnings of the names of checks that projects write for themselves and hand the tester to.
const OWN_CHECKS: [&str; 7] = ["assert", "require", "check", "expect", "verify", "validate", "compare"];

/// Longest text of arguments in which a tester is looked for, in bytes.
const LONGEST_ARGUMENTS: usize = 1_000;

/// Functions of testify, which its suites have as methods, without the `f` of those that take a format.
const CHECKS: [&str; 80] = [
    "Condition",
    "Contains",
    "DeepEqual",
    "DirExists",
    "ElementsMatch",
    "Empty",
    "Equal",
    "EqualError",
    "EqualExportedValues",
    "EqualValues",
    "Equals",
    "Error",
    "ErrorAs",
    "ErrorContains",
    "ErrorIs",
    "Eventually",
    "EventuallyWithT",
    "Exactly",
    "Fail",
    "FailNow",
    "False",
    "FileExists",
    "Greater",
    "GreaterOrEqual",
    "HTTPBodyContains",
    "HTTPBodyNotContains",
    "HTTPError",
    "HTTPRedirect",
    "HTTPStatusCode",
    "HTTPSuccess",
    "Implements",
    "InDelta",
    "InDeltaMapValues",
    "InDeltaSlice",
    "InEpsilon",
    "InEpsilonSlice",
    "IsDecreasing",
    "IsIncreasing",
    "IsNonDecreasing",
    "IsNonIncreasing",
    "IsNotType",
    "IsType",
    "JSONEq",
    "Len",
    "Less",
    "LessOrEqual",
    "Negative",
    "Never",
    "Nil",
    "NoDirExists",
    "NoError",
    "NoFileExists",
    "NotContains",
    "NotElementsMatch",
    "NotEmpty",
    "NotEqual",
    "NotEqualValues",
    "NotErrorAs",
    "NotErrorIs",
    "NotImplements",
    "NotNil",
    "NotPanics",
    "NotRegexp",
    "NotSame",
    "NotSubset",
    "NotZero",
    "Ok",
    "Panics",
    "PanicsWithError",
    "PanicsWithValue",
    "Positive",
    "Regexp",
    "Same",
    "Subset",
    "True",
    "WithinDuration",
    "WithinRange",
    "YAMLEq",
    "Zero",
    "NotOk",
];

/// What a call means to the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Nothing,
    /// It checks something itself.
    Assertion,
    /// It fails the test (`t.Errorf`), so that what it depends on is the assertion.
    Failure,
    /// It runs a part of the test (`t.Run`).
    Subtest,
}

/// The names that a file has for what checks.
#[derive(Default)]
pub(super) struct Checks {
    testers: Vec<String>,
    /// Packages whose functions, and values whose methods, check something.
    asserters: Vec<String>,
}

impl Checks {
    /// Takes note of an import.
    pub(super) fn import(&mut self, name: Option<&str>, path: &str) {
        let mut parts = path.rsplit('/');
        let mut last = parts.next().unwrap_or_default();
        if last.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) {
            last = parts.next().unwrap_or_default();
        }
        if PACKAGES.contains(&last) {
            add(&mut self.asserters, name.unwrap_or(last));
        }
    }

    /// Takes note of formal parameters.
    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters.iter().filter(|parameter| is_tester(&parameter.type_name)) {
            add(&mut self.testers, &parameter.name);
        }
    }

    /// Takes note of a name and the text of its value.
    pub(super) fn bound(&mut self, name: &str, value: &str) {
        let Some((callee, _)) = value.split_once('(') else { return };
        let (receiver, called) = receiver_and_name(callee);
        match called {
            "New" if matches!(receiver, "qt" | "quicktest") => add(&mut self.testers, name),
            "New" if self.is_asserter(receiver) => add(&mut self.asserters, name),
            "T" if !receiver.is_empty() => add(&mut self.testers, name),
            "Require" | "Assert" if !receiver.is_empty() => add(&mut self.asserters, name),
            _ => {}
        }
    }

    /// What a call means: `arguments` are how many, `behind` is the text behind their parenthesis, `suite` is
    /// the receiver of the method around.
    pub(super) fn meaning(
        &self,
        receiver: &str,
        name: &str,
        behind: &str,
        arguments: u32,
        suite: &str,
    ) -> Meaning {
        let of_suite = !suite.is_empty() && receiver == suite;
        if self.testers.iter().any(|tester| tester == receiver) || receiver.ends_with(".T()") {
            match name {
                "Run" if arguments > 1 => return Meaning::Subtest,
                "Check" if arguments > 1 => return Meaning::Assertion,
                _ if FAILURES.contains(&name) => return Meaning::Failure,
                _ => {}
            }
        }
        if of_suite && name == "Run" && arguments == 2 {
            return Meaning::Subtest;
        }
        let asserts = self.is_asserter(receiver) && name != "New"
            || begins(name, "assert") && (arguments > 0 || name.len() > "assert".len())
            || of_suite && is_check(name)
            || (is_check(name) || OWN_CHECKS.iter().any(|word| begins(name, word)))
                && self.takes_tester(behind)
            || self.is_chain(receiver);
        if asserts { Meaning::Assertion } else { Meaning::Nothing }
    }

    /// Whether a receiver begins with a call that begins an expectation: `Expect(x)`, `s.Require()`,
    /// `assert.New(t)`.
    fn is_chain(&self, receiver: &str) -> bool {
        let Some((root, _)) = receiver.split_once('(') else { return false };
        let (receiver, name) = receiver_and_name(root);
        is_expectation(root)
            || matches!(name, "Require" | "Assert") && !receiver.is_empty()
            || self.is_asserter(receiver)
            || begins(name, "assert")
    }

    fn is_asserter(&self, name: &str) -> bool {
        self.asserters.iter().any(|asserter| asserter == name)
    }

    /// Whether one of the arguments, `a, b)`, is a tester.
    fn takes_tester(&self, behind: &str) -> bool {
        let inside = beginning(behind.strip_suffix(')').unwrap_or(behind), LONGEST_ARGUMENTS);
        inside.split(',').map(str::trim).any(|argument| {
            argument.ends_with(".T()") || self.testers.iter().any(|tester| tester == argument)
        })
    }
}

fn add(names: &mut Vec<String>, name: &str) {
    if !matches!(name, "" | "_" | ".") && names.len() < MOST_NAMES && !names.iter().any(|known| known == name)
    {
        names.push(name.to_owned());
    }
}

/// Whether a callee begins an expectation, whatever it is called on.
pub(super) fn is_expectation(callee: &str) -> bool {
    EXPECTATIONS.contains(&receiver_and_name(callee).1)
}

fn receiver_and_name(callee: &str) -> (&str, &str) {
    callee.rsplit_once('.').unwrap_or(("", callee))
}

/// `*testing.T`, `testing.TB`, `*check.C`, `*C`, `*qt.C` and the like.
fn is_tester(type_name: &str) -> bool {
    let last = type_name.rsplit(['.', '*']).next().unwrap_or_default();
    let pointer = type_name.starts_with('*');
    matches!(last, "T" | "B" | "F" if type_name.contains("testing."))
        || last == "TB"
        || (pointer && last == "C")
}

fn is_check(name: &str) -> bool {
    CHECKS.contains(&name) || name.strip_suffix('f').is_some_and(|name| CHECKS.contains(&name))
}

/// Whether a name begins with this word, in either case: `assertSize`, `AssertSize`, `assert`, not `assertion`.
fn begins(name: &str, word: &str) -> bool {
    let (head, rest) = name.split_at_checked(word.len()).unwrap_or_default();
    head.eq_ignore_ascii_case(word) && !rest.starts_with(|next: char| next.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks() -> Checks {
        let mut checks = Checks::default();
        checks.import(None, "github.com/stretchr/testify/assert");
        checks.import(Some("is2"), "github.com/matryer/is/v2");
        checks.import(None, "example.com/shop");
        let parameter =
            |name: &str, type_name: &str| Parameter { name: name.into(), type_name: type_name.into() };
        checks.parameters(&[
            parameter("t", "*testing.T"),
            parameter("c", "*check.C"),
            parameter("w", "io.Writer"),
        ]);
        checks.bound("must", "assert.New(t)");
        checks.bound("q", "qt.New(t)");
        checks.bound("x", "shop.New(t)");
        checks
    }

    #[test]
    fn meanings() {
        use Meaning::{Assertion, Failure, Nothing, Subtest};
        let cases = [
            ("t", "Errorf", "\"x\")", 1, Failure),
            ("s.T()", "Fatal", "err)", 1, Failure),
            ("q", "Fatal", "err)", 1, Failure),
            ("err", "Error", ")", 0, Nothing),
            ("log", "Fatal", "err)", 1, Nothing),
            ("t", "Run", "\"a\", func(t *testing.T) {})", 2, Subtest),
            ("cmd", "Run", "a, b)", 2, Nothing),
            ("assert", "Equal", "t, a, b)", 3, Assertion),
            ("assert", "New", "t)", 1, Nothing),
            ("is2", "Equal", "a, b)", 2, Assertion),
            ("must", "Len", "a, 1)", 2, Assertion),
            ("x", "Len", "a, 1)", 2, Nothing),
            ("c", "Assert", "a, Equals, b)", 3, Assertion),
            ("c", "Check", "a, Equals, b)", 3, Assertion),
            ("testutil", "Equals", "t, a, b)", 3, Assertion),
            ("strings", "Contains", "a, b)", 2, Nothing),
            ("", "checkSize", "t, 3)", 2, Assertion),
            ("", "checkSize", "3)", 1, Nothing),
            ("", "expectSize", "3, f(1), t)", 3, Assertion),
            ("", "checkSize", "3, t, nil)", 3, Assertion),
            ("b", "AssertNothing", ")", 0, Assertion),
            ("", "expectSize", "s.T(), 3)", 2, Assertion),
            ("", "assertSize", "3)", 1, Assertion),
            ("s", "Require", ")", 0, Nothing),
            ("s.Require()", "Anything", "a)", 1, Assertion),
            ("Expect(f(x))", "To", "Equal(y))", 1, Assertion),
            ("s", "NoErrorf", "err, \"x\")", 2, Assertion),
            ("s", "NoProblem", "err)", 1, Nothing),
        ];
        let checks = checks();
        for (receiver, name, behind, arguments, expected) in cases {
            let found = checks.meaning(receiver, name, behind, arguments, "s");
            assert_eq!(found, expected, "{receiver}.{name}({behind}");
        }
    }
}
