//! Tests that are about the last of their calls whose declaration is in the repository.

use super::index::{CallSite, File};
use super::location::locate;
use super::resolution::Resolution;
use super::tables::Declaration;
use super::verdict::Ballot;
use std::cmp::Reverse;

/// Puts the call that runs last in front: what stands among the arguments of a call runs before it.
pub(crate) fn backwards(calls: &mut [CallSite<'_>]) {
    calls.sort_by_key(|call| (Reverse(call.end), call.start));
}

/// The ballot for the first of `calls` that is declared in the repository, outside its tests. Making an object
/// by `new` is no call.
pub(crate) fn first_declared<'a>(
    rule: &'static str,
    resolution: &Resolution<'a>,
    file: &File<'a>,
    test: &Declaration,
    calls: &[CallSite<'a>],
) -> Ballot<'a> {
    let calls = calls.iter().filter(|call| !(call.is_constructor && resolution.has_new()));
    let mut passed_over = 0;
    for call in calls {
        if let Ok((focal_file, focal)) = locate(resolution, file, test, call) {
            return Ballot::callable(
                rule,
                focal_file,
                focal,
                format!("after {passed_over} calls passed over"),
            );
        }
        passed_over += 1;
    }
    match passed_over {
        0 => Ballot::none(rule, "no_calls", "nothing but assertions is called".to_owned()),
        calls => Ballot::none(rule, "not_in_repository", format!("{calls} calls passed over")),
    }
}
