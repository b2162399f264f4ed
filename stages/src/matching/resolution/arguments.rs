//! Types of arguments and receivers as far as their text and the declarations around them tell: literals,
//! `new`, casts, variables, results of calls. Overloads are told apart by them.

use super::values::{Scope, Value, is_path, is_type};
use super::{Key, Resolution};

/// What is known of an argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Argument {
    /// Simple name of its type without type arguments, in C#'s words where Java has others; `[]` at the end of
    /// arrays. `null` and `lambda` stand for themselves.
    pub(super) type_name: String,
    /// The type, where the repository declares it.
    pub(super) declared: Option<Key>,
}

/// Longest argument that is looked at.
const MAX_ARGUMENT: usize = 400;
/// Variables whose value is another variable, and so on.
const MAX_STEPS: u32 = 4;

impl Resolution<'_> {
    /// What an expression that begins at `start` is; nothing where reading does not tell.
    pub(super) fn argument(&self, scope: Scope, start: u32, text: &str) -> Option<Argument> {
        self.argument_within(scope, start, text, MAX_STEPS)
    }

    fn argument_within(&self, scope: Scope, start: u32, text: &str, steps: u32) -> Option<Argument> {
        let bare = text.trim_start();
        let start = start + (text.len() - bare.len()) as u32;
        let bare = bare.trim_end();
        if bare.is_empty() || bare.len() > MAX_ARGUMENT || steps == 0 {
            return None;
        }
        if let Some(name) = literal(bare) {
            return Some(Argument { type_name: name.to_owned(), declared: None });
        }
        if let Some(made) = bare.strip_prefix("new ").or_else(|| bare.strip_prefix("new[")) {
            return self.made(scope, bare, made);
        }
        if let Some((cast, rest)) = bare.strip_prefix('(').and_then(|rest| rest.split_once(')'))
            && !rest.trim().is_empty()
            && !rest.trim_start().starts_with(['.', '+', '*', '/', '-', '?', '=', '&', '|'])
            && is_path(cast.trim_end_matches("[]"))
        {
            return Some(self.named_type(scope, cast));
        }
        if is_path(bare) {
            return self.variable(scope, bare, steps);
        }
        let call = self.names.call_at(scope.file, self.index, start, start + bare.len() as u32)?;
        self.result_type(scope, call)
    }

    /// `new Foo<T>(…)`, `new int[] { … }`, `new[] { … }`.
    fn made(&self, scope: Scope, whole: &str, made: &str) -> Option<Argument> {
        if whole.starts_with("new[") {
            return Some(Argument { type_name: "[]".to_owned(), declared: None });
        }
        let end = made.find(['(', '{', '[', '<']).unwrap_or(made.len());
        let path = made.get(..end)?.trim();
        let after_type = made.get(end..)?;
        let is_array = after_type.starts_with('[');
        if !is_path(path) {
            return None;
        }
        let mut found = self.named_type(scope, path);
        if is_array {
            found = Argument { type_name: found.type_name + "[]", declared: None };
        }
        Some(found)
    }

    fn variable(&self, scope: Scope, path: &str, steps: u32) -> Option<Argument> {
        if !path.contains('.')
            && let Some((written, value, scope)) = self.written_type(scope, path)
        {
            if !matches!(written, "" | "var" | "val" | "let" | "const" | "dynamic") {
                return Some(self.named_type(scope, written));
            }
            let (start, end) = value;
            let text = self.file(scope.file)?.text.get(start as usize..end as usize)?;
            return self.argument_within(scope, start, text, steps - 1);
        }
        match self.path(scope, path) {
            Value::Object(key) => self.of_type(key),
            Value::External | Value::Unknown => self.static_member(scope, path),
            _ => None,
        }
    }

    /// `Formatting.Indented` of an enum, and what other types hand out under names of theirs, which mostly is
    /// of the type itself (`TimeSpan.Zero`, `DateTime.Now`).
    fn static_member(&self, scope: Scope, path: &str) -> Option<Argument> {
        let (class, _) = path.rsplit_once('.')?;
        let simple = class.rsplit('.').next().unwrap_or(class);
        let is_class =
            simple.starts_with(char::is_uppercase) || number_rank(simple).is_some() || simple == "string";
        if !is_class {
            return None;
        }
        match self.type_of(scope, class) {
            Value::Class(key) => {
                let is_enum = self.declaration(key).is_some_and(|it| it.kind == "enum");
                if is_enum { self.of_type(key) } else { None }
            }
            _ => Some(Argument { type_name: canonical(simple), declared: None }),
        }
    }

    fn result_type(&self, scope: Scope, call: usize) -> Option<Argument> {
        if let Value::Object(key) = self.result(scope.file, call) {
            return self.of_type(key);
        }
        let site = self.file(scope.file)?.call(call)?;
        if site.is_constructor {
            return Some(self.named_type(scope, site.name));
        }
        if matches!(site.name, "ToString" | "toString") {
            return Some(Argument { type_name: "string".to_owned(), declared: None });
        }
        if let super::Found::Some(keys) = self.found(scope.file, call) {
            let declared = self.declaration(*keys.first()?)?;
            let own = Scope { file: keys.first()?.file, around: declared.parent, at: u32::MAX };
            let written = declared.return_type.as_str();
            return (!written.is_empty() && !is_type_parameter(written))
                .then(|| self.named_type(own, written));
        }
        // `TimeSpan.FromDays(2)`, `DateTime.Parse("…")`.
        let factory = ["From", "from", "Parse", "parse", "of", "Of", "Create", "create", "valueOf"];
        let makes = factory.iter().any(|start| site.name.starts_with(start));
        let class = site.receiver.rsplit('.').next().unwrap_or(site.receiver);
        (makes && class.starts_with(char::is_uppercase) && is_path(class))
            .then(|| Argument { type_name: canonical(class), declared: None })
    }

    fn of_type(&self, key: Key) -> Option<Argument> {
        let declaration = self.declaration(key).filter(|it| is_type(it))?;
        Some(Argument { type_name: declaration.name.to_string(), declared: Some(key) })
    }

    fn named_type(&self, scope: Scope, written: &str) -> Argument {
        let declared = match self.type_of(scope, written.trim()) {
            Value::Class(key) if !written.contains('[') => Some(key),
            _ => None,
        };
        Argument { type_name: canonical(written), declared }
    }

    /// How well a parameter takes an argument: nothing where it cannot, else the more the better.
    pub(super) fn suits(&self, parameter: &str, argument: &Argument) -> Option<u32> {
        let own = canonical(parameter);
        let given = argument.type_name.as_str();
        if own == given {
            return Some(4);
        }
        if is_type_parameter(&own) || own == "object" {
            return Some(1);
        }
        if let Some(key) = argument.declared {
            let name_of = |key: &Key| self.declaration(*key).map_or("", |it| it.name.as_str());
            let ancestors = self.ancestors(key);
            return match ancestors.iter().any(|key| name_of(key) == own) {
                true => Some(3),
                false
                    if number_rank(&own).is_some() || matches!(own.as_str(), "string" | "char" | "bool") =>
                {
                    None
                }
                false if own.ends_with("[]") => None,
                false if !self.names.types(&own).is_empty() => None,
                false => Some(0),
            };
        }
        suits_by_name(&own, given)
    }
}

