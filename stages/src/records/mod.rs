//! The rows that stages pass on. One file per record type: the struct *is* the schema, declared once by
//! [`record!`]; writing, reading and the Parquet column types all follow from it.
//!
//! The module knows columns and nothing of Parquet: `trefoil-shards` turns [`Column`]s into files.

mod callable;
mod clover;
mod contest;
mod decision;
mod discovered;
mod dropped;
mod encoded;
mod environment;
mod evidence;
mod failure;
mod history;
mod pair;
mod project_file;
mod repository;
mod segment;
mod source_file;
mod test_case;
mod training;
mod unit_tests;
mod vote;

pub use callable::{CallableRole, CallableRow};
pub use clover::{CloverPrompt, CloverQuestion, CloverRow};
pub use contest::{ContestMeta, ContestMethods, ContestRow};
pub use decision::{Assignment, DedupDecision, DividedKey, DividedRow, Divisible};
pub use discovered::Discovered;
pub use dropped::{Dropped, DroppedKey, Subject};
pub use encoded::EncodedRow;
pub use environment::EnvironmentOutcome;
pub use evidence::Evidence;
pub use failure::Failure;
pub use history::{FirstCommit, History};
pub use pair::{Pair, PairFocal, PairKey, PairPlace, PairRule, PairTest};
pub use project_file::ProjectFileRow;
pub use repository::{Repository, RepositoryKey};
pub use segment::{Part, SET_ASIDE, Segment, SegmentKey};
pub use source_file::{CALL_CONSTRUCTOR, CALL_IN_ASSERTION, SourceFile, SourceFileKey, SourceText};
pub use test_case::{TestCaseFramework, TestCaseKey, TestCaseRow};
pub use training::TokenRow;
pub use unit_tests::{AuditedInputs, AuditedMeta, AuditedRow, UnitTestsInputs, UnitTestsMeta, UnitTestsRow};
pub use vote::{Vote, VoteOutcome};

use compact_str::CompactString;
use std::sync::Arc;

/// The type of a column. Every type is nullable in the file only where the record says `Option`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// Unsigned 32-bit integer.
    Uint32,
    /// Unsigned 64-bit integer.
    Uint64,
    /// 64-bit floating point number.
    Float64,
    /// Truth value.
    Bool,
    /// List of texts.
    TextList,
    /// List of unsigned 32-bit integers.
    Uint32List,
    /// Nested record.
    Struct(&'static [Field]),
}

/// A column of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Column name.
    pub name: &'static str,
    /// Column type.
    pub column_type: ColumnType,
}

/// A record type's table: file name, version and columns in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Table name, which is also the file's name without its ending.
    pub name: &'static str,
    /// Raised by every change of the columns or their meaning; part of each fingerprint.
    pub version: u32,
    /// Columns.
    pub fields: &'static [Field],
}

/// The cells of one column of a batch of rows.
#[derive(Clone, Debug)]
pub enum Column<'a> {
    /// Of [`ColumnType::Text`].
    Text(Vec<Option<&'a str>>),
    /// Of [`ColumnType::Uint32`].
    Uint32(Vec<Option<u32>>),
    /// Of [`ColumnType::Uint64`].
    Uint64(Vec<Option<u64>>),
    /// Of [`ColumnType::Float64`].
    Float64(Vec<Option<f64>>),
    /// Of [`ColumnType::Bool`].
    Bool(Vec<Option<bool>>),
    /// Of [`ColumnType::TextList`].
    TextList(Lists<&'a str>),
    /// Of [`ColumnType::Uint32List`].
    Uint32List(Lists<u32>),
    /// Of [`ColumnType::Struct`].
    Struct(Vec<Column<'a>>),
}

/// Lists, one behind the other.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    values: Vec<T>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl<T> Lists<T> {
    /// The list at a position.
    pub fn get(&self, at: usize) -> Option<&[T]> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.values.get(start..*self.ends.get(at)?)
    }

    /// All lists.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.ends.len()).filter_map(|at| self.get(at))
    }
}

impl<T, I: IntoIterator<Item = T>> FromIterator<I> for Lists<T> {
    fn from_iter<L: IntoIterator<Item = I>>(lists: L) -> Self {
        let mut values = Vec::new();
        let ends = lists.into_iter().map(|list| {
            values.extend(list);
            values.len()
        });
        let ends = ends.collect();
        Self { values, ends }
    }
}

