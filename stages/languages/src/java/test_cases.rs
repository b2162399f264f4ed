//! Which methods are tests, for which framework, and which run before and after them.

use super::walk::Assertions;
use crate::outline::beginning;
use crate::{Callable, CallableKind, Framework, Outline, Role, Span, TestCase, TestKind};
use std::collections::HashMap;

const SETUP: [&str; 8] = [
    "Before",
    "BeforeClass",
    "BeforeEach",
    "BeforeAll",
    "BeforeMethod",
    "BeforeTest",
    "BeforeSuite",
    "BeforeGroups",
];
const TEARDOWN: [&str; 8] =
    ["After", "AfterClass", "AfterEach", "AfterAll", "AfterMethod", "AfterTest", "AfterSuite", "AfterGroups"];

/// Most text of annotations that is searched for their arguments, in bytes.
const MAX_ANNOTATIONS: usize = 4_096;

/// Fills in roles and test cases.
pub(super) fn find(outline: &mut Outline, assertions: &Assertions, text: &str) {
    let file = File::new(&outline.imports, &outline.callables, text);
    let mut roles = Vec::with_capacity(outline.callables.len());
    let mut cases = Vec::new();
    for (index, callable) in outline.callables.iter().enumerate() {
        let Some((framework, kind)) = file.test(callable) else {
            roles.push(file.role(callable));
            continue;
        };
        roles.push(Role::Test);
        let range = assertions.extents.get(index).map(|extent| extent.assertions.clone()).unwrap_or_default();
        cases.push(TestCase {
            callable: index as u32,
            framework,
            kind,
            assertions: assertions.all.get(range).unwrap_or_default().to_vec(),
            statements: Vec::new(),
            disabled: file.is_disabled(callable),
        });
    }
    for case in &cases {
        file.mark_classes(case.callable, &mut roles);
    }
    for (callable, role) in outline.callables.iter_mut().zip(roles) {
        callable.role = role;
    }
    outline.test_cases = cases;
}

struct File<'a> {
    /// Names imported one by one, with the framework that they come from, if any.
    imported: HashMap<&'a str, Option<Framework>>,
    /// The first framework of which a whole package is imported.
    wildcard: Option<Framework>,
    callables: &'a [Callable],
    text: &'a str,
}

/// Where an annotation or class comes from.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Of(Framework),
    /// Neither its name nor an import tells.
    Unknown,
    /// Imported by name from a package that is no test framework.
    Foreign,
}

impl<'a> File<'a> {
    fn new(imports: &'a [String], callables: &'a [Callable], text: &'a str) -> Self {
        let split = imports.iter().filter_map(|import| import.rsplit_once('.'));
        let wildcard =
            split.clone().filter(|(_, name)| *name == "*").find_map(|(package, _)| of_package(package));
        let imported = split.map(|(package, name)| (name, of_package(package))).collect();
        Self { imported, wildcard, callables, text }
    }

    /// Framework and kind, if this is a test case.
    fn test(&self, callable: &Callable) -> Option<(Framework, TestKind)> {
        // A method that error recovery found outside its class can be a test; one of an anonymous class not.
        let is_method = callable.kind == CallableKind::Method
            || (callable.kind == CallableKind::Function && callable.recovered && callable.parent.is_none());
        if !is_method {
            return None;
        }
        self.annotated_test(callable)
            .or_else(|| self.junit3_test(callable))
            .or_else(|| self.testng_class_test(callable))
    }

    fn annotated_test(&self, callable: &Callable) -> Option<(Framework, TestKind)> {
        callable.annotations.iter().find_map(|annotation| {
            let kind = match simple(annotation) {
                "Test" => TestKind::Plain,
                "ParameterizedTest" => TestKind::Parametrised,
                "RepeatedTest" => TestKind::Repeated,
                "TestFactory" | "TestTemplate" => TestKind::Factory,
                "Theory" => TestKind::Parametrised,
                _ => return None,
            };
            let framework = match (self.origin(annotation), simple(annotation)) {
                (Origin::Of(framework), _) => framework,
                (_, "Test") => Framework::UnknownJava,
                (Origin::Unknown, "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate") => {
                    Framework::Junit5
                }
                _ => return None,
            };
            let refined = if kind == TestKind::Plain { self.refined(callable, framework) } else { kind };
            Some((framework, refined))
        })
    }

    /// The kind of a test annotated `@Test`, by what its arguments or its class add.
    fn refined(&self, callable: &Callable, framework: Framework) -> TestKind {
        let has = |callable: &Callable, word| self.annotations_of(callable).contains(word);
        match framework {
            Framework::Testng if has(callable, "dataProvider") => TestKind::Parametrised,
            Framework::Testng if has(callable, "invocationCount") => TestKind::Repeated,
            Framework::Junit4 => {
                let class = self.parent(callable);
                let runs_with =
                    class.filter(|class| class.annotations.iter().any(|a| simple(a) == "RunWith"));
                match runs_with {
                    Some(class) if has(class, "Parameterized") => TestKind::Parametrised,
                    _ => TestKind::Plain,
                }
            }
            _ => TestKind::Plain,
        }
    }

