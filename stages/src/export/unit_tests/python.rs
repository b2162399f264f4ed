//! Context of a Python test. From the card of UnitTests: "imports, global code, non-test class
//! definitions, not-test function signatures, for methods - short class definition without test methods".
//!
//! Where the card is silent: everything in the order of the file; a class that holds no test is kept whole;
//! a signature has its decorators and ends in `...` (fixtures too); the short definition of the class
//! around the test has its attributes, `__init__`, set-up and tear-down whole, and signatures of other
//! methods; comments stay inside what is kept whole. Of a compound statement with declarations inside
//! (`if …: def f()`) each statement is kept by itself, moved to the left. A function named like a test
//! counts as one here, although no framework collects it where it stands: a mixin's `test_…` is a test of
//! the classes that take it in, perhaps in another file.

use super::context::ContextWriter;
use super::span;
use crate::export::FileView;
use crate::records::CallableRow;
use trefoil_languages::{CallableKind, Region, RegionKind, Role, Span};

/// A kept piece of the file and what follows it.
type Piece = (Span, &'static str);

/// See the module.
pub(super) fn test_func_context(view: &FileView<'_>, around: &[&CallableRow]) -> String {
    let mut writer = ContextWriter::new(view, view.test_spans());
    let mut pieces: Vec<(Piece, &str)> = top_level(view).map(|piece| (piece, "")).collect();
    let mut indentation = "";
    for class in around.iter().copied().filter(|callable| is_type(callable)) {
        let members: Vec<Piece> = members(view, class).collect();
        let header = Span { start: class.start_byte, end: class.signature_end };
        let innermost = around.last().is_some_and(|last| last.ordinal == class.ordinal);
        let tail = if members.is_empty() && innermost { " ..." } else { "" };
        pieces.push(((header, tail), indentation));
        indentation = body_indentation(view, &writer, class, indentation);
        pieces.extend(members.into_iter().map(|member| (member, indentation)));
    }
    pieces.sort_by_key(|((span, _), _)| (span.start, std::cmp::Reverse(span.end)));
    let mut written = 0;
    for ((piece, tail), indentation) in pieces {
        if piece.start >= written {
            writer.keep_at(indentation, piece, tail);
            written = piece.end;
        }
    }
    writer.finish()
}

/// Indentation of a class's body: the least of its members', which must be more than its header's.
fn body_indentation<'a>(
    view: &FileView<'a>,
    writer: &ContextWriter<'a>,
    class: &CallableRow,
    header: &str,
) -> &'a str {
    let own = |parent: Option<u32>| parent == Some(class.ordinal);
    let code = |region: &&Region| own(region.parent) && region.kind != RegionKind::Comment;
    let regions = view.regions().iter().filter(code).map(|region| region.span);
    let callables = view.callables().iter().filter(|callable| own(callable.parent)).map(|c| span(c));
    let least = regions.chain(callables).map(|member| writer.indentation(member)).min_by_key(|i| i.len());
    least.filter(|least| least.len() > header.len()).unwrap_or("    ")
}

fn top_level(view: &FileView<'_>) -> impl Iterator<Item = Piece> {
    let callables = view.callables().iter().filter(|callable| callable.parent.is_none());
    let declarations = callables.filter_map(|callable| declaration(view, callable));
    view.regions().iter().filter_map(global_piece).chain(declarations)
}

fn global_piece(region: &Region) -> Option<Piece> {
    let kept = matches!(region.kind, RegionKind::Import | RegionKind::GlobalCode);
    (kept && region.parent.is_none()).then_some((region.span, ""))
}

/// A declaration outside the class around the test: whole class, signature of a function, or nothing.
fn declaration(view: &FileView<'_>, callable: &CallableRow) -> Option<Piece> {
    if is_type(callable) {
        let holds_tests = callable.role == Role::TestClass.as_str() || holds_tests(view, callable);
        return (!holds_tests).then_some((span(callable), ""));
    }
    match CallableKind::from_word(&callable.kind)? {
        _ if is_test(callable) => None,
        CallableKind::Lambda => Some((span(callable), "")),
        _ => Some((Span { start: callable.start_byte, end: callable.signature_end }, " ...")),
    }
}

/// Members follow their class, up to the first declaration that starts behind it.
fn holds_tests(view: &FileView<'_>, class: &CallableRow) -> bool {
    let behind = view.callables().iter().skip(class.ordinal as usize + 1);
    behind.take_while(|inner| inner.start_byte < class.end_byte).any(|inner| is_test(inner))
}

fn is_test(callable: &CallableRow) -> bool {
    let kind = CallableKind::from_word(&callable.kind);
    let named = callable.name.strip_prefix("test").is_some_and(|rest| {
        rest.starts_with(|first: char| first == '_' || first.is_ascii_digit() || first.is_uppercase())
    });
    let function = matches!(kind, Some(CallableKind::Function | CallableKind::Method));
    callable.role == Role::Test.as_str() || (named && function && callable.role == Role::Plain.as_str())
}

fn members(view: &FileView<'_>, class: &CallableRow) -> impl Iterator<Item = Piece> {
    let own = |parent: Option<u32>| parent == Some(class.ordinal);
    let regions = view.regions().iter().filter(move |region| {
        own(region.parent) && matches!(region.kind, RegionKind::Field | RegionKind::Initializer)
    });
    let callables = view.callables().iter().filter(move |callable| own(callable.parent));
    regions.map(|region| (region.span, "")).chain(callables.filter_map(|c| member(view, c)))
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
