//! The members of a zip, which has its directory at the end and can be read in any order.
//!
//! The directory is gone through entry by entry instead of being loaded: a loaded one has lost members of the
//! same path, and its size is up to the archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};

use zip::read::{Config, ZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::{ZipIterable, ZipIterableFiles};
use zip::{CompressionMethod, ZipReadOptions};

use super::{Members, metered, top_of};
use crate::sources::{Reason, SourceError};

type Input = BufReader<File>;

const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const SYMLINK: u32 = 0o120_000;

/// Whether the file begins as a zip does, be it an empty one.
pub(super) fn is_zip(file: &mut File) -> io::Result<bool> {
    let mut magic = Vec::new();
    file.take(4).read_to_end(&mut magic)?;
    file.rewind()?;
    Ok(magic == b"PK\x03\x04" || magic == b"PK\x05\x06")
}

/// Reads all members: one pass over the directory for what lies above all, another for the files.
pub(super) fn read(file: File, members: &mut Members<'_>) -> Result<(), SourceError> {
    let length = file.metadata().map_err(|error| members.failed(error))?.len();
    let opened = ZipIterable::try_new(BufReader::new(file), Config::default());
    let mut archive = opened.map_err(|error| cannot_open(members, error))?;
    let top = top_directory(archive.files().map_err(|error| failed(members, error))?, members)?;
    members.restart(top);
    let files = archive.files().map_err(|error| failed(members, error))?;
    let mut claimed = 0_u64;
    while let Some(entry) = files.next() {
        let entry = entry.map_err(|error| failed(members, error))?;
        members.count()?;
        // Members may share their compressed bytes, so what they claim is held against the whole archive.
        claimed = claimed.saturating_add(entry.size());
        metered::check(claimed, length, members.limits)
            .map_err(|exceeded| members.failed(io::Error::other(exceeded)))?;
        if !is_directory(&entry) {
            read_member(files, entry, members)?;
        }
    }
    Ok(())
}

/// The one directory that every member lies in, if there is one.
fn top_directory(
    files: &mut ZipIterableFiles<Input>,
    members: &mut Members<'_>,
) -> Result<Option<String>, SourceError> {
    let mut top: Option<Vec<u8>> = None;
    for entry in files {
        let entry = entry.map_err(|error| failed(members, error))?;
        members.count()?;
        match (top_of(entry.name_raw(), is_directory(&entry)), &top) {
            (Some(found), None) => top = Some(found.to_vec()),
            (Some(found), Some(known)) if found == known.as_slice() => {}
            _ => return Ok(None),
        }
    }
    Ok(top.and_then(|top| String::from_utf8(top).ok()))
}

fn read_member(
    files: &mut ZipIterableFiles<Input>,
    entry: ZipFileEntry<'_>,
    members: &mut Members<'_>,
) -> Result<(), SourceError> {
    let Some(path) = members.path(entry.name_raw()) else { return Ok(()) };
    let size = entry.size();
    match entry.unix_mode().map(|mode| mode & FILE_TYPE) {
        Some(SYMLINK) => {
            members.leave_out(&path, 0, Reason::Symlink, "links are never followed");
            return Ok(());
        }
        // Programs that know no file types leave the field empty.
        None | Some(REGULAR | 0) => {}
        Some(other) => {
            members.leave_out(&path, 0, Reason::NotARegularFile, format!("mode {other:o}"));
            return Ok(());
        }
    }
    if entry.encrypted() {
        members.leave_out(&path, size, Reason::Encrypted, "");
        return Ok(());
    }
    if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        members.leave_out(&path, size, Reason::UnsupportedCompression, entry.compression().to_string());
        return Ok(());
    }
    if !members.needs(&path, size)? {
        return Ok(());
    }
    let mut content = Vec::new();
    let member = entry.with_reader(files.reader_mut(), ZipReadOptions::new());
    let member = member.map_err(|error| failed(members, error))?;
    // One byte more than stated shows a member that lies about its size.
    member.take(size.saturating_add(1)).read_to_end(&mut content).map_err(|error| members.failed(error))?;
    if content.len() as u64 != size {
        return Err(members.corrupt(format!("{path} is not as long as the directory says")));
    }
    members.keep(path, content);
    Ok(())
}

fn is_directory(entry: &ZipFileEntry<'_>) -> bool {
    entry.name_raw().ends_with(b"/")
}

/// A zip whose directory cannot be found has almost always lost its end.
fn cannot_open(members: &Members<'_>, error: ZipError) -> SourceError {
    match error {
        ZipError::InvalidArchive(cause) => {
            SourceError::ArchiveTruncated { location: members.location.into(), cause: cause.into_owned() }
        }
        other => failed(members, other),
    }
}

fn failed(members: &Members<'_>, error: ZipError) -> SourceError {
    match error {
        ZipError::Io(error) => members.failed(error),
        ZipError::UnsupportedArchive(cause) => {
            SourceError::ArchiveUnsupported { location: members.location.into(), cause: cause.into() }
        }
        other => members.corrupt(other.to_string()),
    }
}
