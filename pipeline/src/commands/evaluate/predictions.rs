//! Files of predictions: JSON lines with `id` and `prediction`. What is wrong with a line is said with its number;
//! nothing of such a file is scored.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Longest line, in bytes: far above what a model writes.
const LONGEST_LINE: usize = 1 << 20;
/// Faults that are named one by one.
const NAMED_FAULTS: usize = 20;

/// Predictions by the ids of their rows.
#[derive(Default)]
pub struct Predictions {
    by_id: HashMap<String, (u64, String)>,
    faults: Vec<String>,
    more_faults: u64,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    prediction: String,
}

impl Predictions {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot read the predictions {}", path.display());
        let mut file = BufReader::new(File::open(path).with_context(cannot)?);
        let mut predictions = Self::default();
        let mut number = 0;
        while let Some(line) = next_line(&mut file).with_context(cannot)? {
            number += 1;
            let outcome = match line {
                Ok(line) if line.trim_ascii().is_empty() => continue,
                Ok(line) => predictions.add(number, &line),
                Err(bytes) => Err(format!("the line has {bytes} bytes; the most is {LONGEST_LINE}")),
            };
            if let Err(fault) = outcome {
                predictions.fault(format!("{}:{number}: {fault}", path.display()));
            }
        }
        Ok(predictions)
    }

    fn add(&mut self, number: u64, line: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(line)
            .map_err(|error| format!("not UTF-8 from byte {} of the line on", error.valid_up_to() + 1))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line: Line = serde_json::from_str(text).map_err(|error| {
            format!("{error}; a line is {{\"id\": \"…\", \"prediction\": \"…\"}} with the id of a row")
        })?;
        match self.by_id.entry(line.id) {
            Entry::Occupied(entry) => {
                Err(format!("`{}` has a prediction on line {} already", entry.key(), entry.get().0))
            }
            Entry::Vacant(entry) => {
                entry.insert((number, line.prediction));
                Ok(())
            }
        }
    }

    /// Notes that something is wrong with the file.
    pub fn fault(&mut self, fault: String) {
        if self.faults.len() < NAMED_FAULTS { self.faults.push(fault) } else { self.more_faults += 1 }
    }

    /// Takes out the prediction of a row.
    pub fn take(&mut self, id: &str) -> Option<String> {
        self.by_id.remove(id).map(|(_, prediction)| prediction)
    }

    /// Notes the predictions that nobody took, in the order of their lines: there are no such rows in `what`.
    pub fn finish(&mut self, path: &Path, what: &str) {
        let mut rest: Vec<(u64, String)> = self.by_id.drain().map(|(id, (number, _))| (number, id)).collect();
        rest.sort_unstable();
        for (number, id) in rest {
            self.fault(format!("{}:{number}: `{id}` is no row of {what}", path.display()));
        }
    }

    /// All that is wrong, if anything is.
    pub fn complaint(&self) -> Option<String> {
        let more = match self.more_faults {
            0 => String::new(),
            more => format!("\nand {more} more"),
        };
        (!self.faults.is_empty()).then(|| self.faults.join("\n") + &more)
    }
}

/// The next line without its end, or its size where it is too long; none at the end of the file.
fn next_line(file: &mut impl BufRead) -> std::io::Result<Option<Result<Vec<u8>, u64>>> {
    let mut line = Vec::new();
    let mut bytes = 0_u64;
    loop {
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
        bytes += part.len() as u64;
        if bytes <= LONGEST_LINE as u64 {
            line.extend_from_slice(part);
        }
        let consumed = part.len() + usize::from(end.is_some());
        file.consume(consumed);
        if end.is_some() {
            return Ok(Some(if bytes > LONGEST_LINE as u64 { Err(bytes) } else { Ok(line) }));
        }
    }
    match bytes {
        0 => Ok(None),
        _ if bytes > LONGEST_LINE as u64 => Ok(Some(Err(bytes))),
        _ => Ok(Some(Ok(line))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(bytes: &[u8]) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let complaint = Predictions::read(file.path()).unwrap().complaint().unwrap_or_default();
        complaint.replace(file.path().to_str().unwrap(), "p.jsonl")
    }

    #[test]
    fn good_lines_are_taken_and_blank_ones_passed_over() {
        assert_eq!(complaint(b"\xef\xbb\xbf{\"id\": \"a\", \"prediction\": \"x();\"}\r\n\n"), "");
    }

    #[test]
    fn faults_name_file_and_line() {
        let good = b"{\"id\": \"a\", \"prediction\": \"\"}\n";
        for (line, expected) in [
            (&b"{\"id\": \"a\""[..], "p.jsonl:2: EOF while parsing"),
            (b"{\"id\": \"b\"}", "p.jsonl:2: missing field `prediction`"),
            (good, "p.jsonl:2: `a` has a prediction on line 1 already"),
            (b"{\"id\": \"\xff\"}", "p.jsonl:2: not UTF-8 from byte 9 of the line on"),
            (&vec![b'x'; LONGEST_LINE + 1], "p.jsonl:2: the line has 1048577 bytes; the most is 1048576"),
        ] {
            let found = complaint(&[good, line].concat());
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn many_faults_are_counted() {
        let found = complaint(&b"x\n".repeat(25));
        assert!(found.ends_with("\nand 5 more") && found.lines().count() == 21, "{found}");
    }
}
