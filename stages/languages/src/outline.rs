//! The language-neutral picture of one source file. Indices point into the vectors of the same outline.

use compact_str::CompactString;
use std::ops::Range;

/// Half-open byte range in the file's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The text of the span; empty where the span does not lie on character borders inside `text`.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Whether `inner` lies wholly inside this span.
    pub fn contains(&self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }
}

/// The beginning of a text, of at most `limit` bytes and cut at a character border: names and receivers in an outline
/// are bounded, however long hostile files make them.
pub(crate) fn beginning(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

/// Inclusive range of lines, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Line of the first byte.
    pub first: u32,
    /// Line of the last byte.
    pub last: u32,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// The word that records use.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value of a record's word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

words! {
    /// What a declaration is.
    CallableKind {
        /// A class.
        Class = "class",
        /// An interface (Java, C#, Go, TypeScript).
        Interface = "interface",
        /// An enumeration type.
        Enum = "enum",
        /// A record type (Java, C#).
        Record = "record",
        /// A structure type (C#, Go) or another named type of Go (`type Celsius float64`).
        Struct = "struct",
        /// An annotation type (Java `@interface`).
        AnnotationType = "annotation_type",
        /// A function outside any class, or nested in another function.
        Function = "function",
        /// A member function of a class-like declaration.
        Method = "method",
        /// A constructor (Java; in Python `__init__`).
        Constructor = "constructor",
        /// A lambda or arrow function bound to a name. A function expression of JavaScript is a function, and
        /// both are methods where they are bound to a property of something or are members of a class.
        Lambda = "lambda",
        /// A call that hands code to a test framework (`describe(…)`, `it(…)`, `beforeEach(…)`); its name is
        /// the title, or the called name where there is none; its role tells which part it plays.
        Block = "block",
    }
}

impl CallableKind {
    /// Class-like declarations, which hold members.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Interface | Self::Enum | Self::Record | Self::Struct | Self::AnnotationType
        )
    }
}

words! {
    /// The part that a callable plays in a test suite.
    Role {
        /// Neither a test nor part of its set-up.
        Plain = "plain",
        /// A test case.
        Test = "test",
        /// Runs before tests (`@Before*`, `setUp*`, `setup_method`, `beforeEach`, `[SetUp]`, `TestMain` …).
        Setup = "setup",
        /// Runs after tests (`@After*`, `tearDown*`, `afterEach`, `[TearDown]` …).
        Teardown = "teardown",
        /// A fixture that tests ask for by name (pytest).
        Fixture = "fixture",
        /// A class, or a `describe` block, that holds test cases.
        TestClass = "test_class",
    }
}

words! {
    /// The framework that a test case is written for.
    Framework {
        /// JUnit 3 (`extends TestCase`, methods `test*`).
        Junit3 = "junit3",
        /// JUnit 4.
        Junit4 = "junit4",
        /// JUnit 5 and later (Jupiter).
        Junit5 = "junit5",
        /// TestNG.
        Testng = "testng",
        /// An annotation `@Test` whose import does not tell.
        UnknownJava = "unknown_java",
        /// Python's unittest.
        Unittest = "unittest",
        /// pytest.
        Pytest = "pytest",
        /// Go's package testing.
        GoTesting = "go_testing",
        /// A suite of testify (methods `Test*` of a type that embeds `suite.Suite`).
        Testify = "testify",
        /// A suite of gocheck (methods `Test*` that take a `*check.C`).
        Gocheck = "gocheck",
        /// NUnit.
        Nunit = "nunit",
        /// xUnit.net.
        Xunit = "xunit",
        /// MSTest.
        Mstest = "mstest",
        /// An attribute of C# that several frameworks know, and no using directive tells.
        UnknownCsharp = "unknown_csharp",
        /// Mocha.
        Mocha = "mocha",
        /// Jest.
        Jest = "jest",
        /// Jasmine.
        Jasmine = "jasmine",
        /// QUnit.
        Qunit = "qunit",
        /// Nightwatch.
        Nightwatch = "nightwatch",
        /// Vitest.
        Vitest = "vitest",
        /// Node's own test runner (`node:test`).
        NodeTest = "node_test",
        /// AVA.
        Ava = "ava",
        /// Tape.
        Tape = "tape",
        /// Neither an import of the file nor the nearest package.json tells.
        UnknownJavascript = "unknown_javascript",
    }
}

