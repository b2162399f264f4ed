//! What a test is about by its names: its own, those of the classes or blocks around it, and its file's.

use super::super::hash::HashMap;
use super::super::index::File;
use super::super::resolution::{Key, Resolution, Target};
use super::super::tables::Declaration;
use super::super::words::{Vocabulary, WordSet, words as whole_words};
use compact_str::CompactString;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Words that frameworks and habits add to what is tested.
const AFFIXES: [&str; 9] =
    ["tests", "testcases", "testcase", "testclass", "tester", "test", "spec", "specs", "it"];

/// The names of a test.
pub(super) struct Subject<'a> {
    /// Words of its own name or title.
    pub(super) words: Rc<WordSet>,
    /// Its own name in small letters and digits alone.
    pub(super) name: String,
    /// What stands around it.
    pub(super) outer: Rc<Outer<'a>>,
}

/// What the tests of one class or block have in common.
pub(super) struct Outer<'a> {
    /// Words of the classes or blocks around, or of the file where there are none.
    pub(super) words: WordSet,
    /// Names in small letters of what the classes, blocks and the file are named after.
    names: Vec<String>,
    /// The types of these names, with those that they descend from, the nearest first.
    pub(super) types: Vec<Key>,
    /// The same with their files.
    pub(super) lineage: Vec<Target<'a>>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(test: &'a Declaration, outer: Rc<Outer<'a>>, spellings: &Spellings<'a>) -> Self {
        Self { words: spellings.words(&test.name), name: plain(&test.name), outer }
    }
}

impl<'a> Outer<'a> {
    /// Of a test in a file; `types` are the names of the repository's types by their small letters.
    pub(super) fn new(
        resolution: &Resolution<'a>,
        spellings: &Spellings<'a>,
        types: &HashMap<String, Vec<&'a str>>,
        file: &File<'a>,
        test: &Declaration,
    ) -> Self {
        let around: Vec<&str> = std::iter::successors(file.parent(test), |outer| file.parent(outer))
            .map(|it| it.name.as_str())
            .collect();
        let stem = stem(&file.row.path);
        let named = if around.is_empty() { &[stem][..] } else { &around };
        let words: Vec<_> = named.iter().map(|name| spellings.words(name)).collect();
        let mut names = Vec::new();
        // A title may name a member with what holds it: `lodash.rearg`, `Command.action()`.
        let holders = around.iter().filter_map(|name| Some(name.rsplit_once(['.', '#'])?.0));
        for name in around.iter().copied().chain([stem]).chain(holders) {
            let bare = without_affixes(&plain(name));
            if bare.len() > 1 && !names.contains(&bare) {
                names.push(bare);
            }
        }
        let mut lineage: Vec<Target<'a>> = Vec::new();
        for name in names.iter().filter_map(|name| types.get(name)).flatten() {
            for target in resolution.types_named(name).filter(|target| !is_test_code(target.file)).take(4) {
                lineage.extend(resolution.lineage(target));
            }
        }
        let types = lineage.iter().map(Target::key).collect();
        Self { words: WordSet::union(words.iter().map(|set| &**set)), names, types, lineage }
    }

    /// How well a type or file of this name is what the test's class or file is named after: 1 for the
    /// same name, one half where one of the two begins with the other (`StringUtilsTrimTest`, or `EnumTest` for
    /// `EnumExtensions`).
    pub(super) fn named_after(&self, name: &Spelling) -> f64 {
        let name = &name.plain;
        if self.names.contains(name) {
            1.0
        } else if name.len() > 3
            && self
                .names
                .iter()
                .any(|outer| outer.starts_with(name) || (outer.len() > 3 && name.starts_with(outer.as_str())))
        {
            0.5
        } else {
            0.0
        }
    }
}

/// The words of a name without their endings, so that `processor` and `processing` are one.
fn words(name: &str) -> BTreeSet<String> {
    const ENDINGS: [&str; 11] = ["ations", "ation", "ings", "ing", "ers", "ors", "er", "or", "ed", "es", "s"];
    let stem = |word: String| {
        let mut stem = word.as_str();
        // `filtered` is of `filter`, which loses an ending itself.
        for _ in 0..2 {
            let bare = |ending: &str| stem.strip_suffix(ending).filter(|rest| rest.len() > 3);
            stem = ENDINGS.into_iter().find_map(bare).unwrap_or(stem);
        }
        stem.strip_suffix('e').filter(|rest| rest.len() > 3).unwrap_or(stem).to_owned()
    };
    whole_words(name).into_iter().map(stem).collect()
}

/// The words and letters of names, each taken apart once.
pub(super) struct Spellings<'a> {
    names: RefCell<HashMap<&'a str, Rc<Spelling>>>,
    vocabulary: Vocabulary<'a>,
}

impl Default for Spellings<'_> {
    fn default() -> Self {
        Self { names: RefCell::default(), vocabulary: Vocabulary::new(words) }
    }
}

