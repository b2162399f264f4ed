//! Numbers of the grammars' node kinds and fields, looked up once: comparing names per node would cost more
//! than the rest of the walk. JavaScript, TypeScript and TSX are three grammars with nearly the same names;
//! a name that a grammar lacks has number 0, which no node of a tree has.

use std::sync::OnceLock;

/// What the walk does with a node of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    /// Nothing; only its children matter.
    Pass,
    /// Nothing, and nothing in it matters either.
    Skip,
    /// The root.
    Root,
    /// A list of statements.
    Block,
    /// A function with a name of its own.
    Function,
    /// A function expression or arrow function.
    FunctionValue,
    Class,
    ClassValue,
    ClassBody,
    Interface,
    Enum,
    Method,
    Field,
    StaticBlock,
    /// `const a = 1, b = 2;`
    Declaration,
    Declarator,
    ExpressionStatement,
    Return,
    /// Any other statement.
    Statement,
    /// A statement that runs what is in it once per round.
    Loop,
    Import,
    Export,
    Assignment,
    Object,
    Pair,
    Await,
    Call,
    New,
    /// `a.b`
    Member,
    Comment,
    Error,
}

/// tree-sitter's number for error nodes in every grammar.
const ERROR: u16 = u16::MAX;

/// Every kind that the walk acts on.
const ACTS: [(&str, Act); 71] = [
    ("program", Act::Root),
    ("statement_block", Act::Block),
    ("switch_case", Act::Block),
    ("switch_default", Act::Block),
    ("function_declaration", Act::Function),
    ("generator_function_declaration", Act::Function),
    ("function_expression", Act::FunctionValue),
    ("generator_function", Act::FunctionValue),
    ("arrow_function", Act::FunctionValue),
    ("class_declaration", Act::Class),
    ("abstract_class_declaration", Act::Class),
    ("class", Act::ClassValue),
    ("class_body", Act::ClassBody),
    ("interface_declaration", Act::Interface),
    ("enum_declaration", Act::Enum),
    ("method_definition", Act::Method),
    ("field_definition", Act::Field),
    ("public_field_definition", Act::Field),
    ("class_static_block", Act::StaticBlock),
    ("lexical_declaration", Act::Declaration),
    ("variable_declaration", Act::Declaration),
    ("using_declaration", Act::Declaration),
    ("variable_declarator", Act::Declarator),
    ("expression_statement", Act::ExpressionStatement),
    ("if_statement", Act::Statement),
    ("switch_statement", Act::Statement),
    ("try_statement", Act::Statement),
    ("with_statement", Act::Statement),
    ("labeled_statement", Act::Statement),
    ("return_statement", Act::Return),
    ("throw_statement", Act::Statement),
    ("break_statement", Act::Statement),
    ("continue_statement", Act::Statement),
    ("debugger_statement", Act::Statement),
    ("type_alias_declaration", Act::Statement),
    ("ambient_declaration", Act::Statement),
    ("import_alias", Act::Statement),
    ("internal_module", Act::Statement),
    ("module", Act::Statement),
    ("for_statement", Act::Loop),
    ("for_in_statement", Act::Loop),
    ("while_statement", Act::Loop),
    ("do_statement", Act::Loop),
    ("import_statement", Act::Import),
    ("export_statement", Act::Export),
    ("assignment_expression", Act::Assignment),
    ("object", Act::Object),
    ("pair", Act::Pair),
    ("await_expression", Act::Await),
    ("call_expression", Act::Call),
    ("new_expression", Act::New),
    ("member_expression", Act::Member),
    ("comment", Act::Comment),
    ("html_comment", Act::Comment),
    ("ERROR", Act::Error),
    ("identifier", Act::Skip),
    ("property_identifier", Act::Skip),
    ("shorthand_property_identifier", Act::Skip),
    ("private_property_identifier", Act::Skip),
    ("type_identifier", Act::Skip),
    ("this", Act::Skip),
    ("string", Act::Skip),
    ("number", Act::Skip),
    ("regex", Act::Skip),
    ("jsx_text", Act::Skip),
    ("function_signature", Act::Skip),
    ("type_annotation", Act::Skip),
    ("type_arguments", Act::Skip),
    ("type_parameters", Act::Skip),
    ("optional_chain", Act::Skip),
    ("import_attribute", Act::Skip),
];

