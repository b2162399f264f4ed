//! Look-up structures over one repository's tables, built once and shared by all modes.

use super::hash::HashMap;
use super::tables::{Declaration, FileRow, Tables, TestKey};
use crate::records::{CALL_CONSTRUCTOR, CALL_IN_ASSERTION};
use std::cell::OnceCell;
use trefoil_languages::{CallRanges, CallableKind};

/// The files of one repository in order of their paths.
pub(crate) struct Index<'a> {
    pub(crate) files: Vec<File<'a>>,
}

/// One file with its declarations and test cases.
pub(crate) struct File<'a> {
    pub(crate) row: &'a FileRow,
    /// Its place among the files of the repository.
    pub(crate) position: u32,
    /// Whether it belongs to the tests, once somebody has asked.
    pub(crate) is_test_code: OnceCell<bool>,
    /// Whether it is no test but helps others to test, once somebody has asked.
    pub(crate) is_test_support: OnceCell<bool>,
    /// In order of their ordinals.
    pub(crate) declarations: &'a [Declaration],
    tests: &'a [TestKey],
    /// The text, where the file holds test cases or fixtures.
    pub(crate) text: &'a str,
    /// For each declaration the first one with its qualified name, which stands for all overloads.
    first_overloads: Vec<u32>,
    /// Outermost fields and initialisers in order of their start.
    code_regions: Vec<(u32, u32)>,
    calls: CallRanges,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSite<'a> {
    /// Called name.
    pub(crate) name: &'a str,
    /// Text before the name.
    pub(crate) receiver: &'a str,
    /// Number of arguments.
    pub(crate) arguments: u32,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// `new Foo()`.
    pub(crate) is_constructor: bool,
    /// Stands inside an assertion, or is one.
    pub(crate) in_assertion: bool,
    /// Its place among the calls of the file.
    pub(crate) position: usize,
}

impl<'a> Index<'a> {
    pub(crate) fn new(tables: &'a Tables) -> Self {
        let (mut declarations, mut tests) = (&tables.declarations[..], &tables.tests[..]);
        let mut texts = &tables.texts[..];
        let file = |(position, row): (u32, &'a FileRow)| {
            let own = split_off(&mut declarations, |declaration| declaration.path.as_str(), &row.path);
            let parents: Vec<_> = own.iter().map(|declaration| declaration.parent).collect();
            File {
                row,
                position,
                is_test_code: OnceCell::new(),
                is_test_support: OnceCell::new(),
                declarations: own,
                tests: split_off(&mut tests, |test| test.path.as_str(), &row.path),
                text: split_off(&mut texts, |text| text.path.as_str(), &row.path)
                    .first()
                    .map_or("", |row| &row.text),
                first_overloads: first_overloads(own),
                code_regions: code_regions(row),
                calls: CallRanges::new(&parents, &row.call_owners.0),
            }
        };
        Self { files: (0..).zip(&tables.files).map(file).collect() }
    }

    /// The file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<&File<'a>> {
        let position = self.files.binary_search_by(|file| file.row.path.as_str().cmp(path)).ok()?;
        self.files.get(position)
    }

    /// The files of a language.
    pub(crate) fn of_language(&self, language: &str) -> impl Iterator<Item = &File<'a>> {
        self.files.iter().filter(move |file| file.row.language == language)
    }
}

