//! Lists of repositories that users bring: CSV, JSON lines or Parquet with a repository a row, in our form or as
//! others export them.

use crate::ShardError;
use polars::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
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
    /// The host's number of it; 0 where the list does not say.
    pub id: u64,
}

/// Columns of a list. Only `location` must be there.
const COLUMNS: [&str; 4] = ["host", "name", "location", "revision"];

/// Columns of exports that name a repository on GitHub: BigQuery's, GH Archive's flattened, GitHub's own.
const NAMES: [&str; 5] = ["repo_name", "repo.name", "full_name", "nameWithOwner", "repository"];

/// Columns of exports that hold a URL: Software Heritage's origins.
const URLS: [&str; 4] = ["origin", "origin_url", "clone_url", "url"];

/// Columns of exports that number it.
const IDS: [&str; 2] = ["repo_id", "repo.id"];

/// Reads a list; its format follows from the file's ending (`.csv`, `.jsonl`, `.ndjson`, `.parquet`, or `.txt` with a
/// name a line, as UniTSyn has them). Names without a host are looked for at `web`.
pub fn read_list(path: &Path, web: &str) -> Result<Vec<ListedRepository>, ShardError> {
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
        "txt" => return names(file, web).map_err(ShardError::io("read", path)),
        _ => {
            let cause = "a list of repositories ends in .csv, .jsonl, .parquet or .txt";
            return Err(ShardError::damaged(path, cause));
        }
    };
    let frame = frame.map_err(|error| ShardError::damaged(path, error))?;
    rows(&frame, web).map_err(|error| ShardError::damaged(path, error))
}

/// A name a line.
fn names(file: File, web: &str) -> std::io::Result<Vec<ListedRepository>> {
    let mut all = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line?;
        let name = line.trim();
        if !name.is_empty() && !name.starts_with('#') {
            all.push(at(web, name));
        }
    }
    Ok(all)
}

/// A repository by its name on GitHub.
fn at(web: &str, name: &str) -> ListedRepository {
    let location = format!("{}/{name}.git", web.trim_end_matches('/'));
    ListedRepository { location, ..ListedRepository::default() }
}

fn rows(frame: &DataFrame, web: &str) -> PolarsResult<Vec<ListedRepository>> {
    let columns = frame.get_column_names();
    let is_there = |wanted: &str| columns.iter().any(|name| name.as_str() == wanted);
    if is_there("location") {
        return own_rows(frame);
    }
    let known = |names: &[&'static str]| names.iter().copied().find(|name| is_there(name));
    // GH Archive's events hold the repository as a record.
    let nested = frame.column("repo").ok().and_then(|column| column.as_materialized_series().struct_().ok());
    let inside = |name: &str| nested.and_then(|record| record.field_by_name(name).ok());
    let text = |series: Series| series.cast(&DataType::String);
    let column = |name: &str| frame.column(name).map(|column| column.as_materialized_series().clone());
    let named = match known(&NAMES) {
        Some(name) => Some(text(column(name)?)?),
        None => inside("name").map(text).transpose()?,
    };
    let (places, is_url) = match (named, known(&URLS)) {
        (Some(names), _) => (names, false),
        (None, Some(name)) => (text(column(name)?)?, true),
        (None, None) => {
            polars_bail!(ColumnNotFound: "no column `location`; a list has the columns {}, or those of an export: {}",
                COLUMNS.join(", "), [&NAMES[..], &URLS[..], &["repo"]].concat().join(", "))
        }
    };
    let ids = match known(&IDS) {
        Some(name) => Some(text(column(name)?)?),
        None => inside("id").map(text).transpose()?,
    };
    let mut all: Vec<ListedRepository> = Vec::new();
    // An export of events names a repository as often as something happened in it.
    let mut seen: HashMap<String, usize> = HashMap::new();
    for row in 0..frame.height() {
        let Some(place) = places.str()?.get(row).filter(|place| !place.is_empty()) else { continue };
        let id = ids.as_ref().map(|ids| ids.str()).transpose()?.and_then(|ids| ids.get(row)?.parse().ok());
        let entry = if is_url {
            ListedRepository { location: place.to_owned(), ..ListedRepository::default() }
        } else {
            at(web, place)
        };
        let entry = ListedRepository { id: id.unwrap_or_default(), ..entry };
        let key = if entry.id == 0 { entry.location.clone() } else { entry.id.to_string() };
        match seen.get(&key).and_then(|&place| all.get_mut(place)) {
            // The later name is the newer one.
            Some(known) => *known = entry,
            None => {
                seen.insert(key, all.len());
                all.push(entry);
            }
        }
    }
    Ok(all)
}

fn own_rows(frame: &DataFrame) -> PolarsResult<Vec<ListedRepository>> {
    let names = frame.get_column_names();
    if let Some(other) = names.iter().find(|name| !COLUMNS.contains(&name.as_str())) {
        polars_bail!(ColumnNotFound: "unknown column `{other}`; a list has the columns {}", COLUMNS.join(", "));
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
                id: 0,
            })
        })
        .collect()
}
