//! Context of a C# test. From the card of UnitTests: "using directives, all global code, test class without
//! its test methods".
//!
//! Where the card is silent: all that stands outside the test class is global code, but for the lines of
//! namespaces and for other types that hold tests; everything in the order of the file; members of the test
//! class are kept whole, helper methods too; the classes around a nested test class are defined by the same
//! rule; comments stay inside what is kept whole. Using directives under `#if` keep their directives.

use super::context::ContextWriter;
use super::span;
use crate::export::FileView;
use crate::records::CallableRow;
use trefoil_languages::{CallableKind, RegionKind, Role, Span};

/// See the module.
pub(super) fn test_func_context(view: &FileView<'_>, around: &[&CallableRow]) -> String {
    let mut pieces = Vec::new();
    let mut parent = None;
    for class in around.iter().copied().filter(|callable| is_type(callable)) {
        pieces.extend(members(view, parent, Some(class)));
        pieces.extend(borders(class));
        parent = Some(class.ordinal);
    }
    pieces.extend(members(view, parent, None));
    pieces.sort();
    let mut writer = ContextWriter::new(view, view.test_spans());
    for piece in pieces {
        writer.keep(piece, "");
    }
    writer.finish()
}

/// What stands directly in `parent`, or in the file, without tests and without the type `entered`.
fn members<'a>(
    view: &'a FileView<'_>,
    parent: Option<u32>,
    entered: Option<&'a CallableRow>,
) -> impl Iterator<Item = Span> + 'a {
    let kept = |kind| !matches!(kind, RegionKind::Comment | RegionKind::Package);
    let regions = view.regions().iter().filter(move |region| region.parent == parent && kept(region.kind));
    let is_entered = move |callable: &CallableRow| entered.is_some_and(|own| own.ordinal == callable.ordinal);
    let callables = view
        .callables()
        .iter()
        .filter(move |callable| callable.parent == parent && !is_entered(callable))
        .filter(|callable| !holds_tests(view, callable));
    regions.map(|region| region.span).chain(callables.map(|callable| span(callable)))
}

/// From the first attribute to the opening brace, and the closing one.
fn borders(class: &CallableRow) -> impl Iterator<Item = Span> {
    let opening = class.body_start.map_or(class.end_byte, |brace| brace + 1);
    let closing = class.body_end.map(|end| Span { start: end.saturating_sub(1), end });
    let opening = Span { start: class.start_byte, end: opening };
    std::iter::once(opening).chain(closing)
}

/// A test, or a type with one inside. What is inside follows, up to the first declaration behind.
fn holds_tests(view: &FileView<'_>, callable: &CallableRow) -> bool {
    let is_test = |callable: &CallableRow| callable.role == Role::Test.as_str();
    let behind = view.callables().iter().skip(callable.ordinal as usize + 1);
    is_test(callable)
        || behind.take_while(|inner| inner.start_byte < callable.end_byte).any(|inner| is_test(inner))
}

fn is_type(callable: &CallableRow) -> bool {
    CallableKind::from_word(&callable.kind).is_some_and(CallableKind::is_type)
}
