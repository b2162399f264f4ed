//! Numbers of the grammar's node kinds and fields, looked up once: comparing names per node would cost more
//! than the rest of the walk.

use crate::CallableKind;
use std::sync::OnceLock;

/// What the walk does with a node of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    /// Nothing; only its children matter.
    Pass,
    /// The root.
    Root,
    /// A type declaration.
    Type(CallableKind),
    /// A method, a constructor, or an element of an annotation type.
    Member(CallableKind),
    /// The body of a class-like declaration, an anonymous class or an enum constant.
    Body,
    /// The body of an enum, which holds constants and, as a body of its own, members.
    EnumBody,
    /// `{}`: an initialiser where it stands in a body.
    Block,
    StaticInitializer,
    Field,
    EnumConstant,
    /// A declaration of local variables.
    Local,
    /// A resource of `try`.
    Resource,
    /// `for` over a collection.
    ForEach,
    Assignment,
    Package,
    Import,
    Comment,
    /// A method invocation.
    Invocation,
    /// `new Foo()`.
    Creation,
    /// A possible name of the call that it is a direct child of.
    Identifier,
    /// A possible type of the object creation that it is a direct child of.
    TypeName,
    /// A possible dot before the name of a call.
    Dot,
    Arguments,
    AssertStatement,
    Error,
}

impl Act {
    /// Whether fields, imports or constants stand in it, which [`super::marks::Marks`] does not see.
    pub(super) fn holds_members(self) -> bool {
        matches!(self, Self::Root | Self::Body | Self::EnumBody)
    }
}

/// tree-sitter's number for error nodes in every grammar.
const ERROR: u16 = u16::MAX;

/// Every kind that the walk acts on.
const ACTS: [(&str, bool, Act); 38] = [
    ("program", true, Act::Root),
    ("enum_body", true, Act::EnumBody),
    ("class_declaration", true, Act::Type(CallableKind::Class)),
    ("interface_declaration", true, Act::Type(CallableKind::Interface)),
    ("enum_declaration", true, Act::Type(CallableKind::Enum)),
    ("record_declaration", true, Act::Type(CallableKind::Record)),
    ("annotation_type_declaration", true, Act::Type(CallableKind::AnnotationType)),
    ("method_declaration", true, Act::Member(CallableKind::Method)),
    ("annotation_type_element_declaration", true, Act::Member(CallableKind::Method)),
    ("constructor_declaration", true, Act::Member(CallableKind::Constructor)),
    ("compact_constructor_declaration", true, Act::Member(CallableKind::Constructor)),
    ("class_body", true, Act::Body),
    ("interface_body", true, Act::Body),
    ("annotation_type_body", true, Act::Body),
    ("enum_body_declarations", true, Act::Body),
    ("block", true, Act::Block),
    ("static_initializer", true, Act::StaticInitializer),
    ("field_declaration", true, Act::Field),
    ("constant_declaration", true, Act::Field),
    ("enum_constant", true, Act::EnumConstant),
    ("local_variable_declaration", true, Act::Local),
    ("resource", true, Act::Resource),
    ("enhanced_for_statement", true, Act::ForEach),
    ("assignment_expression", true, Act::Assignment),
    ("package_declaration", true, Act::Package),
    ("import_declaration", true, Act::Import),
    ("line_comment", true, Act::Comment),
    ("block_comment", true, Act::Comment),
    ("method_invocation", true, Act::Invocation),
    ("object_creation_expression", true, Act::Creation),
    ("identifier", true, Act::Identifier),
    ("type_identifier", true, Act::TypeName),
    ("scoped_type_identifier", true, Act::TypeName),
    ("generic_type", true, Act::TypeName),
    (".", false, Act::Dot),
    ("argument_list", true, Act::Arguments),
    ("assert_statement", true, Act::AssertStatement),
    ("ERROR", true, Act::Error),
];

