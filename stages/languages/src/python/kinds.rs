//! The node kinds that the walk tells apart, looked up by id: a comparison of names for every node would cost
//! more than the rest of the walk.

use std::sync::OnceLock;

/// What a node means to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Never holds anything of interest.
    Leaf,
    /// An expression, or part of one.
    Inner,
    /// Holds statements that are of interest whatever their text (clauses of compound statements).
    Holder,
    Block,
    Class,
    Function,
    Decorated,
    Decorator,
    Lambda,
    Call,
    Comment,
    Assert,
    Expression,
    Import,
    ImportFrom,
    Statement,
    Compound,
    With,
    Return,
    Error,
}

const NAMED: &[(&str, Kind)] = &[
    ("module", Kind::Holder),
    ("block", Kind::Block),
    ("elif_clause", Kind::Holder),
    ("else_clause", Kind::Holder),
    ("except_clause", Kind::Holder),
    ("finally_clause", Kind::Holder),
    ("case_clause", Kind::Holder),
    ("class_definition", Kind::Class),
    ("function_definition", Kind::Function),
    ("decorated_definition", Kind::Decorated),
    ("decorator", Kind::Decorator),
    ("lambda", Kind::Lambda),
    ("call", Kind::Call),
    ("comment", Kind::Comment),
    ("assert_statement", Kind::Assert),
    ("expression_statement", Kind::Expression),
    ("import_statement", Kind::Import),
    ("future_import_statement", Kind::ImportFrom),
    ("import_from_statement", Kind::ImportFrom),
    ("print_statement", Kind::Statement),
    ("return_statement", Kind::Return),
    ("delete_statement", Kind::Statement),
    ("raise_statement", Kind::Statement),
    ("pass_statement", Kind::Statement),
    ("break_statement", Kind::Statement),
    ("continue_statement", Kind::Statement),
    ("global_statement", Kind::Statement),
    ("nonlocal_statement", Kind::Statement),
    ("exec_statement", Kind::Statement),
    ("type_alias_statement", Kind::Statement),
    ("if_statement", Kind::Compound),
    ("for_statement", Kind::Compound),
    ("while_statement", Kind::Compound),
    ("try_statement", Kind::Compound),
    ("match_statement", Kind::Compound),
    ("with_statement", Kind::With),
    ("identifier", Kind::Leaf),
    ("integer", Kind::Leaf),
    ("float", Kind::Leaf),
    ("string_start", Kind::Leaf),
    ("string_end", Kind::Leaf),
    ("true", Kind::Leaf),
    ("false", Kind::Leaf),
    ("none", Kind::Leaf),
];

/// Ids of the grammar that are compared one by one; the table of kinds answers for all others.
#[derive(Default)]
pub(super) struct Kinds {
    table: Vec<Kind>,
    pub(super) identifier: u16,
    pub(super) attribute: u16,
    pub(super) parameters: u16,
    pub(super) typed_parameter: u16,
    pub(super) typed_default_parameter: u16,
    pub(super) keyword_separator: u16,
    pub(super) positional_separator: u16,
    pub(super) type_: u16,
    pub(super) colon: u16,
    pub(super) block: u16,
    pub(super) comment: u16,
    pub(super) async_: u16,
    pub(super) argument_list: u16,
    pub(super) keyword_argument: u16,
    pub(super) assignment: u16,
    pub(super) lambda: u16,
    pub(super) lambda_parameters: u16,
    pub(super) string: u16,
    pub(super) concatenated_string: u16,
    pub(super) call: u16,
    pub(super) with_clause: u16,
    pub(super) as_pattern: u16,
    pub(super) aliased_import: u16,
    pub(super) yield_: u16,
    pub(super) await_: u16,
    pub(super) parenthesized: u16,
    /// Field `type` of parameters.
    pub(super) type_field: u16,
    /// Field `right` of assignments.
    pub(super) right_field: u16,
    /// Field `left` of assignments.
    pub(super) left_field: u16,
}

impl Kinds {
    /// The ids of the grammar, looked up once.
    pub(super) fn get() -> &'static Self {
        static KINDS: OnceLock<Kinds> = OnceLock::new();
        KINDS.get_or_init(|| Self::of(&tree_sitter_python::LANGUAGE.into()))
    }

    /// Kind of a node by its id; error nodes have the largest id and stand in no table.
    pub(super) fn kind(&self, id: u16) -> Kind {
        match self.table.get(usize::from(id)) {
            Some(&kind) => kind,
            None if id == u16::MAX => Kind::Error,
            None => Kind::Inner,
        }
    }

    fn of(language: &tree_sitter::Language) -> Self {
        let named = |name| language.id_for_node_kind(name, true);
        let token = |name| language.id_for_node_kind(name, false);
        let field = |name| language.field_id_for_name(name).map_or(0, std::num::NonZero::get);
        Self {
            table: (0..language.node_kind_count()).map(|id| entry(language, id)).collect(),
            identifier: named("identifier"),
            attribute: named("attribute"),
            parameters: named("parameters"),
            typed_parameter: named("typed_parameter"),
            typed_default_parameter: named("typed_default_parameter"),
            keyword_separator: named("keyword_separator"),
            positional_separator: named("positional_separator"),
            type_: named("type"),
            colon: token(":"),
            block: named("block"),
            comment: named("comment"),
            async_: token("async"),
            argument_list: named("argument_list"),
            keyword_argument: named("keyword_argument"),
            assignment: named("assignment"),
            lambda: named("lambda"),
            lambda_parameters: named("lambda_parameters"),
            string: named("string"),
            concatenated_string: named("concatenated_string"),
            call: named("call"),
            with_clause: named("with_clause"),
            as_pattern: named("as_pattern"),
            aliased_import: named("aliased_import"),
            yield_: named("yield"),
            await_: named("await"),
            parenthesized: named("parenthesized_expression"),
            type_field: field("type"),
            right_field: field("right"),
            left_field: field("left"),
        }
    }
}

fn entry(language: &tree_sitter::Language, id: usize) -> Kind {
    let id = id as u16;
    if !language.node_kind_is_named(id) {
        return Kind::Leaf;
    }
    let name = language.node_kind_for_id(id).unwrap_or_default();
    NAMED.iter().find(|(known, _)| *known == name).map_or(Kind::Inner, |&(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_known_to_the_grammar() {
        let language: tree_sitter::Language = tree_sitter_python::LANGUAGE.into();

        for (name, _) in NAMED {
            assert_ne!(language.id_for_node_kind(name, true), 0, "{name}");
        }
        let Kinds {
            colon, async_, type_field, right_field, left_field, with_clause, lambda_parameters, ..
        } = Kinds::of(&language);
        let all = [colon, async_, type_field, right_field, left_field, with_clause, lambda_parameters];
        assert!(all.iter().all(|&id| id != 0), "{all:?}");
        let Kinds { yield_, await_, parenthesized, as_pattern, call, .. } = Kinds::of(&language);
        let all = [yield_, await_, parenthesized, as_pattern, call];
        assert!(all.iter().all(|&id| id != 0), "{all:?}");
    }
}
