//! Members of types: fields, methods, constructors, inner types, with what they inherit.

use super::values::{Scope, Value, is_type};
use super::{Found, Key, MAX_NAMESAKES, Resolution};
use std::rc::Rc;

/// Most types that are gone through for one lookup.
const MAX_LINEAGE: usize = 64;

impl<'a> Resolution<'a> {
    /// The type that holds a method: the one around it, or the one that it is declared for (Go).
    pub(super) fn owner_type(&self, key: Key) -> Option<Key> {
        let own = self.declaration(key)?;
        let Some(ordinal) = own.parent else {
            let scope = Scope { file: key.file, around: None, at: u32::MAX };
            let of = own.supertypes.first().filter(|_| own.kind == "method")?;
            return match self.type_of(scope, of) {
                Value::Class(class) => Some(class),
                _ => None,
            };
        };
        let parent = Key { file: key.file, ordinal };
        is_type(self.declaration(parent)?).then_some(parent)
    }

    /// The innermost type around a place.
    pub(super) fn type_around(&self, scope: Scope) -> Option<Key> {
        let mut around = scope.around;
        while let Some(key) = around.map(|ordinal| Key { file: scope.file, ordinal }) {
            let declaration = self.declaration(key)?;
            if is_type(declaration) {
                return Some(key);
            }
            around = declaration.parent;
        }
        None
    }

    /// A type with all types that it descends from, nearest first.
    pub(super) fn ancestors(&self, key: Key) -> Rc<[Key]> {
        if let Some(known) = self.lineages.borrow().get(&key) {
            return known.clone();
        }
        let found: Rc<[Key]> = self.find_ancestors(key).into();
        // While supertypes are being looked up the answer may be incomplete.
        if self.supertypes_open.get() == 0 {
            self.lineages.borrow_mut().insert(key, found.clone());
        }
        found
    }

    fn find_ancestors(&self, key: Key) -> Vec<Key> {
        let mut all = vec![key];
        let mut next = 0;
        while let Some(key) = all.get(next).copied().filter(|_| all.len() < MAX_LINEAGE) {
            for supertype in self.supertypes(key).0 {
                if !all.contains(&supertype) {
                    all.push(supertype);
                }
            }
            next += 1;
        }
        all
    }

    /// Supertypes inside the repository, and whether there are others.
    fn supertypes(&self, key: Key) -> (Vec<Key>, bool) {
        if let Some(known) = self.supertypes.borrow().get(&key) {
            return known.clone();
        }
        // A type that descends from itself has been seen to have none.
        self.supertypes.borrow_mut().insert(key, (Vec::new(), false));
        self.supertypes_open.set(self.supertypes_open.get() + 1);
        let mut found = (self.rules.parts)(self, key);
        let mut outside = false;
        if let Some(declaration) = self.declaration(key) {
            let scope = Scope { file: key.file, around: declaration.parent, at: u32::MAX };
            for written in &declaration.supertypes {
                match self.deeper(|| self.type_of(scope, written)) {
                    Some(Value::Class(supertype)) if supertype != key => found.push(supertype),
                    _ => outside = true,
                }
            }
        }
        self.supertypes_open.set(self.supertypes_open.get() - 1);
        self.supertypes.borrow_mut().insert(key, (found.clone(), outside));
        (found, outside)
    }

    fn has_outer_supertype(&self, key: Key) -> bool {
        self.ancestors(key).iter().any(|key| self.supertypes(*key).1)
    }

    /// The superclass, as an object.
    pub(super) fn superclass(&self, key: Key) -> Value {
        match self.supertypes(key) {
            (inside, _) if !inside.is_empty() => Value::Object(inside[0]),
            (_, true) => Value::External,
            _ => Value::Unknown,
        }
    }

    /// A type declared in a type or in one that it descends from.
    pub(super) fn inner_type(&self, outer: Key, name: &str) -> Option<Key> {
        if self.names.types(name).is_empty() {
            return None;
        }
        let own = |outer: Key| {
            let mut types = self.names.types_in(outer.file, name).iter().copied();
            types.find(|key| self.declaration(*key).is_some_and(|it| it.parent == Some(outer.ordinal)))
        };
        self.ancestors(outer).iter().copied().find_map(own)
    }

