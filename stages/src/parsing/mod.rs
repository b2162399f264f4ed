//! Parsing: from blobs to source files, callables and test cases. Each file is read and parsed once; files
//! of one repository are parsed side by side and written in the order of their paths.

mod projects;
pub mod rows;
#[cfg(test)]
mod tests;

use crate::cloning;
use crate::records::{
    CallableRow, Dropped, Place, ProjectFileRow, Record, Schema, SourceFile, Subject, TestCaseRow,
};
use crate::sources::{Depth, LeftOut, Listed, Reading, Source, SourceError};
use crate::stage::{Input, Output, RepositoryStage, StageError, TableError, Work, write, write_each};
use projects::Projects;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use trefoil_languages::{Guards, Parser};

/// Settings of parsing.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Languages to parse.
    pub languages: Vec<String>,
    /// Largest file, in bytes.
    pub max_file_bytes: u64,
    /// Deepest nesting of syntax nodes.
    pub max_depth: u32,
    /// Most syntax nodes in one file.
    pub max_nodes: u32,
    /// Most parser steps per byte.
    pub max_steps_per_byte: u32,
}

impl Default for Settings {
    fn default() -> Self {
        let guards = Guards::default();
        Self {
            languages: trefoil_languages::all().iter().map(|language| language.name.to_owned()).collect(),
            max_file_bytes: guards.max_file_bytes,
            max_depth: guards.max_depth,
            max_nodes: guards.max_nodes,
            max_steps_per_byte: guards.max_steps_per_byte,
        }
    }
}

impl Settings {
    fn guards(&self) -> Guards {
        Guards {
            max_file_bytes: self.max_file_bytes,
            max_depth: self.max_depth,
            max_nodes: self.max_nodes,
            max_steps_per_byte: self.max_steps_per_byte,
        }
    }
}

/// Source text that is read, parsed and held at once, in bytes; the next portion is read meanwhile.
const PORTION_BYTES: u64 = 1 << 20;

/// The stage.
pub struct Parsing;

impl RepositoryStage for Parsing {
    fn name(&self) -> &'static str {
        "parsing"
    }

    fn version(&self) -> u32 {
        10
    }

    fn reads(&self) -> &'static [&'static str] {
        &["cloning"]
    }

    fn writes(&self) -> &'static [&'static Schema] {
        &[
            &SourceFile::SCHEMA,
            &CallableRow::SCHEMA,
            &TestCaseRow::SCHEMA,
            &ProjectFileRow::SCHEMA,
            &Dropped::SCHEMA,
        ]
    }

    fn settings(&self, settings: &crate::Settings) -> serde_json::Value {
        serde_json::json!(settings.parsing)
    }

    fn fetches(&self) -> bool {
        true
    }

    fn finished(&self, work: &Work<'_>) -> Result<(), TableError> {
        cloning::release(work)
    }

    fn process(&self, work: &Work<'_>, _: &mut dyn Input, output: &mut dyn Output) -> Result<(), StageError> {
        let mut source = cloning::open(work, Depth::Commit)?;
        if source.pin().commit != work.repository.commit {
            return Err(cloning::changed(&work.repository.location));
        }
        let outcome = parse_files(work, source.as_mut(), output);
        drop(source);
        let commit = &work.repository.commit;
        outcome.inspect_err(|error| cloning::forget_damaged(work, commit, error))?;
        cloning::let_go(work, commit)
    }
}

fn parse_files(work: &Work<'_>, source: &mut dyn Source, output: &mut dyn Output) -> Result<(), StageError> {
    // What is read for the licence only is no file of the data set.
    let left_out = source.listing().left_out.iter().filter(|left| !cloning::is_evidence(&left.path));
    let left_out: Vec<Dropped> = left_out.map(|left| dropped(work, left)).collect();
    write(output, &Dropped::SCHEMA, &left_out)?;
    let projects = Projects::read(work, source)?;
    projects.write(output)?;
    let mut portions = portions(&source.listing().files).into_iter();
    let mut portion = read_portion(source, portions.next());
    while let Some(files) = portion? {
        let range = portions.next();
        let (parsed, next) =
            rayon::join(|| parse_portion(work, &projects, files), || read_portion(source, range));
        write_portion(output, &parsed)?;
        portion = next;
    }
    Ok(())
}

/// Cuts the files into consecutive ranges of about [`PORTION_BYTES`].
fn portions(files: &[Listed]) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (index, file) in files.iter().enumerate() {
        bytes += file.bytes;
        if bytes >= PORTION_BYTES || index + 1 == files.len() {
            ranges.push(start..index + 1);
            (start, bytes) = (index + 1, 0);
        }
    }
    ranges
}

