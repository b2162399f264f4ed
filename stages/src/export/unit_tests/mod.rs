//! The UnitTests data set (MERA Code, `unit_tests`): contexts and rows of one pair, and the data card.
//!
//! The form follows the row that the data set's card shows: code of the inputs in Markdown code blocks,
//! the focal context beginning with `#<path>`, the output bare. Where the card's table of contexts is
//! silent, the language's file says what we chose.

mod context;
mod csharp;
mod go;
mod java;
mod javascript;
mod leak;
mod prompts;
mod python;
#[cfg(test)]
mod tests;

pub use leak::leaks_into_contexts;
pub use prompts::{Prompt, PromptBook, PromptList, Prompts};

use super::card::About;
use super::file_view::{FileView, span};
use crate::records::{CallableRow, Pair, Record, UnitTestsInputs, UnitTestsMeta, UnitTestsRow};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use trefoil_languages::{CallableKind, Span};

/// Settings of the data set.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Where the prompts come from.
    pub prompts: Prompts,
}

/// What the card says.
pub static ABOUT: About = About {
    tags: &["code", "unit-tests"],
    fields: UnitTestsRow::SCHEMA.fields,
    description: "\
Unit tests with the function or method that each of them tests (the focal one), after the rules of UnitTests \
(MERA Code). The task is to write the test.

| field | meaning |
|---|---|
| `instruction` | prompt with places for the inputs, as `instruction.format(**inputs)` fills them |
| `inputs.focal_func` | text of the focal function or method |
| `inputs.focal_func_context` | its file, with `#focal function/method here` in its place |
| `inputs.test_func_context` | context from the test file, without any test |
| `inputs.test_func_type` | whether a function or a method is to be written, in the words of the prompt |
| `inputs.language`, `inputs.focal_file_path`, `inputs.test_file_path`, `inputs.test_framework` | as named; the framework is empty for other languages than JavaScript |
| `outputs` | the test |
| `meta.id`, `meta.pair_id` | number of the row, and the identity of the pair that it is made of |
| `meta.licence` | SPDX expression of the repository's licence, by the files at its root; empty where it is not known |
| `meta` | where both sides come from: repository, commit, blob ids, byte and line ranges, and the rule that paired them, with its confidence where it says one |

The config `project` keeps each repository, with its forks and copies, within one split; `random` splits pairs at \
random.

```python
from datasets import load_dataset

rows = load_dataset(\"path/to/this/folder\", \"project\")
```",
};

/// What stands in the focal context in place of the focal text.
pub const PLACEHOLDER: &str = "#focal function/method here";

/// What differs between languages.
pub struct ContextRules {
    /// Name of the language in our records.
    pub language: &'static str,
    /// Name in the data set, also the tag of its code blocks (`python`, `java`, `csharp`, `js`, `go`).
    pub dataset_name: &'static str,
    /// The context of a test from its file; `around` are the declarations around the test, outermost first.
    pub test_func_context: fn(view: &FileView<'_>, around: &[&CallableRow]) -> String,
}

/// The list of languages: the next one is one file and one line here.
pub fn context_rules() -> &'static [ContextRules] {
    static RULES: [ContextRules; 5] = [
        ContextRules { language: "go", dataset_name: "go", test_func_context: go::test_func_context },
        ContextRules { language: "java", dataset_name: "java", test_func_context: java::test_func_context },
        ContextRules {
            language: "javascript",
            dataset_name: "js",
            test_func_context: javascript::test_func_context,
        },
        ContextRules {
            language: "python",
            dataset_name: "python",
            test_func_context: python::test_func_context,
        },
        ContextRules {
            language: "csharp",
            dataset_name: "csharp",
            test_func_context: csharp::test_func_context,
        },
    ];
    &RULES
}

/// The context of `test` from its own file, without any test of the file. Computed once for all tests of
/// a class. Empty for a language without rules.
pub fn test_func_context(view: &FileView<'_>, test: &CallableRow) -> Arc<str> {
    view.context(test.parent, || make_context(view, test))
}

fn make_context(view: &FileView<'_>, test: &CallableRow) -> String {
    let Some(rules) = rules(&view.file().language) else { return String::new() };
    let mut around: Vec<&CallableRow> = view.around(test).collect();
    around.reverse();
    (rules.test_func_context)(view, &around)
}

/// The focal file's whole text with the focal text replaced by [`PLACEHOLDER`], below a line `#<path>`.
pub fn focal_func_context(pair: &Pair, focal: &FileView<'_>) -> String {
    let text = focal.text();
    let at = focal_span(pair);
    let before = Span { start: 0, end: at.start }.of(text);
    let after = text.get(at.end as usize..).unwrap_or_default();
    format!("#{}\n{before}{PLACEHOLDER}{after}", pair.focal_path)
}

/// Characters of the input (focal text and both contexts) without the marks of the code blocks, counted
/// without building them.
pub fn input_characters(pair: &Pair, test: &FileView<'_>, focal: &FileView<'_>) -> usize {
    let context = test
        .callable(pair.test_ordinal)
        .map_or(0, |callable| test_func_context(test, callable).chars().count());
    let heading = "#\n".len() + pair.focal_path.chars().count() + PLACEHOLDER.len();
    // The focal text itself counts once: as `focal_func`, having left the context.
    context + heading + focal.characters()
}

