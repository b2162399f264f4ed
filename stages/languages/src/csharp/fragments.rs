//! How pieces of C# stand, and what of them is written short.

use crate::FragmentRules;

pub(super) static RULES: FragmentRules = FragmentRules {
    statements: &[("class A { async void M() {\n", "\n} }")],
    members: &[("class A {\n", "\n}"), ("", ""), ("interface A {\n", "\n}")],
    lists: &[],
    blocks: &["block"],
    is_atom: |kind| {
        kind.starts_with("preproc_")
            || matches!(
                kind,
                "string_literal"
                    | "character_literal"
                    | "verbatim_string_literal"
                    | "raw_string_literal"
                    | "interpolated_string_expression"
            )
    },
    has_directives: true,
    regions: Some(("#region", "#endregion")),
    ends_line: |kind| {
        kind.ends_with("_statement") || kind.ends_with("_declaration") || kind == "attribute_list"
    },
    lines: &["block", "declaration_list"],
    is_indented: false,
    hollow: &[
        ("argument_list", "( )"),
        ("parameter_list", "( )"),
        ("block", "{ }"),
        ("declaration_list", "{ }"),
        ("initializer_expression", "{ }"),
        ("return_statement", "return ;"),
        ("break_statement", "break ;"),
        ("continue_statement", "continue ;"),
        ("implicit_type", "var"),
    ],
};
