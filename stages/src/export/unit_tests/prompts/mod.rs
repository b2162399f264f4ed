//! The prompts: one per question, evenly spread. A place in braces takes the input field of that name, as
//! Python's `str.format` fills it.
//!
//! Twenty of our own in English and in Russian stand in the files beside this one; users bring theirs in a
//! file of the same form, or one prompt a line.

mod spread;

pub use spread::PromptBook;

use serde::{Deserialize, Serialize};

/// Where the prompts come from.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Prompts {
    /// `english`, `russian`, `both`, or the path of a file, which the driver replaces by what it holds.
    Named(String),
    /// A user's own.
    Own(PromptList),
}

impl Default for Prompts {
    fn default() -> Self {
        Self::Named("english".to_owned())
    }
}

/// Contents of a file of prompts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PromptList {
    /// What stands for `{test_func_type}` where a function is asked for.
    #[serde(default = "default_function")]
    pub function: String,
    /// The same for a method.
    #[serde(default = "default_method")]
    pub method: String,
    /// The prompts.
    pub prompts: Vec<String>,
}

fn default_function() -> String {
    "function".to_owned()
}

fn default_method() -> String {
    "method".to_owned()
}

impl Prompts {
    /// The path of the file that the prompts are to be read from, if they come from one.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Named(name) if !matches!(name.as_str(), "english" | "russian" | "both") => Some(name),
            _ => None,
        }
    }

    /// The prompts of a file with this text: TOML, or one a line with `\n` for a line break.
    pub fn own(text: &str, is_toml: bool) -> Result<Self, String> {
        let list = if is_toml {
            toml::from_str(text).map_err(|error| error.to_string())?
        } else {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let prompts = lines.map(|line| line.replace("\\n", "\n")).collect();
            PromptList { function: default_function(), method: default_method(), prompts }
        };
        check(&list)?;
        Ok(Self::Own(list))
    }

    fn lists(&self) -> Result<Vec<PromptList>, String> {
        let own = |text: &str| toml::from_str(text).map_err(|error| error.to_string());
        let english = || own(include_str!("english.toml"));
        let russian = || own(include_str!("russian.toml"));
        match self {
            Self::Own(list) => Ok(vec![list.clone()]),
            Self::Named(name) => match name.as_str() {
                "english" => Ok(vec![english()?]),
                "russian" => Ok(vec![russian()?]),
                "both" => Ok(vec![english()?, russian()?]),
                path => Err(format!("the file of prompts {path} was not read")),
            },
        }
    }
}

/// The input fields that a prompt has places for.
const FIELDS: [&str; 8] = [
    "focal_func",
    "test_func_type",
    "test_func_context",
    "language",
    "focal_file_path",
    "test_file_path",
    "focal_func_context",
    "test_framework",
];

/// Lines with this place are for rows that name a framework.
const FRAMEWORK: &str = "{test_framework}";

fn check(list: &PromptList) -> Result<(), String> {
    if list.prompts.is_empty() {
        return Err("it holds no prompt; write one a line, or TOML with `prompts = [\"…\"]`".to_owned());
    }
    for (number, prompt) in (1..).zip(&list.prompts) {
        check_places(prompt).map_err(|fault| format!("prompt {number}: {fault}"))?;
        if !without_framework(prompt).contains("{focal_func}") {
            return Err(format!(
                "prompt {number} has no place `{{focal_func}}` for the code to test on a line without `{FRAMEWORK}`"
            ));
        }
    }
    Ok(())
}

/// Every `{` opens the name of a field; `{{` and `}}` stand for braces.
fn check_places(prompt: &str) -> Result<(), String> {
    let rest = prompt.replace("{{", "").replace("}}", "");
    let mut pieces = rest.split('{');
    let lonely = || "a brace stands alone; write `{{` or `}}` where braces are meant".to_owned();
    if pieces.next().is_some_and(|before| before.contains('}')) {
        return Err(lonely());
    }
    for piece in pieces {
        let (name, after) = piece.split_once('}').ok_or_else(lonely)?;
        if !FIELDS.contains(&name) {
            let known = FIELDS.join("}`, `{");
            return Err(format!("`{{{name}}}` is no input; there are `{{{known}}}`"));
        }
        if after.contains('}') {
            return Err(lonely());
        }
    }
    Ok(())
}

fn without_framework(prompt: &str) -> String {
    let lines = prompt.lines().filter(|line| !line.contains(FRAMEWORK));
    lines.collect::<Vec<_>>().join("\n")
}

/// One prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    text: String,
    plain: String,
    function: String,
    method: String,
}

impl Prompt {
    /// The instruction of a row; `framework` is empty where none is named.
    pub fn instruction(&self, framework: &str) -> &str {
        if framework.is_empty() { &self.plain } else { &self.text }
    }

