//! Context of a Java test. From the card of UnitTests: "imports, test class definition, all class fields,
//! constructors or setUp/tearDown methods (full body), other public non-test methods signatures, remove
//! all comments".
//!
//! Where the card is silent: the package line stays out; initialiser blocks count as constructors; the
//! classes around a nested test class are defined by the same rule, with the nested class in its place;
//! helper classes are left out; a signature has no annotations and ends in `;`.

use super::context::ContextWriter;
use super::span;
use crate::export::FileView;
use crate::records::CallableRow;
use trefoil_languages::{CallableKind, RegionKind, Role, Span};

/// See the module.
pub(super) fn test_func_context(view: &FileView<'_>, around: &[&CallableRow]) -> String {
    let comments = view.spans(RegionKind::Comment);
    let mut writer = ContextWriter::new(view, comments.chain(view.test_spans()));
    for import in view.spans(RegionKind::Import) {
        writer.keep(import, "");
    }
    let classes: Vec<&CallableRow> = around.iter().copied().filter(|callable| is_type(callable)).collect();
    let mut open: Vec<(&CallableRow, Vec<Member>)> = Vec::new();
    for class in classes {
        write_until(&mut writer, open.last_mut(), class.start_byte);
        writer.keep(header(class), "");
        let mut members = members(view, class);
        members.reverse();
        open.push((class, members));
    }
    while let Some(mut last) = open.pop() {
        write_until(&mut writer, Some(&mut last), u32::MAX);
        if last.0.body_start.is_some() {
            writer.line(span(last.0), "}");
        }
    }
    writer.finish()
}

/// A kept piece of a class and what follows it.
type Member = (Span, &'static str);

/// Writes the members of the innermost open class that start before `position`; they are kept in reverse.
fn write_until(
    writer: &mut ContextWriter<'_>,
    class: Option<&mut (&CallableRow, Vec<Member>)>,
    position: u32,
) {
    let Some((_, members)) = class else { return };
    while let Some((member, tail)) = members.pop_if(|(member, _)| member.start < position) {
        writer.keep(member, tail);
    }
}

/// From the first annotation to the opening brace.
fn header(class: &CallableRow) -> Span {
    Span { start: class.start_byte, end: class.body_start.map_or(class.end_byte, |brace| brace + 1) }
}

fn members(view: &FileView<'_>, class: &CallableRow) -> Vec<Member> {
    let own = |parent: Option<u32>| parent == Some(class.ordinal);
    let regions = view.regions().iter().filter(|region| {
        own(region.parent) && matches!(region.kind, RegionKind::Field | RegionKind::Initializer)
    });
    let callables = view.callables().iter().filter(|callable| own(callable.parent));
    let mut members: Vec<Member> = regions.map(|region| (region.span, "")).collect();
    members.extend(callables.filter_map(|callable| member(class, callable)));
    members.sort();
    members
}

fn member(class: &CallableRow, callable: &CallableRow) -> Option<Member> {
    let signature = Span { start: callable.signature_start, end: callable.signature_end };
    match (CallableKind::from_word(&callable.kind)?, Role::from_word(&callable.role)?) {
        (_, Role::Test) => None,
        (_, Role::Setup | Role::Teardown) | (CallableKind::Constructor, _) => Some((span(callable), "")),
        (CallableKind::Method, _) if is_public(class, callable) => Some((signature, ";")),
        _ => None,
    }
}

/// Members of interfaces are public unless they say otherwise.
fn is_public(class: &CallableRow, callable: &CallableRow) -> bool {
    let has = |word: &str| callable.modifiers.iter().any(|modifier| modifier == word);
    let interface = CallableKind::from_word(&class.kind) == Some(CallableKind::Interface);
    has("public") || (interface && !has("private"))
}

fn is_type(callable: &CallableRow) -> bool {
    CallableKind::from_word(&callable.kind).is_some_and(CallableKind::is_type)
}