impl<'a> File<'a> {
    /// The declarations that parsing found to be test cases.
    pub(crate) fn test_cases(&self) -> impl Iterator<Item = &'a Declaration> {
        self.tests.iter().filter_map(|test| self.declaration(test.ordinal))
    }

    /// Whether parsing found `declaration`, one of this file, to be a test case.
    pub(crate) fn is_test_case(&self, declaration: &Declaration) -> bool {
        self.test_case(declaration).is_some()
    }

    /// The declaration with this ordinal.
    pub(crate) fn declaration(&self, ordinal: u32) -> Option<&'a Declaration> {
        // Ordinals are places, unless rows are missing.
        let at_its_place = self.declarations.get(ordinal as usize).filter(|found| found.ordinal == ordinal);
        at_its_place.or_else(|| {
            let position = self.declarations.binary_search_by_key(&ordinal, |it| it.ordinal);
            self.declarations.get(position.ok()?)
        })
    }

    /// What stands for a declaration with its overloads: the ordinal of the first of them.
    pub(crate) fn first_overload(&self, declaration: &Declaration) -> u32 {
        let own = declaration.ordinal;
        self.first_overloads.get(own as usize).copied().unwrap_or(own)
    }

    /// What a test case of this file asserts.
    pub(crate) fn test_case(&self, declaration: &Declaration) -> Option<&'a TestKey> {
        let position = self.tests.binary_search_by_key(&declaration.ordinal, |test| test.ordinal);
        self.tests.get(position.ok()?)
    }

    /// The calls in a declaration of this file, in the order of their names.
    pub(crate) fn calls(&self, declaration: &Declaration) -> impl Iterator<Item = CallSite<'a>> {
        let row = self.row;
        let is_type = CallableKind::from_word(&declaration.kind).is_some_and(CallableKind::is_type);
        self.calls.of(declaration.ordinal, is_type, &row.call_owners.0).filter_map(|at| call_site(row, at))
    }

    /// The call at a place among the calls of the file.
    pub(crate) fn call(&self, position: usize) -> Option<CallSite<'a>> {
        call_site(self.row, position)
    }

    /// The declaration that runs the call at a place, if any.
    pub(crate) fn owner_of_call(&self, position: usize) -> Option<u32> {
        self.row.call_owners.0.get(position).copied().flatten()
    }

    /// Names of the calls in a declaration of this file that are no constructor calls.
    pub(crate) fn invoked_names(&self, declaration: &Declaration) -> impl Iterator<Item = &'a str> {
        self.calls(declaration).filter(|call| !call.is_constructor).map(|call| call.name)
    }

    /// The declarations that stand directly in one of this file.
    pub(crate) fn members(&self, outer: &Declaration) -> impl Iterator<Item = &'a Declaration> + use<'a> {
        let ordinal = outer.ordinal;
        self.inside(outer).filter(move |it| it.parent == Some(ordinal))
    }

    /// The declarations inside one of this file, at any depth.
    pub(crate) fn inside(&self, outer: &Declaration) -> impl Iterator<Item = &'a Declaration> + use<'a> {
        let (ordinal, end) = (outer.ordinal, outer.end_byte);
        let after = self.declarations.partition_point(|declaration| declaration.ordinal <= ordinal);
        self.declarations.get(after..).unwrap_or_default().iter().take_while(move |it| it.start_byte < end)
    }

    /// Whether a place in a test of this file lies in one of its assertions.
    pub(crate) fn is_asserted(&self, test: &Declaration, at: u32) -> bool {
        self.test_case(test).is_some_and(|case| {
            let spans = case.assertion_starts.iter().zip(&case.assertion_ends);
            spans.into_iter().any(|(start, end)| (*start..*end).contains(&at))
        })
    }

    /// The declaration around this one.
    pub(crate) fn parent(&self, declaration: &Declaration) -> Option<&'a Declaration> {
        self.declaration(declaration.parent?)
    }

    /// Whether the declaration stands in the value of a field or in an initialiser, that is, in an anonymous
    /// class there; its parent is the class of the field, as if it were that class's member.
    pub(crate) fn stands_in_field(&self, declaration: &Declaration) -> bool {
        let after = self.code_regions.partition_point(|(start, _)| *start <= declaration.start_byte);
        let before = after.checked_sub(1).and_then(|position| self.code_regions.get(position));
        before.is_some_and(|(_, end)| declaration.end_byte <= *end)
    }
}

fn call_site(row: &FileRow, position: usize) -> Option<CallSite<'_>> {
    let flags = *row.call_flags.get(position)?;
    Some(CallSite {
        name: row.call_names.get(position)?,
        receiver: row.call_receivers.get(position)?,
        arguments: *row.call_arguments.get(position)?,
        start: *row.call_starts.get(position)?,
        end: *row.call_ends.get(position)?,
        is_constructor: flags & CALL_CONSTRUCTOR != 0,
        in_assertion: flags & CALL_IN_ASSERTION != 0,
        position,
    })
}

/// Cuts the rows of `path` off the front of `rows`, those of smaller paths too.
fn split_off<'a, T>(rows: &mut &'a [T], path_of: fn(&T) -> &str, path: &str) -> &'a [T] {
    let (_, rest) = rows.split_at(rows.iter().take_while(|row| path_of(row) < path).count());
    let (found, rest) = rest.split_at(rest.iter().take_while(|row| path_of(row) == path).count());
    *rows = rest;
    found
}

/// By the places of the declarations, which are their ordinals unless rows are missing.
fn first_overloads(declarations: &[Declaration]) -> Vec<u32> {
    let mut first: HashMap<&str, u32> = HashMap::default();
    let names = declarations.iter().map(|it| (it.qualified_name.as_str(), it.ordinal));
    names.map(|(name, ordinal)| *first.entry(name).or_insert(ordinal)).collect()
}

fn code_regions(row: &FileRow) -> Vec<(u32, u32)> {
    let spans = row.region_starts.iter().copied().zip(row.region_ends.iter().copied());
    let mut code: Vec<(u32, u32)> =
        spans.zip(&row.region_kinds.0).filter(|(_, is_code)| **is_code).map(|(span, _)| span).collect();
    code.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    code.dedup_by(|inner, outer| inner.1 <= outer.1);
    code
}
