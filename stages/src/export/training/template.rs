//! Texts with places for columns.

use super::json::{at, paths};
use serde_json::Value;

/// A template, read once.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Column(String),
    /// The row's own prompt with its inputs filled in.
    Prompt,
}

impl Template {
    /// Reads a template; `sample` is any row, so that a column that is not there is found before the first row is.
    pub fn new(text: &str, sample: &Value) -> Result<Self, String> {
        let part = |name: &str| match name {
            "prompt" => Ok(Part::Prompt),
            _ if at(sample, name).is_some() => Ok(Part::Column(name.to_owned())),
            _ => Err(format!("there is no `{{{name}}}`; there are prompt, {}", paths(sample).join(", "))),
        };
        Ok(Self(parts(text, part)?))
    }

    /// The text of a row.
    pub fn fill(&self, row: &Value) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Column(path) => shown(at(row, path)),
            Part::Prompt => prompt(row),
        };
        self.0.iter().map(part).collect()
    }
}

/// Cuts a text at its places. What is inserted is never read again.
fn parts(text: &str, mut place: impl FnMut(&str) -> Result<Part, String>) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let doubled = ["{{", "}}"].into_iter().find(|brace| from.starts_with(brace));
        if let Some(brace) = doubled {
            plain.extend(brace.chars().next());
            rest = from.get(brace.len()..).unwrap_or_default();
            continue;
        }
        let name = from.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((name, after)) = name else {
            return Err("a brace has no partner; write `{{` or `}}` for the character".to_owned());
        };
        parts.push(Part::Text(std::mem::take(&mut plain)));
        parts.push(place(name)?);
        rest = after;
    }
    plain.push_str(rest);
    parts.push(Part::Text(plain));
    parts.retain(|part| *part != Part::Text(String::new()));
    Ok(parts)
}

/// `instruction.format(**inputs)`.
fn prompt(row: &Value) -> String {
    let instruction = at(row, "instruction").and_then(Value::as_str).unwrap_or_default();
    let inputs = row.get("inputs").unwrap_or(&Value::Null);
    let parts = parts(instruction, |name| Ok(Part::Text(shown(inputs.get(name)))));
    let text = |part: Part| match part {
        Part::Text(text) => text,
        _ => String::new(),
    };
    parts.map_or_else(|_| instruction.to_owned(), |parts| parts.into_iter().map(text).collect())
}

fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        // Methods of a context, one below the other.
        Some(Value::Array(texts)) if texts.iter().all(Value::is_string) => {
            texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n\n")
        }
        None | Some(Value::Null) => String::new(),
        Some(value) => value.to_string(),
    }
}
