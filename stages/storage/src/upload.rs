//! Which files go where, in which order, and which are there already.

use crate::request::{Answer, Connection};
use crate::{Access, Place, StorageError};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::StatusCode;
use rusty_s3::actions::ListObjectsV2;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name below the place, with `/` between folders.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// What an upload came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uploaded {
    /// Files that were sent.
    pub sent: usize,
    /// Files that were there already.
    pub known: usize,
    /// Bytes that were sent.
    pub bytes: u64,
}

/// The most that one request may carry.
const MOST_BYTES: u64 = 5 << 30;
/// Digest of an object, which its server keeps beside it.
const DIGEST: &str = "x-amz-meta-sha256";

/// A place that was reached.
pub struct Store {
    place: Place,
    connection: Connection,
    runtime: tokio::runtime::Runtime,
    /// Sizes by key.
    there: BTreeMap<String, u64>,
}

impl Store {
    /// Reaches a place and lists what it holds.
    pub fn open(place: Place, access: Access) -> Result<Self, StorageError> {
        let bucket = access.bucket(&place)?;
        let connection = Connection::new(access, bucket)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(StorageError::NoClient)?;
        let there = runtime.block_on(list(&connection, &place.key("")))?;
        Ok(Self { place, connection, runtime, there })
    }

    /// Sends the files in this order. The last one, which says that all are there, goes only when they are, and never
    /// over one that is there. A place with other objects, or with another whole export, is left as it is.
    pub fn upload(&self, files: &[Local]) -> Result<Uploaded, StorageError> {
        let names: BTreeMap<String, &Local> =
            files.iter().map(|file| (self.place.key(&file.name), file)).collect();
        let mut others = self.there.keys().filter(|key| !names.contains_key(*key));
        if let Some(first) = others.next() {
            return Err(StorageError::NotEmpty {
                place: self.place.to_string(),
                count: 1 + others.count(),
                first: first.escape_debug().to_string(),
            });
        }
        if let Some(file) = files.iter().find(|file| file.bytes > MOST_BYTES) {
            return Err(StorageError::TooLarge { path: file.path.clone(), bytes: file.bytes });
        }
        self.runtime.block_on(self.send_all(files))
    }

    async fn send_all(&self, files: &[Local]) -> Result<Uploaded, StorageError> {
        let Some((last, rest)) = files.split_last() else { return Ok(Uploaded::default()) };
        let is_whole = self.there.contains_key(&self.place.key(&last.name));
        if is_whole && !self.is_same(last).await? {
            return Err(StorageError::Taken(self.place.to_string()));
        }
        let mut uploaded = Uploaded::default();
        for file in rest {
            self.bring(file, &[], &mut uploaded).await?;
        }
        self.bring(last, &[("if-none-match", "*".to_owned())], &mut uploaded).await?;
        Ok(uploaded)
    }

    async fn bring(
        &self,
        file: &Local,
        more: &[(&str, String)],
        uploaded: &mut Uploaded,
    ) -> Result<(), StorageError> {
        let key = self.place.key(&file.name);
        if self.there.get(&key) == Some(&file.bytes) && self.is_same(file).await? {
            uploaded.known += 1;
            return Ok(());
        }
        let mut headers = vec![(DIGEST, file.sha256.clone())];
        headers.extend(
            digest(&file.sha256).map(|digest| ("x-amz-checksum-sha256", BASE64_STANDARD.encode(digest))),
        );
        headers.extend(more.iter().cloned());
        let answer = self.connection.put(&key, &file.path, &headers).await?;
        match answer.status {
            // An attempt whose answer was lost may have put it there.
            StatusCode::PRECONDITION_FAILED if !self.is_same(file).await? => {
                Err(StorageError::Taken(self.place.to_string()))
            }
            status if status.is_success() || status == StatusCode::PRECONDITION_FAILED => {
                uploaded.sent += 1;
                uploaded.bytes += file.bytes;
                Ok(())
            }
            _ => Err(self.connection.refused(&self.connection.named(&key), &answer)),
        }
    }

    /// Whether what lies under the file's key has its digest.
    async fn is_same(&self, file: &Local) -> Result<bool, StorageError> {
        let key = self.place.key(&file.name);
        let answer = self.connection.head(&key).await?;
        let digest = answer.headers.get(DIGEST).and_then(|value| value.to_str().ok());
        match answer.status {
            StatusCode::NOT_FOUND => Ok(false),
            status if status.is_success() => Ok(digest == Some(&file.sha256)),
            _ => Err(self.connection.refused(&self.connection.named(&key), &answer)),
        }
    }
}

/// Keys and sizes of all objects whose keys start so.
async fn list(connection: &Connection, prefix: &str) -> Result<BTreeMap<String, u64>, StorageError> {
    let mut there = BTreeMap::new();
    let mut from = None;
    loop {
        let answer: Answer = connection.list(prefix, from.take()).await?;
        let refused = || connection.refused(&connection.named(prefix), &answer);
        let text = std::str::from_utf8(&answer.body).map_err(|_| refused())?;
        if answer.status != StatusCode::OK {
            return Err(refused());
        }
        let page = ListObjectsV2::parse_response(text).map_err(|_| refused())?;
        there.extend(page.contents.into_iter().map(|object| (object.key, object.size.unwrap_or_default())));
        from = page.next_continuation_token;
        if from.is_none() {
            return Ok(there);
        }
    }
}

/// The bytes of a digest in hexadecimal.
fn digest(text: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}
