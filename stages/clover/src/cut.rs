//! A case's file, taken apart around its test: what a model is shown and where its answer goes.

use crate::case::Case;
use crate::syntax::{Function, Module};

/// A file in pieces. `before + code + after` is what runs, with the code of the original or of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The file up to the place of the answer.
    pub before: String,
    /// What stands at the place in the original.
    pub code: String,
    /// The rest of the file that runs.
    pub after: String,
}

impl Cut {
    /// The file with `code` at its place.
    pub fn with(&self, code: &str) -> String {
        [&self.before, code, &self.after].concat()
    }
}

/// Why no example can be made of a case or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unfit(pub &'static str);

/// The file of a case with its test found.
pub struct Parsed<'t> {
    text: &'t str,
    /// The parsed file.
    pub module: Module<'t>,
    names: Vec<&'t str>,
}

impl<'t> Parsed<'t> {
    /// Parses the file of a case.
    pub fn new(case: &'t Case) -> Result<Self, Unfit> {
        Self::of(&case.problem.source, case.names())
    }

    /// Parses a text that holds the test that `names` lead to.
    pub fn of(text: &'t str, names: Vec<&'t str>) -> Result<Self, Unfit> {
        let parsed = Self { text, module: Module::parse(text).ok_or(Unfit("file_not_parsed"))?, names };
        parsed.function().ok_or(Unfit("test_not_found"))?;
        Ok(parsed)
    }

    /// The test.
    pub fn function(&self) -> Option<Function<'_>> {
        self.module.function(&self.names)
    }

    /// The file without its test: the setup.
    pub fn setup(&self, function: &Function<'_>) -> String {
        let range = function.range();
        let [before, after] =
            [self.text.get(..range.start), self.text.get(range.end..)].map(Option::unwrap_or_default);
        format!("{}\n\n{}", before.trim_end(), after.trim_matches('\n')).trim_matches('\n').to_owned() + "\n"
    }

    /// The text from the first decorator up to `end`, without the indentation that all of it has.
    pub fn head(&self, function: &Function<'_>, end: usize) -> String {
        dedent(self.text.get(function.range().start..end).unwrap_or_default())
    }

    /// Cut at byte `start` inside the test, whose rest is left out.
    pub fn cut_off(&self, function: &Function<'_>, start: usize, code: &str) -> Cut {
        let end = function.range().end;
        Cut {
            before: self.text.get(..start).unwrap_or_default().to_owned(),
            code: code.to_owned(),
            after: line_end(self.text.get(end..).unwrap_or_default()),
        }
    }

    /// Cut around the test's body.
    pub fn cut_body(&self, function: &Function<'_>) -> Cut {
        let start = self.header_end(function);
        let end = function.range().end;
        let body = self.text.get(start..end).unwrap_or_default();
        let on_header_line = !self.text.get(..start).unwrap_or_default().ends_with('\n');
        let code = if on_header_line { self.indentation(function) + body.trim() } else { body.to_owned() };
        Cut {
            before: self.text.get(..start).unwrap_or_default().trim_end().to_owned() + "\n",
            code: code.trim_start_matches('\n').to_owned(),
            after: line_end(self.text.get(end..).unwrap_or_default()),
        }
    }

    /// The end of the line with the header's colon, or of the colon where the body stands on its line.
    fn header_end(&self, function: &Function<'_>) -> usize {
        let colon = function.node.children().filter(|child| child.kind() == ":").last();
        let end = colon.map_or(function.body.start_byte(), |colon| colon.end_byte());
        let rest = self.text.get(end..).unwrap_or_default();
        let (line, _) = rest.split_once('\n').unwrap_or((rest, ""));
        let is_empty = line.trim().is_empty() || line.trim_start().starts_with('#');
        if is_empty { (end + line.len() + 1).min(self.text.len()) } else { end }
    }

    /// White space before the statements of the test's body.
    pub fn indentation(&self, function: &Function<'_>) -> String {
        let start = function.body.start_byte();
        let line = self.text.get(..start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        if !line.is_empty() && line.trim().is_empty() {
            return line.to_owned();
        }
        " ".repeat(function.node.start_position().column + 4)
    }
}

