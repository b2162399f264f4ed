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
mod tokens;
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

/// How much work a text may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Steps of the parser.
    pub steps: u64,
    /// Nodes of the tree.
    pub nodes: usize,
}

impl Limits {
    /// Whatever it takes.
    pub const NONE: Self = Self { steps: u64::MAX, nodes: usize::MAX };
}

/// Which limit a text is beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Excess {
    /// That of steps.
    Steps,
    /// That of nodes.
    Nodes,
}

impl Tree {
    /// Parses `text`. A grammar for another tree-sitter takes too many steps.
    pub fn parse(language: &Language, text: &str, limits: Limits) -> Result<Self, Excess> {
        let entries = match sound(language, text, limits.steps) {
            Some(entries) if entries.len() > limits.nodes => return Err(Excess::Nodes),
            Some(entries) => entries,
            None => recovery::entries(language, text, limits)?,
        };
        Ok(Self::new(entries, text, language))
    }

    /// The tree as tree-sitter itself makes it, to be held against ours.
    pub fn parse_as_tree_sitter(language: &Language, text: &str) -> Option<Self> {
        Some(Self::new(recovery::entries(language, text, Limits::NONE).ok()?, text, language))
    }

    /// The tree of a text without errors; none of any other.
    pub fn parse_sound(language: &Language, text: &str) -> Option<Self> {
        Some(Self::new(sound(language, text, u64::MAX)?, text, language))
    }
}

