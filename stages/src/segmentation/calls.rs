//! Which calls of a test are calls of its focal method.

use crate::matching::index::CallSite;
use crate::matching::resolution::{Resolution, Resolved, Target};

/// The calls of the focal method in the test's body, in the order of their names. Overloads of it count too, as
/// for the paper, which goes by names; a method of the same name that is known to be another does not, unless
/// there is nothing else. Calls in a function or class that the test declares do not count: nobody knows when they run.
pub(super) fn focal_calls<'a>(
    resolution: &Resolution<'a>,
    test: Target<'a>,
    focal: Target<'a>,
) -> Vec<CallSite<'a>> {
    let name = called_name(focal);
    let body = test.declaration.body_start.unwrap_or(test.declaration.start_byte);
    let runs = |call: &CallSite<'a>| {
        call.start >= body && test.file.owner_of_call(call.position) == Some(test.declaration.ordinal)
    };
    let calls = || test.file.calls(test.declaration).filter(runs);
    let means_focal = |call: &CallSite<'a>| match resolution.resolve(test.file, call.position) {
        Resolved::One(target) => is_same(target, focal) || (call.name == name && is_abstract(target)),
        Resolved::Several(targets) => targets.into_iter().any(|target| is_same(target, focal)),
        Resolved::External => false,
        Resolved::Unknown => call.name == name,
    };
    let named: Vec<CallSite<'a>> = calls().filter(|call| call.name == name).collect();
    // Where functions have overloads, they hardly ever go by another name, and most calls need not be resolved.
    let mut found: Vec<CallSite<'a>> = Vec::new();
    if resolution.has_overloads() {
        found.extend(named.iter().copied().filter(means_focal));
    }
    if found.is_empty() {
        found.extend(calls().filter(means_focal));
    }
    if found.is_empty() { named } else { found }
}

/// The name that calls go by: that of the class for its constructor.
fn called_name<'a>(focal: Target<'a>) -> &'a str {
    let class = focal.file.parent(focal.declaration);
    match class.filter(|_| focal.declaration.kind == "constructor") {
        Some(class) => &class.name,
        None => &focal.declaration.name,
    }
}

fn is_same(target: Target<'_>, focal: Target<'_>) -> bool {
    target.file.position == focal.file.position
        && target.declaration.qualified_name == focal.declaration.qualified_name
}

fn is_abstract(target: Target<'_>) -> bool {
    target.declaration.body_start.is_none() && target.declaration.kind == "method"
}
