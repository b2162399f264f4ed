//! Training data: rows of a data set in the form that trainers read, by a recipe of the user. Pure: which rows there
//! are and where the files go is the business of the caller.

pub mod card;
mod json;
mod redaction;
mod rules;
mod template;
#[cfg(test)]
mod tests;

pub use json::record;
pub use redaction::{Found, redact};
pub use rules::Rules;
pub use template::Template;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a recipe file says.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// Way to split: `project`, `random`, or a division that `trefoil split` made.
    pub by: String,
    /// Form of the rows.
    pub form: Form,
    /// Columns that each row keeps beside the text, by their paths (`meta.licence`).
    pub columns: Vec<String>,
    /// SPDX identifiers of the licences that may be handed out; none allows all, unknown ones too.
    pub licences: Vec<String>,
    /// Bytes of text in a file before compression.
    pub shard_bytes: u64,
    /// Compression of JSON lines.
    pub compression: Compression,
    /// The texts.
    pub template: Templates,
    /// What becomes of secrets and addresses.
    pub redaction: Redaction,
    /// Tokenised shards.
    pub tokens: Tokens,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            by: "project".to_owned(),
            form: Form::Chat,
            columns: ["meta.pair_id", "meta.repo_id", "meta.commit", "meta.licence"]
                .map(str::to_owned)
                .into(),
            licences: Vec::new(),
            shard_bytes: 256 << 20,
            compression: Compression::Gzip,
            template: Templates::default(),
            redaction: Redaction::default(),
            tokens: Tokens::default(),
        }
    }
}

/// Form of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// JSON lines with `messages` of `role` and `content`.
    Chat,
    /// JSON lines with `prompt` and `completion`.
    PromptCompletion,
    /// JSON lines with the columns alone.
    Columns,
    /// Parquet with `input_ids` of one length.
    Tokens,
}

/// Compression of JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compression {
    /// As they are; Croissant metadata is written for these.
    None,
    /// gzip.
    Gzip,
}

/// The texts, with `{path}` for a column and `{prompt}` for the row's own prompt, filled in; `{{` is a brace.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Templates {
    /// What the system says; left out where it is empty.
    pub system: String,
    /// What is asked: the prompt of the pair.
    pub user: String,
    /// What is answered: its completion.
    pub assistant: String,
}

impl Default for Templates {
    fn default() -> Self {
        Self {
            system: String::new(),
            user: "{prompt}".to_owned(),
            assistant: "```{inputs.language}\n{outputs}\n```".to_owned(),
        }
    }
}

/// What becomes of what should not be handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Treatment {
    /// Each is replaced by a word of the same length.
    #[default]
    Replace,
    /// Rows with one are left out.
    Drop,
    /// It is not looked for.
    Keep,
}

/// Secrets and addresses.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Redaction {
    /// Keys, tokens and private keys.
    pub secrets: Treatment,
    /// E-mail addresses.
    pub emails: Treatment,
    /// More rules for secrets, in the format of gitleaks; a path counts from the recipe's folder.
    pub rules: String,
}

/// Tokenised shards.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tokens {
    /// The `tokenizer.json`; a path counts from the recipe's folder.
    pub tokenizer: String,
    /// Ids in each row.
    pub length: u32,
    /// Token that ends each text, which the tokenizer has to know.
    pub end: String,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { tokenizer: String::new(), length: 2_048, end: "</s>".to_owned() }
    }
}

/// A recipe, checked and ready.
pub struct Kitchen<'a> {
    recipe: Recipe,
    rules: &'a Rules,
    system: Template,
    user: Template,
    assistant: Template,
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Served {
    /// It is handed out.
    Row {
        /// The line.
        line: Map<String, Value>,
        /// The whole text in one, for tokenising.
        text: String,
    },
    /// It is left out, for this reason.
    LeftOut(&'static str),
}

impl<'a> Kitchen<'a> {
    /// Checks a recipe against the columns that there are (`sample` is any row).
    pub fn new(recipe: &Recipe, rules: &'a Rules, sample: &Value) -> Result<Self, String> {
        if recipe.shard_bytes == 0 || recipe.tokens.length == 0 {
            return Err("shard_bytes and tokens.length must be above 0".to_owned());
        }
        if let Some(unknown) = recipe.columns.iter().find(|column| json::at(sample, column).is_none()) {
            return Err(format!(
                "columns: there is no `{unknown}`; there are {}",
                json::paths(sample).join(", ")
            ));
        }
        let template = |name: &str, text: &str| {
            Template::new(text, sample).map_err(|error| format!("template.{name}: {error}"))
        };
        Ok(Self {
            system: template("system", &recipe.template.system)?,
            user: template("user", &recipe.template.user)?,
            assistant: template("assistant", &recipe.template.assistant)?,
            recipe: recipe.clone(),
            rules,
        })
    }

    /// A row in its form; `found` counts what was redacted, by rule.
    pub fn serve(&self, row: &Value, found: &mut BTreeMap<String, u64>) -> Served {
        let licence = json::at(row, "meta.licence").and_then(Value::as_str).unwrap_or_default();
        let allowed = &self.recipe.licences;
        if !allowed.is_empty() && !allowed.iter().any(|one| one == licence) {
            return Served::LeftOut("licence");
        }
        let mut row = row.clone();
        if let Some(reason) = self.clean(&mut row, found) {
            return Served::LeftOut(reason);
        }
        let [system, user, assistant] =
            [&self.system, &self.user, &self.assistant].map(|text| text.fill(&row));
        let mut line = Map::new();
        let message = |role: &str, content: &str| json!({ "role": role, "content": content });
        match self.recipe.form {
            Form::Chat | Form::Tokens => {
                let system_message = (!system.is_empty()).then(|| message("system", &system));
                let rest = [message("user", &user), message("assistant", &assistant)];
                let messages = system_message.into_iter().chain(rest).collect();
                line.insert("messages".to_owned(), Value::Array(messages));
            }
            Form::PromptCompletion => {
                let prompt = if system.is_empty() { user.clone() } else { format!("{system}\n\n{user}") };
                line.insert("prompt".to_owned(), prompt.into());
                line.insert("completion".to_owned(), assistant.clone().into());
            }
            Form::Columns => {}
        }
        for column in &self.recipe.columns {
            let name = column.rsplit('.').next().unwrap_or(column);
            let name = if line.contains_key(name) { column.as_str() } else { name };
            line.insert(name.to_owned(), json::at(&row, column).cloned().unwrap_or_default());
        }
        let text = [system, user, assistant].into_iter().filter(|part| !part.is_empty());
        Served::Row { line, text: text.collect::<Vec<_>>().join("\n") }
    }

    /// Redacts every text of a row; answers why it is to be left out.
    fn clean(&self, value: &mut Value, found: &mut BTreeMap<String, u64>) -> Option<&'static str> {
        let Redaction { secrets, emails, .. } = self.recipe.redaction;
        let treatment = |rule: &str| if rule == redaction::EMAIL { emails } else { secrets };
        let mut reason = None;
        json::texts(value, &mut |text| {
            let there = redact(text, self.rules, |rule| treatment(rule) != Treatment::Keep);
            for Found { rule, .. } in &there.found {
                *found.entry((*rule).to_owned()).or_default() += 1;
                if treatment(rule) == Treatment::Drop {
                    reason = Some(if *rule == redaction::EMAIL { "email" } else { "secret" });
                }
            }
            if !there.found.is_empty() {
                *text = there.text;
            }
        });
        reason
    }
}
