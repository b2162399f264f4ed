//! Python as the tasks and the graders see it: functions by name, assertions with their operands, whether an
//! expression is trivial. Knows nothing of tasks, rows or runs.

use std::borrow::Cow;
use std::ops::Range;
use trefoil_languages::{Guards, Parser, Tree};
use trefoil_syntax::Node;

/// A module that was parsed within the guards against hostile text; answers of models are hostile text, too.
pub struct Module<'t> {
    text: &'t str,
    tree: Tree,
}

impl<'t> Module<'t> {
    /// Parses `text`; nothing where a guard is hit.
    pub fn parse(text: &'t str) -> Option<Self> {
        let guards = Guards { max_file_bytes: 512 * 1024, ..Guards::default() };
        if text.len() as u64 > guards.max_file_bytes {
            return None;
        }
        let tree = Parser::new(guards).tree(trefoil_languages::by_name("python")?, "", text).ok()?;
        Some(Self { text, tree })
    }

    /// The tree's root.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// Whether the text is no Python.
    pub fn has_error(&self) -> bool {
        self.root().has_error()
    }

    /// The text of a node.
    pub fn text(&self, node: Node) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The function that `names` lead to, from the outermost class inwards (`["TestForm", "test_empty"]`). Of
    /// several the last, which is the one that Python keeps. Definitions below `if`, `try` and `with` count.
    pub fn function(&self, names: &[&str]) -> Option<Function<'_>> {
        let (last, classes) = names.split_last()?;
        let mut block = self.root();
        for class in classes {
            let found = definitions(block).rfind(|node| self.is_named(*node, "class_definition", class))?;
            block = found.child_by_field_name("body")?;
        }
        let node = definitions(block).rfind(|node| self.is_named(*node, "function_definition", last))?;
        Some(Function { node, body: node.child_by_field_name("body")? })
    }

    fn is_named(&self, node: Node, kind: &str, name: &str) -> bool {
        let named = node.child_by_field_name("name");
        node.kind() == kind && named.is_some_and(|node| self.text(node) == name)
    }

    /// All `assert` statements below `node`, in order.
    pub fn assertions<'a>(&'a self, node: Node<'a>) -> Vec<Assertion<'a>> {
        nodes(node)
            .filter(|node| node.kind() == "assert_statement")
            .filter_map(|statement| Assertion::new(statement, self))
            .collect()
    }

    /// The leaves below a node without comments, line ends and needless parentheses, plain strings with one kind of
    /// quotes: two texts with the same leaves are one to Python.
    pub fn leaves(&self, node: Node) -> Vec<Cow<'t, str>> {
        self.placed_leaves(node).into_iter().map(|(_, leaf)| leaf).collect()
    }

    /// The same leaves, each with the byte that it starts at.
    pub fn placed_leaves(&self, node: Node) -> Vec<(usize, Cow<'t, str>)> {
        let mut leaves = Vec::new();
        let mut cursor = node.walk();
        loop {
            let node = cursor.node();
            let is_space = matches!(node.kind(), "comment" | "line_continuation");
            if !is_space && node.kind() != "string" && cursor.goto_first_child() {
                continue;
            }
            if !is_space && !node.byte_range().is_empty() && !is_needless(node) {
                let text = self.text(node);
                leaves.push((
                    node.start_byte(),
                    if node.kind() == "string" { plain(text) } else { text.into() },
                ));
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return leaves;
                }
            }
        }
    }

    /// Whether two expressions are the same to Python, the parentheses around them aside.
    pub fn same(&self, a: Node, b: Node) -> bool {
        self.leaves(bare(a)) == self.leaves(bare(b))
    }
}

/// A function.
#[derive(Clone, Copy)]
pub struct Function<'a> {
    /// The definition without its decorators.
    pub node: Node<'a>,
    /// Its body.
    pub body: Node<'a>,
}

impl Function<'_> {
    /// Bytes of the definition with its decorators, from the start of their line.
    pub fn range(&self) -> Range<usize> {
        let decorated = self.node.parent().filter(|parent| parent.kind() == "decorated_definition");
        let whole = decorated.unwrap_or(self.node);
        whole.start_byte() - whole.start_position().column..whole.end_byte()
    }
}

/// An `assert` statement.
#[derive(Clone)]
pub struct Assertion<'a> {
    /// The statement.
    pub statement: Node<'a>,
    /// What it asserts, without the message.
    pub condition: Node<'a>,
    /// What of it can be masked.
    pub form: Form<'a>,
}

