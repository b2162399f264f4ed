//! Where sets of shingles wait for their comparison: in memory up to a limit, then in a scratch file.

use crate::DuplicatesError;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;

/// Sets by number, in the order in which they were added.
pub struct Sets {
    /// Elements of the first sets.
    memory: Vec<u32>,
    /// Most elements in memory.
    limit: usize,
    /// Where each set starts, in elements from the first; the last entry is the end of all.
    starts: Vec<u64>,
    scratch: Option<File>,
    /// Bytes on their way to the scratch file.
    pending: Vec<u8>,
}

/// Bytes written to the scratch file at once.
const WRITTEN_AT_ONCE: usize = 1 << 20;

impl Sets {
    /// Without a scratch file everything stays in memory.
    pub fn new(memory_bytes: usize, scratch: Option<File>) -> Self {
        let limit = if scratch.is_some() { memory_bytes / size_of::<u32>() } else { usize::MAX };
        Self { memory: Vec::new(), limit, starts: vec![0], scratch, pending: Vec::new() }
    }

    /// Adds a set.
    pub fn add(&mut self, set: &[u32]) -> Result<(), DuplicatesError> {
        let end = self.starts.last().copied().unwrap_or_default() + set.len() as u64;
        self.starts.push(end);
        // A set lies whole on one side; the first that does not fit closes the memory.
        if self.limit > 0 && self.memory.len() + set.len() <= self.limit {
            self.memory.extend_from_slice(set);
            return Ok(());
        }
        self.limit = 0;
        self.pending.extend(set.iter().flat_map(|element| element.to_le_bytes()));
        if self.pending.len() >= WRITTEN_AT_ONCE { self.flush() } else { Ok(()) }
    }

    /// Sends what is pending to the scratch file; has to come before the first [`Self::get`].
    pub fn flush(&mut self) -> Result<(), DuplicatesError> {
        if let Some(scratch) = &mut self.scratch {
            let written = scratch.write_all(&self.pending);
            written.map_err(|source| DuplicatesError::Scratch { action: "write", source })?;
        }
        self.pending.clear();
        Ok(())
    }

    fn range(&self, number: u32) -> (u64, u64) {
        let at = |place: usize| self.starts.get(place).copied().unwrap_or_default();
        (at(number as usize), at(number as usize + 1))
    }

    /// A set, borrowed from memory or read into `buffer`.
    pub fn get<'a>(&'a self, number: u32, buffer: &'a mut Buffer) -> Result<&'a [u32], DuplicatesError> {
        let (start, end) = self.range(number);
        if let Some(set) = self.memory.get(start as usize..end as usize) {
            return Ok(set);
        }
        let Some(scratch) = &self.scratch else { return Ok(&[]) };
        buffer.bytes.resize((end - start) as usize * size_of::<u32>(), 0);
        let place = (start - self.memory.len() as u64) * size_of::<u32>() as u64;
        let read = scratch.read_exact_at(&mut buffer.bytes, place);
        read.map_err(|source| DuplicatesError::Scratch { action: "read", source })?;
        let (elements, _) = buffer.bytes.as_chunks::<4>();
        buffer.set.clear();
        buffer.set.extend(elements.iter().map(|element| u32::from_le_bytes(*element)));
        Ok(&buffer.set)
    }
}

/// Room for a set that is read back.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    set: Vec<u32>,
}
