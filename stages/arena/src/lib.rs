//! The memory that tree-sitter builds its trees in: one arena a thread.
//!
//! A tree is hundreds of thousands of small blocks that live and die together. The C library's allocator files,
//! merges and searches them, a fifth of what a parse costs. Here a block is cut from a chunk, goes to a list of its
//! size when it is freed, and once a thread's last block is freed its chunks are used again from the start, so that
//! the next tree is built in memory that the processor's cache still holds. For that a [`parser`] has to go, too:
//! make one for each text.
//!
//! All other memory of whatever program this crate is in comes from mimalloc. That stands here since what each
//! allocation passes through is compiled with this crate, and this crate is optimised.
//!
//! Knows nothing of languages. It is the one crate with unsafe code; nothing of that shows outside: trees and
//! parsers may live as long and move to as many threads as tree-sitter lets them.

mod arena;
mod blocks;

use mimalloc::MiMalloc;
use std::sync::Once;
use tree_sitter::{Allocator, Parser};

/// Rows are many small texts, made by one thread and given back by another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A parser of tree-sitter. All parsers of the program are made here (clippy refuses others), so that tree-sitter has
/// its memory from the arenas before it holds any.
pub fn parser() -> Parser {
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
mod tests {
    fn tree(text: &str) -> tree_sitter::Tree {
        let mut parser = super::parser();
        parser.set_language(&tree_sitter_java::LANGUAGE.into()).unwrap();
        parser.parse(text, None).unwrap()
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
