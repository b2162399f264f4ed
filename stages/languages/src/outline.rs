//! The language-neutral picture of one source file. Indices point into the vectors of the same outline.

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
        /// An interface (Java, C#).
        Interface = "interface",
        /// An enumeration type.
        Enum = "enum",
        /// A record type.
        Record = "record",
        /// An annotation type (Java `@interface`).
        AnnotationType = "annotation_type",
        /// A function outside any class, or nested in another function.
        Function = "function",
        /// A member function of a class-like declaration.
        Method = "method",
        /// A constructor (Java; in Python `__init__`).
        Constructor = "constructor",
        /// A lambda or function expression bound to a name.
        Lambda = "lambda",
    }
}

impl CallableKind {
    /// Class-like declarations, which hold members.
    pub fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Enum | Self::Record | Self::AnnotationType)
    }
}

words! {
    /// The part that a callable plays in a test suite.
    Role {
        /// Neither a test nor part of its set-up.
        Plain = "plain",
        /// A test case.
        Test = "test",
        /// Runs before tests (`@Before*`, `setUp*`, `setup_method` …).
        Setup = "setup",
        /// Runs after tests (`@After*`, `tearDown*` …).
        Teardown = "teardown",
        /// A fixture that tests ask for by name (pytest).
        Fixture = "fixture",
        /// A class that holds test cases.
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
    }
}

words! {
    /// How often and with what a test case runs.
    TestKind {
        /// Once, without arguments.
        Plain = "plain",
        /// Once per row of arguments (`@ParameterizedTest`, `@pytest.mark.parametrize`, TestNG `dataProvider`).
        Parametrised = "parametrised",
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
    pub qualified_name: String,
    /// The declaration that it stands in, an index into [`Outline::callables`]; parents come first.
    pub parent: Option<u32>,
    /// Whole declaration with its modifiers, annotations and decorators; without the doc comment before it.
    pub span: Span,
    /// Lines of `span`.
    pub lines: Lines,
    /// From the first modifier, annotation excluded (Java), or `def`/`class`/`async` (Python), to the last
    /// byte before the body, white space at the end excluded; Python keeps the colon.
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
    /// Superclass first, then interfaces; Python: the bases, as written.
    pub supertypes: Vec<String>,
    /// The calls in this callable, in source order, those of lambdas and anonymous classes inside it
    /// included; calls of named declarations nested in it are listed there and here alike for functions
    /// and methods; a type lists only calls of its fields and initialisers.
    pub calls: Vec<Call>,
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

/// A call inside a callable.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The called name: the last part of the callee (`a.b.c()` -> `c`); for `new Foo()` the type's simple name.
    pub name: String,
    /// Text before the name without the dot (`a.b`), cut to 80 bytes at a character border; empty if none.
    pub receiver: String,
    /// Number of arguments.
    pub arguments: u32,
    /// Whole call expression.
    pub span: Span,
    /// `new Foo()`.
    pub constructor: bool,
    /// The call stands inside an assertion of the test (its own arguments included).
    pub in_assertion: bool,
}

/// A statement or call that checks something.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// Name of the asserting call (`assertEquals`, `assertThat`, `pytest.raises`) or `assert`.
    pub name: String,
    /// The whole outermost expression or statement (`assertThat(x).isEqualTo(y)` to its end).
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

/// Everything known of one file. Callables in order of their start, parents before their children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Package (Java) or empty.
    pub package: String,
    /// Imported names as written: `org.junit.Test`, `static org.junit.Assert.*`; Python: `a.b`, `a.b as c`,
    /// `a.b:name`, `a.b:name as alias`, `.mod:name`, `a.b:*`.
    pub imports: Vec<String>,
    /// Declarations.
    pub callables: Vec<Callable>,
    /// Test cases, in order of their callables.
    pub test_cases: Vec<TestCase>,
    /// Other regions in order of their start. Comments inside callables are listed too.
    pub regions: Vec<Region>,
    /// Number of error and missing nodes in the tree.
    pub error_count: u32,
}
