//! What describes training data: the card that `datasets` reads, Croissant metadata, and the attribution that the
//! licences ask for.

use super::{Compression, Form, Recipe};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A file of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile {
    /// Path in the data set's folder.
    pub path: String,
    /// Its split.
    pub split: String,
    /// Its rows.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// SHA-256.
    pub sha256: String,
}

/// Where rows come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// SPDX expression; empty where it is not known.
    pub licence: String,
    /// Commit.
    pub commit: String,
    /// Rows that are handed out.
    pub rows: u64,
}

/// Everything that the card says.
pub struct Card<'a> {
    /// Name of the data set.
    pub name: &'a str,
    /// How it was made.
    pub recipe: &'a Recipe,
    /// Files, by split and number.
    pub files: &'a [DataFile],
    /// A line of the data, by which its columns are described.
    pub sample: &'a Value,
    /// Origins by `host/owner/name`.
    pub origins: &'a BTreeMap<String, Origin>,
    /// The steps from repositories to rows.
    pub funnel: &'a [(String, u64)],
    /// Rows left out, by reason.
    pub left_out: &'a BTreeMap<String, u64>,
    /// What was redacted, by rule.
    pub redacted: &'a BTreeMap<String, u64>,
    /// Rules for secrets that could not be used, with the reasons.
    pub unused_rules: &'a BTreeMap<String, String>,
}

impl Card<'_> {
    fn splits(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut splits: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for file in self.files {
            let (rows, bytes) = splits.entry(&file.split).or_default();
            (*rows, *bytes) = (*rows + file.rows, *bytes + file.bytes);
        }
        splits
    }

    fn ending(&self) -> &'static str {
        ending(self.recipe)
    }

    /// `README.md`.
    pub fn markdown(&self) -> String {
        let mut text =
            String::from("---\nlanguage:\n- code\ntask_categories:\n- text-generation\nlicense: other\n");
        text.push_str("configs:\n- config_name: default\n  data_files:\n");
        for split in self.splits().keys() {
            let _ = write!(text, "  - split: {split}\n    path: data/{split}-*.{}\n", self.ending());
        }
        text.push_str("dataset_info:\n  features:\n");
        write_features(&mut text, self.sample, "  ");
        text.push_str("  splits:\n");
        for (split, (rows, bytes)) in self.splits() {
            let _ = write!(text, "  - name: {split}\n    num_bytes: {bytes}\n    num_examples: {rows}\n");
        }
        let _ = write!(text, "---\n\n# {}\n\n{}\n", self.name, self.use_of());
        table(
            &mut text,
            "Size",
            ["split", "rows"],
            self.splits().iter().map(|(split, (rows, _))| (*split, *rows)),
        );
        let funnel = self.funnel.iter().map(|(step, count)| (step.as_str(), *count));
        table(&mut text, "From repositories to rows", ["step", "count"], funnel);
        let left_out = self.left_out.iter().map(|(reason, rows)| (reason.as_str(), *rows));
        table(&mut text, "Rows left out", ["reason", "rows"], left_out);
        table(
            &mut text,
            "Redacted",
            ["rule", "places"],
            self.redacted.iter().map(|(rule, n)| (rule.as_str(), *n)),
        );
        if !self.unused_rules.is_empty() {
            let rules = self.unused_rules.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let _ = write!(
                text,
                "\nRules that could not be used, so that nothing was looked for by them: {rules}.\n"
            );
        }
        let mut licences: BTreeMap<&str, u64> = BTreeMap::new();
        for origin in self.origins.values() {
            *licences.entry(shown(&origin.licence)).or_default() += origin.rows;
        }
        table(&mut text, "Licences", ["licence", "rows"], licences.into_iter());
        text.push_str(
            "\nEach row remains under the licence of the repository that it was taken from; `ATTRIBUTION.md` names \
             them all.\n",
        );
        text
    }

    fn use_of(&self) -> String {
        let form = match self.recipe.form {
            Form::Chat => "conversations in `messages`",
            Form::PromptCompletion => "pairs of `prompt` and `completion`",
            Form::Columns => "rows",
            Form::Tokens => "texts as `input_ids` of one length",
        };
        format!(
            "Unit tests with the functions and methods that they test, as {form}, for training models to write \
             tests. Divided by `{}`: what is in `validation` and `test` is for judging and must not be trained on. \
             Tests were matched to focal methods by rules and not by people, so a few do not fit; texts were not \
             checked for bias or offence.",
            self.recipe.by
        )
    }

    /// `croissant.json` (Croissant 1.0). For plain JSON lines only: with compressed ones it would be valid, and
    /// then fail on reading.
    pub fn croissant(&self) -> Option<Value> {
        if self.recipe.compression != Compression::None && self.recipe.form != Form::Tokens {
            return None;
        }
        let format =
            if self.recipe.form == Form::Tokens { "application/x-parquet" } else { "application/jsonlines" };
        let mut distribution = Vec::new();
        let mut record_sets = Vec::new();
        for split in self.splits().keys() {
            let set = format!("{split}-files");
            distribution.push(json!({
                "@type": "cr:FileSet",
                "@id": set,
                "name": set,
                "description": format!("Files of {split}."),
                "encodingFormat": format,
                "includes": format!("data/{split}-*.{}", self.ending()),
            }));
            let cells = self.sample.as_object().into_iter().flatten();
            let fields: Vec<Value> = cells.map(|(name, value)| field(split, &set, name, value)).collect();
            record_sets.push(json!({
                "@type": "cr:RecordSet", "@id": split, "name": split, "field": fields,
            }));
        }
        Some(json!({
            "@context": context(),
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": self.name,
            "description": self.use_of(),
            "license": "ATTRIBUTION.md",
            "version": "1.0.0",
            "distribution": distribution,
            "recordSet": record_sets,
        }))
    }

    /// `ATTRIBUTION.md`: what was taken from where, and under which licence.
    pub fn attribution(&self) -> String {
        let mut text = String::from(
            "# Attribution\n\nCode in this data set was taken from these repositories at these commits, and stays \
             under their licences.\n\n| repository | commit | licence | rows |\n|---|---|---|---:|\n",
        );
        for (repository, Origin { licence, commit, rows }) in
            self.origins.iter().filter(|(_, it)| it.rows > 0)
        {
            let cell = |cell: &str| cell.replace('|', "\\|");
            let _ = writeln!(
                text,
                "| {} | {} | {} | {rows} |",
                cell(repository),
                cell(commit),
                cell(shown(licence))
            );
        }
        text
    }
}

