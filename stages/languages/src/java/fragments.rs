//! How pieces of Java stand, and what of them is written short.

use crate::FragmentRules;

pub(super) static RULES: FragmentRules = FragmentRules {
    statements: &[("class A { void m() {\n", "\n} }"), ("class A { A() {\n", "\n} }")],
    members: &[
        ("class A {\n", "\n}"),
        ("", ""),
        ("record A() {\n", "\n}"),
        ("enum A { ;\n", "\n}"),
        ("@interface A {\n", "\n}"),
    ],
    lists: &[],
    blocks: &["block"],
    is_atom: |kind| matches!(kind, "string_literal" | "character_literal" | "template_expression"),
    has_directives: false,
    regions: None,
    ends_line: |kind| {
        kind.ends_with("_statement") || kind.ends_with("_declaration") || kind.ends_with("annotation")
    },
    lines: &["block", "class_body"],
    is_indented: false,
    hollow: &[
        ("argument_list", "( )"),
        ("formal_parameters", "( )"),
        ("block", "{ }"),
        ("class_body", "{ }"),
        ("array_initializer", "{ }"),
        ("dimensions", "[ ]"),
        ("type_arguments", "< >"),
        ("return_statement", "return ;"),
        ("break_statement", "break ;"),
        ("continue_statement", "continue ;"),
    ],
};
