//! From a call to the declaration that it means, inside one repository and by reading alone: imports,
//! declared types, fields, constructors, return types and inheritance; no language server, nothing is run.
//!
//! What is common to the languages stands here: [`values`] tells what a name or a receiver is, [`members`]
//! finds methods and fields of a type. What differs is a table of [`rules::Rules`] in one file per language.
//!
//! It does not know generics (a type parameter is unknown), what branches assign (the last assignment before
//! the call counts), and whatever is made at run time. Where it does not know it says so.

mod arguments;
mod csharp;
mod go;
mod java;
mod javascript;
mod members;
mod names;
mod overloads;
mod paths;
mod python;
mod rules;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use names::folder;
pub(crate) use values::{is_type, makes_objects};

use super::hash::HashMap;
use super::index::{CallSite, File, Index};
use super::tables::Declaration;
use compact_str::CompactString;
use names::Names;
use rules::Rules;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use trefoil_languages::Language;

/// What a call means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Resolved<'a> {
    /// This declaration: a function, method or constructor, or a class without a constructor of its own.
    One(Target<'a>),
    /// One of these, overloads mostly, in the order of their places.
    Several(Vec<Target<'a>>),
    /// Something that is declared outside the repository.
    External,
    /// Reading does not tell.
    Unknown,
}

/// A declaration with its file.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) file: &'a File<'a>,
    pub(crate) declaration: &'a Declaration,
}

impl std::fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.row.path, self.declaration.qualified_name)
    }
}

impl PartialEq for Target<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Target<'_> {
    /// Its place.
    pub(crate) fn key(&self) -> Key {
        Key { file: self.file.position, ordinal: self.declaration.ordinal }
    }
}

/// The place of a declaration: its file among the index's and its ordinal there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) file: u32,
    pub(crate) ordinal: u32,
}

/// [`Resolved`] by places.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    Some(Vec<Key>),
    External,
    Unknown,
}

/// Deepest chain of types that is followed for one call. Real ones stay below ten.
const MAX_DEPTH: u32 = 24;

/// A file, a type in it, and a name that is called there without a receiver.
type PlainName<'a> = (u32, Option<u32>, &'a str);

/// Resolves the calls of one language in one repository, each when it is asked for.
pub(crate) struct Resolution<'a> {
    pub(crate) index: &'a Index<'a>,
    pub(crate) language: &'static Language,
    rules: &'static Rules,
    names: Names<'a>,
    depth: Cell<u32>,
    /// Calls that were resolved or are being.
    calls: RefCell<HashMap<(u32, usize), Found>>,
    /// What plain names mean that are called in a type.
    plain_names: RefCell<HashMap<PlainName<'a>, Found>>,
    /// Supertypes inside the repository, and whether there are others.
    supertypes: RefCell<HashMap<Key, (Vec<Key>, bool)>>,
    /// How many types are having theirs looked up.
    supertypes_open: Cell<u32>,
    /// Types with all that they descend from.
    lineages: RefCell<HashMap<Key, Rc<[Key]>>>,
}

impl<'a> Resolution<'a> {
    /// Prepares the files of a language.
    pub(crate) fn new(index: &'a Index<'a>, language: &'static Language) -> Self {
        let rules = rules::of(language.name);
        Self {
            index,
            language,
            rules,
            names: Names::new(index, language.name, rules),
            depth: Cell::new(0),
            calls: RefCell::default(),
            plain_names: RefCell::default(),
            supertypes: RefCell::default(),
            supertypes_open: Cell::new(0),
            lineages: RefCell::default(),
        }
    }

    /// Whether objects are made by a `new`, so that making one is no call of a method.
    pub(crate) fn has_new(&self) -> bool {
        self.rules.has_new
    }

    /// Whether several declarations of a name may stand side by side in a type.
    pub(crate) fn has_overloads(&self) -> bool {
        self.rules.has_overloads
    }

    /// Whether a plain name may mean a method of the type around the call.
    pub(crate) fn has_implicit_members(&self) -> bool {
        self.rules.implicit_members
    }

    /// Whether a function takes what the framework hands to tests, so that it is part of them.
    pub(crate) fn takes_test_handle(&self, declaration: &Declaration) -> bool {
        let is_handle = |own: &CompactString| self.rules.test_handles.contains(&own.trim_start_matches('*'));
        declaration.parameter_types.iter().any(is_handle)
    }