/// Ending of the files of a recipe.
pub fn ending(recipe: &Recipe) -> &'static str {
    match (recipe.form, recipe.compression) {
        (Form::Tokens, _) => "parquet",
        (_, Compression::Gzip) => "jsonl.gz",
        (_, Compression::None) => "jsonl",
    }
}

fn shown(licence: &str) -> &str {
    if licence.is_empty() { "not known" } else { licence }
}

fn table<'a>(text: &mut String, title: &str, head: [&str; 2], rows: impl Iterator<Item = (&'a str, u64)>) {
    let mut rows = rows.peekable();
    if rows.peek().is_some() {
        let _ = write!(text, "\n## {title}\n\n| {} | {} |\n|---|---:|\n", head[0], head[1]);
    }
    rows.for_each(|(name, count)| {
        let _ = writeln!(text, "| {} | {count} |", name.replace('|', "\\|"));
    });
}

fn data_type(value: &Value) -> &'static str {
    match value {
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::Bool(_) => "bool",
        // A number that is not there (the confidence of a rule that says none).
        Value::Null => "float64",
        _ => "string",
    }
}

fn write_features(text: &mut String, sample: &Value, space: &str) {
    for (name, value) in sample.as_object().into_iter().flatten() {
        let _ = writeln!(text, "{space}- name: {name}");
        match value {
            Value::Array(values) => match values.first() {
                Some(inner @ Value::Object(_)) => {
                    let _ = writeln!(text, "{space}  list:");
                    write_features(text, inner, &format!("{space}  "));
                }
                Some(Value::Number(_)) => {
                    let _ = writeln!(text, "{space}  list: uint32");
                }
                _ => {
                    let _ = writeln!(text, "{space}  list: string");
                }
            },
            Value::Object(_) => {
                let _ = writeln!(text, "{space}  struct:");
                write_features(text, value, &format!("{space}  "));
            }
            _ => {
                let _ = writeln!(text, "{space}  dtype: {}", data_type(value));
            }
        }
    }
}

fn field(split: &str, set: &str, name: &str, value: &Value) -> Value {
    let id = format!("{split}/{name}");
    let source = json!({ "fileSet": { "@id": set }, "extract": { "column": name } });
    let kind = match (data_type(value), value) {
        (_, Value::Array(values)) if values.first().is_some_and(Value::is_number) => "sc:Integer",
        ("int64", _) => "sc:Integer",
        ("float64", _) => "sc:Float",
        ("bool", _) => "sc:Boolean",
        _ => "sc:Text",
    };
    let mut field = json!({ "@type": "cr:Field", "@id": id, "name": id, "dataType": kind, "source": source });
    if let (Value::Array(_), Some(field)) = (value, field.as_object_mut()) {
        field.insert("repeated".to_owned(), true.into());
        if value.get(0).is_some_and(Value::is_object) {
            let part = |part: &str| {
                json!({
                    "@type": "cr:Field", "@id": format!("{id}/{part}"), "name": part, "dataType": "sc:Text",
                    "source": {
                        "fileSet": { "@id": set },
                        "extract": { "column": name },
                        "transform": { "jsonPath": part },
                    },
                })
            };
            field.remove("dataType");
            field.insert("subField".to_owned(), json!([part("role"), part("content")]));
        }
    }
    field
}

/// The context that Croissant 1.0 prescribes.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataBiases": "cr:dataBiases",
        "dataCollection": "cr:dataCollection",
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "equivalentProperty": "cr:equivalentProperty",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "extract": "cr:extract",
        "field": "cr:field",
        "fileProperty": "cr:fileProperty",
        "fileObject": "cr:fileObject",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "personalSensitiveInformation": "cr:personalSensitiveInformation",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
