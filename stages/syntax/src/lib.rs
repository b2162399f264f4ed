//! Syntax trees by the grammars of tree-sitter.
//!
//! Nearly all files that repositories hold have no syntax errors. For these a parser of our own runs the tables of the
//! grammar: it keeps nothing that only editors need (incremental parsing, counted references, error recovery) and
//! writes its tree in one piece. Whatever it does not take is parsed by tree-sitter itself. Both answer the same nodes;
//! tests hold every tree of ours against tree-sitter's, and `examples/compare_trees` does so for any repository.
//!
//! All memory of whatever program this crate is in comes from mimalloc. That stands here since what each allocation
//! passes through is compiled with this crate, and this crate is optimised.
//!
//! Knows nothing of languages. It is the one crate with unsafe code; nothing of that shows outside.

mod forest;
mod lexer;
mod parser;
mod recovery;
mod stack;
mod tables;
mod tree;
mod visible;

pub use tree::{Node, Point, Tree, TreeCursor};

use mimalloc::MiMalloc;
use parser::Workspace;
use std::cell::RefCell;
use tables::Tables;
use tree_sitter::Language;

/// Rows are many small texts, made by one thread and given back by another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Tree {
    /// Parses `text`. None where that takes more than `steps`, or where the grammar is one for another tree-sitter.
    pub fn parse(language: &Language, text: &str, steps: u64) -> Option<Self> {
        let entries = sound(language, text, steps).or_else(|| recovery::entries(language, text, steps))?;
        Some(Self::new(entries, text, language))
    }

    /// The tree as tree-sitter itself makes it, to be held against ours.
    pub fn parse_as_tree_sitter(language: &Language, text: &str) -> Option<Self> {
        Some(Self::new(recovery::entries(language, text, u64::MAX)?, text, language))
    }

    /// The tree of a text without errors; none of any other.
    pub fn parse_sound(language: &Language, text: &str) -> Option<Self> {
        Some(Self::new(sound(language, text, u64::MAX)?, text, language))
    }
}

fn sound(language: &Language, text: &str, steps: u64) -> Option<Vec<tree::Entry>> {
    let tables = Tables::of(language)?;
    WORKSPACE.with_borrow_mut(|workspace| {
        let root = parser::parse(tables, text, steps, workspace)?;
        Some(visible::entries(tables, &workspace.forest, root))
    })
}
