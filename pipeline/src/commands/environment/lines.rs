//! JSON lines that are written in order and gone on with after a kill.

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Reads a file of JSON lines.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let rows = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), number + 1))
    });
    rows.collect()
}

/// A file of rows that grows in the order of what was asked.
pub struct Output {
    file: File,
    path: PathBuf,
    /// Rows that an earlier run has written.
    pub done: usize,
}

#[derive(serde::Deserialize)]
struct Id {
    id: String,
}

impl Output {
    /// Opens a file for the rows of `ids`. The rows of an earlier run that was killed stay; what it had half written
    /// goes. A file that holds other rows is refused.
    pub fn open<'a>(path: &Path, ids: impl Iterator<Item = &'a str>) -> Result<Self> {
        let problem = || format!("cannot write {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(problem)?;
        let bytes = std::fs::read(path).with_context(problem)?;
        let (mut kept, mut done) = (0, 0);
        let mut ids = ids.peekable();
        for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let Ok(row) = serde_json::from_slice::<Id>(line) else { break };
            if ids.next() != Some(row.id.as_str()) {
                bail!(
                    "{} holds the rows of something else ({}); remove it or name another",
                    path.display(),
                    row.id
                );
            }
            kept += line.len() as u64;
            done += 1;
        }
        file.set_len(kept).with_context(problem)?;
        file.seek(SeekFrom::End(0)).with_context(problem)?;
        Ok(Self { file, path: path.to_owned(), done })
    }

    /// Adds a row, in one write.
    pub fn add(&mut self, row: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        self.file.write_all(&line).with_context(|| format!("cannot write {}", self.path.display()))
    }
}
