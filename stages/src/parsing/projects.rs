//! Project files: their rows, and what the nearest one of a file says of its tests.
//!
//! They are few and small, and are read before any source file, so that the order of files decides nothing.

use crate::cloning;
use crate::records::{Dropped, ProjectFileRow, Record};
use crate::sources::{Reading, Source, SourceError};
use crate::stage::{Output, TableError, Work, write};
use std::collections::BTreeMap;
use trefoil_languages::{Framework, Language, Outline, ProjectFile, TestNames, of_project_file};

/// Reason of a project file that its language cannot read.
const BROKEN: &str = "broken_project_file";

/// The project files of a repository.
#[derive(Default)]
pub(super) struct Projects {
    rows: Vec<ProjectFileRow>,
    dropped: Vec<Dropped>,
    /// By name of the project file and folder.
    frameworks: BTreeMap<(&'static str, String), Framework>,
    /// The same for names of tests.
    names: BTreeMap<(&'static str, String), TestNames>,
}

impl Projects {
    /// Reads the project files among those listed.
    pub(super) fn read(work: &Work<'_>, source: &mut dyn Source) -> Result<Self, SourceError> {
        let chosen = |language| cloning::is_chosen(work.settings, language);
        let listed = source.listing().files.iter().enumerate();
        let listed: Vec<(usize, String)> = listed
            .filter(|(_, file)| of_project_file(&file.path).is_some_and(|(language, _)| chosen(language)))
            .map(|(index, file)| (index, file.path.clone()))
            .collect();
        let mut projects = Self::default();
        for (index, path) in listed {
            let Some((language, project_file)) = of_project_file(&path) else { continue };
            match source.read(index)? {
                Reading::LeftOut(left) => projects.dropped.push(super::dropped(work, &left)),
                Reading::File(bytes) => {
                    let blob = source.listing().files.get(index).map(|file| file.blob.to_string());
                    let blob = blob.unwrap_or_default();
                    let mut row =
                        super::dropped_file(work, (&path, &blob, bytes.len() as u64), BROKEN, String::new());
                    row.language = language.name.to_owned();
                    projects.add(row, project_file, &bytes);
                }
            }
        }
        Ok(projects)
    }

    /// Takes in one file; `row` is what it becomes if it cannot be read.
    fn add(&mut self, row: Dropped, project_file: &'static ProjectFile, bytes: &[u8]) {
        let read = std::str::from_utf8(bytes)
            .map_err(|error| format!("not UTF-8 at offset {}", error.valid_up_to()))
            .and_then(|text| Ok((text, (project_file.framework)(text)?)));
        match read {
            Err(detail) => self.dropped.push(Dropped { detail, ..row }),
            Ok((text, framework)) => {
                if let Some(framework) = framework {
                    self.frameworks.insert((project_file.name, folder(&row.path).to_owned()), framework);
                }
                if let Some(names) = (project_file.test_names)(text) {
                    self.names.insert((project_file.name, folder(&row.path).to_owned()), names);
                }
                self.rows.push(project_row(row, project_file, text));
            }
        }
    }

    /// Gives tests whose framework their file does not tell that of the nearest project file that tells one;
    /// in a workspace that may be the file of a folder further up.
    pub(super) fn complete(&self, outline: &mut Outline, path: &str, language: &Language) {
        let unknown = |framework: Framework| framework.is_unknown();
        if !outline.test_cases.iter().any(|case| unknown(case.framework)) {
            return;
        }
        if let Some(framework) = nearest(&self.frameworks, path, language) {
            let cases = outline.test_cases.iter_mut().filter(|case| unknown(case.framework));
            cases.for_each(|case| case.framework = *framework);
        }
    }

    /// How the project that a file belongs to names its tests, if one of its files says so.
    pub(super) fn test_names(&self, path: &str, language: &Language) -> Option<&TestNames> {
        nearest(&self.names, path, language)
    }

    /// Writes their rows.
    pub(super) fn write(&self, output: &mut dyn Output) -> Result<(), TableError> {
        write(output, &ProjectFileRow::SCHEMA, &self.rows)?;
        write(output, &Dropped::SCHEMA, &self.dropped)
    }
}

/// What the nearest project file above a path tells, of several in one folder the first that counts.
fn nearest<'t, T>(
    told: &'t BTreeMap<(&'static str, String), T>,
    path: &str,
    language: &Language,
) -> Option<&'t T> {
    if told.is_empty() {
        return None;
    }
    let mut folders =
        std::iter::successors(Some(folder(path)), |inner| (!inner.is_empty()).then(|| folder(inner)));
    folders.find_map(|folder| {
        language.project_files.iter().find_map(|file| told.get(&(file.name, folder.to_owned())))
    })
}

fn project_row(row: Dropped, project_file: &ProjectFile, text: &str) -> ProjectFileRow {
    ProjectFileRow {
        host: row.host,
        repository: row.repository,
        commit: row.commit,
        path: row.path,
        blob_id: row.blob_id,
        start_byte: 0,
        end_byte: row.end_byte,
        first_line: 1,
        last_line: super::rows::last_line(text),
        language: row.language,
        name: project_file.name.to_owned(),
        text: text.to_owned(),
    }
}

/// The folder that a path lies in; empty for the root of the repository.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
