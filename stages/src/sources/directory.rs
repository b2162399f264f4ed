//! A plain directory, read as it stands.
//!
//! The directory may change while it is read, and may hold anything. Every open goes down from the root one
//! component at a time and refuses links at each, so that nothing outside can be reached even in a race; what
//! is not a regular file is never opened for reading.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, statat};

use super::path::{self, Refused};
use super::{BlobId, Limits, Listed, Listing, Pin, Reading, Reason, Source, SourceError, SourceKind};

/// The files below one directory.
pub(super) struct Directory {
    root: OwnedFd,
    location: String,
    pin: Pin,
    listing: Listing,
}

impl Directory {
    /// Walks the directory and reads each wanted file once for its blob id.
    pub fn open(root: &Path, limits: &Limits, wanted: &dyn Fn(&str) -> bool) -> Result<Self, SourceError> {
        let location = root.display().to_string();
        // The user chose the root, so it alone may be a link.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root =
            openat(CWD, root, flags, Mode::empty()).map_err(|error| cannot_open(&location, error.into()))?;
        let mut walk = Walk { root: &root, location: &location, limits, wanted, listing: Listing::default() };
        walk.list()?;
        let mut listing = walk.listing;
        listing.settle();
        let pin = Pin { kind: SourceKind::Directory, commit: format!("content:{}", digest(&listing)) };
        Ok(Self { root, location, pin, listing })
    }
}

impl Source for Directory {
    fn pin(&self) -> &Pin {
        &self.pin
    }

    fn listing(&self) -> &Listing {
        &self.listing
    }

    fn read(&mut self, index: usize) -> Result<Reading, SourceError> {
        let file = self.listing.files.get(index);
        let file = file.ok_or_else(|| SourceError::no_such_file(&self.location, index))?;
        Ok(match read_file(&self.root, &file.path, file.bytes) {
            // The pin was computed over what was there; other bytes must not pass under its name.
            Ok(bytes) if BlobId::of(&bytes) == file.blob => Reading::of(file, bytes),
            Ok(_) => {
                Reading::left_out(file, Reason::ChangedWhileReading, "the content is not what was listed")
            }
            Err(error) => Reading::left_out(file, Reason::ChangedWhileReading, error.to_string()),
        })
    }
}

fn cannot_open(location: &str, error: io::Error) -> SourceError {
    let location = location.into();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            SourceError::Missing { location, cause: error.to_string() }
        }
        _ => SourceError::Io { location, action: "opening the directory", cause: error },
    }
}

/// One digest over everything that the rows of this directory will be made from.
fn digest(listing: &Listing) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for file in &listing.files {
        hasher.update(file.path.as_bytes()).update(&[0]).update(&file.blob.0);
    }
    for row in &listing.left_out {
        hasher.update(row.path.as_bytes()).update(&[0]).update(row.reason.as_str().as_bytes()).update(&[0]);
    }
    hasher.finalize()
}

/// Reads a regular file of at most `most` bytes; a longer one is an error.
fn read_file(root: &OwnedFd, path: &str, most: u64) -> io::Result<Vec<u8>> {
    // Without NONBLOCK, a fifo put in the file's place would block the open for ever.
    let file = open_beneath(root, path, OFlags::NONBLOCK)?;
    if FileType::from_raw_mode(fstat(&file)?.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("it is not a regular file any more"));
    }
    let mut bytes = Vec::new();
    File::from(file).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other("it grew while it was read"));
    }
    Ok(bytes)
}

/// Opens a path below the root without following a link at any component of it.
fn open_beneath(root: &OwnedFd, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Some((parents, name)) = path.rsplit_once('/') else {
        return Ok(openat(root, path, flags, Mode::empty())?);
    };
    let directory = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at: Option<OwnedFd> = None;
    for parent in parents.split('/') {
        let from = at.as_ref().map_or(root.as_fd(), AsFd::as_fd);
        at = Some(openat(from, parent, directory, Mode::empty())?);
    }
    let from = at.as_ref().map_or(root.as_fd(), AsFd::as_fd);
    Ok(openat(from, name, flags, Mode::empty())?)
}

struct Walk<'a> {
    root: &'a OwnedFd,
    location: &'a str,
    limits: &'a Limits,
    wanted: &'a dyn Fn(&str) -> bool,
    listing: Listing,
}

