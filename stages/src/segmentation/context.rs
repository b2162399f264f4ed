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

    /// The declarations that a call means, counted.
    fn means(&mut self, file: &'a File<'a>, call: &CallSite<'a>) -> Vec<Target<'a>> {
        match self.resolution.resolve(file, call.position) {
            Resolved::One(target) => {
                self.resolved += 1;
                vec![target]
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
                let may_be = self.resolution.named(call.name).any(|target| self.is_near(target.file));
                self.unknown += u32::from(may_be);
                Vec::new()
            }
        }
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

fn calls_of(target: Target<'_>) -> Pending<'_> {
    (target.file, target.file.calls(target.declaration).collect::<Vec<_>>().into_iter())
}
