//! A folder of tables for some repositories: writing it, reading one repository of it, carrying rows over.

use crate::commit::{place_folder, temporary};
use crate::table::{TableReader, TableWriter, path as table_path};
use crate::{Manifest, RepositoryEntry, ShardError, TableEntry};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use trefoil_stages::records::{Column, Schema};
use trefoil_stages::{Output, TableError};

/// A shard in the making. Repositories must come in the order of their keys.
pub struct ShardWriter {
    folder: PathBuf,
    temporary: PathBuf,
    tables: Vec<(&'static Schema, TableWriter)>,
    manifest: Manifest,
    current: RepositoryEntry,
}

impl ShardWriter {
    /// Starts the shard that will stand in `folder`.
    pub fn create(
        folder: &Path,
        stage: &str,
        fingerprint: &str,
        schemas: &[&'static Schema],
    ) -> Result<Self, ShardError> {
        let temporary = temporary(folder);
        if temporary.exists() {
            fs::remove_dir_all(&temporary).map_err(ShardError::io("remove", &temporary))?;
        }
        fs::create_dir_all(&temporary).map_err(ShardError::io("create", &temporary))?;
        let tables = schemas
            .iter()
            .map(|&schema| Ok((schema, TableWriter::create(&table_path(&temporary, schema.name), schema)?)));
        Ok(Self {
            folder: folder.to_owned(),
            tables: tables.collect::<Result<_, ShardError>>()?,
            temporary,
            manifest: Manifest {
                stage: stage.to_owned(),
                fingerprint: fingerprint.to_owned(),
                tables: BTreeMap::new(),
                repositories: BTreeMap::new(),
            },
            current: RepositoryEntry::default(),
        })
    }

    /// Ends the repository in hand: its rows are complete.
    pub fn end_repository(
        &mut self,
        key: &str,
        fingerprint: &str,
        failure: Option<&str>,
    ) -> Result<(), ShardError> {
        for (schema, table) in &mut self.tables {
            if let Some(rows) = table.flush()? {
                self.current.row_groups.entry(schema.name.to_owned()).or_default().push(rows);
            }
        }
        let mut entry = std::mem::take(&mut self.current);
        entry.fingerprint = fingerprint.to_owned();
        entry.failure = failure.map(str::to_owned);
        self.manifest.repositories.insert(key.to_owned(), entry);
        Ok(())
    }

    /// Takes the rows of the repository in hand back. False where some are in the file already: then the
    /// shard has to be started again.
    pub fn forget_repository(&mut self) -> bool {
        self.tables.iter_mut().for_each(|(_, table)| table.forget());
        std::mem::take(&mut self.current).row_groups.is_empty()
    }

    /// Copies a repository's rows from a finished shard, row group for row group, so that the bytes are the
    /// same as if they had been computed here.
    pub fn carry_over(&mut self, from: &mut ShardInput, key: &str) -> Result<(), ShardError> {
        let Some(entry) = from.manifest.repositories.get(key).cloned() else {
            return Err(ShardError::damaged(&from.folder, format!("it does not hold {key}")));
        };
        for (schema, table) in &mut self.tables {
            let Some(groups) = entry.row_groups.get(schema.name) else { continue };
            let mut offset = from.offset(schema.name, key);
            for &rows in groups {
                let mut result = Ok(None);
                from.reader(schema.name)?.visit(schema, (offset, rows as usize), &mut |cells, rows| {
                    result = table.append(cells, rows);
                })?;
                if result?.is_none() {
                    table.flush()?;
                }
                offset += rows as usize;
            }
        }
        self.manifest.repositories.insert(key.to_owned(), entry);
        Ok(())
    }

    /// Removes all that was written.
    pub fn abandon(self) -> Result<(), ShardError> {
        fs::remove_dir_all(&self.temporary).map_err(ShardError::io("remove", &self.temporary))
    }

    /// Completes all tables, writes the manifest and puts the shard in its place.
    pub fn commit(mut self) -> Result<Manifest, ShardError> {
        for (schema, table) in self.tables {
            let file = table.finish()?;
            let entry = TableEntry {
                version: schema.version,
                rows: file.rows,
                bytes: file.bytes,
                sha256: file.sha256,
            };
            self.manifest.tables.insert(schema.name.to_owned(), entry);
        }
        self.manifest.store(&self.temporary)?;
        place_folder(&self.temporary, &self.folder)?;
        Ok(self.manifest)
    }
}

impl Output for ShardWriter {
    fn write(
        &mut self,
        schema: &'static Schema,
        columns: Vec<Column<'_>>,
        rows: usize,
    ) -> Result<(), TableError> {
        let Some((_, table)) = self.tables.iter_mut().find(|(known, _)| known.name == schema.name) else {
            let text = format!("stage {} has no table {}", self.manifest.stage, schema.name);
            return Err(TableError(text.into()));
        };
        if let Some(rows) = table.append(&columns, rows)? {
            self.current.row_groups.entry(schema.name.to_owned()).or_default().push(rows);
        }
        Ok(())
    }
}

/// A finished shard, read repository by repository.
pub struct ShardInput {
    folder: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    readers: HashMap<String, TableReader>,
}

impl ShardInput {
    /// Opens the shard in `folder`.
    pub fn open(folder: &Path) -> Result<Self, ShardError> {
        let manifest =
            Manifest::load(folder)?.ok_or_else(|| ShardError::damaged(folder, "it has no manifest"))?;
        Ok(Self { folder: folder.to_owned(), manifest, readers: HashMap::new() })
    }

    fn reader(&mut self, table: &str) -> Result<&TableReader, ShardError> {
        if !self.readers.contains_key(table) {
            let reader = TableReader::open(&table_path(&self.folder, table))?;
            self.readers.insert(table.to_owned(), reader);
        }
        self.readers.get(table).ok_or_else(|| ShardError::damaged(&self.folder, "a table vanished"))
    }

    /// First row of `key` in `table`.
    fn offset(&self, table: &str, key: &str) -> usize {
        let before = self.manifest.repositories.range::<str, _>((Bound::Unbounded, Bound::Excluded(key)));
        before.filter_map(|(_, entry)| entry.row_groups.get(table)).flatten().sum::<u64>() as usize
    }

    /// Visits the rows of one repository.
    pub fn visit(
        &mut self,
        key: &str,
        schema: &Schema,
        visit: &mut dyn FnMut(&[Column<'_>], usize),
    ) -> Result<(), ShardError> {
        let Some(entry) = self.manifest.repositories.get(key) else { return Ok(()) };
        let groups = entry.row_groups.get(schema.name).cloned().unwrap_or_default();
        let mut offset = self.offset(schema.name, key);
        let known = self.manifest.tables.get(schema.name);
        if known.is_some_and(|table| table.version != schema.version) {
            return Err(ShardError::damaged(
                &table_path(&self.folder, schema.name),
                "its schema has another version",
            ));
        }
        for rows in groups {
            let rows = rows as usize;
            let reader = self.reader(schema.name)?;
            if offset + rows > reader.rows() {
                return Err(ShardError::damaged(
                    &self.folder,
                    "its manifest counts more rows than its table has",
                ));
            }
            reader.visit(schema, (offset, rows), visit)?;
            offset += rows;
        }
        Ok(())
    }
}
