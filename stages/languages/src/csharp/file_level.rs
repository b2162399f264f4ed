//! What stands outside types: namespaces, using directives, global code.

use super::grammar::Act;
use super::header::span;
use super::test_cases::of_import;
use super::walk::{MAX_QUALIFIED_NAME, Walk};
use crate::{Region, RegionKind, Span};
use trefoil_syntax::Node;

impl Walk<'_, '_> {
    /// Namespaces that hold each other are one; of several beside each other the first counts.
    pub(super) fn namespace(&mut self, node: Node) {
        let Some(name) = node.child_by_field_id(self.grammar.name) else { return };
        let written = without_space(span(name).of(self.text));
        let package = &mut self.outline.package;
        if package.is_empty() {
            *package = written;
        } else if self.outline.callables.is_empty() && package.len() + written.len() <= MAX_QUALIFIED_NAME {
            package.push('.');
            package.push_str(&written);
        }
        let whole = span(node);
        let end = if span(node).of(self.text).ends_with(';') { whole.end } else { name.end_byte() as u32 };
        let span = Span { end, ..whole };
        self.outline.regions.push(Region { kind: RegionKind::Package, span, parent: None });
    }

    /// `global using static A.B;` as `static A.B`.
    pub(super) fn using(&mut self, node: Node) {
        if span(node).start >= self.usings_end {
            self.region(RegionKind::Import, node, None);
        }
        let written = span(node).of(self.text).trim_end_matches(';');
        let words: Vec<&str> = written.split_whitespace().collect();
        let words = words.strip_prefix(&["global"]).unwrap_or(&words);
        let words = words.strip_prefix(&["using"]).unwrap_or(words);
        let import = words.join(" ");
        self.can_hold_tests |= of_import(&import).is_some();
        self.outline.imports.push(import);
    }

    pub(super) fn global(&mut self, node: Node) {
        let is_function = node.child(0).is_some_and(|child| child.kind_id() == self.grammar.local_function);
        if !is_function {
            self.region(RegionKind::GlobalCode, node, None);
        }
    }

    /// Usings under `#if` are one region with their directives, without which they contradict each other.
    pub(super) fn conditional(&mut self, node: Node) {
        let outermost = node.kind_id() == self.grammar.preproc_if && span(node).start >= self.usings_end;
        if outermost && self.outline.callables.is_empty() && self.holds_usings(node) {
            self.usings_end = span(node).end;
            self.region(RegionKind::Import, node, None);
        }
    }

    /// Whether nothing but using directives stands in the branches.
    fn holds_usings(&self, group: Node) -> bool {
        let mut branch = Some(group);
        while let Some(node) = branch {
            let condition = node.child_by_field_id(self.grammar.condition);
            branch = node.child_by_field_id(self.grammar.alternative);
            let fits = |child: Node| match self.grammar.act(child.kind_id()) {
                Act::Using | Act::Comment => true,
                Act::Conditional => Some(child) == branch,
                _ => Some(child) == condition,
            };
            if !node.named_children().all(fits) {
                return false;
            }
        }
        true
    }
}

/// A dotted name as one word, whatever stands between its parts.
fn without_space(name: &str) -> String {
    name.split_whitespace().collect()
}
