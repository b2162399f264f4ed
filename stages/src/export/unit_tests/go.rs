//! Context of a Go test. From the card of UnitTests: "package, imports, all structs, global code, non-test
//! functions or methods signatures, TestMain function".
//!
//! Where the card is silent: everything in the order of the file; every import and every type stands in a
//! declaration of its own, without the parentheses that the file may have around several; a structure is any
//! type that the file itself declares, interfaces included; a variable that is a function is global code;
//! benchmarks, examples and fuzz tests are tests and left out; set-up methods of suites are methods like any
//! other; comments stay inside what is kept whole, those before a declaration do not.

use super::context::ContextWriter;
use super::span;
use crate::export::FileView;
use crate::records::CallableRow;
use trefoil_languages::{CallableKind, Region, RegionKind, Role, Span};

/// What `go test` runs beside tests.
const OTHER_TESTS: [&str; 3] = ["Benchmark", "Example", "Fuzz"];

/// See the module.
pub(super) fn test_func_context(view: &FileView<'_>, _around: &[&CallableRow]) -> String {
    let mut writer = ContextWriter::new(view, view.test_spans());
    let regions = view.regions().iter().filter_map(region);
    let top_level = view.callables().iter().filter(|callable| callable.parent.is_none());
    let declarations = top_level.filter_map(|callable| declaration(view, callable));
    let mut pieces: Vec<(Span, &str)> = regions.chain(declarations).collect();
    pieces.sort_by_key(|(piece, _)| (piece.start, std::cmp::Reverse(piece.end)));
    let mut written = 0;
    for (piece, words) in pieces {
        // Functions may stand in variables that are kept already.
        if piece.start >= written {
            writer.keep_behind(words, piece);
            written = piece.end;
        }
    }
    writer.finish()
}

/// A kept piece of the file, and the words that it lacks.
fn region(region: &Region) -> Option<(Span, &'static str)> {
    match region.kind {
        RegionKind::Package | RegionKind::GlobalCode => Some((region.span, "")),
        RegionKind::Import => Some((region.span, "import ")),
        _ => None,
    }
}

fn declaration(view: &FileView<'_>, callable: &CallableRow) -> Option<(Span, &'static str)> {
    let whole = span(callable);
    match (CallableKind::from_word(&callable.kind)?, Role::from_word(&callable.role)?) {
        (_, Role::Test) => None,
        (CallableKind::Lambda, _) => Some((whole, "")),
        (kind, _) if kind.is_type() => {
            let alone = whole.of(view.text()).starts_with("type ");
            Some((whole, if alone { "" } else { "type " }))
        }
        (CallableKind::Function, Role::Setup) => Some((whole, "")), // `TestMain`
        (CallableKind::Function, _) if is_other_test(&callable.name) => None,
        _ => Some((Span { start: callable.signature_start, end: callable.signature_end }, "")),
    }
}

/// `BenchmarkAdd`, `Example_second`, not `Examples`.
fn is_other_test(name: &str) -> bool {
    let rest = OTHER_TESTS.iter().find_map(|word| name.strip_prefix(word));
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}
