//! Readers that know how much went in and how much came out.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::sources::Limits;

/// Below this much output no ratio is suspicious.
const FREE_BYTES: u64 = 64 << 20;

/// The limit that a decompression went over.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Exceeded(pub String);

/// Whether this much output for this much input is still within the limits.
pub(super) fn check(produced: u64, consumed: u64, limits: &Limits) -> Result<(), Exceeded> {
    if produced > limits.max_decompressed_bytes {
        return Err(Exceeded(format!("decompresses to more than {} bytes", limits.max_decompressed_bytes)));
    }
    if produced > FREE_BYTES && produced > consumed.saturating_mul(limits.max_compression_ratio) {
        return Err(Exceeded(format!(
            "decompresses to more than {} times its size",
            limits.max_compression_ratio
        )));
    }
    Ok(())
}

/// Counts what is read through it.
pub(super) struct Counted<R> {
    pub inner: R,
    pub count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// The output of a decompressor, which ends with an error where it exceeds the limits.
pub(super) struct Metered<'a, R> {
    pub inner: R,
    pub consumed: Rc<Cell<u64>>,
    pub produced: u64,
    pub limits: &'a Limits,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.produced += read as u64;
        check(self.produced, self.consumed.get(), self.limits).map_err(io::Error::other)?;
        Ok(read)
    }
}
