//! How many fetches one host has to bear at once, from all processes that share a store.
//!
//! A host has as many files as fetches that it may bear; who fetches holds the lock of one. The system releases
//! it when a process dies.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::records::identity;
use crate::sources::{Location, default_name};

/// The right to one fetch.
pub struct Turn {
    _file: File,
}

/// Waits for a turn at the host of a URL. `most` is the number of turns that it has.
pub fn turn(store: &Path, url: &str, most: u32) -> io::Result<Turn> {
    let (host, _) = default_name(&Location::Git { location: url.to_owned(), revision: None });
    let folder = store.join("hosts");
    fs::create_dir_all(&folder)?;
    let name = identity(&["host", &host]);
    let open = |number: u32| {
        let path = folder.join(format!("{name}-{number}.lock"));
        File::options().create(true).write(true).truncate(false).open(path)
    };
    let most = most.max(1);
    for number in 0..most {
        let file = open(number)?;
        if file.try_lock().is_ok() {
            return Ok(Turn { _file: file });
        }
    }
    let file = open(std::process::id() % most)?;
    file.lock()?;
    Ok(Turn { _file: file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn no_host_has_more_at_once_than_it_may() {
        let folder = tempfile::TempDir::new().unwrap();
        let (now, most) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _turn = turn(folder.path(), "https://h/a", 2).unwrap();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(3));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
            let _other = turn(folder.path(), "https://other/a", 1).unwrap();
        });
        assert_eq!(most.into_inner(), 2);
    }
}
