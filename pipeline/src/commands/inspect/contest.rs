//! How a row of ConTest looks: its parts in the colours of the paper's first figure.

use super::Row;
use super::sheet::{Origin, Sheet, shown};
use std::fmt;
use trefoil_stages::records::{ContestMethods, ContestRow};

/// Escape sequences of the parts.
const SETUP: &str = "\u{1b}[32m";
const SETUP_CONTEXT: &str = "\u{1b}[35m";
const FOCAL: &str = "\u{1b}[33m";
const FOCAL_CONTEXT: &str = "\u{1b}[34m";
const ASSERTIONS: &str = "\u{1b}[31m";

impl Row for ContestRow {
    fn languages() -> Vec<[&'static str; 2]> {
        trefoil_languages::all().iter().map(|language| [language.name; 2]).collect()
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn other_id(&self) -> String {
        self.meta.test_id.clone()
    }

    fn repository(&self) -> &str {
        &self.meta.repo_id
    }

    fn language(&self) -> &str {
        &self.language
    }

    fn write(&self, place: (u64, &str), sheet: &mut Sheet<'_, '_>) -> fmt::Result {
        let meta = &self.meta;
        let test = (&*meta.test_name, &*meta.test_path, meta.test_first_line, meta.test_last_line);
        let focal = (&*meta.focal_name, &*meta.focal_path, meta.focal_first_line, meta.focal_last_line);
        let origin = Origin {
            repository: &meta.repo_id,
            commit: &meta.commit,
            sides: [test, focal],
            mode: &meta.mode,
            rule: &meta.rule,
            confidence: meta.confidence,
            licence: &meta.licence,
            framework: &meta.test_framework,
        };
        sheet.head(place, &origin)?;
        let (known, several, unknown) = (meta.calls_resolved, meta.calls_ambiguous, meta.calls_unknown);
        let left_out = meta.methods_left_out;
        writeln!(
            sheet.out,
            "calls   {known} known, {several} of one of several, {unknown} not known; {left_out} methods left out"
        )?;
        writeln!(sheet.out, "row     {}", shown(&self.id))?;
        if !self.setup_members.texts.is_empty() {
            sheet.part(SETUP, "set-up members", &methods(&self.setup_members, sheet))?;
        }
        let before = self.setup.strip_suffix(self.setup_closing.as_str()).unwrap_or(&self.setup);
        sheet.part(SETUP, "set-up", before)?;
        sheet.part(ASSERTIONS, "assertions", &self.assertions)?;
        if !self.setup_closing.is_empty() {
            sheet.part(SETUP, "end of the set-up", &self.setup_closing)?;
        }
        sheet.part(FOCAL, "focal method", &self.focal_method)?;
        sheet.part(SETUP_CONTEXT, "set-up context", &methods(&self.setup_context, sheet))?;
        sheet.part(FOCAL_CONTEXT, "focal context", &methods(&self.focal_context, sheet))
    }
}

/// The texts of methods one below the other.
fn methods(methods: &ContestMethods, sheet: &Sheet<'_, '_>) -> String {
    sheet.shortened(&methods.texts.join("\n\n"), 0)
}