    /// What the prompt calls a test of this kind (`function` or `method`).
    pub fn test_func_type(&self, kind: &str) -> &str {
        if kind == "function" { &self.function } else { &self.method }
    }
}

fn prompts(list: PromptList) -> impl Iterator<Item = Prompt> {
    let PromptList { function, method, prompts } = list;
    prompts.into_iter().map(move |text| {
        let text = text.trim().to_owned();
        Prompt { plain: without_framework(&text), text, function: function.clone(), method: method.clone() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Vec<PromptList> {
        Prompts::Named(name.to_owned()).lists().unwrap()
    }

    #[test]
    fn our_own_have_a_place_for_every_input_and_are_all_different() {
        let both = named("both");
        assert_eq!(both.iter().map(|list| list.prompts.len()).collect::<Vec<_>>(), [20, 20]);
        assert_eq!((&named("english")[0], &named("russian")[0]), (&both[0], &both[1]));
        let mut all = std::collections::BTreeSet::new();
        for list in both {
            check(&list).unwrap();
            for prompt in prompts(list) {
                for field in FIELDS {
                    assert!(prompt.text.contains(&format!("{{{field}}}")), "{field}: {}", prompt.text);
                }
                let framework_lines = prompt.text.lines().count() - prompt.plain.lines().count();
                assert_eq!(framework_lines, 1, "{}", prompt.text);
                assert!(prompt.plain.ends_with("```{language}\n<your code>\n```"), "{}", prompt.plain);
                assert!(all.insert(prompt.text));
            }
        }
    }

    #[test]
    fn russian_is_written_in_russian() {
        let list = &named("russian")[0];
        let latin = |word: &&str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_alphabetic());
        for prompt in &list.prompts {
            let words: Vec<&str> = prompt.split_whitespace().filter(latin).collect();
            assert!(words.iter().all(|word| ["Markdown"].contains(word)), "{words:?} in {prompt}");
        }
        assert_eq!((list.function.as_str(), list.method.as_str()), ("тестовую функцию", "тестовый метод"));
    }

    #[test]
    fn lines_about_the_framework_are_for_rows_that_name_one() {
        let own = Prompts::own("Test {focal_func}\\nWith {test_framework}.\\nNow!", false).unwrap();
        let book = PromptBook::new(&own).unwrap();
        let prompt = book.of("any");
        assert_eq!(prompt.instruction("jest"), "Test {focal_func}\nWith {test_framework}.\nNow!");
        assert_eq!(prompt.instruction(""), "Test {focal_func}\nNow!");
        assert_eq!(
            (prompt.test_func_type("function"), prompt.test_func_type("method")),
            ("function", "method")
        );
    }

    #[test]
    fn files_of_prompts_are_lines_or_toml() {
        let Prompts::Own(lines) =
            Prompts::own("A {focal_func}\n\n  B {{x}} {focal_func}\r\n", false).unwrap()
        else {
            panic!("they are a user's own")
        };
        assert_eq!(lines.prompts, ["A {focal_func}", "B {{x}} {focal_func}"]);
        let toml = "function = 'Funktion'\nprompts = ['''\nTeste\n{focal_func}\n''']\n";
        let Prompts::Own(list) = Prompts::own(toml, true).unwrap() else { panic!("they are a user's own") };
        assert_eq!((list.function.as_str(), list.method.as_str()), ("Funktion", "method"));
        assert_eq!(list.prompts, ["Teste\n{focal_func}\n"]);
    }

    #[test]
    fn bad_files_of_prompts_say_what_is_wrong() {
        for (text, toml, fault) in [
            ("", false, "it holds no prompt"),
            ("prompts = []", true, "it holds no prompt"),
            ("promts = ['{focal_func}']", true, "unknown field `promts`"),
            (
                "{focal_func}\n{focal_function}",
                false,
                "prompt 2: `{focal_function}` is no input; there are `{focal_func}`",
            ),
            ("Write a test.", false, "prompt 1 has no place `{focal_func}`"),
            ("{focal_func} {test_framework}", false, "on a line without `{test_framework}`"),
            ("{focal_func} }", false, "prompt 1: a brace stands alone"),
            ("{focal_func} {", false, "prompt 1: a brace stands alone"),
        ] {
            let error = Prompts::own(text, toml).unwrap_err();
            assert!(error.contains(fault), "{error}");
        }
    }

    #[test]
    fn anything_but_three_words_is_a_file() {
        for (name, file) in [("english", None), ("russian", None), ("both", None), ("a.txt", Some("a.txt"))] {
            assert_eq!(Prompts::Named(name.to_owned()).file(), file);
        }
        assert!(PromptBook::new(&Prompts::Named("a.txt".to_owned())).is_err());
    }
}
