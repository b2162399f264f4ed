//! Devices for jobs, where those of the machine will not do.
//!
//! What belongs to the user who starts a job belongs to the job, too. A device belongs to root, so that a job of root's
//! could take /dev/null from the whole machine: on purpose, or by a build that has a linker write there, which sets the
//! file's mode. Root can make devices of its own and give them to nobody.

use super::SandboxError;
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use std::os::unix::fs::{PermissionsExt, chown};

/// The devices of a job, with their numbers.
const DEVICES: [(&str, u32, u32); 6] =
    [("null", 1, 3), ("zero", 1, 5), ("full", 1, 7), ("random", 1, 8), ("urandom", 1, 9), ("tty", 5, 0)];
/// The user whom no job is.
const NOBODY: u32 = 65_534;

/// A folder with devices; nothing where those of the machine belong to somebody else.
pub(super) struct Devices(Option<tempfile::TempDir>);

impl Devices {
    /// Makes devices for root.
    pub(super) fn make() -> Result<Self, SandboxError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self(None));
        }
        let folder = tempfile::tempdir().map_err(SandboxError::Start)?;
        for (name, major, minor) in DEVICES {
            let path = folder.path().join(name);
            let all = std::fs::Permissions::from_mode(0o666);
            mknodat(CWD, &path, FileType::CharacterDevice, Mode::empty(), makedev(major, minor))
                .map_err(std::io::Error::from)
                .and_then(|()| std::fs::set_permissions(&path, all))
                .and_then(|()| chown(&path, Some(NOBODY), Some(NOBODY)))
                .map_err(|error| {
                    let how = "root cannot make devices for jobs; start it as another user";
                    SandboxError::Unavailable(format!("{how} ({error})"))
                })?;
        }
        Ok(Self(Some(folder)))
    }

    /// What goes where.
    pub(super) fn mounts(&self) -> impl Iterator<Item = (String, String)> {
        let folder = self.0.iter().map(tempfile::TempDir::path);
        folder.flat_map(|folder| {
            DEVICES
                .map(|(name, ..)| (folder.join(name).to_string_lossy().into_owned(), format!("/dev/{name}")))
        })
    }
}
