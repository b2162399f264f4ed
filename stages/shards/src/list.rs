//! Lists of repositories that users bring: CSV, JSON lines or Parquet with a repository a row.

use crate::ShardError;
use polars::prelude::*;
use std::fs::File;
use std::path::Path;

/// One row of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedRepository {
    /// Host; empty for the default.
    pub host: String,
    /// Name; empty for the default.
    pub name: String,
    /// Path or URL.
    pub location: String,
    /// Revision; empty for the default branch.
    pub revision: String,
}

/// Columns of a list. Only `location` must be there.
const COLUMNS: [&str; 4] = ["host", "name", "location", "revision"];

/// Reads a list; its format follows from the file's ending (`.csv`, `.jsonl`, `.ndjson`, `.parquet`).
pub fn read_list(path: &Path) -> Result<Vec<ListedRepository>, ShardError> {
    let file = File::open(path).map_err(ShardError::io("open", path))?;
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let frame = match ending {
        // Every value is text: a revision such as `0123456` must keep its zero.
        "csv" => CsvReadOptions::default()
            .with_has_header(true)
            .with_infer_schema_length(Some(0))
            .into_reader_with_file_handle(file)
            .finish(),
        "jsonl" | "ndjson" => JsonReader::new(file).with_json_format(JsonFormat::JsonLines).finish(),
        "parquet" => ParquetReader::new(file).finish(),
        _ => {
            return Err(ShardError::damaged(path, "a list of repositories ends in .csv, .jsonl or .parquet"));
        }
    };
    let frame = frame.map_err(|error| ShardError::damaged(path, error))?;
    rows(&frame).map_err(|error| ShardError::damaged(path, error))
}

fn rows(frame: &DataFrame) -> PolarsResult<Vec<ListedRepository>> {
    let names = frame.get_column_names();
    if let Some(other) = names.iter().find(|name| !COLUMNS.contains(&name.as_str())) {
        polars_bail!(ColumnNotFound: "unknown column `{other}`; a list has the columns {}", COLUMNS.join(", "));
    }
    if !names.iter().any(|name| name.as_str() == "location") {
        polars_bail!(ColumnNotFound: "no column `location`; a list has the columns {}", COLUMNS.join(", "));
    }
    let texts = COLUMNS.map(|name| match frame.column(name) {
        Ok(column) => column.as_materialized_series().cast(&DataType::String),
        Err(_) => Ok(Series::full_null(name.into(), frame.height(), &DataType::String)),
    });
    let [host, name, location, revision] = texts;
    let (host, name, location, revision) = (host?, name?, location?, revision?);
    let text = |series: &Series, row: usize| -> PolarsResult<String> {
        Ok(series.str()?.get(row).unwrap_or_default().to_owned())
    };
    (0..frame.height())
        .map(|row| {
            Ok(ListedRepository {
                host: text(&host, row)?,
                name: text(&name, row)?,
                location: text(&location, row)?,
                revision: text(&revision, row)?,
            })
        })
        .collect()
}