impl Walk<'_> {
    /// Goes through the directories with a stack of paths: neither nesting nor open files pile up.
    fn list(&mut self) -> Result<(), SourceError> {
        let mut entries = 0;
        let mut pending = vec![String::new()];
        while let Some(prefix) = pending.pop() {
            let opened = match prefix.strip_suffix('/') {
                None => open_beneath(self.root, ".", OFlags::DIRECTORY),
                Some(path) => open_beneath(self.root, path, OFlags::DIRECTORY),
            };
            let opened = opened.and_then(|at| Ok((Dir::read_from(&at)?, at)));
            let (names, at) = match opened {
                Ok(opened) => opened,
                Err(error) if prefix.is_empty() => return Err(cannot_open(self.location, error)),
                Err(error) => {
                    self.unreadable(prefix, &error);
                    continue;
                }
            };
            for entry in names {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => {
                        self.unreadable(prefix.clone(), &error.into());
                        break;
                    }
                };
                let name = entry.file_name().to_bytes();
                if matches!(name, b"." | b"..") || name.eq_ignore_ascii_case(b".git") {
                    continue;
                }
                entries += 1;
                if entries > self.limits.max_entries {
                    return Err(SourceError::too_many(self.location, self.limits.max_entries));
                }
                if let Some(below) = self.list_entry(&at, &prefix, entry.file_name()) {
                    pending.push(below + "/");
                }
            }
        }
        Ok(())
    }

    /// Lists one entry; a directory is given back for later.
    fn list_entry(&mut self, at: &OwnedFd, prefix: &str, name: &std::ffi::CStr) -> Option<String> {
        let path = match path::check(&[prefix.as_bytes(), name.to_bytes()].concat(), self.limits) {
            Ok(path) => path,
            Err(Refused { shown, reason, detail }) => {
                self.listing.leave_out(shown, 0, reason, detail);
                return None;
            }
        };
        let status = match statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(status) => status,
            Err(error) => {
                self.unreadable(path, &error.into());
                return None;
            }
        };
        match FileType::from_raw_mode(status.st_mode) {
            FileType::Directory => return Some(path),
            FileType::RegularFile => self.list_file(path, u64::try_from(status.st_size).unwrap_or(0)),
            FileType::Symlink => self.listing.leave_out(path, 0, Reason::Symlink, "links are never followed"),
            other => self.listing.leave_out(path, 0, Reason::NotARegularFile, format!("{other:?}")),
        }
        None
    }

    fn list_file(&mut self, path: String, bytes: u64) {
        if !(self.wanted)(&path) {
            self.listing.unwanted += 1;
        } else if bytes > self.limits.max_file_bytes {
            self.listing.leave_out(path, bytes, Reason::FileTooLarge, "");
        } else {
            match read_file(self.root, &path, self.limits.max_file_bytes) {
                Ok(content) => {
                    let (bytes, blob) = (content.len() as u64, BlobId::of(&content));
                    self.listing.files.push(Listed { path, bytes, blob });
                }
                Err(error) => self.unreadable(path, &error),
            }
        }
    }

    fn unreadable(&mut self, path: String, error: &io::Error) {
        self.listing.leave_out(path, 0, Reason::Unreadable, error.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use tempfile::TempDir;

    fn read(root: &Path) -> Directory {
        Directory::open(root, &Limits { max_file_bytes: 100, ..Limits::default() }, &|path| {
            !path.ends_with(".md")
        })
        .unwrap()
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        let at = TempDir::new().unwrap();
        let root = at.path();
        fs::create_dir_all(root.join("src/.git")).unwrap();
        fs::write(root.join("src/.git/config"), "x").unwrap();
        fs::write(root.join("src/a.py"), "a").unwrap();
        fs::write(root.join("src-b.py"), "b").unwrap();
        fs::write(root.join("notes.md"), "b").unwrap();
        fs::write(root.join("large.py"), [b'x'; 101]).unwrap();
        fs::write(root.join("back\\slash.py"), "b").unwrap();
        fs::write(root.join(std::ffi::OsStr::from_bytes(b"\xff.py")), "b").unwrap();
        symlink("/etc/passwd", root.join("link.py")).unwrap();
        symlink("/etc", root.join("linked")).unwrap();
        rustix::fs::mkfifoat(CWD, root.join("fifo.py"), Mode::RWXU).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket.py")).unwrap();
        let mut source = read(root);
        let files: Vec<_> = source.listing().files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(files, ["src-b.py", "src/a.py"]);
        assert_eq!(source.listing().unwanted, 1);
        let left: Vec<_> =
            source.listing().left_out.iter().map(|row| (row.path.as_str(), row.reason)).collect();
        let expected = [
            ("back\\slash.py", Reason::UnsafePath),
            ("fifo.py", Reason::NotARegularFile),
            ("large.py", Reason::FileTooLarge),
            ("link.py", Reason::Symlink),
            ("linked", Reason::Symlink),
            ("socket.py", Reason::NotARegularFile),
            ("\u{fffd}.py", Reason::PathNotUtf8),
        ];
        assert_eq!(left, expected);
        assert_eq!(source.read(1).unwrap(), Reading::File(b"a".into()));
        assert_eq!(source.listing().files[1].blob, BlobId::of(b"a"));
    }

    #[test]
    fn the_pin_follows_content_and_nothing_else() {
        let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        for (at, order) in [(&one, ["a.py", "b.py"]), (&two, ["b.py", "a.py"])] {
            for name in order {
                fs::write(at.path().join(name), name).unwrap();
            }
        }
        assert_eq!(read(one.path()).pin(), read(two.path()).pin());
        assert!(read(one.path()).pin().commit.starts_with("content:"));
        fs::write(two.path().join("a.py"), "other").unwrap();
        assert_ne!(read(one.path()).pin(), read(two.path()).pin());
    }

    #[test]
    fn a_file_swapped_after_listing_is_left_out() {
        let at = TempDir::new().unwrap();
        fs::create_dir(at.path().join("d")).unwrap();
        fs::write(at.path().join("d/a.py"), "a").unwrap();
        let swaps: [&dyn Fn(); 4] = [
            &|| fs::write(at.path().join("d/a.py"), "b").unwrap(),
            &|| {
                fs::remove_file(at.path().join("d/a.py")).unwrap();
                symlink("/etc/passwd", at.path().join("d/a.py")).unwrap();
            },
            &|| {
                fs::remove_file(at.path().join("d/a.py")).unwrap();
                rustix::fs::mkfifoat(CWD, at.path().join("d/a.py"), Mode::RWXU).unwrap();
            },
            &|| {
                // The right bytes, but behind a linked directory.
                let elsewhere = at.path().join("elsewhere");
                fs::rename(at.path().join("d"), &elsewhere).unwrap();
                fs::remove_file(elsewhere.join("a.py")).unwrap();
                fs::write(elsewhere.join("a.py"), "a").unwrap();
                symlink(&elsewhere, at.path().join("d")).unwrap();
            },
        ];
        let mut source = read(at.path());
        for swap in swaps {
            swap();
            let Reading::LeftOut(row) = source.read(0).unwrap() else { panic!("was read") };
            assert_eq!(row.reason, Reason::ChangedWhileReading);
        }
    }

    #[test]
    fn unreadable_files_are_rows() {
        let at = TempDir::new().unwrap();
        fs::write(at.path().join("a.py"), "a").unwrap();
        fs::set_permissions(at.path().join("a.py"), fs::Permissions::from_mode(0o0)).unwrap();
        // Root reads everything; there is nothing to see then.
        if File::open(at.path().join("a.py")).is_err() {
            assert_eq!(read(at.path()).listing().left_out[0].reason, Reason::Unreadable);
        }
    }

    #[test]
    fn lfs_pointers_deep_trees_and_wrong_roots() {
        let at = TempDir::new().unwrap();
        fs::write(at.path().join("a"), "version https://git-lfs.github.com/spec/v1\n").unwrap();
        let mut source = read(at.path());
        assert!(matches!(source.read(0).unwrap(), Reading::LeftOut(row) if row.reason == Reason::LfsPointer));
        for (root, reason) in [("a", "repository_missing"), ("none", "repository_missing")] {
            let error = Directory::open(&at.path().join(root), &Limits::default(), &|_| true).err().unwrap();
            assert_eq!(error.reason(), reason);
        }
        fs::create_dir_all(at.path().join("x/y/z")).unwrap();
        let limits = Limits { max_depth: 2, ..Limits::default() };
        let source = Directory::open(at.path(), &limits, &|_| true).unwrap();
        assert_eq!(source.listing().left_out[0].reason, Reason::TooDeep);
        let limits = Limits { max_entries: 2, ..Limits::default() };
        let error = Directory::open(at.path(), &limits, &|_| true).err().unwrap();
        assert_eq!(error.reason(), "repository_too_large");
    }
}