macro_rules! numbers {
    (kinds: $($kind:ident = $kind_name:literal),+; fields: $($field:ident = $field_name:literal),+;) => {
        /// The numbers of one grammar.
        pub(super) struct Grammar {
            acts: Vec<Act>,
            $(pub(super) $kind: u16,)+
            $(pub(super) $field: u16,)+
        }

        impl Grammar {
            fn of(language: &tree_sitter::Language) -> Self {
                let field = |name: &str| language.field_id_for_name(name).map_or(0, std::num::NonZero::get);
                Self {
                    acts: acts(language),
                    $($kind: language.id_for_node_kind($kind_name, true),)+
                    $($field: field($field_name),)+
                }
            }
        }

        /// Kinds that are compared one by one, and fields.
        #[cfg(test)]
        const COMPARED: (&[&str], &[&str]) = (&[$($kind_name),+], &[$($field_name),+]);
    };
}

numbers! {
    kinds:
        identifier = "identifier",
        property_identifier = "property_identifier",
        private_name = "private_property_identifier",
        shorthand = "shorthand_property_identifier",
        shorthand_pattern = "shorthand_property_identifier_pattern",
        string = "string",
        template = "template_string",
        number = "number",
        arguments = "arguments",
        object = "object",
        object_pattern = "object_pattern",
        pair = "pair",
        pair_pattern = "pair_pattern",
        object_assignment_pattern = "object_assignment_pattern",
        member = "member_expression",
        call = "call_expression",
        new = "new_expression",
        assignment = "assignment_expression",
        parenthesized = "parenthesized_expression",
        await_ = "await_expression",
        as_ = "as_expression",
        satisfies = "satisfies_expression",
        non_null = "non_null_expression",
        import = "import",
        function = "function_expression",
        generator = "generator_function",
        arrow = "arrow_function",
        class = "class",
        class_heritage = "class_heritage",
        extends_type_clause = "extends_type_clause",
        decorator = "decorator",
        comment = "comment",
        accessibility_modifier = "accessibility_modifier",
        override_modifier = "override_modifier",
        import_clause = "import_clause",
        named_imports = "named_imports",
        namespace_import = "namespace_import",
        import_require = "import_require_clause",
        export_clause = "export_clause",
        namespace_export = "namespace_export";
    fields:
        name = "name", value = "value", left = "left", right = "right", key = "key", property = "property",
        parameters = "parameters", parameter = "parameter", body = "body", source = "source",
        alias = "alias", declaration = "declaration", constructor = "constructor", type_field = "type",
        return_type = "return_type", pattern = "pattern";
}

fn acts(language: &tree_sitter::Language) -> Vec<Act> {
    let act = |id: usize| {
        let id = id as u16;
        if !language.node_kind_is_named(id) {
            return Act::Skip;
        }
        let name = language.node_kind_for_id(id).unwrap_or_default();
        ACTS.iter().find(|(known, _)| *known == name).map_or(Act::Pass, |(_, act)| *act)
    };
    (0..language.node_kind_count()).map(act).collect()
}

/// The grammar for files of this path.
pub(super) fn language(path: &str) -> tree_sitter::Language {
    match Dialect::of(path) {
        Dialect::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
        Dialect::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Dialect::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
    }
}

#[derive(Clone, Copy)]
enum Dialect {
    JavaScript,
    TypeScript,
    Tsx,
}

impl Dialect {
    fn of(path: &str) -> Self {
        match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            _ => Self::JavaScript,
        }
    }
}

impl Grammar {
    /// The numbers for files of this path.
    pub(super) fn get(path: &str) -> &'static Self {
        static GRAMMARS: [OnceLock<Grammar>; 3] = [const { OnceLock::new() }; 3];
        let [javascript, typescript, tsx] = &GRAMMARS;
        let grammar = match Dialect::of(path) {
            Dialect::JavaScript => javascript,
            Dialect::TypeScript => typescript,
            Dialect::Tsx => tsx,
        };
        grammar.get_or_init(|| Self::of(&language(path)))
    }

    /// What to do with a node of this kind.
    pub(super) fn act(&self, kind: u16) -> Act {
        match self.acts.get(usize::from(kind)) {
            Some(act) => *act,
            None if kind == ERROR => Act::Error,
            None => Act::Pass,
        }
    }

    /// Whether a node of this kind is a function without a place of its own.
    pub(super) fn is_function_value(&self, kind: u16) -> bool {
        kind == self.arrow || kind == self.function || kind == self.generator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known_to_a_grammar() {
        let languages = ["a.js", "a.ts", "a.tsx"].map(language);
        let known = |name: &str| languages.iter().any(|language| language.id_for_node_kind(name, true) != 0);
        for (name, _) in ACTS {
            assert!(known(name), "{name}");
        }
        let (kinds, fields) = COMPARED;
        for name in kinds {
            assert!(known(name), "{name}");
        }
        for name in fields {
            let known = |language: &tree_sitter::Language| language.field_id_for_name(name).is_some();
            assert!(languages.iter().any(known), "{name}");
        }
    }
}
