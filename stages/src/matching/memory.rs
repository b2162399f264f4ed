//! Tables in memory, for tests of stages.

use crate::records::{Column, Dropped, Pair, Record, Repository, Schema, Segment, Vote};
use crate::stage::{Input, Output, RepositoryStage, TableError, Work};

/// Input tables, each with the stage that wrote it.
#[derive(Default)]
pub(crate) struct Tables(Vec<(&'static str, Box<dyn Table>)>);

/// Rows of one type, whatever it is.
trait Table {
    fn schema(&self) -> Schema;
    fn columns(&self) -> Vec<Column<'_>>;
    fn rows(&self) -> usize;
}

impl<R: Record> Table for Vec<R> {
    fn schema(&self) -> Schema {
        R::SCHEMA
    }
    fn columns(&self) -> Vec<Column<'_>> {
        R::columns(self)
    }
    fn rows(&self) -> usize {
        self.len()
    }
}

impl Tables {
    /// Adds the rows of a table.
    pub(crate) fn add<R: Record + 'static>(&mut self, stage: &'static str, rows: Vec<R>) {
        self.0.push((stage, Box::new(rows)));
    }
}

impl Input for Tables {
    fn visit(
        &mut self,
        stage: &'static str,
        schema: &Schema,
        visit: &mut dyn FnMut(&[Column<'_>], usize),
    ) -> Result<(), TableError> {
        for (_, table) in
            self.0.iter().filter(|(of, table)| *of == stage && table.schema().name == schema.name)
        {
            let written = table.schema();
            assert_eq!(written.version, schema.version, "{}", schema.name);
            let columns = table.columns();
            let wanted: Vec<Column<'_>> = schema
                .fields
                .iter()
                .map(|field| {
                    let position = written.fields.iter().position(|other| other == field);
                    columns[position.unwrap_or_else(|| panic!("no column {field:?}"))].clone()
                })
                .collect();
            visit(&wanted, table.rows());
        }
        Ok(())
    }
}

/// What a stage wrote.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) votes: Vec<Vote>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) dropped: Vec<Dropped>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) set_aside: Vec<Segment>,
}

impl Output for Written {
    fn write(
        &mut self,
        schema: &'static Schema,
        columns: Vec<Column<'_>>,
        rows: usize,
    ) -> Result<(), TableError> {
        fn take<R: Record>(into: &mut Vec<R>, columns: &[Column<'_>], rows: usize) {
            into.extend((0..rows).map(|row| R::from_columns(columns, row).unwrap()));
        }
        match schema.name {
            "votes" => take(&mut self.votes, &columns, rows),
            "pairs" => take(&mut self.pairs, &columns, rows),
            "dropped" => take(&mut self.dropped, &columns, rows),
            "segments" => take(&mut self.segments, &columns, rows),
            "set_aside" => take(&mut self.set_aside, &columns, rows),
            other => panic!("no table {other} is expected"),
        }
        Ok(())
    }
}

/// What a stage writes of a repository.
pub(crate) fn work(
    stage: &dyn RepositoryStage,
    mut input: Tables,
    settings: &crate::Settings,
) -> Result<Written, crate::StageError> {
    let repository = Repository {
        host: "local".into(),
        repository: "sketch".into(),
        commit: "c0ffee".into(),
        source: "directory".into(),
        location: String::new(),
        revision: String::new(),
        source_files: 0,
        source_bytes: 0,
        licence: String::new(),
        licence_files: Vec::new(),
        licence_confidence: 0,
        vendored: Vec::new(),
        vendored_licences: Vec::new(),
    };
    let mut written = Written::default();
    let work =
        Work { repository: &repository, settings, clones: std::path::Path::new(""), credentials: None };
    stage.process(&work, &mut input, &mut written)?;
    Ok(written)
}

/// The tables that parsing makes of these files, each a path with its text.
pub(crate) fn parsed(files: &[(&str, &str)]) -> Tables {
    let parser = trefoil_languages::Parser::new(trefoil_languages::Guards::default());
    let (mut sources, mut callables, mut tests) = (Vec::new(), Vec::new(), Vec::new());
    for (path, text) in files {
        let language = trefoil_languages::of_path(path).unwrap();
        let (outline, text) = parser.outline(language, path, text.as_bytes()).unwrap();
        let place = crate::records::Place {
            host: "local".into(),
            repository: "sketch".into(),
            commit: "c0ffee".into(),
            path: (*path).into(),
            blob_id: format!("blob of {path}").into(),
        };
        let rows = crate::parsing::rows::rows(&place, language, text.to_owned(), outline);
        sources.push(rows.file);
        callables.extend(rows.callables);
        tests.extend(rows.test_cases);
    }
    let mut tables = Tables::default();
    tables.add("parsing", sources);
    tables.add("parsing", callables);
    tables.add("parsing", tests);
    tables
}
