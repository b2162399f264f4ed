//! What differs between languages, as one table for each.

use super::values::{Scope, Value};
use super::{Found, Key, Resolution};

/// The rules of a language.
pub(super) struct Rules {
    /// Name of the language.
    pub(super) language: &'static str,
    /// There is a `new`, so that a call without one makes no object.
    pub(super) has_new: bool,
    /// A plain name may be a member of the types around (`this.` may be left out).
    pub(super) implicit_members: bool,
    /// A class without a constructor has that of its superclass.
    pub(super) inherits_constructors: bool,
    /// Functions of one name differ by their parameters.
    pub(super) has_overloads: bool,
    /// Modifiers of what nobody outside the type around can call.
    pub(super) hidden: &'static [&'static str],
    /// Parameters may have values that stand for arguments left out.
    pub(super) optional_parameters: bool,
    /// A type is what it has the methods of, without saying so.
    pub(super) structural: bool,
    /// Names of the object whose method runs.
    pub(super) this: &'static [&'static str],
    /// Names of that object's class.
    pub(super) own_class: &'static [&'static str],
    /// The field by which an object tells its class.
    pub(super) class_field: &'static str,
    /// The method that answers for members that a class does not declare.
    pub(super) forwarding: &'static str,
    /// Methods that the language or its library calls where none is named: what compares and prints.
    pub(super) unnamed_calls: &'static [&'static str],
    /// Names that the surroundings of a program give, as far as a file does not bind them itself.
    pub(super) surroundings: &'static [&'static str],
    /// What marks a method that is called without brackets.
    pub(super) property_marks: &'static [&'static str],
    /// What stands between an object and a method of it that is handed over: `::`.
    pub(super) reference_sign: &'static str,
    /// Names of the superclass's part of it.
    pub(super) superior: &'static [&'static str],
    /// Types of what the framework hands to tests and these to their helpers.
    pub(super) test_handles: &'static [&'static str],
    /// The path of a type as written that says what its values are: `Foo` of `List<Foo>[]` is none of it.
    pub(super) type_path: fn(written: &str) -> &str,
    /// What a name means that is neither local nor a member of a type around: a type, a module, an import, a
    /// function of the file.
    pub(super) global: for<'a> fn(&Resolution<'a>, Scope, &str) -> Value,
    /// Functions that can be called by their name alone, imported ones above all.
    pub(super) functions: for<'a> fn(&Resolution<'a>, Scope, &str) -> Found,
    /// What a module hands out under a name.
    pub(super) module_member: for<'a> fn(&Resolution<'a>, u32, &str) -> Value,
    /// Other declarations of the same type (`partial`), and types whose members it takes over.
    pub(super) parts: for<'a> fn(&Resolution<'a>, Key) -> Vec<Key>,
    /// Members that a type has beside those declared in it: methods of Go, extension methods of C#. Those
    /// that any type may have where the type is none of the repository's.
    pub(super) outer_methods: for<'a> fn(&Resolution<'a>, Option<Key>, &str, Scope) -> Vec<Key>,
    /// What a parameter without a type is.
    pub(super) parameter: for<'a> fn(&Resolution<'a>, Key, &str) -> Value,
    /// A field that others give a type's objects, where neither it nor what it descends from binds one.
    pub(super) given_field: for<'a> fn(&Resolution<'a>, Key, &str) -> Option<Value>,
    /// The names by which a file is imported.
    pub(super) modules: fn(path: &str) -> Vec<String>,
}

/// Rules that say nothing.
pub(super) const PLAIN: Rules = Rules {
    language: "",
    has_new: false,
    implicit_members: false,
    inherits_constructors: false,
    has_overloads: false,
    hidden: &[],
    optional_parameters: false,
    structural: false,
    this: &[],
    own_class: &[],
    class_field: "",
    forwarding: "",
    unnamed_calls: &[],
    surroundings: &[],
    property_marks: &[],
    reference_sign: "",
    superior: &[],
    test_handles: &[],
    type_path: |written| written,
    global: |_, _, _| Value::Unknown,
    functions: |_, _, _| Found::Unknown,
    module_member: |_, _, _| Value::Unknown,
    parts: |_, _| Vec::new(),
    outer_methods: |_, _, _, _| Vec::new(),
    parameter: |_, _, _| Value::Unknown,
    given_field: |_, _, _| None,
    modules: |_| Vec::new(),
};

static ALL: [&Rules; 5] = [
    &super::java::RULES,
    &super::python::RULES,
    &super::go::RULES,
    &super::javascript::RULES,
    &super::csharp::RULES,
];

/// The rules of a language; of one that has none, rules that say nothing.
pub(super) fn of(language: &str) -> &'static Rules {
    static NONE: Rules = PLAIN;
    ALL.iter().find(|rules| rules.language == language).copied().unwrap_or(&NONE)
}