/// A row type.
pub trait Record: Sized + 'static {
    /// Its table; a record that reads only some columns of a table names that table.
    const SCHEMA: Schema;
    /// The rows as columns, in the order of the schema.
    fn columns_of<'a>(rows: impl Iterator<Item = &'a Self> + Clone) -> Vec<Column<'a>>;
    /// The same of rows that lie side by side.
    fn columns(rows: &[Self]) -> Vec<Column<'_>> {
        Self::columns_of(rows.iter())
    }
    /// Row `row` of a batch; `None` where a column has another type or a null where none may be.
    fn from_columns(columns: &[Column<'_>], row: usize) -> Option<Self>;
    /// Bytes that the row holds in memory, roughly; what writers bound their buffers by.
    fn bytes(&self) -> usize;
}

/// A value that fits a column.
pub trait Cell: Sized + 'static {
    /// Type of its column.
    const TYPE: ColumnType;
    /// A column of such values.
    fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a>;
    /// The value in `row`.
    fn from_column(column: &Column<'_>, row: usize) -> Option<Self>;
    /// Bytes behind pointers.
    fn heap(&self) -> usize {
        0
    }
}

macro_rules! text_cell {
    ($($type:ty),+) => {$(
        impl Cell for $type {
            const TYPE: ColumnType = ColumnType::Text;
            fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
                Column::Text(cells.map(|cell| Some(cell.as_ref())).collect())
            }
            fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
                match column {
                    Column::Text(cells) => (*cells.get(row)?).map(Self::from),
                    _ => None,
                }
            }
            fn heap(&self) -> usize {
                self.len()
            }
        }
    )+};
}
text_cell!(String, Arc<str>, CompactString);

macro_rules! plain_cell {
    ($($type:ty => $variant:ident),+) => {$(
        impl Cell for $type {
            const TYPE: ColumnType = ColumnType::$variant;
            fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
                Column::$variant(cells.map(|cell| Some(*cell)).collect())
            }
            fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
                match column {
                    Column::$variant(cells) => *cells.get(row)?,
                    _ => None,
                }
            }
        }
        impl Cell for Option<$type> {
            const TYPE: ColumnType = ColumnType::$variant;
            fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
                Column::$variant(cells.copied().collect())
            }
            fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
                match column {
                    Column::$variant(cells) => cells.get(row).copied(),
                    _ => None,
                }
            }
        }
    )+};
}
plain_cell!(u32 => Uint32, u64 => Uint64, f64 => Float64, bool => Bool);

impl Cell for Option<String> {
    const TYPE: ColumnType = ColumnType::Text;
    fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
        Column::Text(cells.map(|cell| cell.as_deref()).collect())
    }
    fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
        match column {
            Column::Text(cells) => Some((*cells.get(row)?).map(str::to_owned)),
            _ => None,
        }
    }
    fn heap(&self) -> usize {
        self.as_ref().map_or(0, String::len)
    }
}

macro_rules! text_list_cell {
    ($($type:ty),+) => {$(
        impl Cell for Vec<$type> {
            const TYPE: ColumnType = ColumnType::TextList;
            fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
                Column::TextList(cells.map(|cell| cell.iter().map(|text| text.as_str())).collect())
            }
            fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
                match column {
                    Column::TextList(cells) => {
                        Some(cells.get(row)?.iter().map(|&cell| <$type>::from(cell)).collect())
                    }
                    _ => None,
                }
            }
            fn heap(&self) -> usize {
                self.iter().map(|text| text.len() + size_of::<$type>()).sum()
            }
        }
    )+};
}
// Names of calls are many and short: most fit where they stand.
text_list_cell!(String, CompactString);

impl Cell for Vec<u32> {
    const TYPE: ColumnType = ColumnType::Uint32List;
    fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> Column<'a> {
        Column::Uint32List(cells.map(|cell| cell.iter().copied()).collect())
    }
    fn from_column(column: &Column<'_>, row: usize) -> Option<Self> {
        match column {
            Column::Uint32List(cells) => cells.get(row).map(<[u32]>::to_vec),
            _ => None,
        }
    }
    fn heap(&self) -> usize {
        self.len() * size_of::<u32>()
    }
}

