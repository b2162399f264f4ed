//! Answers: rows of a batch as JSON, of bounded length.

use crate::question::{Batch, Refusal, Way};
use http::StatusCode;
use serde::Serialize;
use trefoil_execution::Suite;
use trefoil_execution::coverage::Engine;
use trefoil_execution::environment::EnvironmentError;

/// Runs a batch. The answer's bytes.
pub(crate) fn run(suite: &Suite, way: Way, batch: &Batch, answer_bytes: usize) -> Result<Vec<u8>, Refusal> {
    let mut rows = Rows { bytes: b"{\"rows\":[".to_vec(), most: answer_bytes, trouble: None };
    let outcome = match way {
        Way::Verify => suite.verify(&batch.cases, &mut |verdict, _| rows.add(&verdict)),
        Way::Cov => suite.cov(&batch.cases, Engine::Zygote, &mut |mut row, _| {
            if let Some(paths) = &batch.paths {
                row.files.retain(|path, _| paths.contains(path));
            }
            rows.add(&row);
        }),
    };
    outcome.map_err(|error| fault(&error))?;
    rows.finish()
}

/// A failure of ours: nothing that the tests did.
pub(crate) fn fault(error: &EnvironmentError) -> Refusal {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

/// `{"error": ...}`.
pub(crate) fn error(message: &str) -> Vec<u8> {
    serde_json::json!({ "error": message }).to_string().into_bytes()
}

struct Rows {
    bytes: Vec<u8>,
    most: usize,
    trouble: Option<String>,
}

impl Rows {
    fn add(&mut self, row: &impl Serialize) {
        if self.trouble.is_some() {
            return;
        }
        if !self.bytes.ends_with(b"[") {
            self.bytes.push(b',');
        }
        if let Err(cause) = serde_json::to_writer(&mut self.bytes, row) {
            self.trouble = Some(cause.to_string());
        } else if self.bytes.len() > self.most {
            self.bytes = Vec::new();
            self.trouble = Some(format!(
                "the answer would be longer than {} bytes; send fewer cases, or name the `paths` whose lines you want",
                self.most
            ));
        }
    }

    fn finish(mut self) -> Result<Vec<u8>, Refusal> {
        if let Some(trouble) = self.trouble {
            return Err((StatusCode::UNPROCESSABLE_ENTITY, trouble));
        }
        self.bytes.extend(b"]}");
        Ok(self.bytes)
    }
}
