//! The store of clones: a bare repository for each commit, under the commit's id, so that runs and forks share it.
//! One with the commit's history stands for one without.
//!
//! What lies under its final name is complete. Whoever reads a clone holds it, and what is held is not removed.
//! The store counts its bytes, but knows neither where clones come from nor when one is no longer needed.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::sources::Depth;

/// The lock of a clone, inside it.
const LOCK: &str = "held";
/// The count of bytes, and the lock of all changes.
const USED: &str = "used.lock";
/// Where clones are made, and where they go to be removed.
const UNDER_WAY: &str = "under-way";
/// What the names of clones with their history end with, behind the commit.
const WITH_HISTORY: &str = "-history";
/// Age at which the leftovers of a killed process are nobody's any more. No fetch may take longer.
const STALE: Duration = Duration::from_secs(24 * 3_600);

/// A folder of clones.
#[derive(Clone, Copy)]
pub struct Store<'a> {
    root: &'a Path,
}

/// A clone that stays as long as this lives.
pub struct Held {
    path: PathBuf,
    _lock: File,
}

impl Held {
    /// The bare repository.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl<'a> Store<'a> {
    /// The store in this folder, which need not exist yet.
    pub fn new(root: &'a Path) -> Self {
        Self { root }
    }

    /// The clone of a commit, if it is there.
    pub fn hold(&self, commit: &str, depth: Depth) -> io::Result<Option<Held>> {
        let Some([alone, whole]) = self.places(commit) else { return Ok(None) };
        let held = if depth == Depth::Commit { hold(alone)? } else { None };
        if held.is_some() { Ok(held) } else { hold(whole) }
    }

    /// A folder to make a clone in; it goes away with its value.
    pub fn begin(&self) -> io::Result<TempDir> {
        let folder = self.root.join(UNDER_WAY);
        fs::create_dir_all(&folder)?;
        tempfile::Builder::new().prefix("fetch-").tempdir_in(folder)
    }

    /// Puts a finished clone under its name. Where another was faster, that one stays. One with the history takes
    /// the place of one without.
    pub fn place(&self, from: &Path, commit: &str, depth: Depth) -> io::Result<Held> {
        let no_name =
            || io::Error::new(io::ErrorKind::InvalidInput, format!("`{commit}` is no id of a commit"));
        let [alone, whole] = self.places(commit).ok_or_else(no_name)?;
        let path = if depth == Depth::Commit { &alone } else { &whole };
        File::create(from.join(LOCK))?;
        fs::create_dir_all(path.parent().unwrap_or(self.root))?;
        for _ in 0..2 {
            let bytes = size(from)?;
            self.count(|used| {
                fs::rename(from, path)?;
                Ok(used + bytes)
            })
            .or_else(|error| if path.exists() { Ok(()) } else { Err(error) })?;
            if let Some(held) = self.hold(commit, depth)? {
                if depth == Depth::History {
                    self.remove_from(&alone)?;
                }
                return Ok(held);
            }
        }
        Err(io::Error::other(format!("{} was removed again and again", path.display())))
    }

    /// Removes the clones of a commit, unless somebody holds them; whether they are gone now.
    pub fn remove(&self, commit: &str) -> io::Result<bool> {
        let mut gone = true;
        for path in self.places(commit).iter().flatten() {
            gone &= self.remove_from(path)?;
        }
        Ok(gone)
    }

    fn remove_from(&self, path: &Path) -> io::Result<bool> {
        let lock = match File::open(path.join(LOCK)) {
            Ok(lock) => lock,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        };
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let (away, bytes) = (self.begin()?, size(path)?);
        self.count(|used| {
            match fs::rename(path, away.path().join("clone")) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                // Another process removed it between our look and our lock.
                Err(_) => Ok(used),
                Ok(()) => Ok(used.saturating_sub(bytes)),
            }
        })?;
        Ok(true)
    }

    /// Bytes of all clones.
    pub fn bytes(&self) -> io::Result<u64> {
        let mut file = match File::open(self.root.join(USED)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(error),
        };
        // While another writes it the number is not whole.
        file.lock_shared()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Ok(text.trim().parse().unwrap_or(0))
    }

    /// Counts anew what is there, and removes what killed processes have left. Once at the start of a run.
    pub fn tidy(&self) -> io::Result<()> {
        if !self.root.exists() {
            return Ok(());
        }
        for entry in entries(&self.root.join(UNDER_WAY))? {
            let age = fs::metadata(&entry).and_then(|metadata| metadata.modified());
            let age = age.ok().and_then(|then| SystemTime::now().duration_since(then).ok());
            if age.is_some_and(|age| age > STALE) {
                fs::remove_dir_all(entry)?;
            }
        }
        self.count(|_| {
            let mut bytes = 0;
            for folder in entries(self.root)?.iter().filter(|path| is_digits(path, 2)) {
                for clone in entries(folder)?.iter().filter(|path| is_clone(path)) {
                    bytes += size(clone)?;
                }
            }
            Ok(bytes)
        })
    }

    /// Removes what was begun here and not finished, whatever its age: for a store that no other run shares.
    pub fn remove_leftovers(&self) -> io::Result<()> {
        entries(&self.root.join(UNDER_WAY))?.iter().try_for_each(fs::remove_dir_all)
    }

    /// Changes the count while nobody else changes the store.
    fn count(&self, change: impl FnOnce(u64) -> io::Result<u64>) -> io::Result<()> {
        let mut file =
            File::options().create(true).read(true).write(true).truncate(false).open(self.root.join(USED))?;
        file.lock()?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let used = change(text.trim().parse().unwrap_or(0))?;
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(used.to_string().as_bytes())
    }

    /// Where the clones of a commit lie, the one without its history first; nothing where it is no commit.
    fn places(&self, commit: &str) -> Option<[PathBuf; 2]> {
        let folder = commit.get(..2).filter(|_| is_digits(Path::new(commit), 40))?;
        let folder = self.root.join(folder);
        Some([folder.join(commit), folder.join(format!("{commit}{WITH_HISTORY}"))])
    }
}

