//! The members of a tar, plain or compressed.
//!
//! Headers are read here block by block, since the readers of whole entries take names of any length into
//! memory and do not tell an early end from damage.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};
use tar::{EntryType, Header, PaxExtensions};

use super::metered::{Counted, Metered};
use super::{Members, top_of, trimmed};
use crate::sources::{Reason, SourceError};

const BLOCK: usize = 512;
/// Long names and attributes; real ones take a few hundred bytes.
const MAX_EXTENSION_BYTES: u64 = 1 << 20;
/// `xz -9` needs 65 MiB; a header may ask for 4 GiB.
const MAX_XZ_MEMORY: u64 = 256 << 20;

/// Reads all members. The first one says which directory might lie above all; where a later one disagrees,
/// the archive is read again without taking anything off.
pub(super) fn read(mut file: File, members: &mut Members<'_>) -> Result<(), SourceError> {
    for guess in [true, false] {
        file.rewind().map_err(|error| members.failed(error))?;
        members.restart(None);
        if read_once(&file, members, guess)? {
            break;
        }
    }
    Ok(())
}

/// One pass; false where the guess about the top directory was wrong.
fn read_once(file: &File, members: &mut Members<'_>, guess: bool) -> Result<bool, SourceError> {
    let mut magic = [0; 6];
    let mut start = file;
    let length = fill(&mut start, &mut magic).map_err(|error| members.failed(error))?;
    start.rewind().map_err(|error| members.failed(error))?;
    let consumed = Rc::new(Cell::new(0));
    let input = BufReader::new(Counted { inner: file, count: Rc::clone(&consumed) });
    let unsupported = |cause: &str| {
        Err(SourceError::ArchiveUnsupported { location: members.location.into(), cause: cause.into() })
    };
    let inner: Box<dyn Read> = match &magic[..length] {
        [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(input)),
        [0xfd, b'7', b'z', b'X', b'Z', 0] => {
            let stream = Stream::new_stream_decoder(MAX_XZ_MEMORY, CONCATENATED);
            Box::new(XzDecoder::new_stream(input, stream.map_err(|error| members.failed(error.into()))?))
        }
        [b'B', b'Z', b'h', ..] => return unsupported("bzip2"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return unsupported("zstd"),
        _ => Box::new(input),
    };
    let mut stream = Metered { inner, consumed, produced: 0, limits: members.limits };
    let mut first = true;
    let mut long_name = None;
    let mut top = guess.then_some(Vec::new());
    loop {
        let mut block = [0; BLOCK];
        let length = fill(&mut stream, &mut block).map_err(|error| members.failed(error))?;
        if first && (length < BLOCK || (!is_header(&block) && block != [0; BLOCK])) {
            return unsupported("neither zip nor tar, plain or compressed by gzip or xz");
        }
        if length < BLOCK {
            let error = io::Error::new(io::ErrorKind::UnexpectedEof, "no end mark after the last member");
            return Err(members.failed(error));
        }
        if block == [0; BLOCK] {
            // To the end of the stream, where the checksums are.
            io::copy(&mut stream, &mut io::sink()).map_err(|error| members.failed(error))?;
            return Ok(true);
        }
        if !is_header(&block) {
            return Err(members.corrupt("a header has a wrong checksum"));
        }
        first = false;
        members.count()?;
        let header = Header::from_byte_slice(&block);
        let size = header.entry_size().map_err(|error| members.corrupt(error.to_string()))?;
        let kind = header.entry_type();
        match kind {
            EntryType::GNULongName | EntryType::XHeader => {
                let content = extension(&mut stream, size, members)?;
                if let Some(name) = name_in(kind, &content, members)? {
                    long_name = Some(name);
                }
                continue;
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => {
                extension(&mut stream, size, members)?;
                continue;
            }
            _ => {}
        }
        let name = long_name.take().unwrap_or_else(|| header.path_bytes().into_owned());
        let is_directory = kind == EntryType::Directory || (kind.is_file() && name.ends_with(b"/"));
        if is_directory && matches!(trimmed(&name), b"" | b".") {
            skip(&mut stream, padded(size), members)?;
            continue;
        }
        if let Some(guessed) = &mut top {
            match top_of(&name, is_directory) {
                Some(found) if guessed.is_empty() => {
                    *guessed = found.to_vec();
                    members.top = String::from_utf8(found.to_vec()).ok();
                }
                Some(found) if found == guessed.as_slice() => {}
                _ => return Ok(false),
            }
        }
        let path = if is_directory { None } else { members.path(&name) };
        let Some(path) = path else {
            skip(&mut stream, padded(size), members)?;
            continue;
        };
        match kind {
            EntryType::Regular | EntryType::Continuous => {
                if members.needs(&path, size)? {
                    let content = take(&mut stream, size, members)?;
                    members.keep(path, content);
                    skip(&mut stream, padded(size) - size, members)?;
                    continue;
                }
            }
            EntryType::Symlink => members.leave_out(&path, 0, Reason::Symlink, "links are never followed"),
            EntryType::Link => members.leave_out(&path, 0, Reason::HardLink, "links are never followed"),
            other => members.leave_out(&path, 0, Reason::NotARegularFile, format!("{other:?}")),
        }
        skip(&mut stream, padded(size), members)?;
    }
}

/// The name that a long-name or attribute member gives to the next one.
fn name_in(kind: EntryType, content: &[u8], members: &Members<'_>) -> Result<Option<Vec<u8>>, SourceError> {
    if kind == EntryType::GNULongName {
        return Ok(Some(content.split(|byte| *byte == 0).next().unwrap_or_default().to_vec()));
    }
    let mut name = None;
    for attribute in PaxExtensions::new(content) {
        let attribute = attribute.map_err(|error| members.corrupt(error.to_string()))?;
        match attribute.key_bytes() {
            b"path" => name = Some(attribute.value_bytes().to_vec()),
            // Only members beyond 8 GiB and sparse files need these; to guess would be to misread the rest.
            b"size" => return Err(members.corrupt("a member states its size in an attribute")),
            _ => {}
        }
    }
    Ok(name)
}

fn extension(stream: &mut impl Read, size: u64, members: &Members<'_>) -> Result<Vec<u8>, SourceError> {
    if size > MAX_EXTENSION_BYTES {
        return Err(members.corrupt(format!("{size} bytes of attributes before a member")));
    }
    let content = take(stream, size, members)?;
    skip(stream, padded(size) - size, members)?;
    Ok(content)
}

fn take(stream: &mut impl Read, size: u64, members: &Members<'_>) -> Result<Vec<u8>, SourceError> {
    let mut content = Vec::new();
    stream.take(size).read_to_end(&mut content).map_err(|error| members.failed(error))?;
    match content.len() as u64 == size {
        true => Ok(content),
        false => Err(members.failed(io::Error::new(io::ErrorKind::UnexpectedEof, "inside a member"))),
    }
}

fn skip(stream: &mut impl Read, size: u64, members: &Members<'_>) -> Result<(), SourceError> {
    let skipped = io::copy(&mut stream.take(size), &mut io::sink()).map_err(|error| members.failed(error))?;
    match skipped == size {
        true => Ok(()),
        false => Err(members.failed(io::Error::new(io::ErrorKind::UnexpectedEof, "inside a member"))),
    }
}

/// Members fill whole blocks. A size near 2^64 stays as it is: the stream ends long before.
fn padded(size: u64) -> u64 {
    size.checked_next_multiple_of(BLOCK as u64).unwrap_or(size)
}

/// Reads as much as there is, at most a whole buffer.
fn fill(stream: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match stream.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Whether the block carries its own checksum: the sum of its bytes with spaces in the place of the sum.
fn is_header(block: &[u8; BLOCK]) -> bool {
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    let stated: u32 = block[148..156].iter().map(|byte| u32::from(*byte)).sum();
    Header::from_byte_slice(block).cksum().is_ok_and(|found| found == sum - stated + 8 * u32::from(b' '))
}
