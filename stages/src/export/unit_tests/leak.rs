//! Whether a test can be read in the contexts that are given for writing it. Comments and white space are left
//! out of every comparison, so that neither hides anything.

use super::{focal_span, make_context, test_text};
use crate::export::FileView;
use crate::export::file_view::squeeze;
use crate::records::{CallableRow, Pair};
use trefoil_languages::Span;

/// The context that a pair's test leaks into, by the name of its field: its body stands there, under whatever
/// name.
pub fn leaks_into_contexts(pair: &Pair, test: &FileView<'_>, focal: &FileView<'_>) -> Option<&'static str> {
    let callable = test.callable(pair.test_ordinal)?;
    let body = body(pair, test, callable);
    let context = test.squeezed_context(callable.parent, |view| make_context(view, callable));
    if context.contains(&body) {
        return Some("test_func_context");
    }
    let squeezed = focal.squeezed();
    if !squeezed.contains(&body) {
        return None;
    }
    // It may stand in the focal method alone, or across its edges.
    let (at, text) = (focal_span(pair), &focal.uncommented().text);
    let before = bytes_without_white_space(Span { start: 0, end: at.start }.of(text));
    let inside = bytes_without_white_space(at.of(text));
    let parts = [squeezed.get(..before), squeezed.get(before + inside..)];
    parts.into_iter().flatten().any(|part| part.contains(&body)).then_some("focal_func_context")
}

/// The test's statements, without the braces around them; the whole test where it has none.
fn body(pair: &Pair, test: &FileView<'_>, callable: &CallableRow) -> String {
    let text = &test.uncommented().text;
    let body = callable.body_start.zip(callable.body_end).map(|(start, end)| Span { start, end });
    let body = squeeze(body.unwrap_or_default().of(text));
    let inner = body.strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or(&body);
    if inner.is_empty() { squeeze(test_text(pair, test)) } else { inner.to_owned() }
}

fn bytes_without_white_space(text: &str) -> usize {
    text.split_whitespace().map(str::len).sum()
}