/// The numbers of one grammar.
pub(super) struct Grammar {
    acts: Vec<Act>,
    pub(super) modifiers: u16,
    pub(super) marker_annotation: u16,
    pub(super) annotation: u16,
    pub(super) superclass: u16,
    pub(super) super_interfaces: u16,
    pub(super) extends_interfaces: u16,
    pub(super) type_list: u16,
    pub(super) formal_parameter: u16,
    pub(super) spread_parameter: u16,
    pub(super) variable_declarator: u16,
    pub(super) parenthesized: u16,
    pub(super) cast: u16,
    pub(super) identifier: u16,
    pub(super) scoped_identifier: u16,
    pub(super) asterisk: u16,
    pub(super) static_word: u16,
    pub(super) name: u16,
    pub(super) type_field: u16,
    pub(super) dimensions: u16,
    pub(super) parameters: u16,
    pub(super) body: u16,
    pub(super) value: u16,
    pub(super) left: u16,
    pub(super) right: u16,
}

impl Grammar {
    pub(super) fn get() -> &'static Self {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| Self::of(&tree_sitter_java::LANGUAGE.into()))
    }

    fn of(language: &tree_sitter::Language) -> Self {
        let kind = |name: &str| language.id_for_node_kind(name, true);
        let field = |name: &str| language.field_id_for_name(name).map_or(0, std::num::NonZero::get);
        let mut acts = vec![Act::Pass; language.node_kind_count()];
        for (name, named, act) in ACTS {
            if let Some(slot) = acts.get_mut(usize::from(language.id_for_node_kind(name, named))) {
                *slot = act;
            }
        }
        Self {
            acts,
            modifiers: kind("modifiers"),
            marker_annotation: kind("marker_annotation"),
            annotation: kind("annotation"),
            superclass: kind("superclass"),
            super_interfaces: kind("super_interfaces"),
            extends_interfaces: kind("extends_interfaces"),
            type_list: kind("type_list"),
            formal_parameter: kind("formal_parameter"),
            spread_parameter: kind("spread_parameter"),
            variable_declarator: kind("variable_declarator"),
            parenthesized: kind("parenthesized_expression"),
            cast: kind("cast_expression"),
            identifier: kind("identifier"),
            scoped_identifier: kind("scoped_identifier"),
            asterisk: kind("asterisk"),
            static_word: language.id_for_node_kind("static", false),
            name: field("name"),
            type_field: field("type"),
            dimensions: field("dimensions"),
            parameters: field("parameters"),
            body: field("body"),
            value: field("value"),
            left: field("left"),
            right: field("right"),
        }
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
        matches!(self.act(kind), Act::Comment | Act::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_knows_every_name() {
        let grammar = Grammar::get();
        let language: tree_sitter::Language = tree_sitter_java::LANGUAGE.into();
        for (name, named, act) in ACTS {
            assert_eq!(grammar.act(language.id_for_node_kind(name, named)), act, "{name}");
        }
        let Grammar { modifiers, marker_annotation, annotation, superclass, super_interfaces, .. } = *grammar;
        let Grammar { extends_interfaces, type_list, formal_parameter, spread_parameter, .. } = *grammar;
        let Grammar { variable_declarator, identifier, scoped_identifier, asterisk, static_word, .. } =
            *grammar;
        let Grammar { name, type_field, dimensions, parameters, body, .. } = *grammar;
        let Grammar { parenthesized, cast, value, left, right, .. } = *grammar;
        let numbers = [
            [modifiers, marker_annotation, annotation, superclass, super_interfaces],
            [extends_interfaces, type_list, formal_parameter, spread_parameter, variable_declarator],
            [identifier, scoped_identifier, asterisk, static_word, name],
            [type_field, dimensions, parameters, body, body],
            [parenthesized, cast, value, left, right],
        ];
        assert!(numbers.iter().flatten().all(|&number| number != 0), "{numbers:?}");
    }
}
