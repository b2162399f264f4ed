//! Answers as JSON Lines, which is a file of predictions, too. Flushed line by line; a line that a kill cut off is
//! forgotten.

use crate::{EndpointError, Model, Request};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An answer, or the error in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Answer {
    /// What was asked.
    pub instance_id: String,
    /// Who answered.
    pub model_name_or_path: String,
    /// The answer; none where there is an error.
    pub prediction: Option<String>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
    /// Why the answer ended: `stop`, or `length` where it was cut off.
    #[serde(default)]
    pub finish_reason: String,
    /// Tokens of the prompt, as the server counts them.
    #[serde(default)]
    pub prompt_tokens: u64,
    /// Tokens of the answer.
    #[serde(default)]
    pub completion_tokens: u64,
    /// Digest of model and prompt: with another it is another question.
    #[serde(default)]
    pub question: String,
}

/// The answers that are there.
pub struct Journal {
    path: PathBuf,
    file: File,
    known: BTreeMap<String, Answer>,
}

impl Journal {
    /// Opens the journal at `path`, which need not exist.
    pub fn open(path: &Path) -> Result<Self, EndpointError> {
        let fault = |action| move |cause| EndpointError::Journal { action, path: path.to_owned(), cause };
        let options = OpenOptions::new().read(true).append(true).create(true).to_owned();
        let mut file = options.open(path).map_err(fault("open"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault("read"))?;
        let (mut known, mut whole) = (BTreeMap::new(), 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            let Ok(answer) = serde_json::from_slice::<Answer>(line) else { break };
            known.insert(answer.instance_id.clone(), answer);
            whole += line.len() as u64;
        }
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(fault("mend"))?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    /// Whether this very question has an answer that is no error.
    pub fn answers(&self, model: &Model, request: &Request) -> bool {
        let known = self.known.get(&request.id);
        known.is_some_and(|answer| answer.error.is_empty() && answer.question == question(model, request))
    }

    /// Keeps an answer.
    pub fn add(&mut self, answer: Answer) -> Result<(), EndpointError> {
        let written = serde_json::to_vec(&answer).map_err(std::io::Error::other).and_then(|mut bytes| {
            bytes.push(b'\n');
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        });
        written.map_err(|cause| EndpointError::Journal {
            action: "write",
            path: self.path.clone(),
            cause,
        })?;
        self.known.insert(answer.instance_id.clone(), answer);
        Ok(())
    }

    /// The last answer to each question, by id.
    pub fn all(&self) -> impl Iterator<Item = &Answer> {
        self.known.values()
    }
}

/// Digest of everything that an answer depends on.
pub(crate) fn question(model: &Model, request: &Request) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [&model.name, &request.prompt] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    for number in [u64::from(request.answer_tokens), model.temperature.to_bits(), model.top_p.to_bits()] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.finalize().to_hex().as_str().get(..32).unwrap_or_default().to_owned()
}
