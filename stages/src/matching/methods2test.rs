//! The rules of methods2test (Tufano et al., MSR 2022): a test class is linked to the class of the same
//! path, and a test to the method of its name or, failing that, to the only one that it calls.
//!
//! Known faults that both modes keep, since they make the published counts: `test` is cut out wherever it
//! stands (`testLatest` looks for `la`); only members of top-level classes are seen, not those of nested
//! classes, records, enums and interfaces; `@ParameterizedTest` is no test, whereas any annotation that
//! begins with `@Test` is one; a class whose package path contains `test` is never found.
//!
//! `methods2test` is the tool as shipped. It sees paths without a slash in front, so that `src/test/` at
//! the root of a repository is not found, and it gives up on a repository with one Java path that is not
//! ASCII. `methods2test-fixed` compares with a slash in front and reads every path. `unittests-java` is what
//! UnitTests (MERA Code) made of it: the same for what JUnit annotates with `@Test` itself.

use super::hash::HashMap;
use super::index::{File, Index};
use super::tables::Declaration;
use super::verdict::{Ballot, Matcher, Mode, Prepare, Verdict};
use compact_str::CompactString;
use std::collections::BTreeSet;

/// The tool as shipped.
pub(super) static AS_SHIPPED: Mode = Mode {
    name: "methods2test",
    language: Some(LANGUAGE),
    prepare: Prepare::Names(|index| Box::new(Methods2Test::new(index, Paths::AsShipped, fault))),
};

/// With the two faults about paths mended.
pub(super) static FIXED: Mode = Mode {
    name: "methods2test-fixed",
    language: Some(LANGUAGE),
    prepare: Prepare::Names(|index| Box::new(Methods2Test::new(index, Paths::Fixed, fault))),
};

/// The rule of UnitTests.
pub(super) static UNIT_TESTS: Mode = Mode {
    name: "unittests-java",
    language: Some(LANGUAGE),
    prepare: Prepare::Names(|index| Box::new(Methods2Test::new(index, Paths::Fixed, junit_fault))),
};

const LANGUAGE: &str = "java";
const FOCAL_CLASS: &str = "focal_class";
const NAME: &str = "name";
const UNIQUE_CALL: &str = "unique_call";
const NO_FOCAL_CLASS: &str = "no_focal_class";

#[derive(Clone, Copy, PartialEq)]
enum Paths {
    AsShipped,
    Fixed,
}

/// Why a mode does not see a declaration as a test, with the particulars.
type Fault = fn(&File<'_>, &Declaration) -> Option<(&'static str, &'static str)>;

struct Methods2Test<'a> {
    paths: Paths,
    fault: Fault,
    /// The first Java path that is not ASCII, if the mode minds.
    non_ascii: Option<&'a str>,
    /// By lower-cased path.
    focal_files: HashMap<String, &'a File<'a>>,
}

impl<'a> Methods2Test<'a> {
    fn new(index: &'a Index<'a>, paths: Paths, fault: Fault) -> Self {
        let java = || index.of_language(LANGUAGE);
        let non_ascii = java().map(|file| file.row.path.as_str()).find(|path| !path.is_ascii());
        let mut focal_files = HashMap::default();
        for file in java().filter(|file| is_focal_file(file)) {
            // Of paths that differ in case only the original takes the first of a hash set; the smallest is
            // as good and the same every time.
            focal_files.entry(paths.normal(&file.row.path)).or_insert(file);
        }
        Self { paths, fault, non_ascii: non_ascii.filter(|_| paths == Paths::AsShipped), focal_files }
    }
}

impl<'a> Matcher<'a> for Methods2Test<'a> {
    fn judge(&self, file: &'a File<'a>) -> Vec<Verdict<'a>> {
        let wanted = |test: &&Declaration| file.is_test_case(test) || (self.fault)(file, test).is_none();
        let mut tests = file.declarations.iter().filter(wanted).peekable();
        if tests.peek().is_none() {
            return Vec::new();
        }
        let focal_class = FocalClass::of(file, self);
        tests.map(|test| self.verdict(file, test, &focal_class)).collect()
    }
}

impl<'a> Methods2Test<'a> {
    fn verdict(&self, file: &File<'a>, test: &'a Declaration, focal_class: &FocalClass<'a>) -> Verdict<'a> {
        let ignored = match self.non_ascii {
            Some(path) => {
                Some(("non_ascii_path_in_repository", format!("`{path}` is not ASCII, so nothing is read")))
            }
            None => (self.fault)(file, test).map(|(answer, detail)| (answer, detail.to_owned())),
        };
        let ballots = match ignored {
            Some((answer, detail)) => [FOCAL_CLASS, NAME, UNIQUE_CALL]
                .map(|rule| Ballot::none(rule, answer, detail.clone()))
                .into_iter()
                .collect(),
            None => {
                vec![focal_class.by_path(), focal_class.by_name(test), focal_class.by_unique_call(file, test)]
            }
        };
        Verdict { test, ballots }
    }
}

impl Paths {
    fn normal(self, path: &str) -> String {
        match self {
            Self::AsShipped => path.to_lowercase(),
            Self::Fixed => format!("/{}", path.to_lowercase()),
        }
    }

