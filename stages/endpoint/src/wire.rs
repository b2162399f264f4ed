//! What goes over the wire: requests and responses of chat completions.

use crate::{Model, Request};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: [Message<'a>; 1],
    max_tokens: u32,
    temperature: f64,
    top_p: f64,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

/// The body of a request.
pub(crate) fn body(model: &Model, request: &Request) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Body {
        model: &model.name,
        messages: [Message { role: "user", content: &request.prompt }],
        max_tokens: request.answer_tokens,
        temperature: model.temperature,
        top_p: model.top_p,
    })
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Content,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    content: Option<String>,
}

#[derive(Default, Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

/// A completion as far as it is of interest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Completed {
    pub(crate) text: String,
    pub(crate) finish_reason: String,
    pub(crate) prompt_tokens: u64,
    pub(crate) completion_tokens: u64,
}

/// Reads a response of status 200. A model that says nothing gives an empty text; a response without a choice is none.
pub(crate) fn completed(bytes: &[u8]) -> Result<Completed, String> {
    let completion: Completion =
        serde_json::from_slice(bytes).map_err(|error| format!("no completion: {error}"))?;
    let usage = completion.usage.unwrap_or_default();
    let choice = completion.choices.into_iter().next().ok_or("a completion without a choice")?;
    Ok(Completed {
        text: choice.message.content.unwrap_or_default(),
        finish_reason: choice.finish_reason.unwrap_or_default(),
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
    })
}
