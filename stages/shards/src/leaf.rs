//! A column of a row group in the making: cells are written down as the bytes of Parquet as they come.
//!
//! polars would take them over as arrays first, join these, count how many values differ and look at each list cell
//! by cell: of a stage that writes many small rows that was a third of the time. What stands in the bytes is polars'
//! own: its levels, its keys, its pages.

use crate::levels::Levels;
use crate::pages::{Content, Pages};
use crate::values::Values;
use polars::prelude::*;
use polars_parquet::parquet::metadata::Descriptor;
use polars_parquet::write::CompressedPage;
use trefoil_stages::records::{Column as Cells, ColumnType, Lists};

/// Bytes of values after which a page ends.
const PAGE_BYTES: usize = 256 << 10;
/// Rows up to which a row group has no dictionaries: reading one costs more than it saves.
const PLAIN_ROWS: usize = 128;

/// A column without columns inside.
pub(crate) struct Leaf {
    column_type: ColumnType,
    pages: Pages,
    values: Values,
    levels: Levels,
    /// Rows of the row group.
    rows: usize,
    /// Rows of the page in hand.
    page_rows: usize,
}

impl Leaf {
    pub(crate) fn new(column_type: ColumnType, descriptor: &Descriptor) -> Self {
        let (pages, levels, values) =
            (Pages::new(descriptor), Levels::new(descriptor), Values::new(column_type));
        Self { column_type, pages, levels, values, rows: 0, page_rows: 0 }
    }

    /// Takes cells; returns the bytes of their values.
    pub(crate) fn append(&mut self, cells: &Cells<'_>) -> PolarsResult<usize> {
        match (self.column_type, cells) {
            (ColumnType::Text, Cells::Text(cells)) => self.cells(cells, Values::text),
            (ColumnType::Uint32, Cells::Uint32(cells)) => {
                self.cells(cells, |values, cell| values.number(cell.to_le_bytes()))
            }
            (ColumnType::Uint64, Cells::Uint64(cells)) => {
                self.cells(cells, |values, cell| values.number(cell.to_le_bytes()))
            }
            (ColumnType::Float64, Cells::Float64(cells)) => {
                self.cells(cells, |values, cell| values.number(cell.to_le_bytes()))
            }
            (ColumnType::Bool, Cells::Bool(cells)) => self.cells(cells, Values::bit),
            (ColumnType::TextList, Cells::TextList(lists)) => self.lists(lists, Values::plain_text),
            (ColumnType::Uint32List, Cells::Uint32List(lists)) => {
                self.lists(lists, |values, cell| values.number(cell.to_le_bytes()))
            }
            (wanted, _) => polars_bail!(SchemaMismatch: "a column of type {wanted:?} got other cells"),
        }
    }

    /// Rows of the row group so far.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    fn cells<T: Copy>(
        &mut self,
        cells: &[Option<T>],
        push: impl Fn(&mut Values, T) -> usize,
    ) -> PolarsResult<usize> {
        let mut bytes = 0;
        for cell in cells {
            bytes += cell.map_or(0, |value| push(&mut self.values, value));
            self.levels.cell(cell.is_some());
            self.end_row()?;
        }
        Ok(bytes)
    }

    fn lists<T: Copy>(
        &mut self,
        lists: &Lists<T>,
        push: impl Fn(&mut Values, T) -> usize,
    ) -> PolarsResult<usize> {
        let mut bytes = 0;
        for list in lists.iter() {
            bytes += list.iter().map(|value| push(&mut self.values, *value)).sum::<usize>();
            self.levels.list(list.len());
            self.end_row()?;
        }
        Ok(bytes)
    }

    fn end_row(&mut self) -> PolarsResult<()> {
        self.rows += 1;
        self.page_rows += 1;
        if self.values.page_bytes() >= PAGE_BYTES { self.end_page() } else { Ok(()) }
    }

    fn end_page(&mut self) -> PolarsResult<()> {
        let (rows, values) = (std::mem::take(&mut self.page_rows), self.levels.values());
        let mut buffer = Vec::with_capacity(self.values.page_bytes() + 64);
        self.levels.write(&mut buffer)?;
        let encoding = self.values.write(&mut buffer)?;
        self.pages.push(Content::Data { encoding, values, rows }, buffer)
    }

    /// The pages of the column in the row group, which is done.
    pub(crate) fn finish(&mut self) -> PolarsResult<Vec<CompressedPage>> {
        if self.rows <= PLAIN_ROWS {
            self.values.spell_out();
        }
        if let Some((values, bytes)) = self.values.dictionary() {
            self.pages.push(Content::Dictionary { values }, bytes)?;
        }
        self.end_page()?;
        self.values = Values::new(self.column_type);
        self.rows = 0;
        self.pages.finish()
    }
}