    /// The type, as written, that the receiver of a call is declared with, if that is a plain name.
    pub(crate) fn declared_type(&self, file: &File<'a>, call: &CallSite<'a>) -> Option<&'a str> {
        let around = file.owner_of_call(call.position);
        let scope = values::Scope { file: file.position, around, at: call.start };
        let (written, ..) = self.written_type(scope, call.receiver)?;
        let bare = written.split(['<', '[', '?']).next()?.trim();
        bare.rsplit(['.', ' ']).next()
    }

    /// What the call at `position` among those of `file` means.
    pub(crate) fn resolve(&self, file: &File<'a>, position: usize) -> Resolved<'a> {
        match self.found(file.position, position) {
            Found::Some(keys) => match *keys {
                [key] => self.target(key).map_or(Resolved::Unknown, Resolved::One),
                _ => Resolved::Several(keys.iter().filter_map(|key| self.target(*key)).collect()),
            },
            Found::External => Resolved::External,
            Found::Unknown => Resolved::Unknown,
        }
    }

    /// What a path of names means inside a declaration of a file: a function, a method, or how a class is constructed.
    pub(crate) fn meant_by(&self, file: &File<'a>, around: &Declaration, path: &str) -> Vec<Target<'a>> {
        let scope = values::Scope { file: file.position, around: around.parent, at: around.start_byte };
        let method = path.rsplit_once('.').and_then(|(object, name)| match self.path(scope, object) {
            values::Value::Object(key) | values::Value::Class(key) => Some(self.methods(key, name, scope)),
            _ => None,
        });
        let found = match self.path(scope, path) {
            _ if method.as_ref().is_some_and(|found| !found.is_empty()) => method.unwrap_or_default(),
            values::Value::Function(key) => vec![key],
            class @ values::Value::Class(_) => match self.constructors(class) {
                Found::Some(keys) => keys,
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        found.into_iter().filter_map(|key| self.target(key)).collect()
    }

    /// The variable or field, as written, that holds the value of a call, or of a chain that begins with it.
    pub(crate) fn holder_of(&self, file: &File<'a>, call: &CallSite<'a>) -> Option<&'a str> {
        self.names.binding_from(file, call.start, call.end)
    }

    /// Whether reading a member or an operator may call a method here.
    pub(crate) fn calls_by_syntax(&self) -> bool {
        !self.rules.property_marks.is_empty()
    }

    /// What `path` in the function `around` stands for, where that is an object whose class is declared here: the
    /// methods of a name that it has.
    pub(crate) fn methods_at(
        &self,
        file: &File<'a>,
        around: &Declaration,
        at: u32,
        path: &str,
        name: &str,
    ) -> Vec<Target<'a>> {
        let scope = values::Scope { file: file.position, around: Some(around.ordinal), at };
        match self.path(scope, path) {
            values::Value::Object(key) => {
                let found = self.methods(key, name, scope);
                found.into_iter().filter_map(|key| self.target(key)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a function hands over that is named without a call: a function, or the methods of an object or class.
    pub(crate) fn handed_over(
        &self,
        file: &File<'a>,
        around: &Declaration,
        at: u32,
        object: &str,
        name: &str,
    ) -> Vec<Target<'a>> {
        let scope = values::Scope { file: file.position, around: Some(around.ordinal), at };
        let found = match self.path(scope, if object.is_empty() { name } else { object }) {
            values::Value::Function(key) if object.is_empty() => vec![key],
            values::Value::Object(key) | values::Value::Class(key) if !object.is_empty() => {
                self.methods(key, name, scope)
            }
            module @ values::Value::Module(_) if !object.is_empty() => match self.member(module, name, scope)
            {
                values::Value::Function(key) => vec![key],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        found.into_iter().filter_map(|key| self.target(key)).collect()
    }

    /// What stands between an object and a method of it that is handed over.
    pub(crate) fn reference_sign(&self) -> Option<&'static str> {
        Some(self.rules.reference_sign).filter(|sign| !sign.is_empty())
    }

    /// Whether nobody outside the type around can call a declaration.
    pub(crate) fn is_hidden(&self, declaration: &Declaration) -> bool {
        declaration.modifiers.iter().any(|own| self.rules.hidden.contains(&own.as_str()))
    }

    /// Whether the language or its library calls methods of this name where none is named.
    pub(crate) fn is_called_unnamed(&self, name: &str) -> bool {
        let inner = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
        self.rules.unnamed_calls.contains(&name)
            || (self.calls_by_syntax() && inner.is_some_and(|inner| inner != "init"))
    }

    /// Whether a name means a type or a module inside a declaration of a file, and no function.
    pub(crate) fn names_no_function(&self, file: &File<'a>, around: &Declaration, name: &str) -> bool {
        let scope =
            values::Scope { file: file.position, around: Some(around.ordinal), at: around.start_byte };
        matches!(self.path(scope, name), values::Value::Class(_) | values::Value::Module(_))
    }

    /// Whether a method is called by naming it.
    pub(crate) fn is_property(&self, declaration: &Declaration) -> bool {
        let mut marks = declaration.annotations.iter().map(|mark| mark.rsplit('.').next().unwrap_or(mark));
        marks.any(|mark| self.rules.property_marks.contains(&mark))
    }

    /// The declarations of a name that are no types, in the order of their places.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = Target<'a>> {
        self.names.callables(name).iter().filter_map(|key| self.target(*key))
    }

    /// The methods of classes in the repository that stand behind an abstract one.
    pub(crate) fn implementations(&self, target: Target<'a>) -> Vec<Target<'a>> {
        let Some(class) = target.declaration.parent else { return Vec::new() };
        let class = Key { file: target.file.position, ordinal: class };
        let overrides = |key: &&Key| {
            let owner = self.owner_type(**key);
            owner.is_some_and(|owner| owner != class && self.ancestors(owner).contains(&class))
        };
        let same_name = self.names.callables(&target.declaration.name).iter().take(MAX_NAMESAKES);
        if self.rules.structural {
            return same_name
                .filter(|key| self.has_all_of(**key, class))
                .filter_map(|key| self.target(*key))
                .collect();
        }
        same_name.filter(overrides).filter_map(|key| self.target(*key)).collect()
    }

    /// Whether the type of a method has methods of all the names that an interface itself has.
    fn has_all_of(&self, method: Key, interface: Key) -> bool {
        let Some(owner) = self.owner_type(method).filter(|owner| *owner != interface) else { return false };
        let Some(target) = self.target(interface) else { return false };
        let scope = values::Scope { file: owner.file, around: None, at: u32::MAX };
        target.file.members(target.declaration).all(|own| !self.methods(owner, &own.name, scope).is_empty())
    }

    /// The types that a declared type descends from, itself first.
    pub(crate) fn lineage(&self, target: Target<'a>) -> Vec<Target<'a>> {
        self.ancestors(target.key()).iter().filter_map(|key| self.target(*key)).collect()
    }

    /// The types of a simple name.
    pub(crate) fn types_named(&self, name: &str) -> impl Iterator<Item = Target<'a>> {
        self.names.types(name).iter().filter_map(|key| self.target(*key))
    }

    fn target(&self, key: Key) -> Option<Target<'a>> {
        let file = self.file(key.file)?;
        Some(Target { file, declaration: file.declaration(key.ordinal)? })
    }

    fn file(&self, file: u32) -> Option<&'a File<'a>> {
        self.index.files.get(file as usize)
    }

    fn declaration(&self, key: Key) -> Option<&'a Declaration> {
        self.file(key.file)?.declaration(key.ordinal)
    }

    fn found(&self, file: u32, position: usize) -> Found {
        if let Some(known) = self.calls.borrow().get(&(file, position)) {
            return known.clone();
        }
        // A call whose receiver is bound to its own result answers itself.
        self.calls.borrow_mut().insert((file, position), Found::Unknown);
        let found = self.deeper(|| self.call(file, position)).unwrap_or(Found::Unknown);
        self.calls.borrow_mut().insert((file, position), found.clone());
        found
    }

    /// One step further along a chain of types, unless it is too long.
    fn deeper<T>(&self, step: impl FnOnce() -> T) -> Option<T> {
        if self.depth.get() >= MAX_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let answer = step();
        self.depth.set(self.depth.get() - 1);
        Some(answer)
    }

    fn call(&self, file: u32, position: usize) -> Found {
        let Some(site) = self.file(file).and_then(|file| file.call(position)) else { return Found::Unknown };
        let around = self.file(file).and_then(|file| file.owner_of_call(position));
        let scope = values::Scope { file, around, at: site.start };
        let found = self.meaning(scope, position, &site);
        match found {
            Found::Some(keys) => self.chosen(keys, scope, &site),
            other => other,
        }
    }

    /// All declarations that the call may mean, overloads not told apart.
    fn meaning(&self, scope: values::Scope, position: usize, site: &CallSite<'a>) -> Found {
        if site.is_constructor && self.rules.has_new {
            let path = match site.receiver {
                "" => site.name.to_owned(),
                scope => format!("{scope}.{}", site.name),
            };
            return self.constructors(self.type_of(scope, &path));
        }
        if site.receiver.is_empty() {
            return self.unqualified(scope, site);
        }
        let receiver = self.receiver(scope, position, site);
        self.method(receiver, site.name, scope)
    }
}

/// Most declarations of one name that are gone through for one question.
const MAX_NAMESAKES: usize = 500;
