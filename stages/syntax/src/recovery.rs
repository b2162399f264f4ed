//! Trees of texts with errors, which tree-sitter itself has to find.

use crate::tree::{Entry, Marks};
use crate::{Excess, Limits};
use std::ops::ControlFlow;
use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser};

/// Steps of a parser between two looks at how many there were: tree-sitter's own number.
const STEPS_AT_ONCE: u64 = 100;

/// The nodes of a text's tree, in order.
pub(crate) fn entries(language: &Language, text: &str, limits: Limits) -> Result<Vec<Entry>, Excess> {
    let tree = parse(language, text, limits.steps).ok_or(Excess::Steps)?;
    if tree.root_node().descendant_count() > limits.nodes {
        return Err(Excess::Nodes);
    }
    let mut entries: Vec<Entry> = Vec::with_capacity(tree.root_node().descendant_count());
    let mut cursor = tree.walk();
    let mut parent = 0;
    loop {
        let number = entries.len() as u32;
        entries.push(entry(cursor.node(), cursor.field_id().map_or(0, u16::from), parent));
        if cursor.goto_first_child() {
            parent = number;
            continue;
        }
        entries[number as usize].next = number + 1;
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(entries);
            }
            let next = entries.len() as u32;
            let around = &mut entries[parent as usize];
            around.next = next;
            parent = around.parent;
        }
    }
}

fn entry(node: Node, field: u16, parent: u32) -> Entry {
    Entry {
        kind: node.kind_id(),
        field,
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        next: 0,
        parent,
        marks: Marks::default()
            .with(Marks::NAMED, node.is_named())
            .with(Marks::EXTRA, node.is_extra())
            .with(Marks::ERROR, node.is_error())
            .with(Marks::MISSING, node.is_missing())
            .with(Marks::HAS_ERROR, node.has_error()),
    }
}

fn parse(language: &Language, text: &str, steps: u64) -> Option<tree_sitter::Tree> {
    #[expect(clippy::disallowed_methods, reason = "the one place that makes parsers")]
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut left = steps / STEPS_AT_ONCE;
    let mut watch = |_: &ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut watch);
    let bytes = text.as_bytes();
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}
