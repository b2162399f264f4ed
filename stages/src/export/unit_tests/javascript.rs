//! Context of a JavaScript test. From the card of UnitTests: "framework, imports, all code except
//! describe() and test()/it() calls, parent describe() without its own test()/it() calls".
//!
//! Where the card is silent: everything stays in the order of the file, comments included; the blocks around
//! the test are kept whole but for their tests and for other `describe` blocks in them; hooks outside any
//! block are code; a test that another one runs goes with it. The framework is a column of its own.

use super::context::ContextWriter;
use super::span;
use crate::export::FileView;
use crate::records::CallableRow;
use trefoil_languages::{Role, Span};

/// See the module.
pub(super) fn test_func_context(view: &FileView<'_>, around: &[&CallableRow]) -> String {
    let is_suite = |callable: &CallableRow| callable.role == Role::TestClass.as_str();
    let is_around = |callable: &CallableRow| around.iter().any(|outer| outer.ordinal == callable.ordinal);
    let others = view.callables().iter().filter(|callable| is_suite(callable) && !is_around(callable));
    let cuts = view.test_spans().chain(others.map(|suite| span(suite)));
    let mut writer = ContextWriter::new(view, cuts.map(|cut| with_blank_line(view.text(), cut)));
    writer.keep(Span { start: 0, end: view.file().end_byte }, "");
    writer.finish()
}

/// The cut with the blank line before it, so that as many stay as there would be without the test.
fn with_blank_line(text: &str, cut: Span) -> Span {
    let before = text.get(..cut.start as usize).unwrap_or_default().trim_end_matches([' ', '\t']);
    let start = if before.ends_with("\n\n") { before.len() as u32 - 1 } else { cut.start };
    Span { start, ..cut }
}
