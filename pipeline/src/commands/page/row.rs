//! Rows of either data set as the page shows and counts them.

use serde_json::{Value, json};
use trefoil_stages::export::unit_tests::bare;
use trefoil_stages::records::{ContestMethods, ContestRow, Record, TestCaseRow, UnitTestsRow};
use trefoil_stages::splitting::Split;

/// Characters of a context that are shown; the middle of a longer one is left out.
const MOST_CONTEXT: usize = 6_000;

/// What is counted of a row.
pub struct Counted<'a> {
    /// SPDX expression.
    pub licence: &'a str,
    /// Mode and rule.
    pub matched: (&'a str, &'a str),
    /// How likely the pair is right.
    pub confidence: Option<f64>,
    /// Characters of test, focal method and contexts.
    pub lengths: [usize; 3],
}

/// A row of a data set.
pub trait PageRow: Record {
    /// Pair id.
    fn id(&self) -> &str;
    /// `host/owner/name`.
    fn repository(&self) -> &str;
    /// Path and first byte of its test, where the row itself does not say which parts are assertions.
    fn test(&self) -> Option<(&str, u32)>;
    /// What is counted.
    fn counted(&self) -> Counted<'_>;
    /// The row as the page reads it.
    fn shown(&self, split: Split, test: Option<&TestCaseRow>) -> Value;
}

impl PageRow for UnitTestsRow {
    fn id(&self) -> &str {
        &self.meta.pair_id
    }

    fn repository(&self) -> &str {
        &self.meta.repo_id
    }

    fn test(&self) -> Option<(&str, u32)> {
        Some((&self.inputs.test_file_path, self.meta.test_start_byte))
    }

    fn counted(&self) -> Counted<'_> {
        let Self { inputs, outputs, meta, .. } = self;
        let contexts = characters(&inputs.focal_func_context) + characters(&inputs.test_func_context);
        Counted {
            licence: &meta.licence,
            matched: (&meta.mode, &meta.rule),
            confidence: meta.confidence,
            lengths: [characters(outputs), characters(&inputs.focal_func), contexts],
        }
    }

    fn shown(&self, split: Split, test: Option<&TestCaseRow>) -> Value {
        let Self { inputs, outputs, meta, .. } = self;
        json!({
            "id": meta.pair_id,
            "split": split.as_str(),
            "language": inputs.language,
            "repository": meta.repo_id,
            "commit": meta.commit,
            "licence": meta.licence,
            "test": meta.test_name,
            "focal": meta.focal_name,
            "test_place": format!("{}:{}-{}", inputs.test_file_path, meta.test_first_line, meta.test_last_line),
            "focal_place": format!("{}:{}-{}", inputs.focal_file_path, meta.focal_first_line, meta.focal_last_line),
            "rule": format!("{} / {}", meta.mode, meta.rule),
            "confidence": meta.confidence,
            "focal_text": bare(&inputs.focal_func),
            "parts": parts(outputs, meta.test_start_byte, test),
            "contexts": [
                ["test context", shortened(bare(&inputs.test_func_context))],
                ["focal context", shortened(bare(&inputs.focal_func_context))],
            ],
        })
    }
}

impl PageRow for ContestRow {
    fn id(&self) -> &str {
        &self.id
    }

    fn repository(&self) -> &str {
        &self.meta.repo_id
    }

    fn test(&self) -> Option<(&str, u32)> {
        None
    }

    fn counted(&self) -> Counted<'_> {
        let parts = [&self.test_head, &self.setup, &self.assertions, &self.test_tail];
        let contexts = [&self.setup_members, &self.setup_context, &self.focal_context];
        let of = |texts: &[String]| texts.iter().map(|text| characters(text)).sum::<usize>();
        Counted {
            licence: &self.meta.licence,
            matched: (&self.meta.mode, &self.meta.rule),
            confidence: self.meta.confidence,
            lengths: [
                parts.into_iter().map(|text| characters(text)).sum(),
                characters(&self.focal_method),
                contexts.into_iter().map(|methods| of(&methods.texts)).sum(),
            ],
        }
    }

    fn shown(&self, split: Split, _: Option<&TestCaseRow>) -> Value {
        let meta = &self.meta;
        let before = self.setup.strip_suffix(self.setup_closing.as_str()).unwrap_or(&self.setup);
        let before = format!("{}\n{}\n", self.test_head, before.trim_end_matches('\n'));
        let behind = format!("\n{}\n{}", self.setup_closing, self.test_tail);
        let parts =
            [(false, before), (true, self.assertions.clone()), (false, behind.replacen("\n\n", "\n", 1))];
        json!({
            "id": self.id,
            "split": split.as_str(),
            "language": self.language,
            "repository": meta.repo_id,
            "commit": meta.commit,
            "licence": meta.licence,
            "test": meta.test_name,
            "focal": meta.focal_name,
            "test_place": format!("{}:{}-{}", meta.test_path, meta.test_first_line, meta.test_last_line),
            "focal_place": format!("{}:{}-{}", meta.focal_path, meta.focal_first_line, meta.focal_last_line),
            "rule": format!("{} / {}", meta.mode, meta.rule),
            "confidence": meta.confidence,
            "focal_text": self.focal_method,
            "parts": parts,
            "contexts": [
                ["set-up members", joined(&self.setup_members)],
                ["set-up context", joined(&self.setup_context)],
                ["focal context", joined(&self.focal_context)],
            ],
        })
    }
}

fn joined(methods: &ContestMethods) -> String {
    shortened(&methods.texts.join("\n\n"))
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

/// The test in pieces that are assertions (`true`) or not; what stands before the first is its set-up.
fn parts(text: &str, start: u32, test: Option<&TestCaseRow>) -> Vec<(bool, String)> {
    let none: (&[u32], &[u32]) = (&[], &[]);
    let (starts, ends) = test.map_or(none, |test| (&test.assertion_starts, &test.assertion_ends));
    let mut spans: Vec<(usize, usize)> = starts
        .iter()
        .zip(ends)
        .filter_map(|(from, to)| Some((from.checked_sub(start)? as usize, to.checked_sub(start)? as usize)))
        .collect();
    spans.sort_unstable();
    let mut parts = Vec::new();
    let mut at = 0;
    for (from, to) in spans {
        // One inside another is part of it.
        let (Some(before), Some(inside)) = (text.get(at..from), text.get(from.max(at)..to)) else { continue };
        parts.push((false, before.to_owned()));
        parts.push((true, inside.to_owned()));
        at = to;
    }
    parts.push((false, text.get(at..).unwrap_or_default().to_owned()));
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

fn shortened(text: &str) -> String {
    let characters = text.chars().count();
    if characters <= MOST_CONTEXT {
        return text.to_owned();
    }
    let half = MOST_CONTEXT / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(characters - half).collect();
    format!("{start}\n… {} characters …\n{end}", characters - 2 * half)
}