impl Framework {
    /// Neither the test nor the imports of its file tell.
    pub fn is_unknown(self) -> bool {
        matches!(self, Self::UnknownJava | Self::UnknownCsharp | Self::UnknownJavascript)
    }
}

words! {
    /// How often and with what a test case runs.
    TestKind {
        /// Once, without arguments.
        Plain = "plain",
        /// Once per row of arguments (`@ParameterizedTest`, `@pytest.mark.parametrize`, TestNG `dataProvider`,
        /// `[TestCase]`, `[Theory]`, `test.each`, `t.Run` in a loop over a table).
        Parametrised = "parametrised",
        /// Made of named parts that it runs itself (`t.Run("…", func…)` outside a loop).
        Subtests = "subtests",
        /// Several times with the same input (`@RepeatedTest`).
        Repeated = "repeated",
        /// Makes tests at run time (`@TestFactory`, `@TestTemplate`).
        Factory = "factory",
    }
}

words! {
    /// Pieces of a file outside its callables that contexts are put together from.
    RegionKind {
        /// Package declaration.
        Package = "package",
        /// One import statement.
        Import = "import",
        /// A field, class attribute or enum constant; its parent is the class.
        Field = "field",
        /// A static or instance initialiser block, or another statement in a class body.
        Initializer = "initializer",
        /// A statement at the top level that is no import, class or function.
        GlobalCode = "global_code",
        /// A comment or, in Python, a docstring that is not code.
        Comment = "comment",
    }
}

/// A class, function or method.
#[derive(Clone, Debug, PartialEq)]
pub struct Callable {
    /// What it is.
    pub kind: CallableKind,
    /// Its own name.
    pub name: String,
    /// Names from the outermost declaration inwards, joined by `.`; a declaration inside a function
    /// has the function in its path (`outer.inner`), one inside an anonymous class the callable around it.
    /// Blocks, and what is declared in them, are joined by ` > ` (`Cart > when empty > has no items`), since
    /// titles are free text. JavaScript: a value that is bound to a path has the path without `exports`,
    /// `this` and `prototype` (`Foo.prototype.bar = function …` -> `Foo.bar`).
    pub qualified_name: String,
    /// The declaration that it stands in, an index into [`Outline::callables`]; parents come first.
    pub parent: Option<u32>,
    /// Whole declaration with its modifiers, annotations and decorators; without the doc comment before it.
    /// Of a function that is bound to a name, and of a block, the statement that says nothing else.
    pub span: Span,
    /// Lines of `span`.
    pub lines: Lines,
    /// From the first modifier, annotation excluded (Java), `def`/`class`/`async` (Python), or `func`/`type`
    /// (Go; the name, for one of several types in parentheses), to the last byte before the body, white space at the end excluded; Python keeps the colon.
    pub signature: Span,
    /// The body: the block with its braces, or Python's indented block; absent for abstract methods.
    pub body: Option<Span>,
    /// `public`, `static`, `abstract`, `async` … in source order, without annotations.
    pub modifiers: Vec<String>,
    /// Names of annotations and decorators as written, without `@` and arguments (`Test`,
    /// `pytest.mark.parametrize`), in source order.
    pub annotations: Vec<String>,
    /// Whether the text of the modifiers and annotations contains [`crate::Language::test_marker`]
    /// (the rule of methods2test, which also takes `@TestFactory`); always false where there is no marker.
    pub has_test_marker: bool,
    /// Formal parameters in order.
    pub parameters: Vec<Parameter>,
    /// Return type as written; empty for constructors, types and where none is written.
    pub return_type: String,
    /// Superclass first, then interfaces; Python: the bases, as written; Go: embedded types and interfaces and
    /// what an alias stands for, without stars. A method of Go, which stands outside its type, has the
    /// receiver's type here, without star and type parameters.
    pub supertypes: Vec<String>,
    /// Its part in the test suite.
    pub role: Role,
    /// A node with a syntax error lies inside.
    pub has_error: bool,
    /// The declaration was found below an error node, that is, not where a sound tree would have it.
    pub recovered: bool,
}

