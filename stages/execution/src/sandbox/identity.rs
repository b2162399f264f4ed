//! Who a job is: nobody special, whatever the machine calls whoever started it.

use super::SandboxError;
use std::path::PathBuf;

/// User and group inside, the owner of what is mounted.
pub(super) const USER: &str = "1000";
/// Home inside: empty and private.
pub(crate) const HOME: &str = "/home/tester";

/// passwd, group and hosts as jobs see them.
pub(super) struct Identity(tempfile::TempDir);

impl Identity {
    /// Writes the files.
    pub(super) fn make() -> Result<Self, SandboxError> {
        let folder = tempfile::tempdir().map_err(SandboxError::Start)?;
        for (name, text) in [
            ("passwd", format!("tester:x:{USER}:{USER}:tester:{HOME}:/bin/sh\n")),
            ("group", format!("tester:x:{USER}:\n")),
            ("hosts", "127.0.0.1 localhost\n::1 localhost\n".to_owned()),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).map_err(SandboxError::file(&path))?;
        }
        Ok(Self(folder))
    }

    /// What goes where.
    pub(super) fn mounts(&self) -> impl Iterator<Item = (PathBuf, String)> {
        ["passwd", "group", "hosts"]
            .map(|name| (self.0.path().join(name), format!("/etc/{name}")))
            .into_iter()
    }
}
