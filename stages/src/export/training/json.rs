//! Rows as JSON, and the values in them by path.

use crate::records::{Column, Field, Record};
use serde_json::{Map, Value};

/// A row of any record type as an object.
pub fn record<R: Record>(row: &R) -> Value {
    object(R::SCHEMA.fields, &R::columns(std::slice::from_ref(row)))
}

fn object(fields: &[Field], columns: &[Column<'_>]) -> Value {
    let cells =
        fields.iter().zip(columns).map(|(field, column)| (field.name.to_owned(), cell(field, column)));
    Value::Object(cells.collect::<Map<_, _>>())
}

fn cell(field: &Field, column: &Column<'_>) -> Value {
    use crate::records::ColumnType;
    match column {
        Column::Text(cells) => cells.first().copied().flatten().into(),
        Column::Uint32(cells) => cells.first().copied().flatten().into(),
        Column::Uint64(cells) => cells.first().copied().flatten().into(),
        Column::Float64(cells) => cells.first().copied().flatten().into(),
        Column::Bool(cells) => cells.first().copied().flatten().into(),
        Column::TextList(cells) => cells.get(0).unwrap_or_default().into(),
        Column::Uint32List(cells) => cells.get(0).unwrap_or_default().into(),
        Column::Struct(columns) => match field.column_type {
            ColumnType::Struct(fields) => object(fields, columns),
            _ => Value::Null,
        },
    }
}

/// The value at `a.b`.
pub fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

/// Paths of all values that are no objects.
pub fn paths(value: &Value) -> Vec<String> {
    let Value::Object(cells) = value else { return Vec::new() };
    let inside = |(key, value): (&String, &Value)| match value {
        Value::Object(_) => paths(value).into_iter().map(|path| format!("{key}.{path}")).collect(),
        _ => vec![key.clone()],
    };
    cells.iter().flat_map(inside).collect()
}

/// Calls `visit` with every text of a value, provenance left out: it names places and is no text of anybody.
pub fn texts(value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(values) => values.iter_mut().for_each(|value| texts(value, visit)),
        Value::Object(cells) => {
            cells.iter_mut().filter(|(key, _)| *key != "meta").for_each(|(_, value)| texts(value, visit));
        }
        _ => {}
    }
}
