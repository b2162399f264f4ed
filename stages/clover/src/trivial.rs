//! Which assertions say nothing: those that hold whatever the tested code does.
//!
//! The published rules (CLOVER, section 4, "Post-processing") name three: a constant as the whole condition, a
//! constant held against a constant, an operand equal to the one opposite. Models find more ways to say nothing, and
//! the paper's own prompts name one that the rules miss (`assert str("a") == "a"`); [`Rules::Corrected`] knows
//! those, too.

use crate::syntax::{Assertion, Form, Module, bare, is_constant, nodes};
use crate::tasks::target::is_asserting_call;
use trefoil_syntax::Node;

/// How strictly answers are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// All ways to say nothing that are known here, and a trivial answer does not count as executed.
    #[default]
    Corrected,
    /// The published rules and no others; a trivial answer that runs counts as executed.
    Published,
}

/// Whether the assertion is trivial.
pub fn is_trivial(assertion: &Assertion<'_>, module: &Module<'_>, rules: Rules) -> bool {
    match rules {
        Rules::Published => match &assertion.form {
            Form::Unary(node) => is_constant(*node),
            Form::Binary { left, operator, right } => {
                (is_constant(*left) && is_constant(*right))
                    || (operator == "==" && module.same(*left, *right))
            }
            Form::Other => is_constant(assertion.condition),
        },
        Rules::Corrected => says_nothing(assertion.condition, module),
    }
}

/// Whether an assertion below `node` depends on anything: an `assert` that is not trivial, or an asserting call whose
/// arguments are neither all constants nor one thing twice.
pub fn asserts_something(module: &Module<'_>, node: Node) -> bool {
    let statements = module.assertions(node);
    statements.iter().any(|assertion| !is_trivial(assertion, module, Rules::Corrected))
        || nodes(node).any(|call| is_asserting_call(module, call) && !is_trivial_call(module, call))
}

fn is_trivial_call(module: &Module<'_>, call: Node) -> bool {
    let called = call.child_by_field_name("function");
    let receiver = called.and_then(|called| called.child_by_field_name("object"));
    let arguments = call.child_by_field_name("arguments");
    let arguments: Vec<Node> = arguments
        .map(|list| list.named_children().filter(|child| !child.is_extra()).collect())
        .unwrap_or_default();
    // A mock asserts of itself (`mock.assert_called()`), a helper of whatever it likes.
    let of_itself = arguments.is_empty() && receiver.is_none_or(|receiver| module.text(receiver) != "self");
    let same = matches!(arguments.as_slice(), [a, b, ..] if module.same(*a, *b));
    !of_itself
        && (same || arguments.iter().all(|argument| is_closed(*argument, module)))
        && receiver.is_none_or(|receiver| matches!(module.text(receiver), "self" | "pytest" | "unittest"))
}

/// Whether the outcome of a condition is the same whatever the tested code does.
fn says_nothing(condition: Node, module: &Module<'_>) -> bool {
    let node = bare(condition);
    if is_closed(node, module) {
        return true;
    }
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "not_operator" => field("argument").is_some_and(|node| says_nothing(node, module)),
        "boolean_operator" => {
            let [left, right] = [field("left"), field("right")]
                .map(|side| side.is_some_and(|node| says_nothing(node, module)));
            let is_or = field("operator").is_some_and(|operator| operator.kind() == "or");
            if is_or { left || right } else { left && right }
        }
        "comparison_operator" => {
            let parts: Vec<Node> = node.children().filter(|child| !child.is_extra()).collect();
            // Whatever the operator: what is held against itself tells nothing.
            matches!(parts.as_slice(), [left, _, right] if module.same(*left, *right))
        }
        // Never empty, and so always true.
        "tuple" | "list" | "dictionary" | "set" => node.named_children().any(|it| !it.is_extra()),
        "lambda" => true,
        _ => false,
    }
}

/// Built-in names that make a constant of constants.
const PURE: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "bytearray",
    "callable",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "float",
    "format",
    "frozenset",
    "hash",
    "hex",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "max",
    "min",
    "next",
    "object",
    "oct",
    "ord",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
];

/// Made of constants and built-in names only.
fn is_closed(node: Node, module: &Module<'_>) -> bool {
    nodes(node).all(|part| part.kind() != "identifier" || is_pure(part, module))
}

/// A built-in name; the name of a keyword argument or of an attribute is none of its own.
fn is_pure(identifier: Node, module: &Module<'_>) -> bool {
    let parent = identifier.parent();
    let is_field = |kind: &str, field: &str| {
        parent.is_some_and(|parent| {
            parent.kind() == kind && parent.child_by_field_name(field).is_some_and(|it| it == identifier)
        })
    };
    is_field("attribute", "attribute")
        || is_field("keyword_argument", "name")
        || PURE.contains(&module.text(identifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trivial(condition: &str, rules: Rules) -> bool {
        let text = format!("assert {condition}\n");
        let module = Module::parse(&text).unwrap();
        let assertions = module.assertions(module.root());
        is_trivial(&assertions[0], &module, rules)
    }

    #[test]
    fn the_published_rules_know_constants_and_equal_sides() {
        for condition in ["True", "'a'", "1 == 2", "'a' in \"b\"", "x.y == x . y", "(x) == x", "b'' != 3"] {
            assert!(trivial(condition, Rules::Published), "{condition}");
            assert!(trivial(condition, Rules::Corrected), "{condition}");
        }
    }

    #[test]
    fn more_is_trivial_than_the_published_rules_know() {
        for condition in [
            "str('a') == 'a'",
            "-1 == -1.0",
            "x or True",
            "x is x",
            "x <= x",
            "x in x",
            "x != x",
            "[x]",
            "(x, 'message')",
            "lambda: x",
            "not (True and 1)",
            "' '.join(['a']) == 'a'",
            "len([1]) == 1",
            "x == x and 1",
        ] {
            assert!(trivial(condition, Rules::Corrected), "{condition}");
        }
        for condition in ["str('a') == 'a'", "x is x", "x or True", "[x]"] {
            assert!(!trivial(condition, Rules::Published), "{condition}");
        }
    }

    #[test]
    fn what_asks_the_code_is_not_trivial() {
        for condition in [
            "x",
            "x == 1",
            "f() == 'a'",
            "not x",
            "x and True",
            "x or y",
            "str(x) == 'a'",
            "isinstance(x, int)",
            "'a' in x",
            "dict(a=b) == {}",
        ] {
            assert!(!trivial(condition, Rules::Corrected), "{condition}");
        }
    }
}
