//! The members of a zip, which has its directory at the end and can be read in any order.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use zip::read::{Config, ZipReadOptions};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipIterable};

use super::{Members, metered, top_of};
use crate::sources::{Reason, SourceError};

/// Whether the file begins as a zip does, be it an empty one.
pub(super) fn is_zip(file: &mut File) -> io::Result<bool> {
    let mut magic = Vec::new();
    file.take(4).read_to_end(&mut magic)?;
    file.rewind()?;
    Ok(magic == b"PK\x03\x04" || magic == b"PK\x05\x06")
}
