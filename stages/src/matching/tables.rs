//! The columns of parsing's tables that matching reads. A call site's receiver or a parameter's type costs
//! as much to read as everything below together, so the records here leave them out.

use crate::records::{Cell, Column, ColumnType, record};
use crate::stage::{Input, TableError, read};

record! {
    /// What matching needs of a source file.
    pub struct FileRow "source_files" version 2 {
        /// Path.
        path: String,
        /// Blob id.
        blob_id: String,
        /// Language.
        language: String,
        /// The path names a test file.
        is_test_path: bool,
        /// The text contains the test marker.
        has_test_marker: bool,
        /// Which regions are fields or initialisers.
        region_kinds: CodeRegions,
        /// First bytes of the regions.
        region_starts: Vec<u32>,
        /// Their ends.
        region_ends: Vec<u32>,
        /// What runs the calls.
        call_owners: Owners,
        /// Called names.
        call_names: Vec<String>,
        /// Flags of the calls.
        call_flags: Vec<u32>,
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
        kind: String,
        /// Own name.
        name: String,
        /// Names from the outermost declaration inwards.
        qualified_name: String,
        /// Ordinal of the declaration around this one.
        parent: Option<u32>,
        /// Names of annotations or decorators.
        annotations: Vec<String>,
        /// The modifiers' text contains the test marker.
        has_test_marker: bool,
        /// Part in the test suite.
        role: String,
        /// Found below an error node.
        recovered: bool,
    }
}

record! {
    /// Which declarations are test cases.
    pub struct TestKey "test_cases" version 1 {
        /// Path.
        path: String,
        /// Ordinal of the test's callable in the file.
        ordinal: u32,
    }
}

/// Ordinals of callables, as [`trefoil_languages::CallRanges`] takes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Owners(pub Vec<Option<u32>>);

impl Cell for Owners {
    const TYPE: ColumnType = ColumnType::Uint32List;
    fn column<'a>(cells: Vec<&'a Self>) -> Column<'a> {
        let ordinal = |owner: &Option<u32>| owner.map_or(0, |owner| owner + 1);
        Column::Uint32List(cells.into_iter().map(|cell| cell.0.iter().map(ordinal).collect()).collect())
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
    fn column<'a>(cells: Vec<&'a Self>) -> Column<'a> {
        let word = |is_code: &bool| if *is_code { "field" } else { "" };
        Column::TextList(cells.into_iter().map(|cell| cell.0.iter().map(word).collect()).collect())
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
}

impl Tables {
    pub(crate) fn read(input: &mut dyn Input) -> Result<Self, TableError> {
        let mut files: Vec<FileRow> = read(input, "parsing")?;
        let mut declarations: Vec<Declaration> = read(input, "parsing")?;
        let mut tests: Vec<TestKey> = read(input, "parsing")?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        declarations.sort_by(|a, b| a.path.cmp(&b.path).then(a.ordinal.cmp(&b.ordinal)));
        tests.sort_by(|a, b| a.path.cmp(&b.path).then(a.ordinal.cmp(&b.ordinal)));
        Ok(Self { files, declarations, tests })
    }
}