/// A text that begins with a line end, so that a statement before it is complete.
fn line_end(text: &str) -> String {
    if text.starts_with('\n') { text.to_owned() } else { format!("\n{text}") }
}

/// The text without the white space that all of its lines begin with; the first line counts, too.
pub fn dedent(text: &str) -> String {
    let mut margin: Option<&str> = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let space = line.strip_suffix(line.trim_start()).unwrap_or_default();
        margin = Some(margin.map_or(space, |margin| shared_start(margin, space)));
    }
    let margin = margin.unwrap_or_default();
    let cut = |line: &str| line.strip_prefix(margin).unwrap_or(line.trim_start()).to_owned();
    text.split('\n').map(cut).collect::<Vec<_>>().join("\n")
}

/// What both texts begin with, in whole characters: white space may be wider than a byte.
fn shared_start<'a>(a: &'a str, b: &str) -> &'a str {
    let mut pairs = a.char_indices().zip(b.chars());
    let end = pairs.find(|((_, a), b)| a != b).map_or(a.len().min(b.len()), |((at, _), _)| at);
    a.get(..end).unwrap_or(a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests::case;

    const FILE: &str = "import shop\n\n\nclass TestCart:\n    size = 3\n\n    @slow\n    def test_add(self):  # quick\n        # first\n        cart = shop.Cart()\n        assert cart.add(1) == 2\n        assert cart\n\n    def helper(self):\n        return 1\n";

    fn parsed<R>(file: &str, name: &str, then: impl FnOnce(&Parsed<'_>, &Function<'_>) -> R) -> R {
        let case = case(name, file, &[]);
        let parsed = Parsed::new(&case).ok().unwrap();
        let function = parsed.function().unwrap();
        then(&parsed, &function)
    }

    #[test]
    fn the_pieces_around_a_body_make_the_file_again() {
        let cut = parsed(FILE, "TestCart::test_add", |parsed, function| parsed.cut_body(function));
        assert!(cut.before.ends_with("def test_add(self):  # quick\n"));
        assert!(cut.code.starts_with("        # first\n"));
        assert_eq!(cut.with(&cut.code), FILE);
        let one_line = "def test_a(): assert f() == 1\nx = 2";
        let cut = parsed(one_line, "test_a", |parsed, function| parsed.cut_body(function));
        assert_eq!(cut.with(&cut.code), "def test_a():\n    assert f() == 1\nx = 2");
    }

    #[test]
    fn the_setup_holds_no_line_of_the_test() {
        let setup = parsed(FILE, "TestCart::test_add", |parsed, function| parsed.setup(function));
        let expected =
            "import shop\n\n\nclass TestCart:\n    size = 3\n\n    def helper(self):\n        return 1\n";
        assert_eq!(setup, expected);
    }

    #[test]
    fn cut_off_at_a_statement_the_rest_of_the_test_is_gone() {
        let start = FILE.find("assert cart.add").unwrap();
        let cut = parsed(FILE, "TestCart::test_add", |parsed, function| {
            parsed.cut_off(function, start, "assert 1")
        });
        let file = cut.with(&cut.code);
        assert!(file.contains("cart = shop.Cart()\n        assert 1\n\n    def helper"), "{file}");
    }

    #[test]
    fn a_test_that_is_not_there_has_a_reason() {
        let case = case("TestCart::test_gone", FILE, &[]);
        assert_eq!(Parsed::new(&case).err(), Some(Unfit("test_not_found")));
    }

    #[test]
    fn white_space_that_all_lines_share_goes() {
        assert_eq!(dedent("    a\n      b\n\n    c"), "a\n  b\n\nc");
        assert_eq!(dedent("a\n  b"), "a\n  b");
        // The two spaces share their first two bytes, not a character.
        assert_eq!(dedent(" \u{2002}a\n \u{2003}b"), "\u{2002}a\n\u{2003}b");
    }
}
