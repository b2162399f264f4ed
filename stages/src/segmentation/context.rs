//! The methods that set-up and focal method call, and those that these call (ConTest, section 3.4).

use super::cut::Cut;
use crate::export::contest::{self, ContextOf};
use crate::matching::index::{CallSite, File};
use crate::matching::resolution::{Resolution, Resolved, Target};
use std::collections::HashSet;

/// What the contexts of one test are sought in.
pub(super) struct Scope<'s, 'a> {
    pub(super) test: Target<'a>,
    pub(super) focal: Target<'a>,
    /// The calls in the test that are taken for calls of the focal method.
    pub(super) focal_calls: &'s [CallSite<'a>],
    /// What runs before the test.
    pub(super) members: &'s [Target<'a>],
    pub(super) settings: &'s contest::Settings,
}

/// Most methods of one context, which bounds the work where a program calls all of itself.
const MAX_METHODS: usize = 500;

/// Finds the contexts of one test and counts how well its calls are understood.
pub(super) struct Contexts<'s, 'a> {
    resolution: &'s Resolution<'a>,
    scope: Scope<'s, 'a>,
    pub(super) resolved: u32,
    pub(super) ambiguous: u32,
    pub(super) unknown: u32,
    pub(super) left_out: u32,
}

/// Calls that are still to be followed, in their order.
type Pending<'a> = (&'a File<'a>, std::vec::IntoIter<CallSite<'a>>);

impl<'s, 'a> Contexts<'s, 'a> {
    pub(super) fn new(resolution: &'s Resolution<'a>, scope: Scope<'s, 'a>) -> Self {
        Self { resolution, scope, resolved: 0, ambiguous: 0, unknown: 0, left_out: 0 }
    }