/// A file that was read, or why it was not.
type ReadFile = (Listed, Reading);

fn read_portion(
    source: &mut dyn Source,
    range: Option<std::ops::Range<usize>>,
) -> Result<Option<Vec<ReadFile>>, SourceError> {
    let Some(range) = range else { return Ok(None) };
    let files = range.filter_map(|index| Some((index, source.listing().files.get(index)?.clone())));
    let files = files.filter(|(_, file)| trefoil_languages::of_path(&file.path).is_some());
    let files: Vec<(usize, Listed)> = files.collect();
    files.into_iter().map(|(index, file)| Ok((file, source.read(index)?))).collect::<Result<_, _>>().map(Some)
}

/// The rows of one file, or the row that says why there are none.
enum Parsed {
    File(Box<rows::FileRows>),
    Dropped(Box<Dropped>),
}

fn parse_portion(work: &Work<'_>, projects: &Projects, files: Vec<ReadFile>) -> Vec<Parsed> {
    let files = files.into_par_iter().with_max_len(1);
    files.filter_map(|(file, reading)| parse(work, projects, &file, reading)).collect()
}

fn parse(work: &Work<'_>, projects: &Projects, file: &Listed, reading: Reading) -> Option<Parsed> {
    let bytes = match reading {
        Reading::File(bytes) => bytes,
        Reading::LeftOut(left) => return Some(Parsed::Dropped(Box::new(dropped(work, &left)))),
    };
    let language = trefoil_languages::of_path(&file.path)?;
    let place = Place {
        host: work.repository.host.as_str().into(),
        repository: work.repository.repository.as_str().into(),
        commit: work.repository.commit.as_str().into(),
        path: file.path.as_str().into(),
        blob_id: file.blob.to_string().into(),
    };
    let names = projects.test_names(&file.path, language);
    let parser = Parser::new(work.settings.parsing.guards());
    let text = parser.text(bytes);
    let parsed = text.and_then(|text| {
        let outline = parser.outline_named(language, &file.path, &text, names)?;
        Ok((text, outline))
    });
    Some(match parsed {
        Ok((text, mut outline)) => {
            projects.complete(&mut outline, &file.path, language);
            Parsed::File(Box::new(rows::rows(&place, language, text, outline)))
        }
        Err(problem) => {
            let blob = place.blob_id.to_string();
            let subject = (file.path.as_str(), blob.as_str(), file.bytes);
            let row = dropped_file(work, subject, problem.reason(), problem.to_string());
            Parsed::Dropped(Box::new(row))
        }
    })
}

fn dropped(work: &Work<'_>, left: &LeftOut) -> Dropped {
    let blob = left.blob.map(|blob| blob.to_string()).unwrap_or_default();
    dropped_file(work, (&left.path, &blob, left.bytes), left.reason.as_str(), left.detail.clone())
}

fn dropped_file(
    work: &Work<'_>,
    (path, blob_id, bytes): (&str, &str, u64),
    reason: &str,
    detail: String,
) -> Dropped {
    Dropped {
        host: work.repository.host.as_str().into(),
        repository: work.repository.repository.as_str().into(),
        commit: work.repository.commit.as_str().into(),
        path: path.into(),
        blob_id: blob_id.into(),
        start_byte: 0,
        end_byte: u32::try_from(bytes).unwrap_or(u32::MAX),
        first_line: 0,
        last_line: 0,
        stage: "parsing".into(),
        subject: Subject::File.as_str().into(),
        id: String::new(),
        language: trefoil_languages::of_path(path).map_or("", |language| language.name).into(),
        name: String::new(),
        reason: reason.into(),
        detail,
    }
}

fn write_portion(output: &mut dyn Output, parsed: &[Parsed]) -> Result<(), StageError> {
    let files = parsed.iter().filter_map(|parsed| match parsed {
        Parsed::File(rows) => Some(rows.as_ref()),
        Parsed::Dropped(_) => None,
    });
    let dropped = parsed.iter().filter_map(|parsed| match parsed {
        Parsed::Dropped(row) => Some(row.as_ref()),
        Parsed::File(_) => None,
    });
    write_each(output, &SourceFile::SCHEMA, files.clone().map(|rows| &rows.file))?;
    write_each(output, &CallableRow::SCHEMA, files.clone().flat_map(|rows| &rows.callables))?;
    write_each(output, &TestCaseRow::SCHEMA, files.flat_map(|rows| &rows.test_cases))?;
    Ok(write_each(output, &Dropped::SCHEMA, dropped)?)
}
