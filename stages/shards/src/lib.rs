//! Durable tables. The only place that knows Parquet, polars and how a file becomes permanent.
//!
//! A *shard* is a folder with one Parquet file per table and a `manifest.json`; it appears whole or not at
//! all. Inside a table each repository's rows are contiguous row groups of their own, so one repository can
//! be read, or carried over into the next version of the shard, without touching the others.

mod columns;
mod commit;
mod error;
mod leaf;
mod levels;
mod list;
mod manifest;
mod pages;
mod shard;
mod table;
mod values;

pub use commit::{digest_of_file, remove_leftovers, temporary, write_bytes, write_json};
pub use error::ShardError;
pub use list::{ListedRepository, read_list};
pub use manifest::{Manifest, RepositoryEntry, TableEntry};
pub use shard::{ShardInput, ShardWriter};
pub use table::{TableFile, TableWriter, fold_table, read_table, read_table_while};

#[cfg(test)]
mod tests;
