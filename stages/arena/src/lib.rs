//! The memory that tree-sitter builds its trees in: one arena a thread.
//!
//! A tree is hundreds of thousands of small blocks that live and die together. The C library's allocator files,
//! merges and searches them, a fifth of what a parse costs. Here a block is cut from a chunk, goes to a list of its
//! size when it is freed, and once a thread's last block is freed its chunks are used again from the start, so that
//! the next tree is built in memory that the processor's cache still holds. A [`Tree`] that is the last of its thread
//! is not taken apart at all: the arena forgets it. For that its parser has to go before, so each text gets its own.
//!
//! All other memory of whatever program this crate is in comes from mimalloc. That stands here since what each
//! allocation passes through is compiled with this crate, and this crate is optimised.
//!
//! Knows nothing of languages. It is the one crate with unsafe code; nothing of that shows outside: trees may live as
//! long and move to as many threads as tree-sitter lets them.

mod arena;
mod blocks;

use mimalloc::MiMalloc;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::sync::Once;
use tree_sitter::{Allocator, Language, Node, ParseOptions, ParseState, Parser, TreeCursor};

/// Rows are many small texts, made by one thread and given back by another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Steps of a parser between two looks at how many there were: tree-sitter's own number.
const STEPS_AT_ONCE: u64 = 100;

/// The tree of a text, which goes all at once where it is the last thing in its arena.
///
/// It cannot be cloned or changed, so that its blocks are what was alive of its parse when that was over.
pub struct Tree {
    tree: ManuallyDrop<tree_sitter::Tree>,
    /// The arena that holds all of it, and in how many blocks.
    place: Option<(u32, usize)>,
}

impl Tree {
    /// Parses `text`. None where that takes more than `steps`, or where the grammar is one for another tree-sitter.
    pub fn parse(language: &Language, text: &str, steps: u64) -> Option<Self> {
        let before = blocks::alive();
        let tree = parse(language, text, steps)?;
        let after = blocks::alive();
        let place = before.zip(after).and_then(|(before, after)| after.since(before));
        Some(Self { tree: ManuallyDrop::new(tree), place })
    }

    /// Its outermost node.
    pub fn root_node(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// A cursor at its outermost node.
    pub fn walk(&self) -> TreeCursor<'_> {
        self.tree.walk()
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the blocks that the parse left alive are those of the tree: all others of the parse went with the
        // parser, nothing else ran on the thread meanwhile, and a tree gives none of its blocks back while it lives.
        // Nodes and cursors borrow the tree, so that nobody has it now.
        let is_gone = self.place.is_some_and(|(arena, blocks)| unsafe { blocks::clear(arena, blocks) });
        if !is_gone {
            // SAFETY: this happens once, and nobody uses the tree hereafter.
            unsafe { ManuallyDrop::drop(&mut self.tree) }
        }
    }
}

fn parse(language: &Language, text: &str, steps: u64) -> Option<tree_sitter::Tree> {
    let mut parser = parser();
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

/// A parser of tree-sitter. All parsers of the program are made here (clippy refuses others), so that tree-sitter has
/// its memory from the arenas before it holds any.
fn parser() -> Parser {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let allocator = Allocator {
            malloc: blocks::malloc,
            calloc: blocks::calloc,
            realloc: blocks::realloc,
            free: blocks::free,
        };
        // SAFETY: the four functions are of one family, never answer null and align to 16 bytes as malloc does. No
        // object of tree-sitter lives yet, since each begins with a parser and parsers are made below only; and a
        // `Once` keeps other threads waiting until it is done.
        unsafe { tree_sitter::set_allocator(Some(allocator)) }
    });
    #[expect(clippy::disallowed_methods, reason = "the one place that makes parsers")]
    Parser::new()
}

#[cfg(test)]
#[expect(clippy::undocumented_unsafe_blocks, reason = "each test keeps the rules that it tests")]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::parse(&tree_sitter_java::LANGUAGE.into(), text, u64::MAX).unwrap()
    }

    fn class(number: usize) -> String {
        format!("class C{number} {{ void test() {{ assertEquals({number}, new C().of(\"{number}\")); }} }}\n")
    }

    #[test]
    fn trees_hold_while_others_come_and_go() {
        let texts: Vec<String> = (0..50).map(|number| class(number).repeat(number + 1)).collect();
        let shapes: Vec<String> = texts.iter().map(|text| tree(text).root_node().to_sexp()).collect();
        let mut held = Vec::new();
        for round in 0..3 {
            for (text, shape) in texts.iter().zip(&shapes) {
                let built = tree(text);
                assert_eq!(&built.root_node().to_sexp(), shape, "round {round}");
                if text.len() % 3 == round {
                    held.push((built, shape));
                }
            }
        }
        for (built, shape) in held {
            assert_eq!(&built.root_node().to_sexp(), shape);
        }
    }

    #[test]
    fn the_last_tree_of_a_thread_is_forgotten_whole() {
        let is_forgotten = |built: Tree| {
            let (arena, blocks) = built.place.unwrap();
            let is_last = unsafe { blocks::clear(arena, blocks) };
            std::mem::forget(built);
            is_last
        };
        let first = tree(&class(1));
        let shape = first.root_node().to_sexp();
        let second = tree(&class(2));
        assert!(!is_forgotten(second), "another tree is alive");
        assert_eq!(first.root_node().to_sexp(), shape);
        drop(first);
        std::thread::spawn(move || {
            let alone = tree(&class(3));
            let at = alone.root_node().id();
            assert!(is_forgotten(alone));
            assert_eq!(tree(&class(3)).root_node().id(), at, "in the same memory");
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_parse_that_takes_too_long_has_no_tree() {
        let text = class(1).repeat(100);
        assert!(Tree::parse(&tree_sitter_java::LANGUAGE.into(), &text, 1_000).is_none());
    }

    #[test]
    fn trees_may_move_to_other_threads_and_outlive_their_own() {
        let text = class(7).repeat(300);
        let shape = tree(&text).root_node().to_sexp();
        let built = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| [tree(&text), tree(&text)])).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        std::thread::scope(|scope| {
            for tree in built {
                let shape = &shape;
                scope.spawn(move || assert_eq!(&tree.root_node().to_sexp(), shape));
            }
        });
        assert_eq!(tree(&text).root_node().to_sexp(), shape);
    }
}