    /// The value of a field; nothing where the type has no such field.
    pub(super) fn field(&self, key: Key, name: &str) -> Option<Value> {
        let own = |class: Key| {
            let file = self.file(class.file)?;
            let owner = |at: &usize| file.row.binding_owners.0.get(*at).copied().flatten();
            let plain =
                self.names.bindings(class.file, file, name).find(|at| owner(at) == Some(class.ordinal));
            plain.or_else(|| {
                self.rules.this.iter().find_map(|this| {
                    let written = format!("{this}.{name}");
                    let of_class = |at: &usize| {
                        let by = owner(at);
                        by == Some(class.ordinal)
                            || by.and_then(|by| self.owner_type(Key { ordinal: by, ..class })) == Some(class)
                    };
                    self.names.bindings(class.file, file, &written).find(of_class)
                })
            })
        };
        let found = |class: Key| Some(self.bound(class.file, own(class)?));
        let found = self.ancestors(key).iter().copied().find_map(found);
        found.or_else(|| (self.rules.given_field)(self, key, name))
    }

    /// `value.name` where it is not called.
    pub(super) fn member(&self, value: Value, name: &str, scope: Scope) -> Value {
        match value {
            Value::Object(key) | Value::Class(key) => {
                if name == self.rules.class_field && !name.is_empty() {
                    return Value::Class(key);
                }
                if let Some(value) = self.field(key, name) {
                    return value;
                }
                if let Some(inner) = self.inner_type(key, name) {
                    return Value::Class(inner);
                }
                // Properties are methods that are called by their name alone.
                match self.methods(key, name, scope).first() {
                    Some(method) => self.returned(*method),
                    None if self.has_outer_supertype(key) => Value::External,
                    None => Value::Unknown,
                }
            }
            Value::Module(module) => {
                self.deeper(|| (self.rules.module_member)(self, module, name)).unwrap_or(Value::Unknown)
            }
            Value::External => Value::External,
            Value::Function(_) | Value::Unknown => Value::Unknown,
        }
    }

    /// Methods of a name that a type has, its own before inherited ones.
    pub(super) fn methods(&self, key: Key, name: &str, scope: Scope) -> Vec<Key> {
        let mut found = Vec::new();
        for class in self.ancestors(key).iter().copied() {
            let in_file = self.names.callables_in(class.file, name).iter().copied();
            found.extend(
                in_file
                    .filter(|key| {
                        self.declaration(*key).is_some_and(|it| {
                            it.parent == Some(class.ordinal)
                                && matches!(it.kind.as_str(), "method" | "lambda" | "function")
                        })
                    })
                    .take(MAX_NAMESAKES),
            );
            found.extend((self.rules.outer_methods)(self, Some(class), name, scope));
        }
        found.dedup();
        found
    }

    /// `receiver.name(…)`.
    pub(super) fn method(&self, receiver: Value, name: &str, scope: Scope) -> Found {
        match receiver {
            Value::Object(key) if !name.is_empty() && name == self.rules.class_field => {
                self.constructors(Value::Class(key))
            }
            Value::Object(key) | Value::Class(key) => {
                let methods = self.methods(key, name, scope);
                if !methods.is_empty() {
                    return Found::Some(methods);
                }
                if let Value::Class(_) = receiver
                    && let Some(inner) = self.inner_type(key, name)
                {
                    return self.constructors(Value::Class(inner));
                }
                let forwarding = self.rules.forwarding;
                let forwards = !forwarding.is_empty() && !self.methods(key, forwarding, scope).is_empty();
                if self.has_outer_supertype(key) && !forwards { Found::External } else { Found::Unknown }
            }
            Value::Module(module) => {
                let member = self.deeper(|| (self.rules.module_member)(self, module, name));
                self.called(member.unwrap_or(Value::Unknown), scope)
            }
            Value::Function(key) => match self.methods(key, name, scope) {
                methods if methods.is_empty() => {
                    let member = self.deeper(|| (self.rules.module_member)(self, key.file, name));
                    self.called(member.unwrap_or(Value::Unknown), scope)
                }
                methods => Found::Some(methods),
            },
            Value::External | Value::Unknown => match (self.rules.outer_methods)(self, None, name, scope) {
                methods if !methods.is_empty() => Found::Some(methods),
                _ if receiver == Value::External => Found::External,
                _ => Found::Unknown,
            },
        }
    }