/// The condition of an assertion, parentheses and `not` aside.
#[derive(Clone)]
pub enum Form<'a> {
    /// A name, a call, an attribute …: masked as a whole.
    Unary(Node<'a>),
    /// A comparison of two operands, either of which can be masked.
    Binary {
        /// Left operand.
        left: Node<'a>,
        /// Operator as written (`==`, `not in`).
        operator: String,
        /// Right operand.
        right: Node<'a>,
    },
    /// `and`, `or`, chained comparisons, constants, conditional expressions: none of the published forms.
    Other,
}

impl<'a> Assertion<'a> {
    fn new(statement: Node<'a>, module: &Module<'_>) -> Option<Self> {
        let condition = statement.named_children().find(|node| !node.is_extra())?;
        let mut inner = bare(condition);
        while inner.kind() == "not_operator" {
            inner = bare(inner.child_by_field_name("argument")?);
        }
        let form = match inner.kind() {
            "comparison_operator" => binary(inner, module).unwrap_or(Form::Other),
            "boolean_operator" | "conditional_expression" | "named_expression" | "lambda" => Form::Other,
            _ if is_constant(inner) => Form::Other,
            _ => Form::Unary(inner),
        };
        Some(Self { statement, condition, form })
    }
}

fn binary<'a>(node: Node<'a>, module: &Module<'_>) -> Option<Form<'a>> {
    let children: Vec<Node<'a>> = node.children().filter(|child| !child.is_extra()).collect();
    let [left, operator, right] = children.as_slice() else { return None };
    let operator = module.text(*operator).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Form::Binary { left: *left, operator, right: *right })
}

/// A parenthesis around what needs none anywhere.
fn is_needless(node: Node) -> bool {
    let parent =
        node.parent().filter(|parent| parent.kind() == "parenthesized_expression" && !node.is_named());
    parent.is_some_and(|parent| {
        let inside = bare(parent).kind();
        matches!(
            inside,
            "identifier" | "call" | "attribute" | "subscript" | "string" | "integer" | "float" | "list"
        ) || matches!(inside, "dictionary" | "set" | "true" | "false" | "none")
    })
}

/// A string without prefix, escapes and inner quotes, in single quotes; any other as it is.
fn plain(text: &str) -> Cow<'_, str> {
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let inside = quotes.iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    match inside.filter(|inside| !inside.contains(['\\', '\'', '"', '\n'])) {
        Some(inside) => format!("'{inside}'").into(),
        None => text.into(),
    }
}

/// The expression inside any parentheses.
pub fn bare(mut node: Node) -> Node {
    while node.kind() == "parenthesized_expression" {
        let inner = node.named_children().find(|child| !child.is_extra());
        let Some(inner) = inner else { break };
        node = inner;
    }
    node
}

/// A constant as Python's own syntax trees define it: a literal of a number, string, bytes, `True`, `False`,
/// `None` or `...`. A negative number is none, nor is a string with interpolations.
pub fn is_constant(node: Node) -> bool {
    let node = bare(node);
    match node.kind() {
        "integer" | "float" | "true" | "false" | "none" | "ellipsis" => true,
        "string" | "concatenated_string" => !nodes(node).any(|part| part.kind() == "interpolation"),
        _ => false,
    }
}

/// The classes and functions that stand directly in a block, decorators, `if`, `try` and `with` aside.
fn definitions<'a>(block: Node<'a>) -> impl DoubleEndedIterator<Item = Node<'a>> {
    let mut found = Vec::new();
    let mut open = vec![block];
    while let Some(node) = open.pop() {
        let children: Vec<Node<'a>> = node.named_children().collect();
        for child in children.into_iter().rev() {
            match child.kind() {
                "class_definition" | "function_definition" => found.push(child),
                "decorated_definition"
                | "if_statement"
                | "try_statement"
                | "with_statement"
                | "block"
                | "else_clause"
                | "elif_clause"
                | "except_clause"
                | "finally_clause" => open.push(child),
                _ => {}
            }
        }
    }
    found.sort_by_key(Node::start_byte);
    found.into_iter()
}

/// The node and everything below it, parents first, in order.
pub fn nodes<'a>(top: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let mut cursor = top.walk();
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let node = cursor.node();
        if !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    is_over = true;
                    break;
                }
            }
        }
        Some(node)
    })
}
