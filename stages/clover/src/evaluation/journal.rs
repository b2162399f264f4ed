//! What came of running, a line each, flushed to disk before it counts. A line that a kill cut off is forgotten.

use super::running::Ran;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Outcomes by key of the job.
pub struct Journal {
    path: PathBuf,
    file: File,
    known: BTreeMap<String, Ran>,
}

/// The journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} the outcomes {path}: {cause}")]
pub struct JournalError {
    action: &'static str,
    path: PathBuf,
    cause: std::io::Error,
}

#[derive(Deserialize, Serialize)]
struct Line {
    key: String,
    #[serde(flatten)]
    ran: Ran,
}

impl Journal {
    /// Opens the journal at `path`, which need not exist. What follows the first line that is not whole is dropped.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let fault = |action| move |cause| JournalError { action, path: path.to_owned(), cause };
        let options = OpenOptions::new().read(true).append(true).create(true).to_owned();
        let mut file = options.open(path).map_err(fault("open"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault("read"))?;
        let (mut known, mut whole) = (BTreeMap::new(), 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let Ok(Line { key, ran }) = serde_json::from_slice(line) else { break };
            known.insert(key, ran);
            whole += line.len() as u64;
        }
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(fault("mend"))?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    /// The outcome of a job.
    pub fn get(&self, key: &str) -> Option<&Ran> {
        self.known.get(key)
    }

    /// Keeps an outcome.
    pub fn add(&mut self, key: &str, ran: Ran) -> Result<(), JournalError> {
        let line = Line { key: key.to_owned(), ran };
        let written = serde_json::to_vec(&line).map_err(std::io::Error::other).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(|cause| JournalError { action: "write", path: self.path.clone(), cause })?;
        self.known.insert(line.key, line.ran);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trefoil_execution::coverage::Outcome;

    fn ran(detail: &str) -> Ran {
        Ran { outcome: Outcome::Failed, detail: detail.into(), files: Default::default() }
    }

    #[test]
    fn cut_off_anywhere_it_keeps_every_whole_line_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outcomes.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        journal.add("a", ran("one")).unwrap();
        journal.add("b", ran("two")).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let first = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for cut in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            assert_eq!(journal.get("a").is_some(), cut >= first, "{cut}");
            assert_eq!(journal.get("b").is_some(), cut == bytes.len(), "{cut}");
            journal.add("c", ran("three")).unwrap();
            let again = Journal::open(&path).unwrap();
            assert_eq!(again.get("c"), Some(&ran("three")));
            assert_eq!(again.get("a").is_some(), cut >= first);
        }
    }
}
