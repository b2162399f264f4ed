//! Where the statements of a list begin and end: those of a piece, of a block inside one, and those of tests' bodies,
//! which an outline notes so that nobody has to parse them again.

use super::{FragmentRules, is_aligned};
use crate::{Language, Outline, Span};
use std::cmp::Reverse;
use trefoil_syntax::{Node, Tree};

/// The statements among the nodes of a list, each with the separator behind it and a comment on its last line.
pub(super) fn statements<'t>(nodes: impl IntoIterator<Item = Node<'t>>, text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut is_closed = true;
    for node in nodes {
        let span = Span { start: node.start_byte() as u32, end: node.end_byte() as u32 };
        if node.is_named() && !node.is_extra() {
            found.push(span);
            is_closed = false;
        } else if let Some(last) = found.last_mut().filter(|_| !is_closed) {
            let belongs = match node.is_extra() {
                true => !Span { start: last.end, end: span.start }.of(text).contains('\n'),
                false => !span.of(text).trim().is_empty(),
            };
            is_closed = !belongs;
            last.end = if belongs { span.end } else { last.end };
        }
    }
    found
}

/// The nodes of a list inside a statement, and what lies between its braces.
pub(super) fn listed<'t>(list: Node<'t>, rules: &FragmentRules) -> (Vec<Node<'t>>, Span) {
    let mut nodes = Vec::new();
    let mut inside = Span { start: list.start_byte() as u32, end: list.end_byte() as u32 };
    for child in list.children() {
        match child.kind() {
            "{" => inside.start = child.end_byte() as u32,
            "}" => inside.end = child.start_byte() as u32,
            kind if rules.lists.contains(&kind) => {
                nodes.extend(child.children());
            }
            _ => nodes.push(child),
        }
    }
    (nodes, inside)
}

/// Notes where the statements of the tests' bodies are, in one walk that enters nothing but what is around bodies.
pub(crate) fn note(language: &Language, tree: &Tree, text: &str, outline: &mut Outline) {
    let Outline { callables, test_cases, .. } = outline;
    let bodies = test_cases.iter_mut().filter_map(|case| {
        let body = callables.get(case.callable as usize)?.body?;
        Some((body, &mut case.statements))
    });
    let mut bodies: Vec<_> = bodies.collect();
    bodies.sort_by_key(|(body, _)| (body.start, Reverse(body.end)));
    let mut wanted = bodies.into_iter().peekable();
    let mut cursor = tree.walk();
    while let Some((body, _)) = wanted.peek() {
        let node = cursor.node();
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let is_list = || language.fragments.blocks.contains(&node.kind());
        if start >= body.end {
            wanted.next(); // It is no list.
        } else if body.start <= start && end == body.end && is_list() {
            if let Some((body, noted)) = wanted.next() {
                *noted = of_body(language, node, body, text);
            }
        } else if start > body.start || end < body.end || !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}

/// The statements of a body that reads alike wherever it stands; of others none.
fn of_body(language: &Language, list: Node<'_>, body: Span, text: &str) -> Vec<Span> {
    let rules = language.fragments;
    let has_readings = rules.has_directives && body.of(text).contains('#');
    if list.has_error() || has_readings {
        return Vec::new();
    }
    let (nodes, _) = listed(list, rules);
    match rules.is_indented && !is_aligned(&nodes) {
        true => Vec::new(),
        false => statements(nodes, text),
    }
}
