//! Which functions are tests, and what the others are to them: the rules of package testing, testify's
//! suites and gocheck.
//!
//! Benchmarks, examples and fuzz tests are plain functions: none of them is a `func TestXxx(t *testing.T)`.

use super::walk::OfTests;
use crate::{Callable, CallableKind, Framework, Outline, Role, TestCase, TestKind};
use std::collections::HashMap;

const SETUP: [&str; 6] = ["SetupSuite", "SetupTest", "SetupSubTest", "BeforeTest", "SetUpSuite", "SetUpTest"];
const TEARDOWN: [&str; 4] = ["TearDownSuite", "TearDownTest", "TearDownSubTest", "AfterTest"];

/// Gives every callable its role and lists the test cases.
pub(super) fn classify(outline: &mut Outline, in_test_file: bool, of_tests: OfTests, text: &str) {
    let types = types(&outline.callables);
    let mut roles = vec![Role::Plain; outline.callables.len()];
    let mut cases = Vec::new();
    for (index, callable) in (0..).zip(&outline.callables) {
        let declared = types.get(receiver(callable)).copied();
        let (role, framework) = role(callable, declared.map(|(_, declared)| declared), in_test_file);
        if role != Role::Plain {
            set(&mut roles, index, role);
        }
        if let Some(framework) = framework {
            cases.push(TestCase {
                callable: index,
                framework,
                kind: TestKind::Plain,
                assertions: Vec::new(),
                statements: Vec::new(),
                disabled: begins_with_skip(callable, text),
            });
            if let Some((suite, _)) = declared {
                set(&mut roles, suite, Role::TestClass);
            }
        }
    }
    for (callable, role) in outline.callables.iter_mut().zip(roles) {
        callable.role = role;
    }
    fill(&mut cases, of_tests);
    outline.test_cases = cases;
}

fn set(roles: &mut [Role], index: u32, role: Role) {
    if let Some(slot) = roles.get_mut(index as usize) {
        *slot = role;
    }
}

/// The types that the file itself declares, by name.
fn types(callables: &[Callable]) -> HashMap<&str, (u32, &Callable)> {
    let of_file =
        (0..).zip(callables).filter(|(_, callable)| callable.kind.is_type() && callable.parent.is_none());
    of_file.map(|(index, callable)| (callable.name.as_str(), (index, callable))).collect()
}

/// The type of a method's receiver; empty for everything else.
fn receiver(callable: &Callable) -> &str {
    let is_method = callable.kind == CallableKind::Method && callable.parent.is_none();
    callable.supertypes.first().filter(|_| is_method).map(String::as_str).unwrap_or_default()
}

/// Role, and the framework of a test. `declared` is the type of the receiver, if it is of this file.
fn role(callable: &Callable, declared: Option<&Callable>, in_test_file: bool) -> (Role, Option<Framework>) {
    let name = callable.name.as_str();
    let receiver = receiver(callable);
    if receiver.is_empty() {
        let is_function = callable.kind == CallableKind::Function && callable.parent.is_none();
        let tester = only_parameter(callable).filter(|_| is_function && in_test_file).unwrap_or_default();
        return match tester.strip_prefix('*').and_then(|tester| tester.rsplit_once('.')) {
            Some((_, "M")) if name == "TestMain" => (Role::Setup, None),
            Some((_, "T")) if is_test_name(name) => (Role::Test, Some(Framework::GoTesting)),
            _ => (Role::Plain, None),
        };
    }
    let in_suite = match declared {
        Some(declared) => declared.supertypes.iter().any(|embedded| embedded.ends_with("Suite")),
        // The type is declared in another file of the package: only its name can tell.
        None => receiver.ends_with("Suite"),
    };
    let framework = match only_parameter(callable) {
        _ if !in_test_file || !is_test_name(name) || !callable.return_type.is_empty() => None,
        None => (in_suite && callable.parameters.is_empty()).then_some(Framework::Testify),
        Some(type_name) => is_gocheck(type_name).then_some(Framework::Gocheck),
    };
    if framework.is_some() {
        (Role::Test, framework)
    } else if (in_suite || in_test_file) && SETUP.contains(&name) {
        (Role::Setup, None)
    } else if (in_suite || in_test_file) && TEARDOWN.contains(&name) {
        (Role::Teardown, None)
    } else {
        (Role::Plain, None)
    }
}

fn only_parameter(callable: &Callable) -> Option<&str> {
    match callable.parameters.as_slice() {
        [parameter] => Some(&parameter.type_name),
        _ => None,
    }
}

/// `*check.C`, under whatever name the package is imported, or `*C`.
fn is_gocheck(type_name: &str) -> bool {
    type_name.strip_prefix('*').is_some_and(|name| name == "C" || name.ends_with(".C"))
}

/// `TestX`, `Test_x` and `Test`, not `Testify`.
fn is_test_name(name: &str) -> bool {
    name.strip_prefix("Test").is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// Whether the first statement is `t.Skip(…)`, whatever the tester is called.
fn begins_with_skip(test: &Callable, text: &str) -> bool {
    let mut rest = test.body.unwrap_or_default().of(text).strip_prefix('{').unwrap_or_default().trim_start();
    loop {
        rest = if rest.starts_with("//") {
            rest.split_once('\n').unwrap_or_default().1
        } else if rest.starts_with("/*") {
            rest.split_once("*/").unwrap_or_default().1
        } else {
            break;
        }
        .trim_start();
    }
    let Some((tester, behind)) = rest.split_once(".Skip") else { return false };
    // `t` or `s.T()`.
    tester.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.()".contains(&byte))
        && ["(", "f(", "Now("].iter().any(|tail| behind.starts_with(tail))
}

/// Hands the cases what the walk saw in them.
fn fill(cases: &mut [TestCase], of_tests: OfTests) {
    let mut assertions = of_tests.assertions.into_iter().peekable();
    let mut subtests = of_tests.subtests.into_iter().peekable();
    for case in cases {
        while let Some((owner, assertion)) = assertions.next_if(|(owner, _)| *owner <= case.callable) {
            if owner == case.callable {
                case.assertions.push(assertion);
            }
        }
        while let Some((owner, in_loop)) = subtests.next_if(|(owner, _)| *owner <= case.callable) {
            if owner == case.callable {
                case.kind = match case.kind {
                    _ if in_loop => TestKind::Parametrised,
                    TestKind::Plain => TestKind::Subtests,
                    kind => kind,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        for name in ["Test", "TestX", "Test_x", "Test1", "TestÄ"] {
            assert!(is_test_name(name), "{name}");
        }
        for name in ["Testify", "test", "testX", "BenchmarkX", "Testä"] {
            assert!(!is_test_name(name), "{name}");
        }
    }
}
