//! What a shard says of itself. It is the last file to be written, and its presence makes the shard real.

use crate::commit::{digest_of_file, hexadecimal, write_json};
use crate::{ShardError, table};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// Contents of `manifest.json`. Holds no time and no path outside the shard: equal input, equal bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Stage.
    pub stage: String,
    /// Digest of everything that the rows depend on.
    pub fingerprint: String,
    /// Tables by name.
    pub tables: BTreeMap<String, TableEntry>,
    /// Repositories by key, in the order of their rows (which is the order of the keys).
    pub repositories: BTreeMap<String, RepositoryEntry>,
}

/// One Parquet file of a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableEntry {
    /// Version of the schema.
    pub version: u32,
    /// Rows.
    pub rows: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// One repository's share of a shard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepositoryEntry {
    /// Digest of everything that its rows depend on.
    pub fingerprint: String,
    /// Reason, where the stage failed on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Rows of each of its row groups, by table; a table without rows is left out.
    pub row_groups: BTreeMap<String, Vec<u64>>,
}

/// The file: a manifest and its own digest, since nothing else would notice a flipped bit in it.
#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(flatten)]
    manifest: Manifest,
    seal: String,
}

impl Manifest {
    /// Name of the file.
    pub const FILE: &'static str = "manifest.json";

    /// The manifest of the shard in `folder`; `None` where the shard is not finished.
    pub fn load(folder: &Path) -> Result<Option<Self>, ShardError> {
        let path = folder.join(Self::FILE);
        match std::fs::read(&path) {
            Ok(bytes) => {
                let sealed: Sealed =
                    serde_json::from_slice(&bytes).map_err(|error| ShardError::damaged(&path, error))?;
                if sealed.seal != sealed.manifest.seal(&path)? {
                    return Err(ShardError::damaged(&path, "its seal does not fit what it says"));
                }
                Ok(Some(sealed.manifest))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ShardError::io("read", &path)(error)),
        }
    }

    /// Checks every table against its digest.
    pub fn check(&self, folder: &Path) -> Result<(), ShardError> {
        for (name, entry) in &self.tables {
            let path = table::path(folder, name);
            let (sha256, bytes) = digest_of_file(&path)?;
            if sha256 != entry.sha256 {
                let detail = format!(
                    "its SHA-256 is {sha256} ({bytes} bytes), the manifest says {} ({} bytes)",
                    entry.sha256, entry.bytes
                );
                return Err(ShardError::damaged(&path, detail));
            }
        }
        Ok(())
    }

    /// Writes the manifest into `folder`.
    pub(crate) fn store(&self, folder: &Path) -> Result<(), ShardError> {
        let path = folder.join(Self::FILE);
        write_json(&path, &Sealed { seal: self.seal(&path)?, manifest: self.clone() })
    }

    /// SHA-256 of all that it says.
    fn seal(&self, path: &Path) -> Result<String, ShardError> {
        let bytes = serde_json::to_vec(self).map_err(|error| ShardError::damaged(path, error))?;
        Ok(hexadecimal(&Sha256::digest(bytes)))
    }
}
