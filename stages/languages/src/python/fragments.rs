//! How pieces of Python stand, and what of them is written short.

use crate::FragmentRules;

pub(super) static RULES: FragmentRules = FragmentRules {
    // Indented as in a function, or not.
    statements: &[("async def a():\n", "\n"), ("", "\n"), ("async def a(): ", "\n")],
    members: &[("", "\n")],
    lists: &["block"],
    blocks: &["block"],
    is_atom: |kind| kind == "string",
    has_directives: false,
    regions: None,
    ends_line: |kind| kind == "decorator",
    lines: &[],
    is_indented: true,
    hollow: &[
        ("argument_list", "( )"),
        ("parameters", "( )"),
        ("list", "[ ]"),
        ("dictionary", "{ }"),
        ("tuple", "( )"),
        ("return_statement", "return"),
        ("pass_statement", "pass"),
        ("break_statement", "break"),
        ("continue_statement", "continue"),
    ],
};
