//! How pieces of JavaScript stand, and what of them is written short.

use crate::FragmentRules;

pub(super) static RULES: FragmentRules = FragmentRules {
    statements: &[("async function* a() {\n", "\n}"), ("", "\n")],
    members: &[("", "\n"), ("class A {\n", "\n}"), ("({\n", "\n})"), ("(", "\n)")],
    lists: &[],
    blocks: &["statement_block"],
    is_atom: |kind| {
        kind.starts_with("jsx_")
            || matches!(kind, "string" | "template_string" | "regex" | "template_literal_type")
    },
    has_directives: false,
    regions: None,
    // A statement without a semicolon ends with its line.
    ends_line: |kind| {
        kind.ends_with("_statement")
            || kind.ends_with("_declaration")
            || kind.ends_with("_signature")
            || kind.ends_with("field_definition")
    },
    lines: &["program", "statement_block", "class_body", "interface_body", "object_type"],
    is_indented: false,
    hollow: &[
        ("arguments", "( )"),
        ("formal_parameters", "( )"),
        ("statement_block", "{ }"),
        ("class_body", "{ }"),
        ("object", "{ }"),
        ("array", "[ ]"),
    ],
};
