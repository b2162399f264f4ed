//! What a discovery leaves: every repository once, in the order of ids, and what became of every name.

use crate::DiscoveryError;
use crate::journal::Journal;
use crate::question::{Answer, Looked, Question};
use crate::repository::{Absence, Repository};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A slice whose pages never agreed with each other or with their count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsettled {
    /// Its search words.
    pub words: String,
    /// How many there should be.
    pub total: u64,
    /// How many were found.
    pub found: u64,
    /// Whether GitHub said that it did not look everywhere.
    pub incomplete: bool,
}

/// The figures of a discovery.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Repositories.
    pub repositories: u64,
    /// How many GitHub counts in the slices that were read.
    pub counted: u64,
    /// Slices.
    pub slices: u64,
    /// Fewest stars that were sought, which `max_repositories` may have raised.
    pub min_stars: u64,
    /// Names that were looked up.
    pub names: u64,
    /// Those among them that are not there.
    pub absent: u64,
    /// Slices that are not to be relied on.
    pub unsettled: Vec<Unsettled>,
}

/// A finished discovery.
pub struct Found {
    /// Its figures.
    pub outcome: Outcome,
    /// What became of each name: the id of a repository, or why there is none.
    pub names: BTreeMap<String, Result<u64, (Absence, String)>>,
    rows: File,
    /// Place and length of each repository's row, by id.
    index: BTreeMap<u64, (u64, u32)>,
}

impl Found {
    /// Gathers the rows of a journal. They go into a file without a name, so that memory holds only their
    /// places.
    pub(crate) fn gather(journal: &Path, folder: &Path, outcome: Outcome) -> Result<Self, DiscoveryError> {
        let fault = |error| DiscoveryError::io("write", folder)(error);
        let rows = tempfile::tempfile_in(folder).map_err(fault)?;
        let mut writer = BufWriter::with_capacity(1 << 18, rows.try_clone().map_err(fault)?);
        let mut place = 0;
        let mut index = BTreeMap::new();
        let mut names = BTreeMap::new();
        let mut add = |repository: &Repository| {
            let mut row = serde_json::to_vec(repository).map_err(|error| fault(error.into()))?;
            row.push(b'\n');
            writer.write_all(&row).map_err(fault)?;
            // The answer that came last is the newest.
            index.insert(repository.id, (place, row.len() as u32));
            place += row.len() as u64;
            Ok::<_, DiscoveryError>(())
        };
        Journal::read(journal, |question, answer| {
            match (question, answer) {
                (_, Answer::Page(page)) => page.repositories.iter().try_for_each(&mut add)?,
                (Question::Named(asked), Answer::Named(looked)) => {
                    for (name, looked) in asked.into_iter().zip(looked) {
                        let result = match looked {
                            Looked::Found(repository) => {
                                add(&repository)?;
                                Ok(repository.id)
                            }
                            Looked::Absent(absence, detail) => Err((absence, detail)),
                        };
                        names.insert(name, result);
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        writer.flush().map_err(fault)?;
        drop(writer);
        let absent = names.values().filter(|result| result.is_err()).count() as u64;
        let outcome =
            Outcome { repositories: index.len() as u64, names: names.len() as u64, absent, ..outcome };
        Ok(Self { outcome, names, rows, index })
    }

    /// Every repository once, in the order of ids.
    pub fn each(&self, mut visit: impl FnMut(Repository)) -> Result<(), DiscoveryError> {
        let path = Path::new("rows of a discovery");
        for (place, length) in self.index.values() {
            let mut row = vec![0; *length as usize];
            self.rows.read_exact_at(&mut row, *place).map_err(DiscoveryError::io("read", path))?;
            let repository = serde_json::from_slice(&row);
            visit(repository.map_err(|error| DiscoveryError::io("read", path)(error.into()))?);
        }
        Ok(())
    }
}