/// The same by names alone.
fn suits_by_name(own: &str, given: &str) -> Option<u32> {
    let is_value = |name: &str| number_rank(name).is_some() || matches!(name, "bool" | "char");
    let own_array = own.strip_suffix("[]");
    match given {
        "null" => (!is_value(own)).then_some(1),
        "lambda" => {
            let taken = [
                "Func",
                "Action",
                "Expression",
                "Predicate",
                "Comparison",
                "Supplier",
                "Consumer",
                "Runnable",
                "Callable",
            ];
            let is_function = taken.iter().any(|name| own.starts_with(name)) || own.ends_with("Function");
            if is_value(own) || own == "string" || own_array.is_some() {
                None
            } else {
                Some(if is_function { 4 } else { 1 })
            }
        }
        _ => match (given.strip_suffix("[]"), own_array) {
            (Some(""), Some(_)) => Some(2),
            (Some(_), Some(element)) if element == "object" || is_type_parameter(element) => Some(2),
            (Some(of), Some(element)) => (!(is_value(of) || is_value(element))).then_some(1),
            (Some(_), None) => (!(is_value(own) || own == "string")).then_some(1),
            (None, Some(_)) => (!(is_value(given) || given == "string")).then_some(0),
            (None, None) => plain_suits(own, given),
        },
    }
}

fn plain_suits(own: &str, given: &str) -> Option<u32> {
    match (number_rank(given), number_rank(own)) {
        // Literals are given to smaller types, too.
        (Some(given), Some(own)) => Some(if own > given { 3 } else { 1 }),
        (Some(_), None) => (!matches!(own, "string" | "bool" | "char")).then_some(0),
        (None, Some(_)) => match given {
            "char" => Some(1),
            "string" | "bool" => None,
            _ => Some(0),
        },
        (None, None) => match (given, own) {
            ("string", "CharSequence") => Some(3),
            ("string" | "char" | "bool", "string" | "char" | "bool") => None,
            _ => Some(0),
        },
    }
}

