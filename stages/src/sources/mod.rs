//! Where the files of a repository come from: a git object database, a plain directory or an archive.
//!
//! Every source answers the same three questions: what exactly was read ([`Pin`]), which files are there
//! ([`Listing`]) and what is in one of them ([`Source::read`]). Sources know nothing about languages; the
//! caller says by path which files it wants. Nothing is ever checked out, unpacked to disk or followed
//! through a link, and everything that is left out is a row with a reason.

mod archive;
mod directory;
mod error;
mod fetch;
mod git;
mod history;
mod location;
mod path;

use std::fmt;

pub use error::SourceError;
pub use fetch::{Credentials, Depth, Fetch};
pub use history::{Dates, First, History};
pub use location::{Location, default_name, is_remote, without_credentials};
use sha1::{Digest, Sha1};

/// Opens a location and lists it. `wanted` is asked once or more for the path of each regular file.
///
/// A remote URL is not opened here: a [`Fetch`] brings it onto the disk first.
pub fn open(
    location: &Location,
    limits: &Limits,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Box<dyn Source>, SourceError> {
    Ok(match location {
        Location::Directory(root) => Box::new(directory::Directory::open(root, limits, wanted)?),
        Location::Git { location, revision } => {
            let path = location::local_repository(location)?;
            Box::new(git::Git::open(&path, revision.as_deref(), limits, wanted)?)
        }
        Location::Archive(path) => Box::new(archive::Archive::open(path, limits, wanted)?),
    })
}

/// What a location is resolved to at this moment, without reading more than that takes: the commit of a git
/// repository, the digest of an archive's bytes; a directory is read as by [`open`].
pub fn pin(location: &Location, limits: &Limits, wanted: &dyn Fn(&str) -> bool) -> Result<Pin, SourceError> {
    match location {
        Location::Directory(_) => Ok(open(location, limits, wanted)?.pin().clone()),
        Location::Git { location, revision } => {
            git::pin(&location::local_repository(location)?, revision.as_deref())
        }
        Location::Archive(path) => archive::pin(path),
    }
}

/// One repository's files at one state.
pub trait Source: Send {
    /// What the location was resolved to.
    fn pin(&self) -> &Pin;

    /// The wanted files and what was left out.
    fn listing(&self) -> &Listing;

    /// Reads the file at this index of [`Listing::files`]. Files may be read in any order; an archive gives
    /// the bytes of each file away once.
    fn read(&mut self, index: usize) -> Result<Reading, SourceError>;

    /// When each of these files first came; nothing where the source has no past, as directories and archives.
    fn history(&self, _paths: &[&str]) -> Result<Option<History>, SourceError> {
        Ok(None)
    }
}

/// What makes two reads of a location identical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// What kind of source was read.
    pub kind: SourceKind,
    /// git: the commit in 40 hex digits; directory: `content:` and a digest of the paths and blob ids that
    /// were read; archive: `sha256:` and the digest of the archive's bytes.
    pub commit: String,
}

/// The kinds of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A plain directory.
    Directory,
    /// A git repository.
    Git,
    /// A tar or zip archive.
    Archive,
}

impl SourceKind {
    /// The word that records use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::Git => "git",
            Self::Archive => "archive",
        }
    }
}

/// What a source holds, both lists in byte order of their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The wanted regular files that can be read.
    pub files: Vec<Listed>,
    /// What could not or must not be read, with the reason.
    pub left_out: Vec<LeftOut>,
    /// How many regular files the caller did not want, so that none disappears uncounted.
    pub unwanted: u64,
}

impl Listing {
    fn leave_out(&mut self, path: String, bytes: u64, reason: Reason, detail: impl Into<String>) {
        self.left_out.push(LeftOut { path, bytes, blob: None, reason, detail: detail.into() });
    }

    /// Brings both lists into order. Of files that claim one path the last stays, as it would on a disk.
    fn settle(&mut self) {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let left_out = &mut self.left_out;
        self.files.dedup_by(|later, former| {
            let twice = later.path == former.path;
            if twice {
                std::mem::swap(later, former);
                let (path, bytes, blob) = (later.path.clone(), later.bytes, Some(later.blob));
                let detail = "a later entry has the same path".into();
                left_out.push(LeftOut { path, bytes, blob, reason: Reason::Shadowed, detail });
            }
            twice
        });
        self.left_out.sort_by(|a, b| (&a.path, a.reason).cmp(&(&b.path, b.reason)));
    }
}

/// A wanted regular file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Relative, separated by `/`.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// The id that git gives to its content, whatever the source.
    pub blob: BlobId,
}

/// Something that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The path as far as it can be written down.
    pub path: String,
    /// Its size, 0 where that means nothing.
    pub bytes: u64,
    /// The blob id where it is known.
    pub blob: Option<BlobId>,
    /// Why it was left out.
    pub reason: Reason,
    /// What a person needs to know beyond the reason.
    pub detail: String,
}

/// The outcome of reading one listed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Its bytes.
    File(Vec<u8>),
    /// It turned out only now that the file cannot be used.
    LeftOut(LeftOut),
}

