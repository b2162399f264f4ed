//! Look-up structures over one repository's tables, built once and shared by all modes.

use super::tables::{Declaration, FileRow, Tables, TestKey};
use crate::records::CALL_CONSTRUCTOR;
use trefoil_languages::{CallRanges, CallableKind};

/// The files of one repository in order of their paths.
pub(crate) struct Index<'a> {
    pub(crate) files: Vec<File<'a>>,
}

/// One file with its declarations and test cases.
pub(crate) struct File<'a> {
    pub(crate) row: &'a FileRow,
    /// In order of their ordinals.
    pub(crate) declarations: &'a [Declaration],
    tests: &'a [TestKey],
    /// Outermost fields and initialisers in order of their start.
    code_regions: Vec<(u32, u32)>,
    calls: CallRanges,
}

impl<'a> Index<'a> {
    pub(crate) fn new(tables: &'a Tables) -> Self {
        let (mut declarations, mut tests) = (&tables.declarations[..], &tables.tests[..]);
        let file = |row: &'a FileRow| {
            let own = split_off(&mut declarations, |declaration| declaration.path.as_str(), &row.path);
            let parents: Vec<_> = own.iter().map(|declaration| declaration.parent).collect();
            File {
                row,
                declarations: own,
                tests: split_off(&mut tests, |test| test.path.as_str(), &row.path),
                code_regions: code_regions(row),
                calls: CallRanges::new(&parents, &row.call_owners.0),
            }
        };
        Self { files: tables.files.iter().map(file).collect() }
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
        self.tests.binary_search_by_key(&declaration.ordinal, |test| test.ordinal).is_ok()
    }

    /// The declaration with this ordinal.
    pub(crate) fn declaration(&self, ordinal: u32) -> Option<&'a Declaration> {
        let position = self.declarations.binary_search_by_key(&ordinal, |declaration| declaration.ordinal);
        self.declarations.get(position.ok()?)
    }

    /// Names of the calls in a declaration of this file that are no constructor calls.
    pub(crate) fn invoked_names(&self, declaration: &Declaration) -> impl Iterator<Item = &'a str> {
        let row = self.row;
        let is_type = CallableKind::from_word(&declaration.kind).is_some_and(CallableKind::is_type);
        self.calls.of(declaration.ordinal, is_type, &row.call_owners.0).filter_map(|at| {
            let flags = row.call_flags.get(at)?;
            row.call_names.get(at).filter(|_| flags & CALL_CONSTRUCTOR == 0).map(String::as_str)
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

/// Cuts the rows of `path` off the front of `rows`, those of smaller paths too.
fn split_off<'a, T>(rows: &mut &'a [T], path_of: fn(&T) -> &str, path: &str) -> &'a [T] {
    let (_, rest) = rows.split_at(rows.iter().take_while(|row| path_of(row) < path).count());
    let (found, rest) = rest.split_at(rest.iter().take_while(|row| path_of(row) == path).count());
    *rows = rest;
    found
}

fn code_regions(row: &FileRow) -> Vec<(u32, u32)> {
    let spans = row.region_starts.iter().copied().zip(row.region_ends.iter().copied());
    let mut code: Vec<(u32, u32)> =
        spans.zip(&row.region_kinds.0).filter(|(_, is_code)| **is_code).map(|(span, _)| span).collect();
    code.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    code.dedup_by(|inner, outer| inner.1 <= outer.1);
    code
}
