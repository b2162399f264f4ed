//! The data card: `README.md` with the front matter by which Hugging Face `datasets` loads the folder.

use crate::records::{ColumnType, Field};
use std::fmt::Write;

/// What a card is written from.
#[derive(Clone, Debug)]
pub struct Card {
    /// Title.
    pub name: String,
    /// The kind of data set.
    pub about: &'static About,
    /// The ways to split; the first is the default.
    pub configs: Vec<Config>,
    /// What went in and came out of every step, in order: what is counted and how many.
    pub funnel: Vec<(String, u64)>,
}

/// What a kind of data set says of itself.
#[derive(Debug)]
pub struct About {
    /// Tags by which it is found.
    pub tags: &'static [&'static str],
    /// Columns of its rows.
    pub fields: &'static [Field],
    /// What it is and what its fields mean, as Markdown.
    pub description: &'static str,
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
            "---\nlicense: other\nlicense_name: per-row\ntask_categories:\n- text-generation\ntags:\n",
        );
        self.about.tags.iter().for_each(|tag| text.push_str(&format!("- {tag}\n")));
        let configs: Vec<&Config> =
            self.configs.iter().filter(|config| config.splits.iter().any(|split| split.rows > 0)).collect();
        if !configs.is_empty() {
            write_configs(&mut text, &configs);
            write_dataset_info(&mut text, &configs, self.about.fields);
        }
        let _ = write!(text, "---\n\n# {}\n\n{}\n", self.name, self.about.description);
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

fn write_dataset_info(text: &mut String, configs: &[&Config], fields: &[Field]) {
    text.push_str("dataset_info:\n");
    for config in configs {
        let _ = write!(text, "- config_name: {}\n  features:\n", config.name);
        write_features(text, fields, 2);
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
            about: &super::super::unit_tests::ABOUT,
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
        let text = Card {
            name: "Empty".to_owned(),
            about: &super::super::contest::ABOUT,
            configs: vec![config],
            funnel: vec![],
        }
        .markdown();
        assert!(!text.contains("configs:") && !text.contains("dataset_info:"), "{text}");
    }
}
