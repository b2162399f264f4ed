//! Answers that are kept as soon as they are there. A discovery that is started again asks the same questions
//! and takes its answers from here as long as there are any, so that it comes to the same place without a
//! request. A line is cut off or damaged only where the machine stopped in the middle of it.

use crate::DiscoveryError;
use crate::question::{Answer, Interface, Question};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Raised when questions or answers are written in another way, or asked in another order.
const VERSION: u32 = 1;

/// First line: whose answers these are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    version: u32,
    /// What was sought, and how.
    pub(crate) sought: String,
    /// Interface that was asked. A discovery goes on with the one that it began with.
    pub(crate) interface: Interface,
    /// When the discovery began, in seconds since 1970.
    pub(crate) began: u64,
}

impl Head {
    pub(crate) fn new(sought: String, interface: Interface, began: u64) -> Self {
        Self { version: VERSION, sought, interface, began }
    }
}

#[derive(Serialize, Deserialize)]
struct Entry {
    question: Question,
    answer: Answer,
}

/// The file, somewhere between its first and its last answer.
pub(crate) struct Journal {
    path: PathBuf,
    reader: Option<BufReader<File>>,
    file: File,
    end: u64,
    pub(crate) head: Head,
    /// Answers that were there.
    pub(crate) replayed: u64,
}

impl Journal {
    /// Opens the journal of this search, or begins it. One of another search is refused.
    pub(crate) fn open(path: &Path, head: Head) -> Result<Self, DiscoveryError> {
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(DiscoveryError::io("open", path))?;
        let copy = file.try_clone().map_err(DiscoveryError::io("open", path))?;
        let mut reader = BufReader::with_capacity(1 << 20, copy);
        let mut journal = Self { path: path.to_owned(), reader: None, file, end: 0, head, replayed: 0 };
        match next_line(&mut reader).map_err(DiscoveryError::io("read", path))? {
            Some((text, bytes)) => {
                let there: Head = serde_json::from_str(&text).map_err(|_| journal.foreign())?;
                if there.version != VERSION || there.sought != journal.head.sought {
                    return Err(journal.foreign());
                }
                journal.head = there;
                journal.end = bytes;
                journal.reader = Some(reader);
            }
            None => {
                let text = serde_json::to_string(&journal.head).map_err(|error| journal.broken(&error))?;
                journal.append(&text)?;
            }
        }
        Ok(journal)
    }

    fn foreign(&self) -> DiscoveryError {
        DiscoveryError::Journal {
            path: self.path.clone(),
            cause: "it holds the answers to another search, or of another version of this program; give the \
                    section `github` as it was, or start anew with --refresh"
                .to_owned(),
        }
    }

    fn broken(&self, error: &serde_json::Error) -> DiscoveryError {
        DiscoveryError::Journal { path: self.path.clone(), cause: error.to_string() }
    }

    /// The answer to the next question, if it was given before.
    pub(crate) fn replay(&mut self, question: &Question) -> Result<Option<Answer>, DiscoveryError> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let line = next_line(reader).map_err(DiscoveryError::io("read", &self.path))?;
        let Some((text, bytes)) = line else {
            self.reader = None;
            return Ok(None);
        };
        let entry: Entry = serde_json::from_str(&text).map_err(|error| self.broken(&error))?;
        if entry.question != *question {
            return Err(self.foreign());
        }
        self.end += bytes;
        self.replayed += 1;
        Ok(Some(entry.answer))
    }

    /// Keeps an answer; when this returns it is on the disk.
    pub(crate) fn keep(&mut self, question: Question, answer: Answer) -> Result<Answer, DiscoveryError> {
        let entry = Entry { question, answer };
        let text = serde_json::to_string(&entry).map_err(|error| self.broken(&error))?;
        self.append(&text)?;
        Ok(entry.answer)
    }

    fn append(&mut self, text: &str) -> Result<(), DiscoveryError> {
        let line = format!("{} {text}\n", checksum(text));
        let written = (|| {
            // Behind the last whole line there may be half of one.
            self.file.set_len(self.end)?;
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(line.as_bytes())?;
            self.file.sync_data()
        })();
        written.map_err(DiscoveryError::io("write", &self.path))?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// All answers in their order, one at a time.
    pub(crate) fn read(
        path: &Path,
        mut visit: impl FnMut(Question, Answer) -> Result<(), DiscoveryError>,
    ) -> Result<(), DiscoveryError> {
        let file = File::open(path).map_err(DiscoveryError::io("open", path))?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut first = true;
        while let Some((text, _)) = next_line(&mut reader).map_err(DiscoveryError::io("read", path))? {
            if !std::mem::take(&mut first) {
                let entry: Entry = serde_json::from_str(&text).map_err(|error| DiscoveryError::Journal {
                    path: path.to_owned(),
                    cause: error.to_string(),
                })?;
                visit(entry.question, entry.answer)?;
            }
        }
        Ok(())
    }
}

fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(16).collect()
}

/// The next whole and sound line with its length in the file; none at the end and from the first damage on.
fn next_line(reader: &mut impl BufRead) -> std::io::Result<Option<(String, u64)>> {
    let mut line = Vec::new();
    let bytes = reader.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Ok(None);
    }
    let Ok(line) = String::from_utf8(line) else { return Ok(None) };
    Ok(match line.split_once(' ') {
        Some((sum, text)) if sum == checksum(text) => Some((text.to_owned(), bytes as u64)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(number: u64) -> Question {
        Question::Counts(vec![format!("stars:{number}")])
    }

    fn open(path: &Path) -> Journal {
        Journal::open(path, Head::new("all".into(), Interface::Rest, 7)).unwrap()
    }

    /// Asks three questions and says how many were known.
    fn ask(path: &Path) -> u64 {
        let mut journal = open(path);
        for number in 0..3 {
            let answer = match journal.replay(&question(number)).unwrap() {
                Some(answer) => answer,
                None => journal.keep(question(number), Answer::Counts(vec![number])).unwrap(),
            };
            assert_eq!(answer, Answer::Counts(vec![number]));
        }
        journal.replayed
    }

    #[test]
    fn a_journal_cut_off_anywhere_goes_on_from_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        assert_eq!((ask(&path), ask(&path)), (0, 3));
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(ask(&path) < 3);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut off at {length}");
        }
    }

    #[test]
    fn damage_costs_what_comes_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        ask(&path);
        let whole = std::fs::read(&path).unwrap();
        let second = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
        let mut damaged = whole.clone();
        damaged[second + 30] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(ask(&path), 1);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn answers_to_another_search_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        ask(&path);
        let error = Journal::open(&path, Head::new("some".into(), Interface::Rest, 8)).err().unwrap();
        assert!(error.to_string().contains("another search"), "{error}");
        assert!(open(&path).replay(&question(5)).is_err());
    }
}
