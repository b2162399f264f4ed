//! Asks a model behind a server that speaks as OpenAI's chat completions do.
//!
//! Several requests are under way at a time; a server that is busy is asked again after the time that it names; every
//! answer is flushed to a journal before it counts, so that nothing is paid for twice. The crate knows nothing of what
//! is asked. Asynchronous inside, blocking outside.

mod client;
mod journal;
mod wire;

pub use client::{Asked, ask};
pub use journal::{Answer, Journal};

use std::path::PathBuf;

/// A model and how it is asked.
#[derive(Clone)]
pub struct Model {
    /// Base of the server's addresses (`https://api.openai.com/v1`).
    pub url: String,
    /// Name of the model on the server.
    pub name: String,
    /// Key, if the server wants one; it is shown nowhere.
    pub key: Option<Key>,
    /// Temperature (the paper of CLOVER uses 0.2).
    pub temperature: f64,
    /// Share of probability that is drawn from.
    pub top_p: f64,
    /// Requests under way at a time.
    pub concurrency: usize,
    /// How often a request is sent at most.
    pub tries: u32,
    /// Seconds that one answer may take.
    pub seconds: u64,
}

/// A key that cannot be printed.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Wraps a key; white space around it goes.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }
}

/// One thing to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Names the answer.
    pub id: String,
    /// What the user says.
    pub prompt: String,
    /// Most tokens of the answer.
    pub answer_tokens: u32,
}

/// Why nothing more can be asked.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The address is none.
    #[error("`{0}` is no address of a server; it has to be like https://host/v1")]
    NoAddress(String),
    /// The server refuses every request.
    #[error("{url} refuses the model `{model}`: {cause}; look at the address, the model's name and the key")]
    Refused {
        /// Address.
        url: String,
        /// Model.
        model: String,
        /// What it says.
        cause: String,
    },
    /// The journal of answers.
    #[error("cannot {action} the answers {path}: {cause}")]
    Journal {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// The system gives no threads or sockets.
    #[error("cannot start to ask: {0}")]
    NoRuntime(std::io::Error),
}
