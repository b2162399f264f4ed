//! Numbers of the grammar's node kinds and fields, looked up once: comparing names per node would cost more
//! than the rest of the walk.

use crate::CallableKind;
use std::sync::OnceLock;

/// What the walk does with a node of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    /// Nothing; only its children matter.
    Pass,
    /// Nothing; it has no children of interest.
    Leaf,
    /// Attributes, parameters or type arguments: of interest for the comments in it only.
    Header,
    /// Holds declarations.
    Members,
    /// Holds statements, each of which can bind a name.
    Statements,
    /// A type declaration.
    Type(CallableKind),
    /// A method, a constructor or an operator.
    Member(CallableKind),
    LocalFunction,
    /// A member that is no callable and binds no name that can be given another value.
    Field,
    /// A field.
    Variable,
    Property,
    Destructor,
    Delegate,
    /// A type with names, of a field or of a local declaration.
    Variables,
    Assignment,
    Foreach,
    /// `#if`, `#elif`, `#else` with what stands behind.
    Conditional,
    Namespace,
    Using,
    ExternAlias,
    /// An attribute of the assembly or a statement at the top level.
    Global,
    Comment,
    /// `#region`, `#pragma` and others without code behind.
    Directive,
    Invocation,
    /// `new Foo()`.
    Creation,
    /// `new()`.
    ImplicitCreation,
    Error,
}

impl Act {
    /// Whether declarations stand in it, which [`super::marks::Marks`] does not see.
    pub(super) fn holds_members(self) -> bool {
        matches!(self, Self::Members | Self::Conditional | Self::Namespace)
    }

    /// Whether it begins with the word `new`.
    pub(super) fn creates(self) -> bool {
        matches!(self, Self::Creation | Self::ImplicitCreation)
    }
}

/// tree-sitter's number for error nodes in every grammar.
const ERROR: u16 = u16::MAX;

/// Every kind that the walk acts on.
const ACTS: [(&str, Act); 78] = [
    ("compilation_unit", Act::Members),
    ("declaration_list", Act::Members),
    ("enum_member_declaration_list", Act::Members),
    ("preproc_if", Act::Conditional),
    ("preproc_elif", Act::Conditional),
    ("preproc_else", Act::Conditional),
    ("class_declaration", Act::Type(CallableKind::Class)),
    ("interface_declaration", Act::Type(CallableKind::Interface)),
    ("enum_declaration", Act::Type(CallableKind::Enum)),
    ("record_declaration", Act::Type(CallableKind::Record)),
    ("struct_declaration", Act::Type(CallableKind::Struct)),
    ("method_declaration", Act::Member(CallableKind::Method)),
    ("operator_declaration", Act::Member(CallableKind::Method)),
    ("conversion_operator_declaration", Act::Member(CallableKind::Method)),
    ("constructor_declaration", Act::Member(CallableKind::Constructor)),
    ("local_function_statement", Act::LocalFunction),
    ("field_declaration", Act::Variable),
    ("event_field_declaration", Act::Field),
    ("event_declaration", Act::Field),
    ("indexer_declaration", Act::Field),
    ("enum_member_declaration", Act::Field),
    ("property_declaration", Act::Property),
    ("destructor_declaration", Act::Destructor),
    ("delegate_declaration", Act::Delegate),
    ("variable_declaration", Act::Variables),
    ("assignment_expression", Act::Assignment),
    ("foreach_statement", Act::Foreach),
    ("namespace_declaration", Act::Namespace),
    ("file_scoped_namespace_declaration", Act::Namespace),
    ("using_directive", Act::Using),
    ("extern_alias_directive", Act::ExternAlias),
    ("global_attribute", Act::Global),
    ("global_statement", Act::Global),
    ("comment", Act::Comment),
    ("invocation_expression", Act::Invocation),
    ("object_creation_expression", Act::Creation),
    ("implicit_object_creation_expression", Act::ImplicitCreation),
    ("ERROR", Act::Error),
    ("attribute_list", Act::Header),
    ("parameter_list", Act::Header),
    ("bracketed_parameter_list", Act::Header),
    ("type_argument_list", Act::Header),
    ("type_parameter_list", Act::Header),
    ("type_parameter_constraints_clause", Act::Header),
    ("block", Act::Statements),
    ("expression_statement", Act::Statements),
    ("local_declaration_statement", Act::Statements),
    ("using_statement", Act::Statements),
    ("if_statement", Act::Statements),
    ("for_statement", Act::Statements),
    ("while_statement", Act::Statements),
    ("do_statement", Act::Statements),
    ("try_statement", Act::Statements),
    ("catch_clause", Act::Statements),
    ("finally_clause", Act::Statements),
    ("lock_statement", Act::Statements),
    ("fixed_statement", Act::Statements),
    ("checked_statement", Act::Statements),
    ("unsafe_statement", Act::Statements),
    ("labeled_statement", Act::Statements),
    ("switch_statement", Act::Statements),
    ("switch_body", Act::Statements),
    ("switch_section", Act::Statements),
    ("identifier", Act::Leaf),
    ("modifier", Act::Leaf),
    ("predefined_type", Act::Leaf),
    ("implicit_type", Act::Leaf),
    ("string_literal", Act::Leaf),
    ("verbatim_string_literal", Act::Leaf),
    ("raw_string_literal", Act::Leaf),
    ("character_literal", Act::Leaf),
    ("preproc_region", Act::Directive),
    ("preproc_endregion", Act::Directive),
    ("preproc_pragma", Act::Directive),
    ("preproc_nullable", Act::Directive),
    ("preproc_error", Act::Directive),
    ("preproc_warning", Act::Directive),
    ("preproc_line", Act::Directive),
];

