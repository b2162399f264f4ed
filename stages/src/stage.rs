//! What a stage is. A repository-local stage turns the rows of one repository into rows of its own and
//! never sees another repository; the engine decides when, where and in which process.

use crate::Settings;
use crate::records::{Column, Record, Repository, Schema};
use crate::sources::Credentials;
use std::path::Path;

/// Fault of the tables themselves (disk, damaged shard): ends the run.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TableError(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// Why a stage did not finish a repository.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The repository is at fault: it becomes a failure row and the run goes on.
    #[error("{reason}: {detail}")]
    Repository {
        /// Stable reason word.
        reason: &'static str,
        /// The particulars, with what to do.
        detail: String,
    },
    /// The tables are at fault: the run ends.
    #[error(transparent)]
    Tables(#[from] TableError),
}

/// Rows of earlier stages, those of the repository at hand only.
pub trait Input {
    /// Visits the rows of `schema`'s table in `stage`, batch by batch, with the columns of `schema`.
    fn visit(
        &mut self,
        stage: &'static str,
        schema: &Schema,
        visit: &mut dyn FnMut(&[Column<'_>], usize),
    ) -> Result<(), TableError>;
}

/// Tables that a stage fills. Rows must come in an order that depends on the repository alone.
pub trait Output {
    /// Appends a batch of rows.
    fn write(
        &mut self,
        schema: &'static Schema,
        columns: Vec<Column<'_>>,
        rows: usize,
    ) -> Result<(), TableError>;
}

/// All rows of a table.
pub fn read<R: Record>(input: &mut dyn Input, stage: &'static str) -> Result<Vec<R>, TableError> {
    read_if(input, stage, |_: &R| true)
}

/// The rows of a table that `wanted` accepts; the others are dropped as they are read.
pub fn read_if<R: Record>(
    input: &mut dyn Input,
    stage: &'static str,
    wanted: impl Fn(&R) -> bool,
) -> Result<Vec<R>, TableError> {
    let mut all = Vec::new();
    let mut bad = None;
    input.visit(stage, &R::SCHEMA, &mut |columns, rows| {
        for row in 0..rows {
            match R::from_columns(columns, row) {
                Some(record) if wanted(&record) => all.push(record),
                Some(_) => {}
                None => bad = Some(row),
            }
        }
    })?;
    match bad {
        Some(row) => Err(TableError(
            format!(
                "{stage}/{}: row {row} has a null or a type that the schema does not allow",
                R::SCHEMA.name
            )
            .into(),
        )),
        None => Ok(all),
    }
}

/// Appends rows of one record type.
pub fn write<R: Record>(
    output: &mut dyn Output,
    schema: &'static Schema,
    rows: &[R],
) -> Result<(), TableError> {
    write_each(output, schema, rows.iter())
}

/// Writes rows that lie here and there, if there are any.
pub fn write_each<'r, R: Record>(
    output: &mut dyn Output,
    schema: &'static Schema,
    rows: impl Iterator<Item = &'r R>,
) -> Result<(), TableError> {
    // Side by side, so that each column knows how long it will be.
    let rows: Vec<&R> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    output.write(schema, R::columns_of(rows.iter().copied()), rows.len())
}

/// One repository's turn in a stage.
pub struct Work<'a> {
    /// The repository, as cloning pinned it (for cloning itself: as discovery found it).
    pub repository: &'a Repository,
    /// All settings.
    pub settings: &'a Settings,
    /// Folder for clones of remote repositories.
    pub clones: &'a Path,
    /// What a server is told that asks who we are.
    pub credentials: Option<&'a Credentials>,
}

/// A stage that works repository by repository.
pub trait RepositoryStage: Send + Sync {
    /// Name, which is also its folder, config section and log field.
    fn name(&self) -> &'static str;
    /// Raised whenever the same input would give other rows.
    fn version(&self) -> u32;
    /// Names of the earlier stages whose tables it reads.
    fn reads(&self) -> &'static [&'static str];
    /// Its tables; every stage also has `failures`, which the engine writes.
    fn writes(&self) -> &'static [&'static Schema];
    /// The settings that its rows depend on, for the fingerprint.
    fn settings(&self, settings: &Settings) -> serde_json::Value;
    /// Whether it may have to fetch a remote repository.
    fn fetches(&self) -> bool {
        false
    }
    /// Told of each repository when the rows of its shard are safe.
    fn finished(&self, _: &Work<'_>) -> Result<(), TableError> {
        Ok(())
    }
    /// Works on one repository.
    fn process(
        &self,
        work: &Work<'_>,
        input: &mut dyn Input,
        output: &mut dyn Output,
    ) -> Result<(), StageError>;
}