/// The test's text, exactly as in its file: annotations or decorators included, the first line without
/// the indentation before it.
pub fn test_text<'a>(pair: &Pair, test: &FileView<'a>) -> &'a str {
    Span { start: pair.start_byte, end: pair.end_byte }.of(test.text())
}

/// The focal method's text, exactly as in its file; like the test's, its first line is not indented.
pub fn focal_text<'a>(pair: &Pair, focal: &FileView<'a>) -> &'a str {
    focal_span(pair).of(focal.text())
}

/// Names in the data set of the languages whose rows name the test framework: their imports often do not.
const NAMES_FRAMEWORK: [&str; 1] = ["js"];

/// What a row takes from beside the pair and its files.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// SPDX expression of the repository's licence.
    pub licence: &'a str,
    /// The test's framework, as parsing names it.
    pub framework: &'a str,
    /// The row's prompt.
    pub prompt: &'a Prompt,
}

/// The exported row of a pair. The test's context stands in a block without the name of a language, as in
/// the published row.
pub fn row(pair: &Pair, test: &FileView<'_>, focal: &FileView<'_>, around: Surroundings<'_>) -> UnitTestsRow {
    let language = rules(&pair.language).map_or(pair.language.as_str(), |rules| rules.dataset_name);
    let context = test.callable(pair.test_ordinal).map(|callable| test_func_context(test, callable));
    let framework = if NAMES_FRAMEWORK.contains(&language) { framework(around.framework) } else { "" };
    UnitTestsRow {
        instruction: around.prompt.instruction(framework).to_owned(),
        inputs: UnitTestsInputs {
            focal_func: code_block(language, focal_text(pair, focal)),
            test_func_type: around.prompt.test_func_type(&pair.test_kind).to_owned(),
            test_func_context: code_block("", context.as_deref().unwrap_or_default()),
            language: language.to_owned(),
            focal_file_path: pair.focal_path.clone(),
            test_file_path: pair.path.as_ref().to_owned(),
            focal_func_context: code_block(language, &focal_func_context(pair, focal)),
            test_framework: framework.to_owned(),
        },
        outputs: test_text(pair, test).to_owned(),
        meta: meta(pair, around.licence),
    }
}

/// The published name of a framework: one that is not known is `Unknown`.
fn framework(word: &str) -> &str {
    if word.is_empty() || word.starts_with("unknown") { "Unknown" } else { word }
}

fn meta(pair: &Pair, licence: &str) -> UnitTestsMeta {
    UnitTestsMeta {
        id: number(&pair.id),
        repo_id: format!("{}/{}", pair.host, pair.repository),
        focal_func_type: focal_func_type(&pair.focal_kind).to_owned(),
        pair_id: pair.id.clone(),
        licence: licence.to_owned(),
        commit: pair.commit.as_ref().to_owned(),
        test_name: pair.test_name.clone(),
        test_blob_id: pair.blob_id.as_ref().to_owned(),
        test_start_byte: pair.start_byte,
        test_end_byte: pair.end_byte,
        test_first_line: pair.first_line,
        test_last_line: pair.last_line,
        focal_name: pair.focal_name.clone(),
        focal_blob_id: pair.focal_blob_id.clone(),
        focal_start_byte: pair.focal_start_byte,
        focal_end_byte: pair.focal_end_byte,
        focal_first_line: pair.focal_first_line,
        focal_last_line: pair.focal_last_line,
        mode: pair.mode.clone(),
        rule: pair.rule.clone(),
        confidence: pair.confidence,
    }
}

/// The row's number: 63 bits of the pair's identity, so that it fits a signed integer and never changes.
fn number(pair_id: &str) -> u64 {
    pair_id.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default() >> 1
}

/// The data set knows two words; constructors count as methods.
fn focal_func_type(kind: &str) -> &'static str {
    match CallableKind::from_word(kind) {
        Some(CallableKind::Function | CallableKind::Lambda) => "function",
        _ => "method",
    }
}

/// A Markdown code block. Its fence is longer than any run of backticks inside, so that the block ends
/// where it should.
fn code_block(tag: &str, code: &str) -> String {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    let end = if code.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{tag}\n{code}{end}{fence}")
}

/// The code of a code block, without its fences.
pub fn bare(block: &str) -> &str {
    let inside = block.split_once('\n').filter(|(fence, _)| fence.starts_with("```"));
    let inside = inside.and_then(|(_, inside)| inside.rsplit_once('\n').or(Some(("", inside))));
    inside.filter(|(_, fence)| fence.starts_with("```")).map_or(block, |(code, _)| code)
}

fn rules(language: &str) -> Option<&'static ContextRules> {
    context_rules().iter().find(|rules| rules.language == language)
}

fn focal_span(pair: &Pair) -> Span {
    Span { start: pair.focal_start_byte, end: pair.focal_end_byte }
}
