//! The node kinds that the walk tells apart, looked up by id: a comparison of names for every node would cost
//! more than the rest of the walk.

use std::sync::OnceLock;

/// What a node means to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Never holds anything of interest.
    Leaf,
    /// An expression, a type, or part of one.
    Inner,
    /// All its children are of interest, whatever their text.
    Holder,
    /// Statements, all of which may bind names.
    Statements,
    /// What stands between the braces of a structure type.
    Fields,
    Comment,
    Package,
    Import,
    TypeDeclaration,
    Type,
    Alias,
    Function,
    Method,
    /// A method that an interface asks for.
    InterfaceMethod,
    /// An embedded interface, or the types that a constraint allows.
    InterfaceElement,
    InterfaceType,
    Field,
    FunctionLiteral,
    Call,
    /// `[]byte(x)`, and every generic call of one argument (`Map[int](x)`), which looks the same.
    Conversion,
    Composite,
    ShortVariable,
    Assignment,
    VariableDeclaration,
    ConstantDeclaration,
    Variable,
    If,
    For,
    Error,
}

const NAMED: &[(&str, Kind)] = &[
    ("source_file", Kind::Holder),
    ("import_declaration", Kind::Holder),
    ("import_spec_list", Kind::Holder),
    ("var_spec_list", Kind::Holder),
    ("statement_list", Kind::Statements),
    ("field_declaration_list", Kind::Fields),
    ("comment", Kind::Comment),
    ("package_clause", Kind::Package),
    ("import_spec", Kind::Import),
    ("type_declaration", Kind::TypeDeclaration),
    ("type_spec", Kind::Type),
    ("type_alias", Kind::Alias),
    ("function_declaration", Kind::Function),
    ("method_declaration", Kind::Method),
    ("method_elem", Kind::InterfaceMethod),
    ("type_elem", Kind::InterfaceElement),
    ("interface_type", Kind::InterfaceType),
    ("field_declaration", Kind::Field),
    ("func_literal", Kind::FunctionLiteral),
    ("call_expression", Kind::Call),
    ("type_conversion_expression", Kind::Conversion),
    ("composite_literal", Kind::Composite),
    ("short_var_declaration", Kind::ShortVariable),
    ("assignment_statement", Kind::Assignment),
    ("var_declaration", Kind::VariableDeclaration),
    ("const_declaration", Kind::ConstantDeclaration),
    ("var_spec", Kind::Variable),
    ("if_statement", Kind::If),
    ("for_statement", Kind::For),
    ("identifier", Kind::Leaf),
    ("field_identifier", Kind::Leaf),
    ("type_identifier", Kind::Leaf),
    ("package_identifier", Kind::Leaf),
    ("blank_identifier", Kind::Leaf),
    ("label_name", Kind::Leaf),
    ("interpreted_string_literal", Kind::Leaf),
    ("raw_string_literal", Kind::Leaf),
    ("rune_literal", Kind::Leaf),
    ("int_literal", Kind::Leaf),
    ("float_literal", Kind::Leaf),
    ("imaginary_literal", Kind::Leaf),
    ("nil", Kind::Leaf),
    ("true", Kind::Leaf),
    ("false", Kind::Leaf),
    ("iota", Kind::Leaf),
];

/// Ids of the grammar that are compared one by one; the table of kinds answers for all others.
#[cfg_attr(test, derive(Debug))]
pub(super) struct Kinds {
    table: Vec<Kind>,
    pub(super) identifier: u16,
    pub(super) type_identifier: u16,
    pub(super) field_identifier: u16,
    pub(super) comment: u16,
    pub(super) qualified_type: u16,
    pub(super) generic_type: u16,
    pub(super) selector: u16,
    pub(super) index: u16,
    pub(super) call: u16,
    pub(super) function_literal: u16,
    pub(super) composite: u16,
    pub(super) parenthesized: u16,
    pub(super) unary: u16,
    pub(super) type_assertion: u16,
    pub(super) struct_type: u16,
    pub(super) interface_type: u16,
    pub(super) field_list: u16,
    pub(super) parameter: u16,
    pub(super) variadic_parameter: u16,
    pub(super) open_brace: u16,
    pub(super) name_field: u16,
    pub(super) type_field: u16,
    pub(super) receiver_field: u16,
    pub(super) parameters_field: u16,
    pub(super) result_field: u16,
    pub(super) body_field: u16,
    pub(super) left_field: u16,
    pub(super) right_field: u16,
    pub(super) value_field: u16,
    pub(super) operator_field: u16,
    pub(super) operand_field: u16,
    pub(super) path_field: u16,
    pub(super) arguments_field: u16,
}

impl Kinds {
    /// The ids of the grammar, looked up once.
    pub(super) fn get() -> &'static Self {
        static KINDS: OnceLock<Kinds> = OnceLock::new();
        KINDS.get_or_init(|| Self::of(&tree_sitter_go::LANGUAGE.into()))
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
        let field = |name| language.field_id_for_name(name).map_or(0, std::num::NonZero::get);
        Self {
            table: (0..language.node_kind_count()).map(|id| entry(language, id)).collect(),
            identifier: named("identifier"),
            type_identifier: named("type_identifier"),
            field_identifier: named("field_identifier"),
            comment: named("comment"),
            qualified_type: named("qualified_type"),
            generic_type: named("generic_type"),
            selector: named("selector_expression"),
            index: named("index_expression"),
            call: named("call_expression"),
            function_literal: named("func_literal"),
            composite: named("composite_literal"),
            parenthesized: named("parenthesized_expression"),
            unary: named("unary_expression"),
            type_assertion: named("type_assertion_expression"),
            struct_type: named("struct_type"),
            interface_type: named("interface_type"),
            field_list: named("field_declaration_list"),
            parameter: named("parameter_declaration"),
            variadic_parameter: named("variadic_parameter_declaration"),
            open_brace: language.id_for_node_kind("{", false),
            name_field: field("name"),
            type_field: field("type"),
            receiver_field: field("receiver"),
            parameters_field: field("parameters"),
            result_field: field("result"),
            body_field: field("body"),
            left_field: field("left"),
            right_field: field("right"),
            value_field: field("value"),
            operator_field: field("operator"),
            operand_field: field("operand"),
            path_field: field("path"),
            arguments_field: field("arguments"),
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
        let language: tree_sitter::Language = tree_sitter_go::LANGUAGE.into();
        for (name, _) in NAMED {
            assert_ne!(language.id_for_node_kind(name, true), 0, "{name}");
        }
        let kinds = format!("{:?}", Kinds { table: Vec::new(), ..Kinds::of(&language) });
        assert!(!kinds.contains(": 0"), "{kinds}");
    }
}
