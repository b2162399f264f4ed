//! Columns of records to polars series and back.

use polars::prelude::*;
use polars_arrow::array::{Array, ListArray, PrimitiveArray, Utf8ViewArray};
use trefoil_stages::records::{Column as Cells, ColumnType, Field as RecordField, Schema as RecordSchema};

/// polars' type of a column.
fn data_type(column_type: ColumnType) -> DataType {
    match column_type {
        ColumnType::Text => DataType::String,
        ColumnType::Uint32 => DataType::UInt32,
        ColumnType::Uint64 => DataType::UInt64,
        ColumnType::Float64 => DataType::Float64,
        ColumnType::Bool => DataType::Boolean,
        ColumnType::TextList => DataType::List(Box::new(DataType::String)),
        ColumnType::Uint32List => DataType::List(Box::new(DataType::UInt32)),
        ColumnType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
    }
}

fn field(field: &RecordField) -> Field {
    Field::new(field.name.into(), data_type(field.column_type))
}

/// polars' schema of a table.
pub(crate) fn schema(schema: &RecordSchema) -> Schema {
    schema.fields.iter().map(field).collect()
}

/// A batch of rows as a data frame.
pub(crate) fn frame(schema: &RecordSchema, columns: Vec<Cells<'_>>, rows: usize) -> PolarsResult<DataFrame> {
    let columns =
        schema.fields.iter().zip(columns).map(|(field, cells)| Ok(series(field, cells, rows)?.into_column()));
    DataFrame::new(rows, columns.collect::<PolarsResult<Vec<_>>>()?)
}

fn series(field: &RecordField, cells: Cells<'_>, rows: usize) -> PolarsResult<Series> {
    let name = PlSmallStr::from_static(field.name);
    Ok(match cells {
        Cells::Text(cells) => StringChunked::from_iter_options(name, cells.into_iter()).into_series(),
        Cells::Uint32(cells) => UInt32Chunked::from_iter_options(name, cells.into_iter()).into_series(),
        Cells::Uint64(cells) => UInt64Chunked::from_iter_options(name, cells.into_iter()).into_series(),
        Cells::Float64(cells) => Float64Chunked::from_iter_options(name, cells.into_iter()).into_series(),
        Cells::Bool(cells) => BooleanChunked::from_iter_options(name, cells.into_iter()).into_series(),
        Cells::TextList(cells) => {
            let values = cells.iter().map(Vec::len).sum();
            let mut builder = ListStringChunkedBuilder::new(name, cells.len(), values);
            for cell in cells {
                builder.append_values_iter(cell.into_iter());
            }
            builder.finish().into_series()
        }
        Cells::Uint32List(cells) => {
            let values = cells.iter().map(Vec::len).sum();
            let mut builder =
                ListPrimitiveChunkedBuilder::<UInt32Type>::new(name, cells.len(), values, DataType::UInt32);
            for cell in cells {
                builder.append_slice(&cell);
            }
            builder.finish().into_series()
        }
        Cells::Struct(columns) => {
            let ColumnType::Struct(fields) = field.column_type else {
                polars_bail!(SchemaMismatch: "column {} is no record", field.name)
            };
            let inner = fields.iter().zip(columns).map(|(field, cells)| series(field, cells, rows));
            let inner = inner.collect::<PolarsResult<Vec<_>>>()?;
            StructChunked::from_series(name, rows, inner.iter())?.into_series()
        }
    })
}

/// The frame with nested columns taken apart into columns `outer.inner`, from which texts can be borrowed.
pub(crate) fn flat(frame: &DataFrame) -> PolarsResult<DataFrame> {
    let mut columns = Vec::new();
    for column in frame.columns() {
        take_apart(column.as_materialized_series(), &mut columns)?;
    }
    DataFrame::new(frame.height(), columns)
}

fn take_apart(series: &Series, columns: &mut Vec<Column>) -> PolarsResult<()> {
    if !matches!(series.dtype(), DataType::Struct(_)) {
        columns.push(series.clone().into_column());
        return Ok(());
    }
    for inner in series.struct_()?.fields_as_series() {
        let name = inside(series.name(), inner.name());
        take_apart(&inner.with_name(name.into()), columns)?;
    }
    Ok(())
}

fn inside(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") }
}

/// The columns of `schema` in a flat data frame; texts are borrowed from it.
pub(crate) fn cells<'a>(schema: &RecordSchema, frame: &'a DataFrame) -> PolarsResult<Vec<Cells<'a>>> {
    fields(schema.fields, "", frame)
}

fn fields<'a>(fields: &[RecordField], outer: &str, frame: &'a DataFrame) -> PolarsResult<Vec<Cells<'a>>> {
    fields.iter().map(|field| column(field, &inside(outer, field.name), frame)).collect()
}

fn column<'a>(field: &RecordField, name: &str, frame: &'a DataFrame) -> PolarsResult<Cells<'a>> {
    if let ColumnType::Struct(inner) = field.column_type {
        return Ok(Cells::Struct(fields(inner, name, frame)?));
    }
    let series = frame.column(name)?.as_materialized_series();
    Ok(match field.column_type {
        ColumnType::Text => Cells::Text(series.str()?.iter().collect()),
        ColumnType::Uint32 => Cells::Uint32(series.u32()?.iter().collect()),
        ColumnType::Uint64 => Cells::Uint64(series.u64()?.iter().collect()),
        ColumnType::Float64 => Cells::Float64(series.f64()?.iter().collect()),
        ColumnType::Bool => Cells::Bool(series.bool()?.iter().collect()),
        ColumnType::TextList => Cells::TextList(text_lists(series.list()?)?),
        ColumnType::Uint32List => Cells::Uint32List(number_lists(series.list()?)?),
        ColumnType::Struct(_) => Cells::Struct(Vec::new()),
    })
}

fn text_lists(lists: &ListChunked) -> PolarsResult<Vec<Vec<&str>>> {
    let mut all = Vec::with_capacity(lists.len());
    for chunk in lists.downcast_iter() {
        let values = inner::<Utf8ViewArray>(chunk)?;
        for window in chunk.offsets().buffer().windows(2) {
            all.push((window[0] as usize..window[1] as usize).map(|at| values.value(at)).collect());
        }
    }
    Ok(all)
}

fn number_lists(lists: &ListChunked) -> PolarsResult<Vec<Vec<u32>>> {
    let mut all = Vec::with_capacity(lists.len());
    for chunk in lists.downcast_iter() {
        let values = inner::<PrimitiveArray<u32>>(chunk)?.values();
        for window in chunk.offsets().buffer().windows(2) {
            all.push(values[window[0] as usize..window[1] as usize].to_vec());
        }
    }
    Ok(all)
}

fn inner<A: Array + 'static>(chunk: &ListArray<i64>) -> PolarsResult<&A> {
    chunk
        .values()
        .as_any()
        .downcast_ref::<A>()
        .ok_or_else(|| polars_err!(SchemaMismatch: "a list column holds other values than its schema says"))
}