/// Holds the clone that lies here, if one does.
fn hold(path: PathBuf) -> io::Result<Option<Held>> {
    let lock = match File::open(path.join(LOCK)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    lock.lock_shared()?;
    // Somebody may have removed it before we held it.
    let (ours, there) = (lock.metadata()?.ino(), fs::metadata(path.join(LOCK)));
    Ok(there.is_ok_and(|there| there.ino() == ours).then_some(Held { path, _lock: lock }))
}

fn is_clone(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    is_digits(Path::new(name.strip_suffix(WITH_HISTORY).unwrap_or(name)), 40)
}

fn is_digits(path: &Path, length: usize) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.len() == length && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Bytes of a clone's packs, beside which the rest is nothing.
fn size(clone: &Path) -> io::Result<u64> {
    let packs = entries(&clone.join("objects/pack"))?;
    packs.iter().map(|pack| Ok(fs::metadata(pack)?.len())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn clone(store: &Store<'_>, bytes: usize) -> TempDir {
        let folder = store.begin().unwrap();
        let pack = folder.path().join("clone/objects/pack");
        fs::create_dir_all(&pack).unwrap();
        fs::write(pack.join("pack-1.pack"), vec![0; bytes]).unwrap();
        folder
    }

    #[test]
    fn a_clone_that_is_held_is_not_removed() {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        assert!(store.hold(COMMIT, Depth::Commit).unwrap().is_none());
        let made = clone(&store, 100);
        let held = store.place(&made.path().join("clone"), COMMIT, Depth::Commit).unwrap();
        assert!(held.path().join("objects").exists());
        assert_eq!((store.remove(COMMIT).unwrap(), store.bytes().unwrap()), (false, 100));
        drop(held);
        assert_eq!((store.remove(COMMIT).unwrap(), store.bytes().unwrap()), (true, 0));
        assert!(store.hold(COMMIT, Depth::Commit).unwrap().is_none() && store.remove(COMMIT).unwrap());
        drop(made);
        assert_eq!(entries(&folder.path().join(UNDER_WAY)).unwrap().len(), 0);
    }

    #[test]
    fn the_faster_of_two_clones_stays() {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        let (one, other) = (clone(&store, 10), clone(&store, 10));
        let first = store.place(&one.path().join("clone"), COMMIT, Depth::Commit).unwrap();
        let second = store.place(&other.path().join("clone"), COMMIT, Depth::Commit).unwrap();
        assert_eq!(first.path(), second.path());
        assert_eq!(store.bytes().unwrap(), 10);
    }

    #[test]
    fn a_clone_with_its_history_stands_for_one_without() {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        let place =
            |bytes, depth| store.place(&clone(&store, bytes).path().join("clone"), COMMIT, depth).unwrap();
        let alone = place(10, Depth::Commit).path().to_owned();
        assert!(store.hold(COMMIT, Depth::History).unwrap().is_none());
        let whole = place(100, Depth::History);
        assert!(!alone.exists() && store.bytes().unwrap() == 100, "the smaller one is not needed any more");
        for depth in [Depth::Commit, Depth::History] {
            assert_eq!(store.hold(COMMIT, depth).unwrap().unwrap().path(), whole.path());
        }
        store.tidy().unwrap();
        assert_eq!((store.bytes().unwrap(), store.remove(COMMIT).unwrap()), (100, false));
        drop(whole);
        assert_eq!((store.remove(COMMIT).unwrap(), store.bytes().unwrap()), (true, 0));
    }

    #[test]
    fn the_count_is_never_seen_half_written() {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        store.count(|_| Ok(1_000)).unwrap();
        std::thread::scope(|scope| {
            let writer =
                scope.spawn(|| (0..2_000).for_each(|more| store.count(|_| Ok(1_000 + more)).unwrap()));
            while !writer.is_finished() {
                assert!(store.bytes().unwrap() >= 1_000);
            }
        });
    }

    #[test]
    fn only_commits_have_a_place() {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        for name in ["", "../../../etc", &COMMIT[1..], "0123456789ABCDEF0123456789abcdef01234567"] {
            assert!(store.hold(name, Depth::Commit).unwrap().is_none(), "{name}");
            assert!(store.place(folder.path(), name, Depth::Commit).is_err(), "{name}");
        }
    }

    #[test]
    fn the_count_is_mended_and_leftovers_go() {
        let folder = TempDir::new().unwrap();
        let store = Store::new(folder.path());
        drop(store.place(&clone(&store, 30).path().join("clone"), COMMIT, Depth::Commit).unwrap());
        fs::write(folder.path().join(USED), "7 and damaged").unwrap();
        store.tidy().unwrap();
        assert_eq!(store.bytes().unwrap(), 30);
        let under_way = clone(&store, 5).keep();
        store.tidy().unwrap();
        assert!(under_way.exists(), "another run may be at it");
        store.remove_leftovers().unwrap();
        assert!(!under_way.exists() && store.hold(COMMIT, Depth::Commit).unwrap().is_some());
    }
}
