//! Prompts: what is asked for, the file around it and source files, put into our own words.

use crate::tasks::{Example, Question, blocks::Block};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a model is asked to reply with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    /// The assertion with its blank filled (Task I).
    Statement,
    /// The body of the test (`prompt_part`).
    Part,
    /// The whole file (`prompt_full`).
    Full,
}

impl Template {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Part => "part",
            Self::Full => "full",
        }
    }

    /// The template with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Statement, Self::Part, Self::Full].into_iter().find(|template| template.as_str() == word)
    }
}

/// The prompt of an example with these snippets (each made by [`snippet`]); none make it problem-only, which does not
/// even tell in which file a target is declared (section 5).
pub fn prompt(
    example: &Example,
    template: Template,
    snippets: &[&str],
    sources: &BTreeMap<String, Arc<str>>,
) -> String {
    let section = match snippets {
        [] => String::new(),
        snippets => {
            format!("\n## Source files\n\nFiles of the project that may help.\n\n{}", snippets.concat())
        }
    };
    let (setup, head) = (fenced(&example.setup), fenced(&example.head));
    let mut values = vec![("snippets", section), ("setup", setup), ("head", head)];
    let task = match &example.question {
        Question::Cloze(cloze) => {
            values.push(("question", fenced(&cloze.question())));
            include_str!("templates/cloze.md")
        }
        Question::Target(target) => {
            let place =
                if snippets.is_empty() { String::new() } else { format!(" of the file {}", target.path) };
            values.push(("kind", target.kind.clone()));
            values.push(("target", format!("`{}`, a {}{place}", target.name, target.kind)));
            include_str!("templates/target.md")
        }
        Question::Blocks(blocks) => {
            let files = example.question.required().len();
            values.push(("blocks", blocks.iter().map(|block| listed(block, sources)).collect()));
            values.push(("count", counted(blocks.len(), "block")));
            values.push(("files", counted(files, "file")));
            include_str!("templates/blocks.md")
        }
    };
    let answer = match template {
        Template::Statement => "",
        Template::Part => include_str!("templates/part.md"),
        Template::Full => include_str!("templates/full.md"),
    };
    filled(task, &values) + answer
}

/// A file as it stands in a prompt.
pub fn snippet(path: &str, text: &str) -> String {
    format!("\n### {path}\n\n{}\n", fenced(text))
}

fn listed(block: &Block, sources: &BTreeMap<String, Arc<str>>) -> String {
    let text = sources.get(&block.path).map(|source| block.text(source)).unwrap_or_default();
    let (first, last) = (block.first, block.last);
    format!(
        "### {}, lines {first} to {last} ({} lines)\n\n{}\n\n",
        block.path,
        last - first + 1,
        fenced(&text)
    )
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A code block whose fence is longer than any in the text.
fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}python\n{}\n{fence}", text.trim_end_matches('\n'))
}

/// The template with its `{{names}}` replaced, in one pass: values are never searched for names.
fn filled(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        text += before;
        text += values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_searched_for_names() {
        let values = [("a", "{{b}}".to_owned()), ("b", "no".to_owned())];
        assert_eq!(filled("x {{a}} {{b}} {{gone}}{", &values), "x {{b}} no {");
    }

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        assert_eq!(fenced("a\n"), "```python\na\n```");
        assert_eq!(fenced("'''\n```\n'''"), "````python\n'''\n```\n'''\n````");
    }
}