/// Declares a record: the struct with its documentation, its table and version, and both directions of
/// the conversion. With `placed`, the nine columns of provenance come first; with `described`, those in which a host
/// describes a repository stand between the two parts.
macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident $table:literal version $version:literal {
        $($before:tt)*
    } described {
        $($behind:tt)*
    }) => {
        $crate::records::record! {
            $(#[$meta])*
            pub struct $name $table version $version {
                $($before)*
                /// Stars.
                stars: u64,
                /// Forks of it.
                forks: u64,
                /// Whether it is a fork.
                is_fork: bool,
                /// What it was forked from; empty where that is not known.
                fork_parent: String,
                /// Whether it is closed for changes.
                is_archived: bool,
                /// Date of creation.
                created: String,
                /// Date of the last push.
                pushed: String,
                /// Date of the last change.
                updated: String,
                /// Size on the host's disks with all history, in KiB.
                kilobytes: u64,
                /// Names that it had before, as far as a list or an earlier discovery knew it by them.
                former_names: Vec<String>,
                $($behind)*
            }
        }
    };
    ($(#[$meta:meta])* pub struct $name:ident placed $table:literal version $version:literal { $($body:tt)* }) => {
        $crate::records::record! {
            $(#[$meta])*
            pub struct $name $table version $version {
                /// Host of the repository (`github.com`, `local`).
                host: std::sync::Arc<str>,
                /// Name of the repository on its host (`owner/name`).
                repository: std::sync::Arc<str>,
                /// Commit, or `content:`/`sha256:` digest of a directory or archive.
                commit: std::sync::Arc<str>,
                /// Path in the repository.
                path: std::sync::Arc<str>,
                /// Git's id of the file's bytes.
                blob_id: std::sync::Arc<str>,
                /// First byte in the file.
                start_byte: u32,
                /// One past the last byte.
                end_byte: u32,
                /// First line, counted from 1.
                first_line: u32,
                /// Last line.
                last_line: u32,
                $($body)*
            }
        }
    };
    ($(#[$meta:meta])* pub struct $name:ident $table:literal version $version:literal {
        $($(#[$fmeta:meta])* $field:ident: $type:ty),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[$fmeta])* pub $field: $type),+ }

        impl $crate::records::Record for $name {
            const SCHEMA: $crate::records::Schema = $crate::records::Schema {
                name: $table,
                version: $version,
                fields: &[$($crate::records::Field {
                    name: stringify!($field),
                    column_type: <$type as $crate::records::Cell>::TYPE,
                }),+],
            };
            fn columns_of<'a>(
                rows: impl Iterator<Item = &'a Self> + Clone,
            ) -> Vec<$crate::records::Column<'a>> {
                vec![$(<$type as $crate::records::Cell>::column(rows.clone().map(|row| &row.$field))),+]
            }
            fn from_columns(columns: &[$crate::records::Column<'_>], row: usize) -> Option<Self> {
                let mut columns = columns.iter();
                Some(Self { $($field: <$type as $crate::records::Cell>::from_column(columns.next()?, row)?),+ })
            }
            fn bytes(&self) -> usize {
                size_of::<Self>() $(+ $crate::records::Cell::heap(&self.$field))+
            }
        }

        impl $crate::records::Cell for $name {
            const TYPE: $crate::records::ColumnType = $crate::records::ColumnType::Struct(
                <$name as $crate::records::Record>::SCHEMA.fields,
            );
            fn column<'a>(cells: impl Iterator<Item = &'a Self> + Clone) -> $crate::records::Column<'a> {
                $crate::records::Column::Struct(<$name as $crate::records::Record>::columns_of(cells))
            }
            fn from_column(column: &$crate::records::Column<'_>, row: usize) -> Option<Self> {
                match column {
                    $crate::records::Column::Struct(columns) => {
                        <$name as $crate::records::Record>::from_columns(columns, row)
                    }
                    _ => None,
                }
            }
            fn heap(&self) -> usize {
                <$name as $crate::records::Record>::bytes(self)
            }
        }
    };
}
pub(crate) use record;

/// Where a row comes from: the provenance columns as one value.
#[derive(Clone, Debug)]
pub struct Place {
    /// Host.
    pub host: Arc<str>,
    /// Repository.
    pub repository: Arc<str>,
    /// Commit.
    pub commit: Arc<str>,
    /// Path.
    pub path: Arc<str>,
    /// Blob id.
    pub blob_id: Arc<str>,
}

/// A stable identity: 32 hexadecimal digits of BLAKE3 over the parts, each with its length, so that no two
/// lists of parts run together.
pub fn identity(parts: &[&str]) -> String {
    let mut bytes = Vec::with_capacity(parts.iter().map(|part| size_of::<u64>() + part.len()).sum());
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    let digits = blake3::hash(&bytes).to_hex();
    digits.get(..32).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_the_way_through_columns() {
        let rows = vec![Failure {
            host: "local".into(),
            repository: "a".into(),
            commit: "".into(),
            stage: "parsing".into(),
            reason: "panicked".into(),
            detail: "boom".into(),
        }];
        let columns = Failure::columns(&rows);
        assert_eq!(Failure::from_columns(&columns, 0).as_ref(), rows.first());
        assert_eq!(Failure::from_columns(&columns, 1), None);
    }

    #[test]
    fn identities_keep_parts_apart() {
        assert_ne!(identity(&["ab", "c"]), identity(&["a", "bc"]));
        assert_eq!(identity(&["a"]).len(), 32);
    }
}
