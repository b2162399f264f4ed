//! Predictions as JSON Lines: `{"instance_id": …, "prediction": …}`, other keys are left alone.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A model's reply to one row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Prediction {
    /// Id of the row.
    #[serde(alias = "id")]
    pub instance_id: String,
    /// The reply as the model gave it.
    pub prediction: Option<String>,
    /// Why there is none: the server failed, which says nothing of the model.
    #[serde(default)]
    pub error: String,
}

/// Predictions by id of the row; an error in place of those that could not be had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predictions(BTreeMap<String, Result<String, String>>);

/// Lines that are no predictions, each with its place and what to do.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct BadPredictions(pub Vec<String>);

/// Most faults that are listed.
const MOST_FAULTS: usize = 20;

impl Predictions {
    /// Reads the text of `file`, whose ids have to be among `known`. Empty lines are passed over; a prediction that is
    /// `null` is one that the model did not give, or with an `error` one that could not be had.
    pub fn read(file: &str, text: &str, known: &BTreeSet<&str>) -> Result<Self, BadPredictions> {
        let mut predictions = BTreeMap::new();
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        let mut faults = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let found = serde_json::from_str::<Prediction>(line).map_err(|error| explained(&error)).and_then(
                |found| {
                    if !known.contains(found.instance_id.as_str()) {
                        return Err(format!("`{}` is the id of no row of the data set", found.instance_id));
                    }
                    match lines.insert(found.instance_id.clone(), number) {
                        Some(before) => {
                            Err(format!("`{}` stands in line {before} already", found.instance_id))
                        }
                        None => Ok(found),
                    }
                },
            );
            match found {
                Ok(Prediction { instance_id, prediction, error }) => {
                    let failed = prediction.is_none() && !error.is_empty();
                    let reply = if failed { Err(error) } else { Ok(prediction.unwrap_or_default()) };
                    predictions.insert(instance_id, reply);
                }
                Err(fault) => faults.push(format!("{file}:{number}: {fault}")),
            }
        }
        if faults.is_empty() && predictions.is_empty() {
            faults.push(format!("{file}: it holds no prediction; each line has to be {FORM}"));
        }
        let more = faults.len().saturating_sub(MOST_FAULTS);
        if more > 0 {
            faults.truncate(MOST_FAULTS);
            faults.push(format!("{file}: and {more} more"));
        }
        if faults.is_empty() { Ok(Self(predictions)) } else { Err(BadPredictions(faults)) }
    }

    /// The reply to a row.
    pub fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id)?.as_deref().ok()
    }

    /// Why a row's reply could not be had.
    pub fn error(&self, id: &str) -> Option<&str> {
        self.0.get(id)?.as_ref().err().map(String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

const FORM: &str = r#"{"instance_id": "…", "prediction": "…"}"#;

fn explained(error: &serde_json::Error) -> String {
    // The parser counts lines of its own text, which is one line.
    let message = error.to_string();
    let (message, _) = message.split_once(" at line ").unwrap_or((&message, ""));
    format!("column {}: {message}; each line has to be {FORM}", error.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Predictions, BadPredictions> {
        Predictions::read("p.jsonl", text, &["a", "b"].into())
    }

    #[test]
    fn replies_are_found_by_id_under_either_name() {
        let text = "{\"instance_id\":\"a\",\"prediction\":\"x\",\"model_name_or_path\":\"m\"}\n\n{\"id\":\"b\",\"prediction\":null}\n";
        let predictions = read(text).unwrap();
        assert_eq!((predictions.get("a"), predictions.get("b"), predictions.len()), (Some("x"), Some(""), 2));
        let failed = read("{\"id\":\"b\",\"prediction\":null,\"error\":\"503\"}").unwrap();
        assert_eq!((failed.get("b"), failed.error("b"), failed.error("a")), (None, Some("503"), None));
    }

    #[test]
    fn faults_name_file_and_line() {
        let text = "{\"instance_id\":\"a\",\"prediction\":\"x\"}\n{\"instance_id\":\"a\",\"prediction\":\"y\"}\n\
                    {\"instance_id\":\"c\",\"prediction\":\"y\"}\n{\"instance_id\":\"b\",\"prediction\":3}\nno\n";
        let BadPredictions(faults) = read(text).unwrap_err();
        let starts = [
            "p.jsonl:2: `a` stands in line 1",
            "p.jsonl:3: `c` is the id of no row",
            "p.jsonl:4: column",
            "p.jsonl:5: column",
        ];
        assert_eq!(faults.len(), starts.len());
        for (fault, start) in faults.iter().zip(starts) {
            assert!(fault.starts_with(start), "{fault}");
        }
        assert!(read("\n").unwrap_err().to_string().starts_with("p.jsonl: it holds no prediction"));
        assert_eq!(read(&"x\n".repeat(50)).unwrap_err().0.len(), 21);
    }
}