impl Reading {
    /// Decides on bytes that were read: a pointer to content that git LFS keeps elsewhere is no source file.
    fn of(listed: &Listed, bytes: Vec<u8>) -> Self {
        if bytes.starts_with(b"version https://git-lfs.github.com/spec/") {
            return Self::left_out(listed, Reason::LfsPointer, "the content is kept outside git by LFS");
        }
        Self::File(bytes)
    }

    fn left_out(listed: &Listed, reason: Reason, detail: impl Into<String>) -> Self {
        let (path, bytes, blob) = (listed.path.clone(), listed.bytes, Some(listed.blob));
        Self::LeftOut(LeftOut { path, bytes, blob, reason, detail: detail.into() })
    }
}

/// Why a file was left out. The words are stable: they are written into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Larger than [`Limits::max_file_bytes`].
    FileTooLarge,
    /// A symbolic link.
    Symlink,
    /// A hard link to another member of an archive.
    HardLink,
    /// A git submodule.
    Submodule,
    /// A fifo, socket, device or the like.
    NotARegularFile,
    /// A path that could escape the repository or hit its `.git` directory.
    UnsafePath,
    /// A path longer than [`Limits::max_path_bytes`].
    PathTooLong,
    /// A directory nested deeper than [`Limits::max_depth`].
    TooDeep,
    /// A path that is not UTF-8.
    PathNotUtf8,
    /// A git LFS pointer file.
    LfsPointer,
    /// The clone lacks its content and [`Limits::may_lack_blobs`].
    NotCloned,
    /// The operating system refused to read it.
    Unreadable,
    /// A file in a directory that is not what it was when it was listed.
    ChangedWhileReading,
    /// An encrypted member of an archive.
    Encrypted,
    /// A zip member compressed in a way that this program does not read.
    UnsupportedCompression,
    /// A later member of the same path replaces it, as it would when unpacking.
    Shadowed,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 16] = [
        Self::FileTooLarge,
        Self::Symlink,
        Self::HardLink,
        Self::Submodule,
        Self::NotARegularFile,
        Self::UnsafePath,
        Self::PathTooLong,
        Self::TooDeep,
        Self::PathNotUtf8,
        Self::LfsPointer,
        Self::NotCloned,
        Self::Unreadable,
        Self::ChangedWhileReading,
        Self::Encrypted,
        Self::UnsupportedCompression,
        Self::Shadowed,
    ];

    /// The word that records use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FileTooLarge => "file_too_large",
            Self::Symlink => "symlink",
            Self::HardLink => "hard_link",
            Self::Submodule => "submodule",
            Self::NotARegularFile => "not_a_regular_file",
            Self::UnsafePath => "unsafe_path",
            Self::PathTooLong => "path_too_long",
            Self::TooDeep => "too_deep",
            Self::PathNotUtf8 => "path_not_utf8",
            Self::LfsPointer => "lfs_pointer",
            Self::NotCloned => "not_cloned",
            Self::Unreadable => "unreadable",
            Self::ChangedWhileReading => "changed_while_reading",
            Self::Encrypted => "encrypted",
            Self::UnsupportedCompression => "unsupported_compression",
            Self::Shadowed => "shadowed",
        }
    }
}

/// The id that git gives to a file's content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId([u8; 20]);

impl BlobId {
    /// The id of this content: SHA-1 over git's blob header and the bytes.
    pub fn of(content: &[u8]) -> Self {
        let header = format!("blob {}\0", content.len());
        Self(Sha1::new().chain_update(header).chain_update(content).finalize().into())
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for BlobId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "BlobId({self})")
    }
}

/// How much a repository may cost before it, or one of its files, is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// A larger file is left out without being read.
    pub max_file_bytes: u64,
    /// More entries (files, directories, links) than this and the repository is refused.
    pub max_entries: u64,
    /// Directories nested deeper than this are left out.
    pub max_depth: usize,
    /// A longer path is left out.
    pub max_path_bytes: usize,
    /// How much of an archive's wanted files is kept in memory, since a stream cannot be read twice at will.
    pub max_kept_bytes: u64,
    /// How much an archive may decompress to.
    pub max_decompressed_bytes: u64,
    /// How many times its own size an archive may decompress to, beyond the first 64 MiB.
    pub max_compression_ratio: u64,
    /// How much a fetch may receive.
    pub max_fetch_bytes: u64,
    /// How long a fetch may take, all tries together.
    pub max_fetch_seconds: u64,
    /// Whether a file that a clone lacks is left out, as in clones without large files, and not taken for damage.
    pub may_lack_blobs: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file_bytes: 2 << 20,
            max_entries: 1_000_000,
            max_depth: 128,
            max_path_bytes: 4096,
            max_kept_bytes: 512 << 20,
            max_decompressed_bytes: 4 << 30,
            max_compression_ratio: 200,
            max_fetch_bytes: 4 << 30,
            max_fetch_seconds: 1800,
            may_lack_blobs: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blob_ids_are_gits() {
        assert_eq!(BlobId::of(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(BlobId::of(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }

    #[test]
    fn reasons_are_distinct_snake_case_words() {
        let words: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(words.len(), Reason::ALL.len());
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(words.iter().all(|word| word.chars().all(plain)));
    }

    #[test]
    fn sources_can_move_to_another_thread() {
        fn sendable<T: Send>() {}
        sendable::<git::Git>();
        sendable::<Box<dyn Source>>();
    }
}
