//! A tar or zip archive, read without unpacking it.
//!
//! A compressed tar can only be read from front to back, so the wanted files are kept in memory within
//! [`Limits::max_kept_bytes`]. What an archive decompresses to is metered: a few kilobytes can claim petabytes.

mod metered;
mod tarball;
mod zipped;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::path::{self, Refused};
use super::{BlobId, Limits, Listed, Listing, Pin, Reading, Reason, Source, SourceError, SourceKind};
use metered::Exceeded;

/// The wanted files of one archive.
pub(super) struct Archive {
    location: String,
    pin: Pin,
    listing: Listing,
    /// Beside the files of the listing; emptied as they are read.
    contents: Vec<Option<Vec<u8>>>,
}

/// The digest of an archive's bytes, without a look at its members.
pub fn pin(path: &Path) -> Result<Pin, SourceError> {
    let (_, digest) = open_and_digest(path)?;
    Ok(Pin { kind: SourceKind::Archive, commit: format!("sha256:{digest}") })
}

/// The file, read to its end, and the digest of its bytes.
fn open_and_digest(path: &Path) -> Result<(File, String), SourceError> {
    let location = path.display().to_string();
    let io = |cause| SourceError::Io { location: location.clone(), action: "reading the archive", cause };
    let missing = |cause: &str| SourceError::Missing { location: location.clone(), cause: cause.into() };
    // Looked at before opening: opening a fifo waits for a writer.
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(missing("not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing("no such file")),
        Err(error) => return Err(io(error)),
    }
    let mut file = File::open(path).map_err(io)?;
    let mut hasher = Sha256::new();
    io::copy(&mut file, &mut Hashing(&mut hasher)).map_err(io)?;
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((file, digest))
}

impl Archive {
    /// Reads the whole archive once for its digest and once or twice for its members.
    pub fn open(path: &Path, limits: &Limits, wanted: &dyn Fn(&str) -> bool) -> Result<Self, SourceError> {
        let (mut file, digest) = open_and_digest(path)?;
        let location = path.display().to_string();
        let io = |cause| SourceError::Io { location: location.clone(), action: "reading the archive", cause };
        file.rewind().map_err(io)?;
        let mut members = Members::new(&location, limits, wanted);
        if zipped::is_zip(&mut file).map_err(io)? {
            zipped::read(file, &mut members)?;
        } else {
            tarball::read(file, &mut members)?;
        }
        let (listing, contents) = members.settle();
        let pin = Pin { kind: SourceKind::Archive, commit: format!("sha256:{digest}") };
        Ok(Self { location, pin, listing, contents })
    }
}

impl Source for Archive {
    fn pin(&self) -> &Pin {
        &self.pin
    }

    fn listing(&self) -> &Listing {
        &self.listing
    }

    fn read(&mut self, index: usize) -> Result<Reading, SourceError> {
        let bytes = self.contents.get_mut(index).and_then(Option::take);
        let bytes = bytes.ok_or_else(|| SourceError::no_such_file(&self.location, index))?;
        Ok(Reading::of(&self.listing.files[index], bytes))
    }
}

struct Hashing<'a>(&'a mut Sha256);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What became of the members so far.
struct Members<'a> {
    location: &'a str,
    limits: &'a Limits,
    wanted: &'a dyn Fn(&str) -> bool,
    /// The directory above everything, which is taken off the paths.
    top: Option<String>,
    seen: u64,
    kept_bytes: u64,
    members: Vec<(String, Fate)>,
    refused: Vec<Refused>,
}

enum Fate {
    Kept(Vec<u8>),
    LeftOut { bytes: u64, reason: Reason, detail: String },
    Unwanted,
}

impl<'a> Members<'a> {
    fn new(location: &'a str, limits: &'a Limits, wanted: &'a dyn Fn(&str) -> bool) -> Self {
        let (members, refused) = (Vec::new(), Vec::new());
        Self { location, limits, wanted, top: None, seen: 0, kept_bytes: 0, members, refused }
    }

    /// Forgets everything for another pass.
    fn restart(&mut self, top: Option<String>) {
        *self = Self { top, ..Self::new(self.location, self.limits, self.wanted) };
    }

    fn count(&mut self) -> Result<(), SourceError> {
        self.seen += 1;
        if self.seen > self.limits.max_entries {
            let cause = format!("more than {} members", self.limits.max_entries);
            return Err(SourceError::ArchiveBomb { location: self.location.into(), cause });
        }
        Ok(())
    }

