//! What a source file declares: callables, calls, test cases and the regions that contexts are built from.
//!
//! The crate turns text into an [`Outline`], and pieces of code into [`Fragment`]s; it knows nothing of repositories, Parquet or the network.
//! A language is one folder with one [`Language`] table; [`all`] is the list of them.

mod csharp;
mod fragments;
mod go;
mod java;
mod javascript;
mod marks;
mod outline;
mod parse;
mod python;
mod test_names;

pub use fragments::{Block, Folded, Fragment, FragmentRules, Shape, unfold};
pub use outline::{
    Assertion, Binding, Call, CallRanges, Callable, CallableKind, Framework, Lines, Outline, Parameter,
    Region, RegionKind, Role, Span, TestCase, TestKind,
};
pub use parse::{Guards, Parser, Problem};
pub use test_names::TestNames;
pub use trefoil_syntax::Tree;

/// The facts of one language: everything that differs between languages stands in its table.
pub struct Language {
    /// Name in records, configs and datasets (`java`, `python`).
    pub name: &'static str,
    /// File name endings, without the dot.
    pub extensions: &'static [&'static str],
    /// What begins a comment that ends with its line.
    pub line_comment: &'static str,
    /// The tree-sitter grammar for files of this path.
    pub grammar: fn(path: &str) -> tree_sitter::Language,
    /// Text whose presence anywhere in a file marks it as a test file for textual rules
    /// (methods2test: a file that contains `@Test`); empty where the language has none.
    pub test_marker: &'static str,
    /// Whether a path (relative to the repository root, `/` separated) names a test file by convention.
    pub is_test_path: fn(path: &str) -> bool,
    /// Whether a file is the output of a minifier and no source.
    pub is_minified: fn(path: &str, text: &str) -> bool,
    /// Other readings of a text whose tree has errors, to be tried in turn; each as long as the text and with
    /// the same line ends, so that the spans of its tree are spans of the text. None where there are none.
    pub readings: Option<fn(tree: &Tree, text: &str) -> Vec<String>>,
    /// Walks the tree of `text` and fills the outline; must not recurse with the depth of the tree.
    pub extract: fn(tree: &Tree, text: &str, path: &str) -> Outline,
    /// The same where the project names its tests otherwise than by convention, if projects of this language can.
    pub extract_named: Option<ExtractNamed>,
    /// How pieces of code are parsed, and written as one line.
    pub fragments: &'static FragmentRules,
    /// The files that describe a project of this language, those first that count before others in a folder.
    pub project_files: &'static [ProjectFile],
}

/// Fills the outline of a file whose project names its tests itself.
pub type ExtractNamed = fn(tree: &Tree, text: &str, path: &str, names: &TestNames) -> Outline;

/// A file that describes the project in its folder, and in the folders below that have none of their own.
pub struct ProjectFile {
    /// Its name (`package.json`).
    pub name: &'static str,
    /// The test framework that its text names, if any; an error says why the text cannot be read.
    pub framework: fn(text: &str) -> Result<Option<Framework>, String>,
    /// How it names the project's tests, if it says so.
    pub test_names: fn(text: &str) -> Option<TestNames>,
}

/// THE list of languages.
pub fn all() -> &'static [&'static Language] {
    static ALL: [&Language; 5] =
        [&csharp::CSHARP, &go::GO, &java::JAVA, &javascript::JAVASCRIPT, &python::PYTHON];
    &ALL
}

/// The language of a path by its file name ending, compared exactly (`.java`, not `.JAVA`).
pub fn of_path(path: &str) -> Option<&'static Language> {
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    all().iter().copied().find(|language| language.extensions.contains(&extension))
}

/// The language whose projects a file of this name describes ([`Language::project_files`]).
pub fn of_project_file(path: &str) -> Option<(&'static Language, &'static ProjectFile)> {
    let name = path.rsplit('/').next()?;
    let projects =
        all().iter().flat_map(|language| language.project_files.iter().map(|file| (*language, file)));
    projects.into_iter().find(|(_, file)| file.name == name)
}

/// The language with this name.
pub fn by_name(name: &str) -> Option<&'static Language> {
    all().iter().copied().find(|language| language.name == name)
}
