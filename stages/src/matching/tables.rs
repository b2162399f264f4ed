//! The columns of parsing's tables that matching reads, and no others: reading costs.

use crate::records::{Cell, Column, ColumnType, record};
use crate::stage::{Input, TableError, read, read_if};
use compact_str::CompactString;
use std::collections::HashSet;

record! {
    /// What matching needs of a source file.
    pub struct FileRow "source_files" version 2 {
        /// Path.
        path: String,
        /// Blob id.
        blob_id: String,
        /// Language.
        language: CompactString,
        /// The path names a test file.
        is_test_path: bool,
        /// The text contains the test marker.
        has_test_marker: bool,
        /// Package, if the language has them.
        package: String,
        /// Imported names as written.
        imports: Vec<CompactString>,
        /// What the file hands out.
        exports: Vec<CompactString>,
        /// Which regions are fields or initialisers.
        region_kinds: CodeRegions,
        /// First bytes of the regions.
        region_starts: Vec<u32>,
        /// Their ends.
        region_ends: Vec<u32>,
        /// What runs the calls.
        call_owners: Owners,
        /// Called names.
        call_names: Vec<CompactString>,
        /// Receivers of the calls.
        call_receivers: Vec<CompactString>,
        /// Argument counts of the calls.
        call_arguments: Vec<u32>,
        /// First bytes of the calls.
        call_starts: Vec<u32>,
        /// Ends of the calls.
        call_ends: Vec<u32>,
        /// Flags of the calls.
        call_flags: Vec<u32>,
        /// What the bindings stand in.
        binding_owners: Owners,
        /// Left sides of the bindings.
        binding_names: Vec<CompactString>,
        /// Types of the bindings.
        binding_types: Vec<CompactString>,
        /// First bytes of the values.
        binding_value_starts: Vec<u32>,
        /// Ends of the values.
        binding_value_ends: Vec<u32>,
    }
}

record! {
    /// What matching needs of a declaration.
    pub struct Declaration "callables" version 2 {
        /// Path.
        path: String,
        /// First byte in the file.
        start_byte: u32,
        /// One past the last byte.
        end_byte: u32,
        /// First line, counted from 1.
        first_line: u32,
        /// Last line.
        last_line: u32,
        /// Identity.
        id: String,
        /// Position among the file's declarations.
        ordinal: u32,
        /// Kind of declaration.
        kind: CompactString,
        /// Own name.
        name: CompactString,
        /// Names from the outermost declaration inwards.
        qualified_name: String,
        /// Ordinal of the declaration around this one.
        parent: Option<u32>,
        /// First byte of the signature.
        signature_start: u32,
        /// First byte of the body, if there is one.
        body_start: Option<u32>,
        /// End of the body.
        body_end: Option<u32>,
        /// Modifiers without annotations.
        modifiers: Vec<CompactString>,
        /// Names of annotations or decorators.
        annotations: Vec<CompactString>,
        /// Parameter names.
        parameter_names: Vec<CompactString>,
        /// Parameter types.
        parameter_types: Vec<CompactString>,
        /// Return type as written.
        return_type: CompactString,
        /// Superclass and interfaces as written.
        supertypes: Vec<CompactString>,
        /// The modifiers' text contains the test marker.
        has_test_marker: bool,
        /// Part in the test suite.
        role: CompactString,
        /// Found below an error node.
        recovered: bool,
    }
}

record! {
    /// The text of a file.
    pub struct FileText "source_files" version 2 {
        /// Path.
        path: String,
        /// The whole text.
        text: String,
    }
}

record! {
    /// Which declarations are test cases, and what they assert.
    pub struct TestKey "test_cases" version 2 {
        /// Path.
        path: String,
        /// Ordinal of the test's callable in the file.
        ordinal: u32,
        /// Framework.
        framework: CompactString,
        /// Names of the assertions in source order.
        assertion_names: Vec<CompactString>,
        /// Their first bytes.
        assertion_starts: Vec<u32>,
        /// Their ends.
        assertion_ends: Vec<u32>,
        /// First bytes of the statements of the body, where parsing knows them.
        statement_starts: Vec<u32>,
        /// Their ends.
        statement_ends: Vec<u32>,
    }
}

/// Ordinals of callables, as [`trefoil_languages::CallRanges`] takes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Owners(pub Vec<Option<u32>>);

impl Cell for Owners {
    const TYPE: ColumnType = ColumnType::Uint32List;
    fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
        let ordinal = |owner: &Option<u32>| owner.map_or(0, |owner| owner + 1);
        Column::Uint32List(cells.map(|cell| cell.0.iter().map(ordinal)).collect())
    }
    fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
        match column {
            Column::Uint32List(cells) => {
                Some(Self(cells.get(row)?.iter().map(|owner| owner.checked_sub(1)).collect()))
            }
            _ => None,
        }
    }
    fn heap(&self) -> usize {
        self.0.len() * size_of::<Option<u32>>()
    }
}

/// For each region of a file, whether it is a field or an initialiser: the two kinds outside callables that
/// an anonymous class can stand in. Read from the words without keeping them.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeRegions(pub Vec<bool>);

impl Cell for CodeRegions {
    const TYPE: ColumnType = ColumnType::TextList;
    fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
        let word = |is_code: &bool| if *is_code { "field" } else { "" };
        Column::TextList(cells.map(|cell| cell.0.iter().map(word)).collect())
    }
    fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
        match column {
            Column::TextList(cells) => Some(Self(
                cells.get(row)?.iter().map(|word| matches!(*word, "field" | "initializer")).collect(),
            )),
            _ => None,
        }
    }
    fn heap(&self) -> usize {
        self.0.len()
    }
}

/// The tables of one repository, sorted by path and ordinal.
pub(crate) struct Tables {
    pub(crate) files: Vec<FileRow>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) tests: Vec<TestKey>,
    /// Texts of the files that they were asked for.
    pub(crate) texts: Vec<FileText>,
}

impl Tables {
    /// The tables with the texts of the files that `wants_text` names, told whether a file holds test cases or
    /// fixtures. Where there is a text, arguments tell overloads apart.
    pub(crate) fn read(
        input: &mut dyn Input,
        wants_text: impl Fn(&FileRow, bool) -> bool,
    ) -> Result<Self, TableError> {
        let mut files: Vec<FileRow> = read(input, "parsing")?;
        let mut declarations: Vec<Declaration> = read(input, "parsing")?;
        let mut tests: Vec<TestKey> = read(input, "parsing")?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        declarations.sort_by(|a, b| a.path.cmp(&b.path).then(a.ordinal.cmp(&b.ordinal)));
        tests.sort_by(|a, b| a.path.cmp(&b.path).then(a.ordinal.cmp(&b.ordinal)));
        let fixtures = declarations.iter().filter(|declaration| declaration.role == "fixture");
        let of_fixtures: HashSet<&str> = fixtures.map(|fixture| fixture.path.as_str()).collect();
        let holds_tests = |path: &str| {
            tests.binary_search_by(|test| test.path.as_str().cmp(path)).is_ok() || of_fixtures.contains(path)
        };
        let wanted = files.iter().filter(|file| wants_text(file, holds_tests(&file.path)));
        let wanted: HashSet<&str> = wanted.map(|file| file.path.as_str()).collect();
        let mut texts: Vec<FileText> = if wanted.is_empty() {
            Vec::new()
        } else {
            read_if(input, "parsing", |row: &FileText| wanted.contains(row.path.as_str()))?
        };
        texts.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { files, declarations, tests, texts })
    }
}
