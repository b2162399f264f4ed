//! How bytes become permanent: written beside their place, flushed to disk, renamed into place.

use crate::ShardError;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Names that start with this are work in progress of a process that may have died.
const TEMPORARY: &str = ".tmp-";

/// The temporary neighbour of `path`, unique to this process.
pub fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{TEMPORARY}{}-{name}", std::process::id()))
}

/// Removes what killed processes left anywhere below `folder`. Nobody may be writing there.
pub fn remove_leftovers(folder: &Path) -> Result<(), ShardError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(ShardError::io("remove", &path))?;
        } else if is_folder {
            remove_leftovers(&path)?;
        }
    }
    Ok(())
}

/// Flushes a folder's entries to disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), ShardError> {
    File::open(folder).and_then(|file| file.sync_all()).map_err(ShardError::io("flush", folder))
}

/// Puts the finished temporary folder `from` at `to`, replacing what is there in one step.
pub(crate) fn place_folder(from: &Path, to: &Path) -> Result<(), ShardError> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    sync_folder(from)?;
    if to.exists() {
        renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE)
            .map_err(io::Error::from)
            .map_err(ShardError::io("replace", to))?;
        fs::remove_dir_all(from).map_err(ShardError::io("remove", from))?;
    } else {
        fs::rename(from, to).map_err(ShardError::io("create", to))?;
    }
    sync_folder(to.parent().unwrap_or(to))
}

/// Writes a file of JSON, indented, in one step.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ShardError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| ShardError::damaged(path, error))?;
    bytes.push(b'\n');
    write_bytes(path, &bytes)
}

/// Writes a file in one step.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), ShardError> {
    // A bare name has an empty parent, which stands for the current folder.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(ShardError::io("create", folder))?;
    let beside = temporary(path);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(ShardError::io("write", &beside))?;
    fs::rename(&beside, path).map_err(ShardError::io("create", path))?;
    sync_folder(folder)
}

/// SHA-256 of a file in hexadecimal, and its size.
pub fn digest_of_file(path: &Path) -> Result<(String, u64), ShardError> {
    let mut file = File::open(path).map_err(ShardError::io("open", path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer).map_err(ShardError::io("read", path))?;
        if read == 0 {
            return Ok((hexadecimal(&hasher.finalize()), bytes));
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file that is hashed while it is written.
pub(crate) struct HashingFile {
    file: io::BufWriter<File>,
    hasher: Sha256,
    bytes: u64,
}

impl HashingFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = io::BufWriter::with_capacity(256 * 1024, File::create(path)?);
        Ok(Self { file, hasher: Sha256::new(), bytes: 0 })
    }

    /// Flushes to disk; digest and size.
    pub(crate) fn finish(mut self) -> io::Result<(String, u64)> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        Ok((hexadecimal(&self.hasher.finalize()), self.bytes))
    }
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
