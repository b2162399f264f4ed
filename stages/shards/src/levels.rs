//! Which cells hold values, and which values share a list: the definition and repetition levels of Dremel.

use crate::values::bit_width;
use polars::prelude::*;
use polars_parquet::parquet::encoding::hybrid_rle::{self, Encoder};
use polars_parquet::parquet::metadata::Descriptor;
use std::iter::repeat_n;

/// The levels of a page. Lists are never null, nor is anything in them.
pub(crate) struct Levels {
    definitions: Runs,
    repetitions: Runs,
    values: usize,
}

impl Levels {
    pub(crate) fn new(descriptor: &Descriptor) -> Self {
        let runs = |highest: i16| Runs { highest: highest.unsigned_abs().into(), runs: Vec::new() };
        let (definitions, repetitions) = (runs(descriptor.max_def_level), runs(descriptor.max_rep_level));
        Self { definitions, repetitions, values: 0 }
    }

    /// Values of the page, with those that are not there.
    pub(crate) fn values(&self) -> usize {
        self.values
    }

    /// A row with a value, or without.
    pub(crate) fn cell(&mut self, is_there: bool) {
        self.definitions.push(u32::from(!is_there), 1);
        self.values += 1;
    }

    /// A row with a list. An empty one lacks two levels: that of being in the list, and that of being no null.
    pub(crate) fn list(&mut self, length: usize) {
        self.definitions.push(if length == 0 { 2 } else { 0 }, length.max(1));
        self.repetitions.push(1, 1);
        self.repetitions.push(0, length.saturating_sub(1));
        self.values += length.max(1);
    }

    /// Writes the levels of the page and forgets them.
    pub(crate) fn write(&mut self, page: &mut Vec<u8>) -> PolarsResult<()> {
        self.values = 0;
        self.repetitions.write(page)?;
        self.definitions.write(page)
    }
}

/// Levels, told by what they lack of the highest.
struct Runs {
    highest: u32,
    runs: Vec<(u32, usize)>,
}

impl Runs {
    fn push(&mut self, lacking: u32, count: usize) {
        match self.runs.last_mut() {
            Some((last, times)) if *last == lacking => *times += count,
            _ if count > 0 => self.runs.push((lacking, count)),
            _ => {}
        }
    }

    fn write(&mut self, page: &mut Vec<u8>) -> PolarsResult<()> {
        let runs = std::mem::take(&mut self.runs);
        if self.highest == 0 {
            return Ok(());
        }
        let bits = bit_width(self.highest);
        let mut levels = Vec::new();
        if let [(lacking, count)] = runs.as_slice() {
            u32::run_length_encode(&mut levels, *count, self.highest.saturating_sub(*lacking), bits)?;
        } else {
            let all = runs
                .iter()
                .flat_map(|(lacking, count)| repeat_n(self.highest.saturating_sub(*lacking), *count));
            hybrid_rle::encode(&mut levels, all, bits)?;
        }
        page.extend_from_slice(&(levels.len() as u32).to_le_bytes());
        page.append(&mut levels);
        Ok(())
    }
}