    fn junit3_test(&self, callable: &Callable) -> Option<(Framework, TestKind)> {
        let fits = callable.name.starts_with("test")
            && callable.parameters.is_empty()
            && callable.return_type == "void"
            && has_modifier(callable, "public")
            && self.parent(callable).is_some_and(|class| self.is_junit3_class(class));
        fits.then_some((Framework::Junit3, TestKind::Plain))
    }

    fn is_junit3_class(&self, class: &Callable) -> bool {
        class.kind == CallableKind::Class
            && class.supertypes.first().is_some_and(|name| {
                let fits = simple(name) == "TestCase" && class.signature.of(self.text).contains("extends");
                fits && self.origin(name) != Origin::Foreign
            })
    }

    /// TestNG takes every public method of a class annotated `@Test` for a test.
    fn testng_class_test(&self, callable: &Callable) -> Option<(Framework, TestKind)> {
        let class = self.parent(callable)?;
        let annotation = class.annotations.iter().find(|annotation| simple(annotation) == "Test")?;
        let fits = self.origin(annotation) == Origin::Of(Framework::Testng)
            && has_modifier(callable, "public")
            && !has_modifier(callable, "static")
            && callable.annotations.iter().all(|annotation| !is_testng_configuration(simple(annotation)));
        fits.then_some((Framework::Testng, TestKind::Plain))
    }

    /// The role of a callable that is no test.
    fn role(&self, callable: &Callable) -> Role {
        if callable.kind != CallableKind::Method {
            return Role::Plain;
        }
        let ours =
            callable.annotations.iter().filter(|annotation| self.origin(annotation) != Origin::Foreign);
        for name in ours.map(|annotation| simple(annotation)) {
            if SETUP.contains(&name) {
                return Role::Setup;
            }
            if TEARDOWN.contains(&name) {
                return Role::Teardown;
            }
        }
        let role = match callable.name.as_str() {
            "setUp" => Role::Setup,
            "tearDown" => Role::Teardown,
            _ => return Role::Plain,
        };
        let inherited = callable.parameters.is_empty()
            && self.parent(callable).is_some_and(|class| self.is_junit3_class(class));
        if inherited { role } else { Role::Plain }
    }

    /// Makes test classes of the class of a test and of those that it is `@Nested` in.
    fn mark_classes(&self, test: u32, roles: &mut [Role]) {
        let mut inner = test;
        while let Some(index) = self.callables.get(inner as usize).and_then(|callable| callable.parent) {
            let (Some(class), Some(role)) =
                (self.callables.get(index as usize), roles.get_mut(index as usize))
            else {
                return;
            };
            if !class.kind.is_type() || *role == Role::TestClass {
                return;
            }
            *role = Role::TestClass;
            if !class.annotations.iter().any(|annotation| simple(annotation) == "Nested") {
                return;
            }
            inner = index;
        }
    }

    /// Switched off itself, or with a class around it.
    fn is_disabled(&self, test: &Callable) -> bool {
        let mut around = Some(test);
        while let Some(callable) = around {
            let off = |annotation: &String| match simple(annotation) {
                "Disabled" | "Ignore" => self.origin(annotation) != Origin::Foreign,
                "Test" => {
                    let written: String = self.annotations_of(callable).split_whitespace().collect();
                    written.contains("enabled=false")
                }
                _ => false,
            };
            if callable.annotations.iter().any(off) {
                return true;
            }
            around = self.parent(callable);
        }
        false
    }

    fn parent(&self, callable: &Callable) -> Option<&Callable> {
        self.callables.get(callable.parent? as usize)
    }

    /// The text before the signature, which holds the annotations. A class's is read for each of its tests:
    /// it is cut, so that a hostile file cannot have megabytes read that often.
    fn annotations_of(&self, callable: &Callable) -> &str {
        let written = Span { start: callable.span.start, end: callable.signature.start };
        beginning(written.of(self.text), MAX_ANNOTATIONS)
    }

    /// Where a name as written comes from: its own package, an import of it, or an import of a whole package.
    fn origin(&self, written: &str) -> Origin {
        if let Some((package, _)) = written.rsplit_once('.') {
            return of_package(package).map_or(Origin::Foreign, Origin::Of);
        }
        match self.imported.get(written) {
            Some(Some(framework)) => Origin::Of(*framework),
            Some(None) => Origin::Foreign,
            None => self.wildcard.map_or(Origin::Unknown, Origin::Of),
        }
    }
}

fn of_package(package: &str) -> Option<Framework> {
    let inside =
        |root: &str| package.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if inside("junit.framework") {
        Some(Framework::Junit3)
    } else if inside("org.junit.jupiter") {
        Some(Framework::Junit5)
    } else if inside("org.junit") {
        Some(Framework::Junit4)
    } else if inside("org.testng") {
        Some(Framework::Testng)
    } else {
        None
    }
}

fn is_testng_configuration(annotation: &str) -> bool {
    SETUP.contains(&annotation)
        || TEARDOWN.contains(&annotation)
        || matches!(annotation, "DataProvider" | "Factory" | "Parameters")
}

fn has_modifier(callable: &Callable, modifier: &str) -> bool {
    callable.modifiers.iter().any(|own| own == modifier)
}

/// The last part of a dotted name.
fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