    /// Where the focal class of a test file must be.
    fn focal(self, test_path: &str) -> String {
        self.normal(test_path).replace("/src/test/", "/src/main/").replace("test", "")
    }
}

fn is_focal_file(file: &File<'_>) -> bool {
    !file.row.has_test_marker && !file.row.path.contains("src/test")
}

/// What methods2test takes for a test: whatever has an annotation that begins with `@Test`.
fn fault(file: &File<'_>, test: &Declaration) -> Option<(&'static str, &'static str)> {
    const UNMARKED: (&str, &str) = ("no_test_marker", "no annotation of the test begins with `@Test`");
    membership_fault(file, test).or((!test.has_test_marker).then_some(UNMARKED))
}

/// What UnitTests takes for a test: what JUnit's `@Test` stands before.
fn junit_fault(file: &File<'_>, test: &Declaration) -> Option<(&'static str, &'static str)> {
    const OTHER: (&str, &str) = ("not_a_junit_test", "no annotation of the test is the `@Test` of JUnit");
    let is_junit = file.test_case(test).is_some_and(|case| case.framework != "testng");
    let is_test = |annotation: &CompactString| annotation.rsplit('.').next() == Some("Test");
    let fits = is_junit && test.annotations.iter().any(is_test);
    membership_fault(file, test).or((!fits).then_some(OTHER))
}

/// Why the mode does not see the declaration as a method of a class.
fn membership_fault(file: &File<'_>, callable: &Declaration) -> Option<(&'static str, &'static str)> {
    const NESTED: (&str, &str) = ("nested_class", "only members of top-level classes are seen");
    const OTHER: (&str, &str) = ("not_a_top_level_class", "only methods of a `class` are seen");
    const RECOVERED: (&str, &str) =
        ("below_syntax_error", "a syntax error hides the class or the method from the rule");
    if !matches!(callable.kind.as_str(), "method" | "constructor") {
        return Some(OTHER);
    }
    let Some(class) = file.parent(callable) else { return Some(OTHER) };
    if callable.recovered || class.recovered {
        Some(RECOVERED)
    } else if class.parent.is_some() || file.stands_in_field(callable) {
        Some(NESTED)
    } else if class.kind != "class" {
        Some(OTHER)
    } else {
        None
    }
}

/// The class that a test file is linked to, and how it was looked for.
struct FocalClass<'a> {
    wanted_path: String,
    file: Option<&'a File<'a>>,
    /// By lower-cased name; of overloads the first.
    methods: HashMap<String, &'a Declaration>,
}

impl<'a> FocalClass<'a> {
    fn of(test_file: &File<'a>, mode: &Methods2Test<'a>) -> Self {
        let wanted_path = mode.paths.focal(&test_file.row.path);
        let file = mode.focal_files.get(&wanted_path).copied().filter(|_| test_file.row.has_test_marker);
        let mut methods = HashMap::default();
        for file in file.iter() {
            let is_member = |method: &&Declaration| membership_fault(file, method).is_none();
            for method in file.declarations.iter().filter(is_member).filter(|method| !method.has_test_marker)
            {
                methods.entry(str::to_lowercase(&method.name)).or_insert(method);
            }
        }
        Self { wanted_path, file, methods }
    }

    fn by_path(&self) -> Ballot<'a> {
        let detail = format!("looked for `{}` without regard to case", self.wanted_path);
        match self.file {
            Some(file) => Ballot::file(FOCAL_CLASS, file, detail),
            None => Ballot::none(FOCAL_CLASS, NO_FOCAL_CLASS, detail),
        }
    }

    fn by_name(&self, test: &Declaration) -> Ballot<'a> {
        let Some(file) = self.file else { return self.absent(NAME) };
        let name = test.name.to_lowercase().replace("test", "");
        let detail = format!("`{}` without `test` is `{name}`", test.name);
        match self.methods.get(&name) {
            Some(focal) => Ballot::callable(NAME, file, focal, detail),
            None => Ballot::none(NAME, "no_method_of_that_name", detail),
        }
    }

    fn by_unique_call(&self, test_file: &File<'_>, test: &Declaration) -> Ballot<'a> {
        let Some(file) = self.file else { return self.absent(UNIQUE_CALL) };
        // The original looks for the calls of a constructor under a node that the grammar does not have.
        let invoked = test_file.invoked_names(test).filter(|_| test.kind == "method").map(str::to_lowercase);
        let shared: BTreeSet<String> = invoked.filter(|name| self.methods.contains_key(name)).collect();
        let mut names = shared.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        if shared.len() > 5 {
            names.push_str(" …");
        }
        match (shared.len(), shared.first().and_then(|name| self.methods.get(name))) {
            (1, Some(focal)) => {
                Ballot::callable(UNIQUE_CALL, file, focal, format!("calls `{names}` of the focal class only"))
            }
            (0, _) => Ballot::none(
                UNIQUE_CALL,
                "no_call_into_focal_class",
                format!("no call has a name of `{}`", file.row.path),
            ),
            _ => Ballot::none(
                UNIQUE_CALL,
                "several_calls_into_focal_class",
                format!("calls with names of `{}`: {names}", file.row.path),
            ),
        }
    }

    fn absent(&self, rule: &'static str) -> Ballot<'a> {
        Ballot::none(rule, NO_FOCAL_CLASS, format!("no focal class at `{}`", self.wanted_path))
    }
}
