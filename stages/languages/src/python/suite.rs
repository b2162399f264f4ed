//! Which callables are tests, and what the others are to them: the conventions of unittest and pytest.

use crate::{Assertion, Callable, CallableKind, Framework, Outline, Role, TestCase, TestKind, TestNames};
use std::collections::HashSet;

const SETUP: [&str; 4] = ["setUp", "setUpClass", "asyncSetUp", "setUpTestData"];
const TEARDOWN: [&str; 3] = ["tearDown", "tearDownClass", "asyncTearDown"];
/// Names with a meaning in test files and test classes only: elsewhere `setup` is any function.
const TEST_FILE_SETUP: [&str; 5] = ["setup", "setup_method", "setup_class", "setup_module", "setup_function"];
const TEST_FILE_TEARDOWN: [&str; 5] =
    ["teardown", "teardown_method", "teardown_class", "teardown_module", "teardown_function"];

/// What a class means to the frameworks.
#[derive(Clone, Copy, Default)]
struct Facts {
    /// Inside a function, where no framework looks.
    local: bool,
    has_init: bool,
    unittest: bool,
    pytest: bool,
}

/// Gives every callable its role and lists the test cases; `names` are the project's own where it has any.
/// `assertions` come in the order of their callables.
pub(super) fn classify(
    outline: &mut Outline,
    in_test_file: bool,
    names: &TestNames,
    assertions: Vec<(u32, Assertion)>,
) {
    let facts = facts(&outline.callables, in_test_file, names);
    let mut assertions = assertions.into_iter().peekable();
    for index in 0..outline.callables.len() {
        let callable = &outline.callables[index];
        if callable.kind.is_type() {
            continue;
        }
        let around = callable.parent.map(|parent| facts[parent as usize]).unwrap_or_default();
        let is_test = names.is_function(&callable.name).unwrap_or_else(|| callable.name.starts_with("test_"));
        let role = role(callable, around, facts[index].local, (in_test_file, is_test));
        if role == Role::Test {
            let class = callable.parent.map(|parent| &outline.callables[parent as usize]);
            let mut case = test_case(index as u32, callable, class, around.unittest);
            while let Some((owner, assertion)) = assertions.next_if(|(owner, _)| *owner as usize <= index) {
                if owner as usize == index {
                    case.assertions.push(assertion);
                }
            }
            outline.test_cases.push(case);
            mark_classes(&mut outline.callables, index);
        }
        outline.callables[index].role = role;
    }
}

fn facts(callables: &[Callable], in_test_file: bool, names: &TestNames) -> Vec<Facts> {
    let mut facts = vec![Facts::default(); callables.len()];
    for callable in callables.iter().filter(|callable| callable.kind == CallableKind::Constructor) {
        if let Some(parent) = callable.parent {
            facts[parent as usize].has_init = true;
        }
    }
    // Classes of this file that descend from a TestCase, so that a base of the file counts like the original.
    let mut known: HashSet<&str> = HashSet::new();
    for (index, callable) in callables.iter().enumerate() {
        let parent = callable.parent.map(|parent| parent as usize);
        let local = parent.is_some_and(|parent| facts[parent].local || !callables[parent].kind.is_type());
        facts[index].local = local;
        if local || !callable.kind.is_type() {
            continue;
        }
        let is_case = |base: &String| known.contains(base.as_str()) || last(base).ends_with("TestCase");
        facts[index].unittest = callable.supertypes.iter().any(is_case);
        if facts[index].unittest {
            known.insert(&callable.name);
        }
        let named = names.is_class(&callable.name).unwrap_or_else(|| callable.name.starts_with("Test"));
        let collected = named && !facts[index].has_init;
        facts[index].pytest = in_test_file && collected && parent.is_none_or(|parent| facts[parent].pytest);
    }
    mix_in(callables, &mut facts);
    facts
}

/// The tests of a class that tests are taken over from run as those of the classes that take it in: what one of
/// this file is collected by, its bases of this file are too. Bases stand before what descends from them.
fn mix_in(callables: &[Callable], facts: &mut [Facts]) {
    for index in (0..callables.len()).rev() {
        let Facts { unittest, pytest, local, .. } = facts[index];
        if local || !callables[index].kind.is_type() || !(unittest || pytest) {
            continue;
        }
        for base in &callables[index].supertypes {
            let is_base = |at: &usize| callables[*at].kind.is_type() && callables[*at].name == *base;
            if let Some(at) = (0..index).rev().find(is_base).filter(|at| !facts[*at].local) {
                facts[at].unittest |= unittest;
                facts[at].pytest |= pytest && !unittest && !facts[at].has_init;
            }
        }
    }
}

fn role(callable: &Callable, around: Facts, local: bool, (in_test_file, is_test): (bool, bool)) -> Role {
    if callable.annotations.iter().any(|name| matches!(last(name), "fixture" | "yield_fixture")) {
        return Role::Fixture;
    }
    if local {
        return Role::Plain;
    }
    let name = callable.name.as_str();
    let test_place = in_test_file || around.unittest || around.pytest;
    match callable.kind {
        CallableKind::Method if SETUP.contains(&name) => Role::Setup,
        CallableKind::Method if TEARDOWN.contains(&name) => Role::Teardown,
        CallableKind::Function if name == "setUpModule" => Role::Setup,
        CallableKind::Function if name == "tearDownModule" => Role::Teardown,
        CallableKind::Method | CallableKind::Function if test_place && TEST_FILE_SETUP.contains(&name) => {
            Role::Setup
        }
        CallableKind::Method | CallableKind::Function if test_place && TEST_FILE_TEARDOWN.contains(&name) => {
            Role::Teardown
        }
        CallableKind::Method if around.unittest && name.starts_with("test") => Role::Test,
        CallableKind::Method if around.pytest && is_test => Role::Test,
        CallableKind::Function if in_test_file && is_test => Role::Test,
        _ => Role::Plain,
    }
}

fn test_case(index: u32, test: &Callable, class: Option<&Callable>, unittest: bool) -> TestCase {
    let of_class = class.map_or(&[][..], |class| &class.annotations);
    let annotations = || test.annotations.iter().chain(of_class).map(String::as_str);
    let uses_ddt = of_class.iter().any(|name| last(name) == "ddt");
    let kind = if annotations().any(|name| is_parametrised(name, uses_ddt)) {
        TestKind::Parametrised
    } else if annotations().any(|name| last(name) == "repeat") {
        TestKind::Repeated
    } else {
        TestKind::Plain
    };
    TestCase {
        callable: index,
        framework: if unittest { Framework::Unittest } else { Framework::Pytest },
        kind,
        assertions: Vec::new(),
        statements: Vec::new(),
        // `skipIf` and `skipif` depend on where the test runs and do not disable it.
        disabled: annotations().any(|name| last(name) == "skip"),
    }
}

fn is_parametrised(name: &str, uses_ddt: bool) -> bool {
    let named = matches!(last(name), "parametrize" | "parameterized_class");
    let data = matches!(last(name), "data" | "idata" | "file_data") && (uses_ddt || name.starts_with("ddt."));
    named || data || name.split('.').any(|part| part == "parameterized")
}

fn mark_classes(callables: &mut [Callable], test: usize) {
    let mut class = callables[test].parent;
    while let Some(index) = class {
        let callable = &mut callables[index as usize];
        if callable.role == Role::TestClass {
            return;
        }
        callable.role = Role::TestClass;
        class = callable.parent;
    }
}

fn last(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}