fn sound(language: &Language, text: &str, steps: u64) -> Option<Vec<tree::Entry>> {
    let tables = Tables::of(language)?;
    WORKSPACE.with_borrow_mut(|workspace| {
        let root = parser::parse(tables, text, steps, workspace);
        let entries = root.map(|root| visible::entries(tables, &workspace.forest, root));
        // What a large text took is given back before tree-sitter takes as much.
        workspace.clear(0);
        entries
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn java() -> Language {
        tree_sitter_java::LANGUAGE.into()
    }

    fn tree(text: &str) -> Tree {
        Tree::parse_sound(&java(), text).unwrap()
    }

    #[test]
    fn trees_are_those_of_tree_sitter() {
        let texts: [(Language, &[&str]); 7] = [
            (
                java(),
                &[
                    "",
                    " \n",
                    "// only a comment",
                    "class A<T extends List<? super B>> { int a = (b) - c; Runnable r = () -> { f(a < b, c > d); }; }",
                    "/** é */ class A { void f() { x: for (var i : j) { if (a) if (b) c(); else d(); } } } // end",
                    "@A(b = {1, 2}) record R(int... a) implements S { R { switch (a) { case 1 -> b(); default -> {} } } }",
                ],
            ),
            (
                tree_sitter_python::LANGUAGE.into(),
                &[
                    "\u{feff}if a:\n\tb\n\n# c\nelif d:\n    e = f\"{g!r:>{h}} i\"\nj\n",
                    "match x:\n    case [1, *_] if y: pass\n    case A(b=c):\n        print >> f, g\n",
                    "class A:\n  '''d'''\n  @e\n  async def f(self, *, g=1): return [h async for h in i if j]",
                    "x = '''a\n  b'''\nif c: d(\n  e)\n",
                ],
            ),
            (
                tree_sitter_go::LANGUAGE.into(),
                &[
                    "package a\nfunc (t *T[K]) F(a, b int, c ...string) (x, y error) { go f(); return T{1}, nil }\n",
                    "package a\nvar f = func() { switch x := y.(type) { case nil: if v := (A{}); v.b { } } }",
                ],
            ),
            (
                tree_sitter_javascript::LANGUAGE.into(),
                &[
                    "a\n++b\nvar c = async (d, {e = 1, ...f}) => `g${h}i` / j /k/g\nlet let_ = of => ({of}), get = <A b='c'>{d}</A>",
                    "class A { static #b = 1; get c() { return this?.d ?? 1 } async *[e]() { yield* f } }",
                ],
            ),
            (
                tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
                &[
                    "abstract class A<T> implements B { private a?: T[]; f(this: A, b: <C>(c: C) => d is E): void; }",
                ],
            ),
            (tree_sitter_typescript::LANGUAGE_TSX.into(), &["const a = <T,>(b: T) => <C d={b as E} />;"]),
            (
                tree_sitter_c_sharp::LANGUAGE.into(),
                &[
                    "namespace A;\n#if B\nusing C;\n#endif\nclass D<T> where T : new() { int e => f<g>(h) ? $\"{i:x}\" : j; }",
                    "var a = b is C { D: > 1 } e ? (F)g : (h, i); foreach (var (j, k) in l) await m?[n]!;",
                    "class A {\n#region b\n int c = @\"d\"\"e\".f(\"\"\"\n g\n \"\"\");\n#endregion\n}",
                ],
            ),
        ];
        for (language, texts) in texts {
            for text in texts {
                let theirs = Tree::parse_as_tree_sitter(&language, text).unwrap();
                assert!(!theirs.root_node().has_error(), "{text}: {theirs:?}");
                assert_eq!(Tree::parse_sound(&language, text), Some(theirs), "{text}");
            }
        }
    }

    #[test]
    fn a_text_with_errors_goes_to_tree_sitter() {
        let text = "class A { void f( { } }";
        assert_eq!(Tree::parse_sound(&java(), text), None);
        let built = Tree::parse(&java(), text, Limits::NONE).unwrap();
        assert!(built.root_node().has_error());
        assert_eq!(Some(built), Tree::parse_as_tree_sitter(&java(), text));
    }

    #[test]
    fn a_text_beyond_a_limit_has_no_tree() {
        let text = "class A { void f() { g(); } }\n".repeat(100);
        let parse = |text: &str, steps, nodes| Tree::parse(&java(), text, Limits { steps, nodes }).map(drop);
        let broken = text.replace(';', "");
        for text in [&text, &broken] {
            assert_eq!(parse(text, 1_000, 100_000), Err(Excess::Steps));
            assert_eq!(parse(text, 100_000, 1_000), Err(Excess::Nodes));
            assert_eq!(parse(text, 100_000, 100_000), Ok(()));
        }
    }

    #[test]
    fn threads_parse_at_once() {
        let text = "class A { int b = c(d, e[1]) + 2; }\n".repeat(200);
        let shape = tree(&text).root_node().to_sexp();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(tree(&text).root_node().to_sexp(), shape));
            }
        });
    }

    #[test]
    fn nodes_know_what_is_around_and_beside_them() {
        let text = "class A {\n  // b\n  void c(int d, int e) {}\n}\n";
        let tree = tree(text);
        let class = tree.root_node().child(0).unwrap();
        let body = class.child_by_field_name("body").unwrap();
        let method = body.named_child(1).unwrap();
        assert_eq!(
            body.named_child(0).map(|node| (node.kind(), node.is_extra())),
            Some(("line_comment", true))
        );
        assert_eq!(method.parent(), Some(body));
        assert_eq!(body.parent().and_then(|class| class.parent()), Some(tree.root_node()));
        assert_eq!(method.next_sibling().map(|node| node.kind()), Some("}"));
        assert_eq!((method.start_position(), method.end_position().row), (Point { row: 2, column: 2 }, 2));
        let parameters = method.child_by_field_name("parameters").unwrap();
        assert_eq!((parameters.child_count(), parameters.named_child_count()), (5, 2));
        assert_eq!(parameters.last_child().map(|node| &text[node.byte_range()]), Some(")"));
        assert_eq!(
            class.descendant_count(),
            class.children().map(|node| node.descendant_count()).sum::<usize>() + 1
        );
        let at = text.find("e)").unwrap();
        assert_eq!(
            tree.root_node().descendant_for_byte_range(at, at + 1).map(|node| node.kind()),
            Some("identifier")
        );
        assert_eq!(
            parameters.to_sexp(),
            "(formal_parameters (formal_parameter (integral_type) (identifier)) (formal_parameter (integral_type) (identifier)))"
        );
    }

    #[test]
    fn a_cursor_stays_inside_the_node_that_it_began_with() {
        let tree = tree("class A { int b; int c; } class D {}");
        let body = tree.root_node().child(0).and_then(|class| class.last_child()).unwrap();
        let mut cursor = body.walk();
        assert!(!cursor.goto_next_sibling() && !cursor.goto_parent() && cursor.field_id().is_none());
        assert!(cursor.goto_first_child() && cursor.goto_next_sibling());
        assert_eq!((cursor.node().kind(), cursor.depth()), ("field_declaration", 1));
        assert!(cursor.goto_parent() && cursor.goto_first_child_for_byte(body.start_byte() + 8));
        assert_eq!(cursor.node(), body.named_child(1).unwrap());
        cursor.reset(tree.root_node());
        assert!(cursor.goto_first_child() && cursor.goto_next_sibling() && !cursor.goto_next_sibling());
    }
}
