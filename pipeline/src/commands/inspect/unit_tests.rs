//! How a row of UnitTests looks.

use super::Row;
use super::sheet::{CONTEXT_LINES, Origin, Sheet, shown};
use std::fmt;
use trefoil_stages::export::unit_tests::{PLACEHOLDER, bare, context_rules};
use trefoil_stages::records::UnitTestsRow;

/// Escape sequences of the parts.
const FOCAL: &str = "\u{1b}[32m";
const TEST: &str = "\u{1b}[36m";
const TEST_CONTEXT: &str = "\u{1b}[33m";
const FOCAL_CONTEXT: &str = "\u{1b}[35m";
const PROMPT: &str = "\u{1b}[2m";

impl Row for UnitTestsRow {
    fn languages() -> Vec<[&'static str; 2]> {
        context_rules().iter().map(|rules| [rules.language, rules.dataset_name]).collect()
    }

    fn id(&self) -> &str {
        &self.meta.pair_id
    }

    fn other_id(&self) -> String {
        self.meta.id.to_string()
    }

    fn repository(&self) -> &str {
        &self.meta.repo_id
    }

    fn language(&self) -> &str {
        &self.inputs.language
    }

    fn write(&self, place: (u64, &str), sheet: &mut Sheet<'_, '_>) -> fmt::Result {
        let Self { instruction, inputs, outputs, meta } = self;
        let test = (&*meta.test_name, &*inputs.test_file_path, meta.test_first_line, meta.test_last_line);
        let focal =
            (&*meta.focal_name, &*inputs.focal_file_path, meta.focal_first_line, meta.focal_last_line);
        let origin = Origin {
            repository: &meta.repo_id,
            commit: &meta.commit,
            sides: [test, focal],
            mode: &meta.mode,
            rule: &meta.rule,
            confidence: meta.confidence,
            licence: &meta.licence,
            framework: &inputs.test_framework,
        };
        sheet.head(place, &origin)?;
        writeln!(sheet.out, "row     {} (pair {})", meta.id, shown(&meta.pair_id))?;
        if sheet.style.full {
            sheet.part(PROMPT, "prompt", instruction)?;
        }
        sheet.part(FOCAL, &format!("focal {}", meta.focal_func_type), bare(&inputs.focal_func))?;
        sheet.part(TEST, "test", outputs)?;
        let context = sheet.shortened(bare(&inputs.test_func_context), 0);
        sheet.part(TEST_CONTEXT, "test context", &context)?;
        let whole = bare(&inputs.focal_func_context);
        let at = whole.lines().position(|line| line.contains(PLACEHOLDER)).unwrap_or_default();
        let context = sheet.shortened(whole, at.saturating_sub(CONTEXT_LINES / 2));
        sheet.part(FOCAL_CONTEXT, "focal context", &context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lose_their_fences_and_nothing_else() {
        for (block, code) in [
            ("```java\na\nb\n```", "a\nb"),
            ("````\n/** ``` */\n````", "/** ``` */"),
            ("```\n\n```", ""),
            ("```\n```", ""),
            ("a\nb", "a\nb"),
        ] {
            assert_eq!(bare(block), code, "{block}");
        }
    }
}
