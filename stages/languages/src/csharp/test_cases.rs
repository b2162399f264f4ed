//! Which methods are tests, for which framework, and which run before and after them.

use super::walk::Details;
use crate::{Callable, CallableKind, Framework, Outline, Role, TestCase, TestKind};
use std::collections::BTreeMap;

const SETUP: [&str; 7] = [
    "SetUp",
    "OneTimeSetUp",
    "TestFixtureSetUp",
    "TestInitialize",
    "ClassInitialize",
    "AssemblyInitialize",
    "GlobalTestInitialize",
];
const TEARDOWN: [&str; 7] = [
    "TearDown",
    "OneTimeTearDown",
    "TestFixtureTearDown",
    "TestCleanup",
    "ClassCleanup",
    "AssemblyCleanup",
    "GlobalTestCleanup",
];

/// Attributes that give a test its rows of arguments.
const DATA: [&str; 12] = [
    "TestCase",
    "TestCaseSource",
    "InlineData",
    "MemberData",
    "ClassData",
    "DataRow",
    "DynamicData",
    "DataSource",
    "AutoData",
    "InlineAutoData",
    "CombinatorialData",
    "PropertyData",
];

/// Words of one framework, by which an attribute that several know is told where no using directive helps.
const VOCABULARY: [(Framework, &[&str]); 3] = [
    (
        Framework::Nunit,
        &[
            "TestFixture",
            "TestCase",
            "TestCaseSource",
            "SetUp",
            "TearDown",
            "OneTimeSetUp",
            "OneTimeTearDown",
        ],
    ),
    (Framework::Xunit, &["Fact", "InlineData", "MemberData", "ClassData"]),
    (Framework::Mstest, &["TestClass", "TestMethod", "DataRow"]),
];

/// Fills in roles and test cases.
pub(super) fn find(outline: &mut Outline, details: &Details) {
    let file = File::new(&outline.imports, &outline.callables);
    let mut roles: Vec<Role> = outline.callables.iter().map(|callable| file.role(callable)).collect();
    let mut cases = Vec::new();
    for (index, callable) in outline.callables.iter().enumerate() {
        let Some((framework, kind)) = file.test(callable) else { continue };
        let extent = details.extents.get(index).cloned().unwrap_or_default();
        cases.push(TestCase {
            callable: index as u32,
            framework,
            kind,
            assertions: details.assertions.get(extent.assertions).unwrap_or_default().to_vec(),
            statements: Vec::new(),
            disabled: extent.skipped || file.is_disabled(callable),
        });
    }
    for case in &cases {
        file.mark(case, &mut roles);
    }
    file.mark_members(&cases, &mut roles);
    for (callable, role) in outline.callables.iter_mut().zip(roles) {
        callable.role = role;
    }
    outline.test_cases = cases;
}

/// The test framework that a using directive names, itself or by an alias.
pub(super) fn of_import(import: &str) -> Option<Framework> {
    let name = import.rsplit_once("= ").map_or(import, |(_, name)| name);
    let name = name.strip_prefix("static ").unwrap_or(name);
    let name = name.strip_prefix("global::").unwrap_or(name);
    let inside =
        |root: &str| name.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if inside("NUnit.Framework") {
        Some(Framework::Nunit)
    } else if inside("Xunit") {
        Some(Framework::Xunit)
    } else if inside("Microsoft.VisualStudio.TestTools.UnitTesting") {
        Some(Framework::Mstest)
    } else {
        None
    }
}

/// Whether an attribute makes a test of a method, or a test class of a class, as far as its name tells.
pub(super) fn is_test_attribute(written: &str) -> bool {
    let name = simple(written);
    test_word(name).is_some() || matches!(name, "TestFixture" | "TestClass")
}

/// The attribute that `name` is or is named after: projects derive `WpfFact` and `ConditionalTheory`.
fn test_word(name: &str) -> Option<&'static str> {
    let whole = ["Test", "TestCase", "TestCaseSource"];
    let ends = ["Fact", "Theory", "TestMethod"];
    if let Some(word) = whole.into_iter().find(|word| *word == name) {
        return Some(word);
    }
    if name == "DataTestMethod" {
        return Some("DataTestMethod");
    }
    ends.into_iter().find(|word| name.ends_with(word))
}

struct File<'a> {
    callables: &'a [Callable],
    /// Frameworks of the using directives, in order.
    imported: Vec<Framework>,
    /// What `using Test = Xunit.FactAttribute` calls `Test`.
    aliases: BTreeMap<&'a str, (&'a str, Option<Framework>)>,
    /// The framework whose words the file uses.
    spoken: Option<Framework>,
}

impl<'a> File<'a> {
    fn new(imports: &'a [String], callables: &'a [Callable]) -> Self {
        let is_alias = |import: &&String| import.contains('=');
        let imported = imports
            .iter()
            .filter(|import| !is_alias(import))
            .filter_map(|import| of_import(import))
            .collect();
        let aliases = imports
            .iter()
            .filter_map(|import| Some((import, import.split_once('=')?)))
            .map(|(import, (alias, target))| (alias.trim(), (simple(target.trim()), of_import(import))))
            .collect();
        let names = || callables.iter().flat_map(|callable| &callable.annotations).map(|name| simple(name));
        let speaks = |words: &[&str]| names().any(|name| words.contains(&name));
        let spoken = VOCABULARY.into_iter().find(|(_, words)| speaks(words)).map(|(framework, _)| framework);
        Self { callables, imported, aliases, spoken }
    }

