//! Context of a Python test. From the card of UnitTests: "imports, global code, non-test class
//! definitions, not-test function signatures, for methods - short class definition without test methods".
//!
//! Where the card is silent: everything in the order of the file; a class that holds no test is kept whole;
//! a signature has its decorators and ends in `...` (fixtures too); the short definition of the class
//! around the test has its attributes, `__init__`, set-up and tear-down whole, and signatures of other
//! methods; comments stay inside what is kept whole. A test that stands inside a kept statement
//! (`if …: def test_a()`) is cut out of it.

use super::context::ContextWriter;
use super::span;
use crate::export::FileView;
use crate::records::CallableRow;
use trefoil_languages::{CallableKind, Region, RegionKind, Role, Span};

/// A kept piece of the file and what follows it.
type Piece = (Span, &'static str);

/// See the module.
pub(super) fn test_func_context(view: &FileView<'_>, around: &[&CallableRow]) -> String {
    let top = |parent: Option<u32>| parent.is_none();
    let mut pieces: Vec<Piece> = view.regions().iter().filter_map(global_piece).collect();
    pieces.extend(view.callables().iter().filter(|c| top(c.parent)).filter_map(|c| declaration(view, c)));
    for class in around.iter().copied().filter(|callable| is_type(callable)) {
        let members = members(view, class);
        let header = Span { start: class.start_byte, end: class.signature_end };
        let empty = members.is_empty() && around.last().is_some_and(|last| last.ordinal == class.ordinal);
        pieces.push((header, if empty { " ..." } else { "" }));
        pieces.extend(members);
    }
    pieces.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut writer = ContextWriter::new(view, view.test_spans());
    let mut written = Span::default();
    for (piece, tail) in pieces {
        if piece.start >= written.end {
            writer.keep(piece, tail);
            written = piece;
        }
    }
    writer.finish()
}

fn global_piece(region: &Region) -> Option<Piece> {
    let kept = matches!(region.kind, RegionKind::Import | RegionKind::GlobalCode);
    (kept && region.parent.is_none()).then_some((region.span, ""))
}

/// A declaration outside the class around the test: whole class, signature of a function, or nothing.
fn declaration(view: &FileView<'_>, callable: &CallableRow) -> Option<Piece> {
    if is_type(callable) {
        return (!view.has_test(callable) && callable.role != Role::TestClass.as_str())
            .then_some((span(callable), ""));
    }
    match CallableKind::from_word(&callable.kind)? {
        _ if callable.role == Role::Test.as_str() => None,
        CallableKind::Lambda => Some((span(callable), "")),
        _ => Some((Span { start: callable.start_byte, end: callable.signature_end }, " ...")),
    }
}

fn members(view: &FileView<'_>, class: &CallableRow) -> Vec<Piece> {
    let own = |parent: Option<u32>| parent == Some(class.ordinal);
    let regions = view.regions().iter().filter(|region| {
        own(region.parent) && matches!(region.kind, RegionKind::Field | RegionKind::Initializer)
    });
    let callables = view.callables().iter().filter(|callable| own(callable.parent));
    regions.map(|region| (region.span, "")).chain(callables.filter_map(|c| member(view, c))).collect()
}

fn member(view: &FileView<'_>, callable: &CallableRow) -> Option<Piece> {
    let constructor = CallableKind::from_word(&callable.kind) == Some(CallableKind::Constructor);
    match Role::from_word(&callable.role)? {
        Role::Setup | Role::Teardown => Some((span(callable), "")),
        Role::Plain if constructor => Some((span(callable), "")),
        _ => declaration(view, callable),
    }
}

fn is_type(callable: &CallableRow) -> bool {
    CallableKind::from_word(&callable.kind).is_some_and(CallableKind::is_type)
}