/// The place of a type of numbers among those that take each other's values.
fn number_rank(name: &str) -> Option<u32> {
    const NUMBERS: [&str; 11] =
        ["sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal"];
    NUMBERS.iter().position(|number| *number == name).map(|at| at as u32)
}

/// `T`, `TKey`: a name that stands for any type.
pub(super) fn is_type_parameter(name: &str) -> bool {
    let mut letters = name.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    match (first, letters.next()) {
        (true, None) => true,
        (true, Some(second)) => {
            name.starts_with('T') && second.is_uppercase() && name.contains(char::is_lowercase)
        }
        _ => false,
    }
}

/// `final List<Foo>...` as `List[]`, `Integer?` as `int`, `System.String` as `string`.
fn canonical(written: &str) -> String {
    let written = written.trim();
    let is_array = written.ends_with("[]") || written.ends_with("...") || written.ends_with("[]?");
    let bare = written.split(['<', '[']).next().unwrap_or(written).trim_end_matches(['.', '?', ' ']);
    let bare = bare.rsplit(char::is_whitespace).next().unwrap_or(bare);
    let simple = bare.rsplit('.').next().unwrap_or(bare);
    let known = match simple {
        "String" => "string",
        "Integer" | "Int32" => "int",
        "Long" | "Int64" => "long",
        "Boolean" | "boolean" => "bool",
        "Character" | "Char" => "char",
        "Object" => "object",
        "Double" => "double",
        "Float" | "Single" => "float",
        "Byte" => "byte",
        "Short" | "Int16" => "short",
        "Decimal" => "decimal",
        other => other,
    };
    if is_array { format!("{known}[]") } else { known.to_owned() }
}

/// What a literal is, or an expression that its beginning gives away.
fn literal(text: &str) -> Option<&'static str> {
    let is_lambda = || {
        let head = text.split(['"', '\'', '{']).next().unwrap_or(text);
        head.contains("=>") || head.contains("->") || head.contains("::") || text.starts_with("delegate")
    };
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match text {
        "true" | "false" => return Some("bool"),
        "null" | "null!" | "default" => return Some("null"),
        _ if text.starts_with(['"', '$', '@']) && text.contains('"') => return Some("string"),
        _ if text.starts_with('\'') => return Some("char"),
        _ if text.starts_with("typeof(") => return Some("Type"),
        _ if text.starts_with("nameof(") => return Some("string"),
        _ if text.ends_with(".class") => return Some("Class"),
        _ => {}
    }
    if unsigned.starts_with(|first: char| first.is_ascii_digit()) {
        let is_number = unsigned.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
        let is_hex = unsigned.starts_with("0x") || unsigned.starts_with("0X");
        return match unsigned.bytes().last() {
            _ if !is_number => None,
            Some(b'l' | b'L') => Some("long"),
            Some(b'm' | b'M') => Some("decimal"),
            Some(b'f' | b'F') if !is_hex => Some("float"),
            Some(b'd' | b'D') if !is_hex => Some("double"),
            _ if unsigned.contains('.') => Some("double"),
            _ => Some("int"),
        };
    }
    is_lambda().then_some("lambda")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_types() {
        for (text, name) in [
            ("\"a\" + b", Some("string")),
            ("$\"{a}\"", Some("string")),
            ("-1", Some("int")),
            ("0xFF", Some("int")),
            ("1.5f", Some("float")),
            ("2L", Some("long")),
            ("x => x.Name", Some("lambda")),
            ("(a, b) -> a", Some("lambda")),
            ("Foo::bar", Some("lambda")),
            ("Foo.class", Some("Class")),
            ("a + 1", None),
            ("1 + a", None),
        ] {
            assert_eq!(literal(text), name, "{text}");
        }
    }

    #[test]
    fn types_as_written_have_one_name() {
        for (written, name) in [
            ("final java.util.List<Foo>", "List"),
            ("params object[]", "object[]"),
            ("Integer...", "int[]"),
            ("this TimeSpan?", "TimeSpan"),
        ] {
            assert_eq!(canonical(written), name, "{written}");
        }
    }

    #[test]
    fn arguments_fit_their_parameters_only() {
        let suits = |own: &str, given: &str| suits_by_name(&canonical(own), given);
        assert!(suits("CharSequence", "string") > suits("Foo", "string"));
        assert_eq!(suits("int", "string"), None);
        assert_eq!(suits("char[]", "string"), None);
        assert_eq!(suits("boolean", "int"), None);
        assert!(suits("double", "int").is_some() && suits("int[]", "null").is_some());
        assert_eq!(suits("int", "null"), None);
        assert!(suits("Func<int, int>", "lambda") > suits("IComparer", "lambda"));
    }
}