    /// The path of a member as rows name it, or nothing where it must not be used.
    fn path(&mut self, raw: &[u8]) -> Option<String> {
        let checked = path::check(trimmed(raw), self.limits).and_then(|path| match self.below_top(&path) {
            Some(below) => path::check(below.as_bytes(), self.limits),
            None => Ok(path),
        });
        checked.map_err(|refused| self.refused.push(refused)).ok()
    }

    fn below_top<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.top.as_ref()?)?.strip_prefix('/')
    }

    /// Whether the bytes of a regular file are needed; if not, its row is made here.
    fn needs(&mut self, path: &str, bytes: u64) -> Result<bool, SourceError> {
        if !(self.wanted)(path) {
            self.members.push((path.into(), Fate::Unwanted));
            return Ok(false);
        }
        if bytes > self.limits.max_file_bytes {
            self.leave_out(path, bytes, Reason::FileTooLarge, "");
            return Ok(false);
        }
        self.kept_bytes += bytes;
        if self.kept_bytes > self.limits.max_kept_bytes {
            let cause = format!("more than {} bytes of wanted files", self.limits.max_kept_bytes);
            return Err(SourceError::TooLarge { location: self.location.into(), cause });
        }
        Ok(true)
    }

    fn keep(&mut self, path: String, content: Vec<u8>) {
        self.members.push((path, Fate::Kept(content)));
    }

    fn leave_out(&mut self, path: &str, bytes: u64, reason: Reason, detail: impl Into<String>) {
        self.members.push((path.into(), Fate::LeftOut { bytes, reason, detail: detail.into() }));
    }

    /// The listing and the contents beside its files. Of members with one path only the last counts.
    fn settle(self) -> (Listing, Vec<Option<Vec<u8>>>) {
        let mut listing = Listing::default();
        let last: HashMap<String, usize> =
            self.members.iter().enumerate().map(|(index, (path, _))| (path.clone(), index)).collect();
        let mut kept = Vec::new();
        for (index, (path, fate)) in self.members.into_iter().enumerate() {
            let shadowed = last.get(&path) != Some(&index);
            match fate {
                Fate::Unwanted => listing.unwanted += 1,
                Fate::Kept(content) if shadowed => {
                    let detail = "a later member has the same path";
                    listing.leave_out(path, content.len() as u64, Reason::Shadowed, detail);
                }
                Fate::Kept(content) => kept.push((path, content)),
                Fate::LeftOut { bytes, reason, detail } => listing.leave_out(path, bytes, reason, detail),
            }
        }
        for Refused { shown, reason, detail } in self.refused {
            listing.leave_out(shown, 0, reason, detail);
        }
        kept.sort_by(|a, b| a.0.cmp(&b.0));
        let mut contents = Vec::with_capacity(kept.len());
        for (path, content) in kept {
            listing.files.push(Listed { path, bytes: content.len() as u64, blob: BlobId::of(&content) });
            contents.push(Some(content));
        }
        listing.settle();
        (listing, contents)
    }

    /// Sorts an error of a reader: our own limits, an early end, or damage.
    fn failed(&self, error: io::Error) -> SourceError {
        let location = self.location.into();
        if let Some(Exceeded(cause)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
            return SourceError::ArchiveBomb { location, cause: cause.clone() };
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                SourceError::ArchiveTruncated { location, cause: error.to_string() }
            }
            _ if error.raw_os_error().is_some() => {
                SourceError::Io { location, action: "reading the archive", cause: error }
            }
            _ => SourceError::ArchiveCorrupt { location, cause: error.to_string() },
        }
    }

    fn corrupt(&self, cause: impl Into<String>) -> SourceError {
        SourceError::ArchiveCorrupt { location: self.location.into(), cause: cause.into() }
    }
}

/// A member's name without the marks of tar: `./` before it, `/` behind a directory.
fn trimmed(mut raw: &[u8]) -> &[u8] {
    while let Some(rest) = raw.strip_prefix(b"./") {
        raw = rest;
    }
    raw.strip_suffix(b"/").unwrap_or(raw)
}

/// The directory that a member lies in or is, at the very top; nothing for a file at the top.
fn top_of(raw: &[u8], is_directory: bool) -> Option<&[u8]> {
    let name = trimmed(raw);
    match name.iter().position(|byte| *byte == b'/') {
        Some(end) => Some(&name[..end]),
        None => is_directory.then_some(name),
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