/// A formal parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name, without stars.
    pub name: String,
    /// Type as written, empty where none is.
    pub type_name: String,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The innermost declaration that runs it, those of anonymous classes and unnamed functions aside: a
    /// type for the values of its fields and for its initialisers, none for code of the file itself.
    /// Decorators, base classes and defaults of parameters are run by what is around the declaration.
    pub owner: Option<u32>,
    /// The called name: the last part of the callee (`a.b.c()` -> `c`); for `new Foo()` the type's simple name.
    pub name: CompactString,
    /// Text before the name without the dot (`a.b`), cut to 80 bytes at a character border; empty if none.
    pub receiver: CompactString,
    /// Number of arguments.
    pub arguments: u32,
    /// Whole call expression.
    pub span: Span,
    /// `new Foo()`; in Go `Foo{…}`, whose arguments are its elements; in Python, where nothing else tells, a
    /// name that begins with a capital letter.
    pub constructor: bool,
    /// The call stands inside an assertion of the test (its own arguments included).
    pub in_assertion: bool,
}

/// A statement or call that checks something.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Name of the asserting call (`assertEquals`, `assertThat`, `pytest.raises`) or `assert`.
    pub name: CompactString,
    /// The whole outermost expression or statement (`assertThat(x).isEqualTo(y)` to its end). Of a request
    /// that is checked by what is chained to it (`request(app).get('/').expect(200)`), the part from the
    /// first `expect` on: what comes before it is set up and not checked.
    pub span: Span,
}

/// A test case.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The test's callable.
    pub callable: u32,
    /// Framework.
    pub framework: Framework,
    /// Kind.
    pub kind: TestKind,
    /// Assertions in source order.
    pub assertions: Vec<Assertion>,
    /// The statements of the body's own list, each with the separator behind it and a comment on its last line. None
    /// where the body is no list, has errors, or may read otherwise by itself (conditional compilation).
    pub statements: Vec<Span>,
    /// `@Disabled`, `@Ignore`, `@unittest.skip`, `@pytest.mark.skip`.
    pub disabled: bool,
}

/// A piece of the file that is no callable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// Where it is.
    pub span: Span,
    /// The class that it belongs to, if any.
    pub parent: Option<u32>,
}

/// A name that is given a value or a type: a field, a local variable, an assignment. What resolution needs
/// to tell the type of a receiver.
///
/// Fields of classes and receivers of Go's methods are listed for every file, everything else only for files
/// that can hold tests. Python, where types are seldom written, also lists names of the file itself everywhere, and as `return` what a
/// function returns or yields where that is made there.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The declaration that it stands in: a type for its fields, none for names of the file itself.
    pub owner: Option<u32>,
    /// The left side as written, a name or a short path of names (`x`, `this.x`, `self.client`), at most 80
    /// bytes; of `a, err := f()` only the first is listed.
    pub name: CompactString,
    /// Type as written, empty where none is; for `new Foo()`, `Foo{}` and `&Foo{}` that type.
    pub type_name: CompactString,
    /// The value (`make(a)` in `x = make(a)`, without `await`, parentheses and casts), so that the call with
    /// this span is the one whose result is bound; empty where there is none.
    pub value: Span,
}

