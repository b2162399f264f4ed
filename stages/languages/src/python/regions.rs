//! Imports, statements outside functions, comments and docstrings.

use super::kinds::Kind;
use super::walk::{Entered, Holder, LONGEST_NAME, Walk, span};
use crate::outline::beginning;
use crate::{Region, RegionKind, Span};
use trefoil_syntax::Node;

impl<'t> Walk<'t> {
    pub(super) fn expression_statement(&mut self, node: Node<'t>) {
        if self.scope.holder == Holder::Function || self.scope.headers > 0 {
            return;
        }
        let first = !std::mem::replace(&mut self.scope.started, true);
        let Some(child) = node.child(0) else { return };
        if first && self.is_docstring(node, child) {
            self.region(RegionKind::Comment, span(node));
        } else if child.kind_id() != self.kinds.assignment {
            self.region(self.statement_kind(), span(node));
        } else if !self.bind_lambda(node, child) {
            let in_class = self.scope.holder == Holder::Class;
            self.region(if in_class { RegionKind::Field } else { RegionKind::GlobalCode }, span(node));
        }
    }

    pub(super) fn simple_statement(&mut self, node: Node<'t>) {
        if self.scope.holder != Holder::Function && self.scope.headers == 0 {
            self.scope.started = true;
            self.region(self.statement_kind(), span(node));
        }
    }

    /// A compound statement without declarations is one region; whether it has any is known at its end.
    pub(super) fn compound_statement(&mut self, node: Node<'t>) {
        if self.scope.holder != Holder::Function && self.scope.headers == 0 {
            self.scope.started = true;
            let (region, callables) = (self.outline.regions.len(), self.outline.callables.len());
            self.region(self.statement_kind(), span(node));
            self.push(Entered::Compound { region, callables });
        }
        if self.kinds.kind(node.kind_id()) == Kind::With {
            self.with_statement(node);
        }
    }

    pub(super) fn end_compound(&mut self, region: usize, callables: usize) {
        let regions = &mut self.outline.regions;
        if self.outline.callables.len() > callables {
            regions.remove(region);
        } else {
            regions.extract_if(region + 1.., |inner| inner.kind != RegionKind::Comment).for_each(drop);
        }
    }

    pub(super) fn comment(&mut self, node: Node<'t>) {
        // Comments above the first statement of a body are outside its block in the grammar.
        let header = self.header().and_then(|index| self.outline.callables.get(index as usize));
        let parent = match header {
            Some(around) if around.signature.end <= node.start_byte() as u32 => {
                self.header().filter(|_| around.kind.is_type())
            }
            _ => self.class_around(),
        };
        self.outline.regions.push(Region { kind: RegionKind::Comment, span: span(node), parent });
    }

    /// The names of an import, also of one inside a function; only outside functions it is a region.
    pub(super) fn import(&mut self, node: Node<'t>, from: bool) {
        if self.scope.holder != Holder::Function && self.scope.headers == 0 {
            self.scope.started = true;
            self.region(RegionKind::Import, span(node));
        }
        let (kinds, text) = (self.kinds, self.text);
        let mut module =
            if from && text.as_bytes()[node.start_byte()..].starts_with(b"from") { None } else { Some("") };
        for child in node.children() {
            let id = child.kind_id();
            let words = span(child).of(text);
            if words == "__future__" && module.is_none() {
                module = Some(words);
                continue;
            }
            if !child.is_named() || id == kinds.comment || child.is_error() {
                continue;
            }
            let Some(module) = module else {
                module = Some(beginning(words, LONGEST_NAME));
                continue;
            };
            let colon = if from { ":" } else { "" };
            let name = if id == kinds.aliased_import { aliased(words) } else { words.to_owned() };
            self.outline.imports.push(format!("{module}{colon}{name}"));
        }
    }

    fn region(&mut self, kind: RegionKind, span: Span) {
        self.outline.regions.push(Region { kind, span, parent: self.class_around() });
    }

    fn class_around(&self) -> Option<u32> {
        self.scope.callable.filter(|_| self.scope.holder == Holder::Class)
    }

    fn statement_kind(&self) -> RegionKind {
        if self.scope.holder == Holder::Class { RegionKind::Initializer } else { RegionKind::GlobalCode }
    }

    fn is_docstring(&self, statement: Node, child: Node) -> bool {
        let id = child.kind_id();
        let is_string = id == self.kinds.string || id == self.kinds.concatenated_string;
        is_string && statement.child_count() == 1
    }
}

/// `a.b  as\tc` with single spaces.
fn aliased(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
