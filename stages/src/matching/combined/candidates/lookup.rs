//! Functions that are found by less than resolution: by their name alone, by the receiver's name, by what the test
//! is named after, behind abstract methods.

use super::{Gathering, MAX_NAMESAKES, class_name, is_stub, place_of};
use crate::matching::combined::subject::{is_test_code, plain, stem};
use crate::matching::index::{CallSite, File};
use crate::matching::resolution::{Target, folder};
use crate::matching::tables::Declaration;
use compact_str::CompactString;
use std::rc::Rc;

impl<'a> Gathering<'_, 'a> {
    /// Functions of the repository's own code with a name.
    pub(super) fn production(&self, name: &'a str) -> Rc<[Target<'a>]> {
        if let Some(known) = self.known.production.borrow().get(name) {
            return known.clone();
        }
        let mut named: Vec<Target<'a>> = self.resolution.named(name).take(MAX_NAMESAKES).collect();
        named.retain(|target| {
            !is_test_code(target.file)
                && target.declaration.role == "plain"
                && !self.resolution.is_hidden(target.declaration)
        });
        // Functions inside others count where there are no others: libraries wrap all they have in one.
        if named.iter().any(|target| !is_local(target)) {
            named.retain(|target| !is_local(target));
        }
        let named: Rc<[Target<'a>]> = named.into();
        self.known.production.borrow_mut().insert(name, named.clone());
        named
    }

    /// Where the receiver tells nothing: the only function of the name, that of the class that the receiver
    /// is named after, or that of what is tested.
    pub(super) fn by_name(&self, call: &CallSite<'a>) -> Rc<[Target<'a>]> {
        if call.name.is_empty() || call.is_constructor {
            return Rc::default();
        }
        let all = self.production(call.name);
        // What every object has may be anybody's.
        if self.resolution.is_called_unnamed(call.name) && !all.iter().any(|own| self.is_of_subject(own)) {
            return Rc::default();
        }
        let first = all.first().map(place_of);
        if all.iter().all(|target| Some(place_of(target)) == first) {
            return all;
        }
        let receiver = plain(call.receiver.rsplit(['.', ' ']).next().unwrap_or_default());
        let of_receiver = |target: &&Target<'a>| {
            let path = target.declaration.qualified_name.rsplit('.').nth(1);
            !receiver.is_empty() && path.is_some_and(|class| plain(class) == receiver)
        };
        let named: Rc<[Target<'a>]> = all.iter().filter(of_receiver).copied().collect();
        // The nearest of the tested class and those that it descends from; else those of the tested file.
        let place = |target: &Target<'a>| {
            let declaration = target.file.parent(target.declaration)?;
            let class = Target { file: target.file, declaration }.key();
            self.subject.outer.types.iter().position(|key| *key == class)
        };
        // `locale.name()` in the test of `FrenchLocale`, which is a `Locale`.
        if !named.is_empty() && named.iter().all(|target| place(target).is_none()) {
            return named;
        }
        if let Some(nearest) = all.iter().filter_map(place).min() {
            return all.iter().filter(|target| place(target) == Some(nearest)).copied().collect();
        }
        let of_subject: Rc<[Target<'a>]> =
            all.iter().filter(|target| self.is_of_subject(target)).copied().collect();
        // `Test_Arguments_String` says whose `String` it means.
        let is_told = |target: &&Target<'a>| {
            let class = class_name(target.declaration).map(|name| self.known.spellings.words(name));
            class.is_some_and(|words| !words.is_empty() && words.is_within(&self.subject.words))
        };
        let told: Rc<[Target<'a>]> = of_subject.iter().filter(is_told).copied().collect();
        if told.is_empty() { of_subject } else { told }
    }

    /// Whether the test's class or file is named after the class or file of a function.
    pub(super) fn is_of_subject(&self, target: &Target<'a>) -> bool {
        let class = target.file.parent(target.declaration);
        let key = |declaration| Target { file: target.file, declaration }.key();
        class.is_some_and(|class| self.subject.outer.types.contains(&key(class)))
            || class_name(target.declaration).is_some_and(|name| self.is_named_after(name))
            || self.is_named_after(stem(&target.file.row.path))
    }

    fn is_named_after(&self, name: &'a str) -> bool {
        self.subject.outer.named_after(&self.known.spellings.of(name)) > 0.9
    }

    /// The tested class's method where the receiver is declared as a type from outside that the class descends
    /// from: `Map map = makeMap()` in the test of a map.
    pub(super) fn behind_outer(&self, file: &'a File<'a>, call: &CallSite<'a>) -> Option<Target<'a>> {
        let lineage = &self.subject.outer.lineage;
        if lineage.is_empty() || call.is_constructor || call.receiver.is_empty() {
            return None;
        }
        let declared = self.resolution.declared_type(file, call)?;
        let is_declared = |written: &CompactString| {
            let bare = written.split('<').next().unwrap_or(written);
            bare.rsplit('.').next().is_some_and(|name| name.trim() == declared)
        };
        if !lineage.iter().any(|class| class.declaration.supertypes.iter().any(is_declared)) {
            return None;
        }
        lineage.iter().find_map(|class| {
            let fits = |member: &&'a Declaration| {
                member.name == call.name
                    && member.body_start.is_some()
                    && member.parameter_names.len() == call.arguments as usize
            };
            let member = class.file.members(class.declaration).find(fits)?;
            Some(Target { file: class.file, declaration: member })
        })
    }

    /// The method behind an abstract one, if there is only one.
    pub(super) fn concrete(&self, target: Target<'a>) -> Target<'a> {
        let own = target.declaration;
        if own.kind != "method" || (own.body_start.is_some() && !is_stub(&target)) {
            return target;
        }
        let key = target.key();
        let known = self.known.behind.borrow().get(&key).cloned();
        let mut behind = known.unwrap_or_else(|| {
            let mut behind = self.resolution.implementations(target);
            behind.retain(|target| {
                !is_test_code(target.file) && target.declaration.body_start.is_some() && !is_stub(target)
            });
            self.known.behind.borrow_mut().insert(key, behind.clone());
            behind
        });
        // A test means what stands in its own package.
        let is_near = |target: &Target<'a>| {
            let row = target.file.row;
            folder(&row.path) == folder(&self.file.row.path)
                || (!row.package.is_empty() && row.package == self.file.row.package)
        };
        if behind.iter().any(is_near) {
            behind.retain(is_near);
        }
        let arity = target.declaration.parameter_names.len();
        if behind.iter().any(|target| target.declaration.parameter_names.len() == arity) {
            behind.retain(|target| target.declaration.parameter_names.len() == arity);
        }
        // Of several classes that which the interface is named after: `Mapper` of `IMapper`.
        let abstract_name = class_name(target.declaration).map(plain).unwrap_or_default();
        let is_namesake = |target: &&Target<'a>| {
            class_name(target.declaration).is_some_and(|class| abstract_name.contains(&plain(class)))
        };
        let first = behind.first().copied();
        match first {
            Some(first) if behind.iter().all(|other| place_of(other) == place_of(&first)) => first,
            _ => behind
                .iter()
                .find(is_namesake)
                .copied()
                .or_else(|| self.only_of_subject(&behind))
                .or_else(|| self.named_best(&behind))
                .unwrap_or(target),
        }
    }

    /// The one that the test's class or file is named after, if it is no other's.
    fn only_of_subject(&self, several: &[Target<'a>]) -> Option<Target<'a>> {
        let mut own = several.iter().filter(|target| self.is_of_subject(target));
        own.next().copied().filter(|_| own.next().is_none())
    }

    /// The one whose class's name has more of the test's words than every other's.
    fn named_best(&self, several: &[Target<'a>]) -> Option<Target<'a>> {
        let shared = |target: &Target<'a>| {
            let Some(class) = class_name(target.declaration) else { return 0 };
            let class = self.known.spellings.words(class);
            class.shared(&self.subject.words) + class.shared(&self.subject.outer.words)
        };
        let best = several.iter().max_by_key(|target| shared(target))?;
        let most = several.iter().filter(|target| shared(target) == shared(best)).count();
        (most == 1).then_some(*best)
    }
}

/// Whether a function stands inside another, where no test can reach it.
fn is_local(target: &Target<'_>) -> bool {
    let parent = target.file.parent(target.declaration);
    parent.is_some_and(|parent| matches!(parent.kind.as_str(), "function" | "method" | "constructor"))
}