/// Everything known of one file. Callables in order of their start, parents before their children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Package (Java, Go) or empty.
    pub package: String,
    /// Imported names as written: `org.junit.Test`, `static org.junit.Assert.*`; Python: `a.b`, `a.b as c`,
    /// `a.b:name`, `a.b:name as alias`, `.mod:name`, `a.b:*`; Go: `net/http`, `alias net/http`, `. path`;
    /// C#: `System.Linq`, `static A.B`, `Alias = A.B`; JavaScript: `./mod` for its effects, `./mod:name`,
    /// `./mod:name as alias`, `./mod:default as alias`, `./mod:* as alias` (all of an ES module),
    /// `./mod:= as alias` (what a CommonJS module sets `module.exports` to).
    pub imports: Vec<String>,
    /// What a JavaScript file hands out: `name=local`, `default=local`, `==local` for `module.exports = local`
    /// (an expression that is no name gives an empty `local`, with the ordinal of a function in it as
    /// `#ordinal`), `name=./mod:other` and `*=./mod` for re-exports. Empty for other languages.
    pub exports: Vec<String>,
    /// Declarations.
    pub callables: Vec<Callable>,
    /// Calls, in the order of their names (`a`, `b`, `c` in `a().b(c())`).
    pub calls: Vec<Call>,
    /// Fields, variables and assignments, in source order.
    pub bindings: Vec<Binding>,
    /// Test cases, in order of their callables.
    pub test_cases: Vec<TestCase>,
    /// Other regions in order of their start. Comments inside callables are listed too.
    pub regions: Vec<Region>,
    /// Number of error and missing nodes in the tree.
    pub error_count: u32,
}

/// Which calls of a file belong to which of its callables.
///
/// To a type belong those of its fields and initialisers; to everything else all that it holds, those of
/// named declarations nested in it included.
#[derive(Clone, Debug, Default)]
pub struct CallRanges(Vec<Range<u32>>);

impl CallRanges {
    /// From the parents of the callables and the owners of the calls, both in order.
    pub fn new(parents: &[Option<u32>], owners: &[Option<u32>]) -> Self {
        let mut ranges = vec![0..0; parents.len()];
        for (at, owner) in (0..).zip(owners) {
            if let Some(range) = owner.and_then(|owner| ranges.get_mut(owner as usize)) {
                *range = union(range, &(at..at + 1));
            }
        }
        // Children come after their parents, so that each range is complete when it is handed up.
        for (index, parent) in parents.iter().enumerate().rev() {
            let own = ranges.get(index).cloned().unwrap_or_default();
            if let Some(range) = parent.and_then(|parent| ranges.get_mut(parent as usize)) {
                *range = union(range, &own);
            }
        }
        Self(ranges)
    }

    /// Positions of the calls of callable `index`, in order; `owners` as given to [`Self::new`].
    pub fn of<'a>(
        &self,
        index: u32,
        is_type: bool,
        owners: &'a [Option<u32>],
    ) -> impl Iterator<Item = usize> + use<'a> {
        let range = self.0.get(index as usize).cloned().unwrap_or_default();
        // What is nested comes later and is inside; an earlier owner is one around.
        let belongs = move |owner: Option<u32>| {
            if is_type { owner == Some(index) } else { owner.is_some_and(|owner| owner >= index) }
        };
        (range.start as usize..range.end as usize)
            .filter(move |at| owners.get(*at).is_some_and(|owner| belongs(*owner)))
    }
}

/// The smallest range that holds both; an empty one holds nothing.
fn union(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

impl Outline {
    /// The calls of each callable, by [`CallRanges`].
    pub fn calls_by_callable(&self) -> Vec<Vec<&Call>> {
        let parents: Vec<_> = self.callables.iter().map(|callable| callable.parent).collect();
        let owners: Vec<_> = self.calls.iter().map(|call| call.owner).collect();
        let ranges = CallRanges::new(&parents, &owners);
        (0..)
            .zip(&self.callables)
            .map(|(index, callable)| {
                let positions = ranges.of(index, callable.kind.is_type(), &owners);
                positions.filter_map(|at| self.calls.get(at)).collect()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_declarations_share_their_calls_with_what_is_around_and_types_do_not() {
        // A type (0) with a method (1), in which a function (2) is declared, and another method (3).
        let parents = [None, Some(0), Some(1), Some(0)];
        let owners = [None, Some(1), Some(2), Some(1), Some(0), Some(3)];
        let ranges = CallRanges::new(&parents, &owners);
        let of = |index, is_type| ranges.of(index, is_type, &owners).collect::<Vec<_>>();
        assert_eq!(of(0, true), [4]);
        assert_eq!(of(1, false), [1, 2, 3]);
        assert_eq!(of(2, false), [2]);
        assert_eq!(of(3, false), [5]);
        assert_eq!(of(4, false), [] as [usize; 0]);
    }
}