    /// `value(…)`.
    pub(super) fn called(&self, value: Value, scope: Scope) -> Found {
        match value {
            Value::Function(key) => Found::Some(vec![key]),
            Value::Class(_) if !self.rules.has_new => self.constructors(value),
            Value::Object(key) => match self.methods(key, "__call__", scope) {
                methods if methods.is_empty() => Found::Unknown,
                methods => Found::Some(methods),
            },
            Value::External => Found::External,
            Value::Class(_) | Value::Module(_) | Value::Unknown => Found::Unknown,
        }
    }

    /// A call of a plain name.
    pub(super) fn unqualified(&self, scope: Scope, site: &super::CallSite<'a>) -> Found {
        if self.rules.implicit_members {
            // Every call of a name in one type means the same, and assertions are called very often.
            let class = self.type_around(scope);
            let key = (scope.file, class.map(|class| class.ordinal), site.name);
            if let Some(known) = self.plain_names.borrow().get(&key) {
                return known.clone();
            }
            let found = self.implicit_member(class, scope, site.name);
            self.plain_names.borrow_mut().insert(key, found.clone());
            return found;
        }
        let own = (self.rules.functions)(self, scope, site.name);
        if own != Found::Unknown {
            return own;
        }
        self.called(self.name(scope, site.name), scope)
    }

    /// A method of the type around, of those around it, or one that is imported.
    fn implicit_member(&self, class: Option<Key>, scope: Scope, name: &str) -> Found {
        let mut next = class;
        let mut outer = false;
        while let Some(key) = next {
            let methods = self.methods(key, name, scope);
            if !methods.is_empty() {
                return Found::Some(methods);
            }
            outer |= self.has_outer_supertype(key);
            let around = self.declaration(key).and_then(|declaration| declaration.parent);
            next = self.type_around(Scope { around, ..scope });
        }
        let imported = (self.rules.functions)(self, scope, name);
        if imported == Found::Unknown && outer { Found::External } else { imported }
    }

    /// Constructors of a type; the type itself where it declares none.
    pub(super) fn constructors(&self, value: Value) -> Found {
        let key = match value {
            Value::Class(key) | Value::Object(key) => key,
            Value::Function(key) => return Found::Some(vec![key]),
            Value::External => return Found::External,
            _ => return Found::Unknown,
        };
        let own = |class: Key| {
            let Some(name) = self.declaration(class).map(|class| class.name.as_str()) else {
                return Vec::new();
            };
            let named = [name, "__init__", "constructor"].into_iter();
            let named = named.flat_map(|name| self.names.callables_in(class.file, name).iter().copied());
            let is_own = |key: &Key| {
                self.declaration(*key)
                    .is_some_and(|it| it.parent == Some(class.ordinal) && it.kind == "constructor")
            };
            named.filter(is_own).collect::<Vec<_>>()
        };
        // With `new` constructors are not inherited.
        let lineage = if self.rules.has_new && !self.rules.inherits_constructors {
            Rc::from([key])
        } else {
            self.ancestors(key)
        };
        // Python has a method that makes the object before there is one.
        let making = |class: Key| {
            let named = self.names.callables_in(class.file, "__new__").iter().copied();
            let mut own =
                named.filter(|key| self.declaration(*key).is_some_and(|it| it.parent == Some(class.ordinal)));
            own.next().map(|key| vec![key])
        };
        let found = lineage.iter().copied().map(own).find(|found| !found.is_empty());
        let found = found.or_else(|| lineage.iter().copied().find_map(making));
        Found::Some(found.unwrap_or_else(|| vec![key]))
    }
}
