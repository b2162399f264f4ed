//! Puts the files of a folder into object storage that speaks S3. What is there after each step can be left there:
//! files come in the order given, each under its final name and with its digest beside it, and the last one, which
//! says that all are there, comes when they are. A second try sends only what is missing.
//!
//! Asynchronous inside, blocking outside. It does not know what the files are.

mod error;
mod place;
mod request;
mod upload;

pub use error::StorageError;
pub use place::{Access, Place};
pub use upload::{Local, Store, Uploaded};
