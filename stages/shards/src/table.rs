//! One Parquet file: written row group by row group, read slice by slice.

use crate::commit::HashingFile;
use crate::leaf::Leaf;
use crate::{ShardError, columns};
use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;
use polars_parquet::read::{FileMetadata, RowGroupMetadata};
use rayon::prelude::*;
use std::fs::File;
use std::path::{Path, PathBuf};
use trefoil_stages::TableError;
use trefoil_stages::records::{Column as Cells, Record, Schema as RecordSchema};

/// Where a table of a shard lies.
pub(crate) fn path(folder: &Path, table: &str) -> PathBuf {
    folder.join(format!("{table}.parquet"))
}

/// A Parquet file in the making.
pub struct TableWriter {
    path: PathBuf,
    schema: RecordSchema,
    writer: BatchedWriter<SharedFile>,
    file: SharedFile,
    /// The columns of the row group in hand, its rows and the bytes of their values.
    leaves: Vec<Leaf>,
    pending: usize,
    pending_bytes: usize,
    rows: u64,
}

/// What is known of a finished file.
#[derive(Clone, Debug)]
pub struct TableFile {
    /// Rows.
    pub rows: u64,
    /// Bytes.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Text of one row group; large enough to compress well, small enough to hold several at once.
const ROW_GROUP_BYTES: usize = 16 << 20;

impl TableWriter {
    /// Starts the file.
    pub fn create(path: &Path, schema: &RecordSchema) -> Result<Self, ShardError> {
        let file = SharedFile::create(path)?;
        let metadata = vec![("trefoil.schema".to_owned(), format!("{}/{}", schema.name, schema.version))];
        let mut writer = ParquetWriter::new(file.clone())
            .with_statistics(StatisticsOptions::empty())
            .with_key_value_metadata(Some(KeyValueMetadata::from_static(metadata)))
            .batched(&columns::schema(schema))
            .map_err(|error| file.fault(path, error))?;
        let leaves = leaves(schema, &mut writer);
        let (path, rows, pending, pending_bytes) = (path.to_owned(), 0, 0, 0);
        Ok(Self { path, schema: *schema, writer, file, leaves, pending, pending_bytes, rows })
    }

