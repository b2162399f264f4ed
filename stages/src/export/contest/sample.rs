//! One sample as texts: spans of a segment, read from the files of its repository.

use crate::TableError;
use crate::export::file_view::{FileView, FileViews};
use crate::records::{Pair, Part, Segment};
use std::borrow::Cow;
use trefoil_languages::Span;

/// A segmented pair with the files that it lies in.
pub struct Sample<'a> {
    /// The pair.
    pub pair: &'a Pair,
    /// Its segment.
    pub segment: &'a Segment,
    test: &'a FileView<'a>,
    focal: &'a FileView<'a>,
    /// Texts of the segment's methods.
    methods: Vec<&'a str>,
}

impl<'a> Sample<'a> {
    /// The sample of a pair; an error where a file is missing.
    pub fn new(pair: &'a Pair, segment: &'a Segment, views: &'a FileViews<'a>) -> Result<Self, TableError> {
        let (test, focal) = views.sides(pair)?;
        let spans = segment.method_starts.iter().zip(&segment.method_ends);
        let text = |(path, (&start, &end)): (&String, (&u32, &u32))| {
            let view = views.of(path);
            let view = view.ok_or_else(|| {
                let (host, repository, test) = (&pair.host, &pair.repository, &pair.test_name);
                let what = "is missing in the table of source files; parse the repository anew";
                TableError(
                    format!("{host}/{repository}: {path}, in the context of test {test}, {what}").into(),
                )
            })?;
            Ok(Span { start, end }.of(view.text()))
        };
        let methods = segment.method_paths.iter().zip(spans).map(text).collect::<Result<_, TableError>>()?;
        Ok(Self { pair, segment, test, focal, methods })
    }

    /// The test up to its set-up code, without the white space before that.
    pub fn head(&self) -> &'a str {
        self.of_test(self.pair.start_byte, self.segment.setup_start).trim_end()
    }

    /// Set-up code, whole.
    pub fn setup(&self) -> Cow<'a, str> {
        setup_code(self.before(), self.closing())
    }

    /// Set-up code before the assertions.
    fn before(&self) -> &'a str {
        self.of_test(self.segment.setup_start, self.segment.setup_end)
    }

    /// Set-up code behind the assertions, which closes what is open before them.
    pub fn closing(&self) -> &'a str {
        self.of_test(self.segment.closing_start, self.segment.closing_end)
    }

    /// Assertion code.
    pub fn assertions(&self) -> &'a str {
        self.of_test(self.segment.assertions_start, self.segment.assertions_end)
    }

    /// What is left of the test behind them.
    pub fn tail(&self) -> &'a str {
        self.of_test(self.segment.closing_end, self.pair.end_byte).trim()
    }

    /// The focal method.
    pub fn focal(&self) -> &'a str {
        Span { start: self.pair.focal_start_byte, end: self.pair.focal_end_byte }.of(self.focal.text())
    }

    /// Texts of the methods of one part, in order.
    pub fn methods(&self, part: Part) -> impl Iterator<Item = &'a str> {
        self.positions(part).filter_map(|at| self.methods.get(at).copied())
    }

    /// Their places among the segment's methods.
    pub(super) fn positions(&self, part: Part) -> impl Iterator<Item = usize> {
        let parts = self.segment.method_parts.iter().enumerate();
        parts.filter(move |(_, of)| *of == part.as_str()).map(|(at, _)| at)
    }

    /// Characters of the input: everything but the assertions.
    pub fn input_characters(&self) -> usize {
        let characters = |text: &str| text.chars().count();
        let methods: usize = self.methods.iter().map(|text| characters(text)).sum();
        characters(&self.setup()) + characters(self.focal()) + methods
    }

    /// All texts of the sample, each part behind a sign that is in no text, so that equal digests mean equal
    /// samples, as the paper takes them.
    pub fn texts(&self) -> Vec<&'a str> {
        let mut texts =
            vec![self.before(), "\0", self.focal(), "\0", self.assertions(), "\0", self.closing()];
        for part in Part::ALL {
            texts.push("\0");
            texts.extend(self.methods(part).flat_map(|text| ["\0", text]));
        }
        texts
    }

    fn of_test(&self, start: u32, end: u32) -> &'a str {
        Span { start, end }.of(self.test.text())
    }
}

/// Set-up code from what stands before the assertions and what closes it behind them.
pub fn setup_code<'a>(before: &'a str, closing: &str) -> Cow<'a, str> {
    match closing {
        "" => Cow::Borrowed(before),
        _ => Cow::Owned(format!("{before}\n{closing}")),
    }
}

/// Whether the tokens of a test are those of its set-up with those of the assertions in one place among them: at
/// their end, unless something of the set-up closes behind the assertions.
pub fn is_put_together(test: &[&str], setup: &[&str], assertions: &[&str], closes: bool) -> bool {
    let fits = |at: usize| {
        let (before, closing) = setup.split_at_checked(at)?;
        let rest = test.strip_prefix(before)?.strip_prefix(assertions)?;
        (rest == closing).then_some(())
    };
    (0..=setup.len()).rev().take(if closes { usize::MAX } else { 1 }).any(|at| fits(at).is_some())
}