    /// The setup context: what the members and the set-up of the test call, in the order of the calls; what a
    /// method calls comes behind it.
    pub(super) fn of_setup(&mut self, cut: &Cut) -> Vec<Target<'a>> {
        let test = self.scope.test;
        let asserted = cut.assertions.start..cut.closing.start;
        let calls = test.file.calls(test.declaration).filter(|call| !asserted.contains(&call.start));
        let calls: Vec<_> = calls.filter(|call| call.start < cut.closing.end).collect();
        let members = self.scope.members.iter().map(|member| calls_of(*member));
        let pending: Vec<Pending<'a>> = members.chain([(test.file, calls.into_iter())]).collect();
        self.follow(pending)
    }

    /// The focal context.
    pub(super) fn of_focal(&mut self) -> Vec<Target<'a>> {
        self.follow(vec![calls_of(self.scope.focal)])
    }

    /// Follows calls depth first, each method once: cycles end where they began.
    fn follow(&mut self, mut pending: Vec<Pending<'a>>) -> Vec<Target<'a>> {
        pending.reverse();
        let mut found: Vec<Target<'a>> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let mut bytes = 0;
        while let Some((file, calls)) = pending.last_mut() {
            let file = *file;
            let Some(call) = calls.next() else {
                pending.pop();
                continue;
            };
            let new: Vec<Target<'a>> = self
                .means(file, &call)
                .into_iter()
                .filter(|target| self.is_context(target) && seen.insert(target.declaration.id.as_str()))
                .collect();
            for target in &new {
                let size = (target.declaration.end_byte - target.declaration.start_byte) as usize;
                if found.len() >= MAX_METHODS || self.is_over_budget(bytes + size) {
                    self.left_out += 1;
                    continue;
                }
                bytes += size;
                found.push(*target);
            }
            let taken = new.iter().rev().filter(|target| found.contains(target));
            pending.extend(taken.map(|target| calls_of(*target)));
        }
        found
    }

    /// The declarations that a call means, counted. What the cut takes for a call of the focal method is one here,
    /// too, unless resolution knows better: the pair says which of several overloads the test is about.
    fn means(&mut self, file: &'a File<'a>, call: &CallSite<'a>) -> Vec<Target<'a>> {
        match self.resolution.resolve(file, call.position) {
            Resolved::One(target) => {
                self.resolved += 1;
                vec![target]
            }
            _ if self.is_focal_call(file, call) => {
                self.resolved += 1;
                vec![self.scope.focal]
            }
            Resolved::Several(targets) => {
                // Several that lie far away are no context, whichever is meant.
                let near = targets.iter().filter(|target| self.is_near(target.file)).count();
                *(if near > 1 { &mut self.ambiguous } else { &mut self.resolved }) += 1;
                targets
            }
            Resolved::External => {
                self.resolved += 1;
                Vec::new()
            }
            Resolved::Unknown => {
                let guessed = self.guess(file, call);
                self.resolved += u32::from(!guessed.is_empty());
                self.unknown += u32::from(guessed.is_empty() && self.may_be_near(file, call));
                guessed
            }
        }
    }

    fn is_focal_call(&self, file: &File<'a>, call: &CallSite<'a>) -> bool {
        let Scope { test, focal_calls, .. } = &self.scope;
        file.position == test.file.position && focal_calls.iter().any(|own| own.position == call.position)
    }

    /// What a call means of which resolution does not know: the function that is declared around it, or, where types
    /// are not written and names not overloaded, the only method of its name in the repository. One word alone tells
    /// nothing there, since libraries have the same (`get`, `write`).
    fn guess(&self, file: &'a File<'a>, call: &CallSite<'a>) -> Vec<Target<'a>> {
        if call.receiver.is_empty() {
            let mut around: Vec<Target<'a>> = self
                .resolution
                .named(call.name)
                .filter(|target| is_function(target) && is_visible(target, file, call))
                .collect();
            // The innermost one hides the others.
            around.sort_by_key(|target| {
                std::cmp::Reverse(target.file.parent(target.declaration).map(|it| it.start_byte))
            });
            around.truncate(1);
            return around;
        }
        let is_compound =
            call.name.trim_matches('_').chars().skip(1).any(|it| it == '_' || it.is_uppercase());
        let mut named = self.resolution.named(call.name);
        match (named.next(), named.next()) {
            (Some(only), None) if is_compound && !self.resolution.has_overloads() => vec![only],
            _ => Vec::new(),
        }
    }

    /// Whether a call may mean a method that would be context. One on something whose type the repository does not
    /// declare, such as a string, means a library's.
    fn may_be_near(&self, file: &'a File<'a>, call: &CallSite<'a>) -> bool {
        let is_plain = call.receiver.is_empty();
        let may_be = |target: Target<'a>| {
            self.is_near(target.file)
                && match is_plain {
                    true if is_function(&target) => is_visible(&target, file, call),
                    true => self.resolution.has_implicit_members(),
                    // Functions inside others are called by their names alone, those of anonymous classes aside.
                    false => {
                        self.resolution.has_implicit_members()
                            || target.declaration.kind != "function"
                            || target.declaration.parent.is_none()
                    }
                }
        };
        let written = || self.resolution.declared_type(file, call);
        let is_told = |name: &&str| !matches!(*name, "" | "var" | "dynamic");
        let is_foreign = || {
            written().filter(is_told).is_some_and(|name| self.resolution.types_named(name).next().is_none())
        };
        self.resolution.named(call.name).any(may_be) && (is_plain || !is_foreign())
    }

    fn is_context(&self, target: &Target<'a>) -> bool {
        let Scope { test, focal, members, .. } = &self.scope;
        let declaration = target.declaration;
        let is_method = declaration.body_start.is_some()
            && matches!(declaration.kind.as_str(), "function" | "method" | "constructor" | "lambda")
            && declaration.role != "test";
        let lies_in = |outer: &Target<'a>| {
            outer.file.position == target.file.position
                && outer.declaration.start_byte <= declaration.start_byte
                && declaration.end_byte <= outer.declaration.end_byte
        };
        is_method && self.is_near(target.file) && ![test, focal].into_iter().chain(*members).any(lies_in)
    }

    /// Whether methods of a file are context: in the paper those of the two classes' files.
    fn is_near(&self, file: &File<'a>) -> bool {
        let Scope { test, focal, settings, .. } = &self.scope;
        settings.context == ContextOf::Repository
            || file.position == test.file.position
            || file.position == focal.file.position
    }

    fn is_over_budget(&self, bytes: usize) -> bool {
        let settings = self.scope.settings;
        settings.context == ContextOf::Repository && bytes > settings.context_budget_bytes as usize
    }
}

fn is_function(target: &Target<'_>) -> bool {
    matches!(target.declaration.kind.as_str(), "function" | "lambda")
}

/// Whether a function can be called by its plain name at a call: one of the file, or of a function around the call.
fn is_visible(target: &Target<'_>, file: &File<'_>, call: &CallSite<'_>) -> bool {
    let around = target.file.parent(target.declaration);
    target.file.position == file.position
        && around.is_none_or(|around| around.start_byte <= call.start && call.start < around.end_byte)
}

fn calls_of(target: Target<'_>) -> Pending<'_> {
    (target.file, target.file.calls(target.declaration).collect::<Vec<_>>().into_iter())
}