    /// Appends rows; returns the number of rows of a row group if one was completed.
    pub fn append(&mut self, columns: &[Cells<'_>], rows: usize) -> Result<Option<u64>, ShardError> {
        for (leaf, cells) in self.leaves.iter_mut().zip(columns::cells_of_leaves(columns)) {
            let bytes = leaf.append(cells).map_err(|error| ShardError::damaged(&self.path, error))?;
            self.pending_bytes += bytes;
        }
        self.pending += rows;
        if self.leaves.iter().any(|leaf| leaf.rows() != self.pending) {
            return Err(ShardError::damaged(&self.path, "its columns got different numbers of rows"));
        }
        if self.pending_bytes >= ROW_GROUP_BYTES { self.flush() } else { Ok(None) }
    }

    /// Completes the row group in hand; returns its rows, if it holds any.
    pub fn flush(&mut self) -> Result<Option<u64>, ShardError> {
        if self.pending == 0 {
            return Ok(None);
        }
        let columns = self.leaves.iter_mut().map(Leaf::finish).collect::<PolarsResult<Vec<_>>>();
        let columns = columns.map_err(|error| ShardError::damaged(&self.path, error))?;
        let rows = std::mem::take(&mut self.pending) as u64;
        self.pending_bytes = 0;
        let written = self.writer.write_row_group(rows, &columns);
        written.map_err(|error| self.file.fault(&self.path, error))?;
        self.rows += rows;
        Ok(Some(rows))
    }

    /// Forgets the rows in hand that no row group holds yet.
    pub fn forget(&mut self) {
        (self.pending, self.pending_bytes) = (0, 0);
        self.leaves = leaves(&self.schema, &mut self.writer);
    }

    /// Completes the file and flushes it to disk.
    pub fn finish(mut self) -> Result<TableFile, ShardError> {
        self.flush()?;
        self.writer.finish().map_err(|error| self.file.fault(&self.path, error))?;
        let (sha256, bytes) = self.file.finish().map_err(ShardError::io("write", &self.path))?;
        Ok(TableFile { rows: self.rows, bytes, sha256 })
    }
}

fn leaves(schema: &RecordSchema, writer: &mut BatchedWriter<SharedFile>) -> Vec<Leaf> {
    let descriptors = writer.parquet_schema().columns();
    let types = columns::leaves(schema.fields).into_iter();
    types.zip(descriptors).map(|(column_type, column)| Leaf::new(column_type, &column.descriptor)).collect()
}

/// polars keeps its writer to itself; sharing the file lets us finish the digest and see the real I/O error.
#[derive(Clone)]
struct SharedFile(std::sync::Arc<std::sync::Mutex<Inner>>);

struct Inner {
    file: Option<HashingFile>,
    error: Option<std::io::Error>,
}

impl SharedFile {
    fn create(path: &Path) -> Result<Self, ShardError> {
        let file = HashingFile::create(path).map_err(ShardError::io("create", path))?;
        Ok(Self(std::sync::Arc::new(std::sync::Mutex::new(Inner { file: Some(file), error: None }))))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// polars' error, or the system's behind it.
    fn fault(&self, path: &Path, error: PolarsError) -> ShardError {
        match self.lock().error.take() {
            Some(source) => ShardError::io("write", path)(source),
            None => ShardError::damaged(path, error),
        }
    }

    fn finish(&self) -> std::io::Result<(String, u64)> {
        match self.lock().file.take() {
            Some(file) => file.finish(),
            None => Err(std::io::Error::other("the file is finished already")),
        }
    }
}

impl std::io::Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut inner = self.lock();
        let Some(file) = &mut inner.file else {
            return Err(std::io::Error::other("the file is finished already"));
        };
        match file.write(bytes) {
            Ok(written) => Ok(written),
            Err(error) => {
                let copy = error
                    .raw_os_error()
                    .map_or_else(|| error.kind().into(), std::io::Error::from_raw_os_error);
                inner.error = Some(error);
                Err(copy)
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A finished Parquet file.
pub(crate) struct TableReader {
    path: PathBuf,
    /// What the file says of itself, but for its row groups.
    head: FileMetadata,
    row_groups: Vec<RowGroupMetadata>,
}

impl TableReader {
    pub(crate) fn open(path: &Path) -> Result<Self, ShardError> {
        let file = File::open(path).map_err(ShardError::io("open", path))?;
        let mut reader = ParquetReader::new(file);
        let metadata = reader.get_metadata().map_err(|error| ShardError::damaged(path, error))?;
        let mut head = FileMetadata::clone(metadata);
        let row_groups = std::mem::take(&mut head.row_groups);
        Ok(Self { path: path.to_owned(), head, row_groups })
    }

    pub(crate) fn rows(&self) -> usize {
        self.head.num_rows
    }

    /// First row and rows of each row group.
    fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        self.row_groups.iter().scan(0, |end, group| {
            let first = *end;
            *end += group.num_rows();
            Some((first, group.num_rows()))
        })
    }

    /// Visits `rows` rows from `offset` with the columns of `schema`.
    pub(crate) fn visit(
        &self,
        schema: &RecordSchema,
        (offset, rows): (usize, usize),
        visit: &mut dyn FnMut(&[Cells<'_>], usize),
    ) -> Result<(), ShardError> {
        let (metadata, first) = self.metadata_of(offset, rows);
        let file = File::open(&self.path).map_err(ShardError::io("open", &self.path))?;
        let mut reader = ParquetReader::new(file)
            .with_columns(Some(schema.fields.iter().map(|field| field.name.to_owned()).collect()))
            .with_slice(Some((offset - first, rows)))
            .read_parallel(ParallelStrategy::None);
        reader.set_metadata(metadata.into());
        let frame = reader.finish().map_err(|error| ShardError::damaged(&self.path, error))?;
        let frame = columns::flat(&frame).map_err(|error| ShardError::damaged(&self.path, error))?;
        let cells = columns::cells(schema, &frame).map_err(|error| ShardError::damaged(&self.path, error))?;
        visit(&cells, frame.height());
        Ok(())
    }

    /// The file as if it had the row groups of some rows only, and the first row of these. polars reads all row groups
    /// before the rows that are asked for, so that a table read piece by piece would be read over and over.
    fn metadata_of(&self, offset: usize, rows: usize) -> (FileMetadata, usize) {
        let mut metadata = self.head.clone();
        let overlaps = |(first, count): (usize, usize)| first < offset + rows && first + count > offset;
        let mut first = None;
        for (group, place) in self.row_groups.iter().zip(self.groups()).filter(|(_, place)| overlaps(*place))
        {
            first.get_or_insert(place.0);
            metadata.row_groups.push(group.clone());
        }
        metadata.num_rows = metadata.row_groups.iter().map(RowGroupMetadata::num_rows).sum();
        (metadata, first.unwrap_or(offset))
    }
}

/// Reads a whole table, row group by row group, giving each row to `visit`.
pub fn read_table<R: Record>(path: &Path, mut visit: impl FnMut(R)) -> Result<(), TableError> {
    read_table_while(path, |row| {
        visit(row);
        true
    })
}

/// Makes something of the columns of `schema`, row group by row group and several side by side, and gives it to
/// `take` in the order of the file: for tables of millions of rows, whose texts are borrowed instead of being copied.
pub fn fold_table<T: Send>(
    path: &Path,
    schema: &RecordSchema,
    make: impl Fn(&[Cells<'_>], usize) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<(), ShardError> {
    let reader = TableReader::open(path)?;
    let groups: Vec<(usize, usize)> = reader.groups().collect();
    for groups in groups.chunks(rayon::current_num_threads()) {
        let made = groups.par_iter().map(|group| {
            let mut made = None;
            reader.visit(schema, *group, &mut |cells, rows| made = Some(make(cells, rows)))?;
            Ok(made)
        });
        made.collect::<Result<Vec<_>, ShardError>>()?.into_iter().flatten().for_each(&mut take);
    }
    Ok(())
}

/// As [`read_table`], until `visit` says that it has enough.
pub fn read_table_while<R: Record>(path: &Path, mut visit: impl FnMut(R) -> bool) -> Result<(), TableError> {
    let reader = TableReader::open(path)?;
    for group in reader.groups() {
        let (mut bad, mut more) = (false, true);
        reader.visit(&R::SCHEMA, group, &mut |cells, rows| {
            for row in 0..rows {
                match R::from_columns(cells, row) {
                    Some(record) if more => more = visit(record),
                    Some(_) => return,
                    None => bad = true,
                }
            }
        })?;
        if bad {
            return Err(ShardError::damaged(
                path,
                "a row has a null or a type that the schema does not allow",
            )
            .into());
        }
        if !more {
            return Ok(());
        }
    }
    Ok(())
}
