//! Columns of records to polars series and back.

use polars::prelude::*;
use polars_arrow::array::{Array, ListArray, PrimitiveArray, Utf8ViewArray};
use trefoil_stages::records::{
    Column as Cells, ColumnType, Field as RecordField, Lists, Schema as RecordSchema,
};

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

/// The types of the columns without columns inside, in the order of the file.
pub(crate) fn leaves(fields: &[RecordField]) -> Vec<ColumnType> {
    let leaves = fields.iter().map(|field| match field.column_type {
        ColumnType::Struct(inner) => leaves(inner),
        column_type => vec![column_type],
    });
    leaves.flatten().collect()
}

/// The cells of these columns.
pub(crate) fn cells_of_leaves<'c, 'a>(columns: &'c [Cells<'a>]) -> Vec<&'c Cells<'a>> {
    let leaves = columns.iter().map(|cells| match cells {
        Cells::Struct(inner) => cells_of_leaves(inner),
        cells => vec![cells],
    });
    leaves.flatten().collect()
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

fn text_lists(lists: &ListChunked) -> PolarsResult<Lists<&str>> {
    lists_of(lists, |values: &Utf8ViewArray, range| range.map(|at| values.value(at)))
}

fn number_lists(lists: &ListChunked) -> PolarsResult<Lists<u32>> {
    lists_of(lists, |values: &PrimitiveArray<u32>, range| values.values()[range].iter().copied())
}

fn lists_of<'a, A: Array + 'static, T, I: Iterator<Item = T>>(
    lists: &'a ListChunked,
    range: impl Fn(&'a A, std::ops::Range<usize>) -> I,
) -> PolarsResult<Lists<T>> {
    let mut parts = Vec::new();
    for chunk in lists.downcast_iter() {
        let values = inner::<A>(chunk)?;
        let windows = chunk.offsets().buffer().windows(2);
        parts.push(windows.map(|window| range(values, window[0] as usize..window[1] as usize)));
    }
    Ok(parts.into_iter().flatten().collect())
}

fn inner<A: Array + 'static>(chunk: &ListArray<i64>) -> PolarsResult<&A> {
    chunk
        .values()
        .as_any()
        .downcast_ref::<A>()
        .ok_or_else(|| polars_err!(SchemaMismatch: "a list column holds other values than its schema says"))
}
