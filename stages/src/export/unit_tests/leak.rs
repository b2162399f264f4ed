//! Whether a test can be read in the contexts that are given for writing it. White space is left out of
//! every comparison, so that other indentation hides nothing.

use super::{focal_span, test_func_context, test_text};
use crate::export::FileView;
use crate::export::file_view::squeeze;
use crate::records::{CallableRow, Pair, UnitTestsRow};
use trefoil_languages::Span;

/// From this length without white space on, a test's body is looked for without its name. A shorter one
/// may be found by chance (`run()` in `def run():`), so it is looked for with its signature.
const LONG_BODY: usize = 40;

/// Whether a row's output stands in one of its contexts. Needs nothing but the row; the check of the
/// filter, [`leaks_into_contexts`], also finds copies under another name.
pub fn leaks(row: &UnitTestsRow) -> bool {
    let test = squeeze(&row.outputs);
    [&row.inputs.test_func_context, &row.inputs.focal_func_context]
        .into_iter()
        .any(|context| squeeze(context).contains(&test))
}

/// The context that a pair's test leaks into, by the name of its field.
pub fn leaks_into_contexts(pair: &Pair, test: &FileView<'_>, focal: &FileView<'_>) -> Option<&'static str> {
    let callable = test.callable(pair.test_ordinal)?;
    let trace = trace(pair, test, callable);
    if squeeze(&test_func_context(test, callable)).contains(&trace) {
        return Some("test_func_context");
    }
    let at = focal_span(pair);
    let before = bytes_without_white_space(Span { start: 0, end: at.start }.of(focal.text()));
    let inside = bytes_without_white_space(at.of(focal.text()));
    let text = focal.squeezed();
    let parts = [text.get(..before), text.get(before + inside..)];
    parts.into_iter().flatten().any(|part| part.contains(&trace)).then_some("focal_func_context")
}

/// What gives the test away, without white space.
fn trace(pair: &Pair, test: &FileView<'_>, callable: &CallableRow) -> String {
    let body = callable.body_start.zip(callable.body_end).map(|(start, end)| Span { start, end });
    let body = squeeze(body.unwrap_or_default().of(test.text()));
    if body.len() >= LONG_BODY {
        return body;
    }
    let named = squeeze(Span { start: callable.signature_start, end: callable.end_byte }.of(test.text()));
    if named.is_empty() { squeeze(test_text(pair, test)) } else { named }
}

fn bytes_without_white_space(text: &str) -> usize {
    text.split_whitespace().map(str::len).sum()
}
