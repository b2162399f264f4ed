//! Labels: tests with the methods that people say they are about, in either of two formats.

use super::csv;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Labels of one or several files.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// One per row, in the order of files and lines.
    pub(super) all: Vec<Label>,
}

/// One row: a test and one of its focal methods.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    /// File.
    pub(super) file: PathBuf,
    /// Line in it.
    pub(super) line: usize,
    pub(super) test: Named,
    /// None where people say that the test has no focal method in the repository.
    pub(super) focal: Option<Named>,
    /// Repository and commit; none where the format does not tell.
    pub(super) repository: Option<(String, String)>,
}

/// How a label names a declaration.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Named {
    /// By a line of it and its name; line 0 where the source declares no such thing, since it is made when the code
    /// runs (`app[method] = function …` in a loop).
    At { path: String, line: u32, name: String },
    /// By its fully qualified Java name and the types of its parameters.
    Java { name: String, parameters: Vec<String> },
}

impl Named {
    /// Whether the source declares it.
    pub(super) fn is_declared(&self) -> bool {
        !matches!(self, Self::At { line: 0, .. })
    }

    /// The name without its classes.
    pub(super) fn simple_name(&self) -> &str {
        let (Self::At { name, .. } | Self::Java { name, .. }) = self;
        name.rsplit('.').next().unwrap_or(name)
    }
}

/// Why labels cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The header is that of neither format.
    #[error(
        "{file}: no column `{column}`; labels have the columns `{OURS}` (one row per link, no focal method where all `focal_` columns are empty) or `{TCTRACER}`"
    )]
    Header {
        /// File.
        file: PathBuf,
        /// The first column that is missing.
        column: &'static str,
    },
    /// A row is none.
    #[error("{file}:{line}: {problem}")]
    Row {
        /// File.
        file: PathBuf,
        /// Line.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

const OURS: &str = "repository,commit,test_path,test_line,test_name,focal_path,focal_line,focal_name";
const TCTRACER: &str = "test-fqn,function-fqn";

impl Labels {
    /// Adds the labels of a file with this text. Columns may come in any order and others may stand beside.
    pub fn add(&mut self, file: &Path, text: &str) -> Result<(), LabelError> {
        let problem = |line, problem: String| LabelError::Row { file: file.to_owned(), line, problem };
        let rows = csv::rows(text)
            .map_err(|line| problem(line, "a quotation mark is opened and never closed".to_owned()))?;
        let mut rows = rows.into_iter();
        let header = rows.next().map(|(_, names)| names).unwrap_or_default();
        let is_tctracer = header.iter().any(|name| TCTRACER.split(',').any(|column| column == name));
        let wanted = if is_tctracer { TCTRACER } else { OURS };
        let mut columns = HashMap::new();
        for column in wanted.split(',') {
            let missing = || LabelError::Header { file: file.to_owned(), column };
            columns.insert(column, header.iter().position(|name| name == column).ok_or_else(missing)?);
        }
        for (line, values) in rows {
            if values.len() != header.len() {
                let text = format!("{} values under a header of {}", values.len(), header.len());
                return Err(problem(line, text));
            }
            let value = |column: &str| {
                columns.get(column).and_then(|at| values.get(*at)).map_or("", |value| value.trim())
            };
            let (test, focal, repository) = if is_tctracer { java_row(value) } else { our_row(value) }
                .map_err(|text| problem(line, text))?;
            self.all.push(Label { file: file.to_owned(), line, test, focal, repository });
        }
        Ok(())
    }
}

type Parts = (Named, Option<Named>, Option<(String, String)>);

fn our_row<'a>(value: impl Fn(&str) -> &'a str) -> Result<Parts, String> {
    let repository = (value("repository").to_owned(), value("commit").to_owned());
    let at = |side: &str| -> Result<Option<Named>, String> {
        let [path, line, name] = ["path", "line", "name"].map(|column| value(&format!("{side}_{column}")));
        if path.is_empty() && line.is_empty() && name.is_empty() {
            return Ok(None);
        }
        let made_at_run_time = side == "focal" && line == "-";
        let line = if made_at_run_time { "0" } else { line };
        let number: u32 =
            line.parse().map_err(|_| format!("`{line}` in the column `{side}_line` is no line number"))?;
        if path.is_empty() || name.is_empty() {
            return Err(format!("`{side}_path` or `{side}_name` is empty"));
        }
        Ok(Some(Named::At { path: path.to_owned(), line: number, name: name.to_owned() }))
    };
    let test = at("test")?.ok_or("the row names no test")?;
    Ok((test, at("focal")?, Some(repository)))
}

fn java_row<'a>(value: impl Fn(&str) -> &'a str) -> Result<Parts, String> {
    let named = |column: &str| {
        let written = value(column);
        java(written).ok_or_else(|| {
            format!("`{written}` in the column `{column}` is no `package.Class.method(types)`")
        })
    };
    Ok((named("test-fqn")?, Some(named("function-fqn")?), None))
}

/// `a.b.Foo.<init>(java.lang.String, T[])`.
fn java(written: &str) -> Option<Named> {
    let (name, parameters) = written.strip_suffix(')')?.split_once('(')?;
    let (class, method) = name.rsplit_once('.')?;
    let method = if method == "<init>" { class.rsplit('.').next()? } else { method };
    Some(Named::Java { name: format!("{class}.{method}"), parameters: erased(parameters) })
}

/// The simple names of a list of types without their arguments: `Map<String, V>, int...` as `Map`, `int[]`.
fn erased(types: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut plain = String::new();
    for letter in types.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    plain.split(',').map(simple_type).filter(|name| !name.is_empty()).collect()
}

fn simple_type(written: &str) -> String {
    let written = written.trim().replace("...", "[]");
    written.rsplit('.').next().unwrap_or(&written).split_whitespace().collect()
}

/// Whether a declaration has these parameters, compared by the simple names of their types.
pub(super) fn has_parameters(declared: &[String], labelled: &[String]) -> bool {
    declared.len() == labelled.len()
        && declared.iter().zip(labelled).all(|(declared, labelled)| erased(declared) == [labelled.as_str()])
}
