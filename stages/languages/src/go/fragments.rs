//! How pieces of Go stand, and what of them is written short.

use crate::FragmentRules;

pub(super) static RULES: FragmentRules = FragmentRules {
    statements: &[("package a\nfunc a() {\n", "\n}\n")],
    members: &[
        ("package a\n", "\n"),
        ("package a\ntype (\n", "\n)\n"),
        ("package a\ntype a interface {\n", "\n}\n"),
    ],
    lists: &["statement_list"],
    blocks: &["block"],
    is_atom: |kind| matches!(kind, "interpreted_string_literal" | "raw_string_literal" | "rune_literal"),
    has_directives: false,
    regions: None,
    // Where the source says so the end of a line is a token of the grammar; elsewhere a statement needs one.
    ends_line: |kind| kind.ends_with("_spec") || kind.ends_with("_elem") || kind == "field_declaration",
    lines: &["statement_list", "source_file"],
    is_indented: false,
    hollow: &[
        ("argument_list", "( )"),
        ("parameter_list", "( )"),
        ("block", "{ }"),
        ("literal_value", "{ }"),
        ("field_declaration_list", "{ }"),
        ("return_statement", "return"),
        ("break_statement", "break"),
        ("continue_statement", "continue"),
    ],
};