/// A name taken apart.
pub(super) struct Spelling {
    /// Its [`words`].
    pub(super) words: Rc<WordSet>,
    /// Its [`plain`] letters.
    pub(super) plain: String,
}

impl<'a> Spellings<'a> {
    pub(super) fn of(&self, name: &'a str) -> Rc<Spelling> {
        let spell = || Rc::new(Spelling { words: self.words(name), plain: plain(name) });
        self.names.borrow_mut().entry(name).or_insert_with(spell).clone()
    }

    pub(super) fn words(&self, name: &'a str) -> Rc<WordSet> {
        self.vocabulary.words(name)
    }
}

/// Letters and digits of a name, in small letters.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn without_affixes(name: &str) -> String {
    let mut bare = name;
    for affix in AFFIXES {
        bare = bare.strip_suffix(affix).filter(|rest| !rest.is_empty()).unwrap_or(bare);
    }
    bare = bare.strip_prefix("test").filter(|rest| !rest.is_empty()).unwrap_or(bare);
    bare.to_owned()
}

/// The name of a file without its ending.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    // `index.js` and `__init__.py` have the name of their folder.
    if matches!(stem, "index" | "__init__" | "mod" | "main" | "test" | "tests") {
        return path.rsplit('/').nth(1).unwrap_or(stem);
    }
    stem
}

/// Whether a file belongs to the tests of its repository: by the convention of its language, by its folder,
/// or since it shows how the code is used.
pub(super) fn is_test_code(file: &File<'_>) -> bool {
    *file.is_test_code.get_or_init(|| belongs_to_tests(file))
}

/// Whether a file that is no test helps others to test: it stands where such helpers stand, is named after tests
/// (`testclient.py`), or takes in the test framework.
pub(super) fn is_test_support(file: &File<'_>) -> bool {
    *file.is_test_support.get_or_init(|| helps_to_test(file))
}

fn helps_to_test(file: &File<'_>) -> bool {
    const PLACES: [&str; 8] =
        ["testing", "testutil", "testutils", "testhelper", "testhelpers", "testkit", "testsupport", "mocks"];
    const FRAMEWORKS: [&str; 8] = [
        "testing",
        "pytest",
        "unittest",
        "org.junit.",
        "org.testng.",
        "NUnit.Framework",
        "Xunit",
        "Microsoft.VisualStudio.TestTools",
    ];
    let (folders, name) = file.row.path.rsplit_once('/').unwrap_or(("", &file.row.path));
    let name = plain(name.split('.').next().unwrap_or(name));
    let is_framework = |import: &CompactString| {
        FRAMEWORKS.iter().any(|own| {
            import
                .trim_start_matches("static ")
                .strip_prefix(own)
                .is_some_and(|rest| own.ends_with('.') || rest.is_empty() || rest.starts_with(['.', ':']))
        })
    };
    folders.split('/').any(|folder| PLACES.contains(&plain(folder).as_str()))
        || PLACES.contains(&name.as_str())
        || name.starts_with("test")
        || file.row.imports.iter().any(is_framework)
}

fn belongs_to_tests(file: &File<'_>) -> bool {
    const FOLDERS: [&str; 22] = [
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "testdata",
        "testfixtures",
        "test-data",
        "fixtures",
        "examples",
        "_examples",
        "example",
        "samples",
        "benchmark",
        "benchmarks",
        "docs",
        "node_modules",
        "vendor",
        "third_party",
        "dist",
        "perf",
        "sandbox",
    ];
    let path = &file.row.path;
    if path.contains("src/main/") {
        return false;
    }
    let in_folder = || {
        let mut folders = path.split('/').rev().skip(1).map(str::to_lowercase);
        folders.any(|folder| {
            FOLDERS.contains(&folder.as_str())
                || [".tests", ".test", "unittests", "integrationtests", ".benchmarks", ".specs"]
                    .iter()
                    .any(|end| folder.ends_with(end))
        })
    };
    file.row.is_test_path || in_folder()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_their_endings() {
        let joined = |name: &str| words(name).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(joined("test_context_processing"), joined("contextProcessor"));
        assert_eq!(joined("testParsesDates"), joined("parseDate"));
        assert_eq!(joined("is_set"), "is set");
        assert_eq!(joined("filter_cached"), joined("filteredCaches"));
    }

    #[test]
    fn affixes_of_tests_are_left_out() {
        for name in
            ["StackTest", "TestStack", "StackTests", "test_stack", "stack_test", "stack.spec", "StackIT"]
        {
            assert_eq!(without_affixes(&plain(name)), "stack", "{name}");
        }
        assert_eq!(without_affixes("test"), "test");
        assert_eq!(
            (stem("a/stack_test.go"), stem("a/stack/index.js"), stem("a/app.use.js")),
            ("stack_test", "stack", "app.use")
        );
    }
}
