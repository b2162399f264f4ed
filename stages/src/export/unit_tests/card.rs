//! The data card: `README.md` with the front matter by which Hugging Face `datasets` loads the folder.

use crate::records::{ColumnType, Field, Record, UnitTestsRow};
use std::fmt::Write;

/// What a card is written from.
#[derive(Clone, Debug)]
pub struct Card {
    /// Title.
    pub name: String,
    /// The ways to split; the first is the default.
    pub configs: Vec<Config>,
    /// What went in and came out of every step, in order: what is counted and how many.
    pub funnel: Vec<(String, u64)>,
}

/// One way to split, which is also the folder of its files.
#[derive(Clone, Debug)]
pub struct Config {
    /// `project` or `random`.
    pub name: String,
    /// Its splits; those without rows have no files and are left out of the card.
    pub splits: Vec<Split>,
}

/// One split; its files are `<config>/<split>-*.parquet`.
#[derive(Clone, Debug)]
pub struct Split {
    /// `train`, `validation` or `test`.
    pub name: String,
    /// Rows, which `datasets` checks when it loads the split.
    pub rows: u64,
    /// Bytes of its files; without them `datasets` ignores the rest of the split's entry.
    pub bytes: u64,
}

impl Card {
    /// The text of `README.md`. The features come from the record's own schema.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "---\nlicense: other\nlicense_name: per-row\ntask_categories:\n- text-generation\ntags:\n- code\n- unit-tests\n",
        );
        let configs: Vec<&Config> =
            self.configs.iter().filter(|config| config.splits.iter().any(|split| split.rows > 0)).collect();
        if !configs.is_empty() {
            write_configs(&mut text, &configs);
            write_dataset_info(&mut text, &configs);
        }
        let _ = write!(text, "---\n\n# {}\n\n{DESCRIPTION}\n", self.name);
        self.write_tables(&mut text);
        let _ = write!(text, "\n## Licence\n\n{LICENCE}\n");
        text
    }

    fn write_tables(&self, text: &mut String) {
        text.push_str("\n## Size\n\n| config | split | rows |\n|---|---|---:|\n");
        for config in &self.configs {
            for split in &config.splits {
                let _ = writeln!(text, "| {} | {} | {} |", config.name, split.name, split.rows);
            }
        }
        if !self.funnel.is_empty() {
            text.push_str("\n## From repositories to rows\n\n| step | count |\n|---|---:|\n");
        }
        for (step, count) in &self.funnel {
            let _ = writeln!(text, "| {} | {count} |", step.replace('|', "\\|"));
        }
    }
}

const DESCRIPTION: &str = "\
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
```";

const LICENCE: &str = "\
Each row remains under the licence of the repository that it was taken from (`meta.repo_id` at `meta.commit`, `meta.licence`).";

fn write_configs(text: &mut String, configs: &[&Config]) {
    text.push_str("configs:\n");
    for (index, config) in configs.iter().enumerate() {
        let name = &config.name;
        let _ = writeln!(text, "- config_name: {name}");
        if index == 0 {
            text.push_str("  default: true\n");
        }
        text.push_str("  data_files:\n");
        for split in filled(config) {
            let _ = write!(text, "  - split: {0}\n    path: {name}/{0}-*.parquet\n", split.name);
        }
    }
}

fn write_dataset_info(text: &mut String, configs: &[&Config]) {
    text.push_str("dataset_info:\n");
    for config in configs {
        let _ = write!(text, "- config_name: {}\n  features:\n", config.name);
        write_features(text, UnitTestsRow::SCHEMA.fields, 2);
        text.push_str("  splits:\n");
        for split in filled(config) {
            let Split { name, rows, bytes } = split;
            let _ = write!(text, "  - name: {name}\n    num_bytes: {bytes}\n    num_examples: {rows}\n");
        }
    }
}

fn write_features(text: &mut String, fields: &[Field], indentation: usize) {
    let space = " ".repeat(indentation);
    for field in fields {
        let _ = writeln!(text, "{space}- name: {}", field.name);
        let (key, value) = match field.column_type {
            ColumnType::Text => ("dtype", "string"),
            ColumnType::Uint32 => ("dtype", "uint32"),
            ColumnType::Uint64 => ("dtype", "uint64"),
            ColumnType::Float64 => ("dtype", "float64"),
            ColumnType::Bool => ("dtype", "bool"),
            ColumnType::TextList => ("list", "string"),
            ColumnType::Uint32List => ("list", "uint32"),
            ColumnType::Struct(_) => ("struct", ""),
        };
        let _ = writeln!(text, "{}", format!("{space}  {key}: {value}").trim_end());
        if let ColumnType::Struct(inner) = field.column_type {
            write_features(text, inner, indentation + 2);
        }
    }
}

fn filled(config: &Config) -> impl Iterator<Item = &Split> {
    config.splits.iter().filter(|split| split.rows > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `CARD_FOLDER` set, the card is also written there, to be loaded with `datasets`.
    #[test]
    fn the_card_of_a_small_data_set() {
        let split = |name: &str, rows| Split { name: name.to_owned(), rows, bytes: rows * 100 };
        let card = Card {
            name: "UnitTests".to_owned(),
            configs: vec![
                Config {
                    name: "project".to_owned(),
                    splits: vec![split("train", 3), split("validation", 0), split("test", 1)],
                },
                Config { name: "random".to_owned(), splits: vec![split("train", 4)] },
            ],
            funnel: vec![("repositories".to_owned(), 2), ("pairs".to_owned(), 4)],
        };
        let expected = include_str!("fixtures/card.md");
        let text = card.markdown();
        if let Ok(folder) = std::env::var("CARD_FOLDER") {
            std::fs::write(format!("{folder}/README.md"), &text).unwrap();
        }
        assert_eq!(text.lines().collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_data_set_without_rows_has_a_card_without_configs() {
        let config = Config { name: "project".to_owned(), splits: vec![] };
        let text = Card { name: "Empty".to_owned(), configs: vec![config], funnel: vec![] }.markdown();
        assert!(!text.contains("configs:") && !text.contains("dataset_info:"), "{text}");
    }
}