macro_rules! numbers {
    (kinds { $($kind:ident = $kind_name:literal),+ $(,)? } tokens { $($token:ident = $word:literal),+ $(,)? }
     fields { $($field:ident = $field_name:literal),+ $(,)? }) => {
        /// The numbers of one grammar.
        pub(super) struct Grammar {
            acts: Vec<Act>,
            $(pub(super) $kind: u16,)+
            $(pub(super) $token: u16,)+
            $(pub(super) $field: u16,)+
        }

        impl Grammar {
            fn of(language: &tree_sitter::Language) -> Self {
                let mut acts = vec![Act::Pass; language.node_kind_count()];
                for (name, act) in ACTS {
                    if let Some(slot) = acts.get_mut(usize::from(language.id_for_node_kind(name, true))) {
                        *slot = act;
                    }
                }
                Self {
                    acts,
                    $($kind: language.id_for_node_kind($kind_name, true),)+
                    $($token: language.id_for_node_kind($word, false),)+
                    $($field: language.field_id_for_name($field_name).map_or(0, std::num::NonZero::get),)+
                }
            }

            #[cfg(test)]
            fn numbers(&self) -> Vec<(&'static str, u16)> {
                vec![
                    $((stringify!($kind), self.$kind),)+
                    $((stringify!($token), self.$token),)+
                    $((stringify!($field), self.$field),)+
                ]
            }
        }
    };
}

numbers! {
    kinds {
        preproc_if = "preproc_if",
        attribute_list = "attribute_list",
        attributes_if = "preproc_if_in_attribute_list",
        attribute = "attribute",
        modifier = "modifier",
        parameter_list = "parameter_list",
        parameter = "parameter",
        base_list = "base_list",
        base_with_arguments = "primary_constructor_base_type",
        argument_list = "argument_list",
        argument = "argument",
        identifier = "identifier",
        generic_name = "generic_name",
        qualified_name = "qualified_name",
        alias_qualified_name = "alias_qualified_name",
        member_access = "member_access_expression",
        member_binding = "member_binding_expression",
        conditional_access = "conditional_access_expression",
        array_type = "array_type",
        nullable_type = "nullable_type",
        implicit_type = "implicit_type",
        variable_declaration = "variable_declaration",
        variable_declarator = "variable_declarator",
        arrow = "arrow_expression_clause",
        await_expression = "await_expression",
        parenthesized = "parenthesized_expression",
        cast = "cast_expression",
        as_expression = "as_expression",
        postfix = "postfix_unary_expression",
        creation = "object_creation_expression",
        initializer = "initializer_expression",
        local_function = "local_function_statement",
    }
    tokens {
        implicit_word = "implicit",
        explicit_word = "explicit",
        operator_word = "operator",
        params_word = "params",
        assign = "=",
        semicolon = ";",
    }
    fields {
        name = "name",
        type_field = "type",
        returns = "returns",
        operator_field = "operator",
        body = "body",
        expression = "expression",
        condition = "condition",
        alternative = "alternative",
        value = "value",
        left = "left",
        right = "right",
        arguments = "arguments",
    }
}

impl Grammar {
    pub(super) fn get() -> &'static Self {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| Self::of(&tree_sitter_c_sharp::LANGUAGE.into()))
    }

    /// What to do with a node of this kind.
    pub(super) fn act(&self, kind: u16) -> Act {
        match self.acts.get(usize::from(kind)) {
            Some(act) => *act,
            None if kind == ERROR => Act::Error,
            None => Act::Pass,
        }
    }

    /// Whether a node of this kind is no part of what the node around it says.
    pub(super) fn is_aside(&self, kind: u16) -> bool {
        matches!(self.act(kind), Act::Comment | Act::Directive | Act::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_knows_every_name() {
        let grammar = Grammar::get();
        let language: tree_sitter::Language = tree_sitter_c_sharp::LANGUAGE.into();
        for (name, act) in ACTS {
            let number = language.id_for_node_kind(name, true);
            assert!(number != 0, "{name}");
            assert_eq!(grammar.act(number), act, "{name}");
        }
        for (name, number) in grammar.numbers() {
            assert!(number != 0, "{name}");
        }
    }
}