    /// Framework and kind, if this is a test case.
    fn test(&self, callable: &Callable) -> Option<(Framework, TestKind)> {
        // A method that error recovery found outside its class can be a test; a local function cannot.
        let is_method = callable.kind == CallableKind::Method
            || (callable.kind == CallableKind::Function && callable.recovered);
        if !is_method {
            return None;
        }
        let framework = callable.annotations.iter().find_map(|written| self.framework(written))?;
        let has =
            |wanted: &dyn Fn(&str) -> bool| callable.annotations.iter().any(|name| wanted(simple(name)));
        let kind = if !callable.parameters.is_empty() || has(&|name| DATA.contains(&name)) {
            TestKind::Parametrised
        } else if has(&|name| name == "Repeat") {
            TestKind::Repeated
        } else {
            TestKind::Plain
        };
        Some((framework, kind))
    }

    /// The framework that runs a method with this attribute.
    fn framework(&self, written: &str) -> Option<Framework> {
        let name = simple(written);
        let imports = |framework| self.imported.contains(&framework);
        let qualified = written.rsplit_once('.').and_then(|_| of_import(written));
        let own = match test_word(name) {
            Some("Test" | "TestCase" | "TestCaseSource") if imports(Framework::Nunit) => {
                Some(Framework::Nunit)
            }
            Some("Fact") => Some(Framework::Xunit),
            Some("TestMethod" | "DataTestMethod") => Some(Framework::Mstest),
            Some("Theory") if imports(Framework::Xunit) && !imports(Framework::Nunit) => {
                Some(Framework::Xunit)
            }
            Some("Theory") if imports(Framework::Nunit) && !imports(Framework::Xunit) => {
                Some(Framework::Nunit)
            }
            _ => None,
        };
        if let Some(framework) = qualified.or(own) {
            return test_word(name).map(|_| framework);
        }
        if let Some((target, framework)) = self.aliases.get(name) {
            return test_word(target).map(|_| framework.unwrap_or(Framework::UnknownCsharp));
        }
        match test_word(name)? {
            "TestCase" | "TestCaseSource" => Some(Framework::Nunit),
            "Theory" => {
                Some(self.spoken.or(self.imported.first().copied()).unwrap_or(Framework::UnknownCsharp))
            }
            _ => Some(self.spoken.unwrap_or(Framework::UnknownCsharp)),
        }
    }

    /// The role of a callable before it is known which classes hold tests.
    fn role(&self, callable: &Callable) -> Role {
        let has = |words: &[&str]| callable.annotations.iter().any(|name| words.contains(&simple(name)));
        match callable.kind {
            CallableKind::Method if has(&SETUP) => Role::Setup,
            CallableKind::Method if has(&TEARDOWN) => Role::Teardown,
            kind if kind.is_type() && has(&["TestFixture", "TestClass"]) => Role::TestClass,
            _ => Role::Plain,
        }
    }

    /// Marks a test and the types around it.
    fn mark(&self, case: &TestCase, roles: &mut [Role]) {
        let mut inner = case.callable;
        if let Some(role) = roles.get_mut(inner as usize) {
            *role = Role::Test;
        }
        while let Some(index) = self.callables.get(inner as usize).and_then(|callable| callable.parent) {
            let is_type = self.callables.get(index as usize).is_some_and(|around| around.kind.is_type());
            let Some(role) = roles.get_mut(index as usize) else { return };
            if is_type {
                *role = Role::TestClass;
            }
            inner = index;
        }
    }

    /// xUnit and MSTest make an object of the class for each test, and dispose of it.
    fn mark_members(&self, cases: &[TestCase], roles: &mut [Role]) {
        let each = [Framework::Xunit, Framework::Mstest];
        let of_class = |case: &TestCase| self.callables.get(case.callable as usize)?.parent;
        let mut classes: Vec<u32> =
            cases.iter().filter(|case| each.contains(&case.framework)).filter_map(of_class).collect();
        classes.dedup();
        classes.sort_unstable();
        for (callable, role) in self.callables.iter().zip(roles) {
            let in_class = callable.parent.is_some_and(|own| classes.binary_search(&own).is_ok());
            if *role != Role::Plain || !in_class {
                continue;
            }
            *role = match (callable.kind, callable.name.as_str()) {
                (CallableKind::Constructor, _) | (CallableKind::Method, "InitializeAsync") => Role::Setup,
                (CallableKind::Method, "Dispose" | "DisposeAsync") => Role::Teardown,
                _ => Role::Plain,
            };
        }
    }

    /// Switched off itself, or with a type around it.
    fn is_disabled(&self, test: &Callable) -> bool {
        let mut around = Some(test);
        while let Some(callable) = around {
            if callable.annotations.iter().any(|name| matches!(simple(name), "Ignore" | "Explicit")) {
                return true;
            }
            around = callable.parent.and_then(|parent| self.callables.get(parent as usize));
        }
        false
    }
}

/// The last part of an attribute's name, without type arguments and the ending that may be left out.
fn simple(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name).trim_end();
    let name = name.rsplit(['.', ':']).next().unwrap_or(name).trim();
    name.strip_suffix("Attribute").filter(|short| !short.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_tests() {
        for name in
            ["Test", "NUnit.Framework.TestAttribute", "WpfFact", "global::Xunit.Theory", "STATestMethod"]
        {
            assert!(is_test_attribute(name), "{name}");
        }
        for name in ["Artifact", "TestData", "Tests", "LoadTest", "Category"] {
            assert!(!is_test_attribute(name), "{name}");
        }
    }

    #[test]
    fn frameworks_of_using_directives() {
        assert_eq!(of_import("NUnit.Framework"), Some(Framework::Nunit));
        assert_eq!(of_import("Test = Xunit.FactAttribute"), Some(Framework::Xunit));
        assert_eq!(
            of_import("static Microsoft.VisualStudio.TestTools.UnitTesting.Assert"),
            Some(Framework::Mstest)
        );
        assert_eq!(of_import("Xunitish"), None);
    }
}
