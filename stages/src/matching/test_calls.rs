//! The calls of a test that do not themselves assert.

use super::index::{CallSite, File};
use super::tables::{Declaration, TestKey};

/// The calls of a test without those that assert: in `assertThat(a.b()).isEqualTo(c())` only `b` and `c` are
/// no part of the assertion's own words. In the order of their names.
pub(crate) fn test_calls<'a>(file: &File<'a>, test: &Declaration) -> Vec<CallSite<'a>> {
    let Some(case) = file.test_case(test) else { return file.calls(test).collect() };
    let mut asserted = vec![false; case.assertion_starts.len()];
    file.calls(test).filter(|call| !asserts(case, &mut asserted, call)).collect()
}

/// Whether a call asserts: it is the one that an assertion goes by, or stands behind it in the same chain, or
/// its name says so. `asserted` tells of each assertion whether the call that it goes by was seen.
fn asserts(case: &TestKey, asserted: &mut [bool], call: &CallSite<'_>) -> bool {
    if !call.in_assertion {
        return false;
    }
    if call.name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("assert")) {
        mark(case, asserted, call);
        return true;
    }
    let Some((at, start)) = around(case, call) else { return false };
    let (Some(seen), Some(name)) = (asserted.get_mut(at), case.assertion_names.get(at)) else { return false };
    if call.start == start && (*seen || stands_behind(name, call)) {
        return true;
    }
    let first = !*seen && goes_by(name, call);
    *seen |= first;
    first
}

fn mark(case: &TestKey, asserted: &mut [bool], call: &CallSite<'_>) {
    let seen = around(case, call).and_then(|(at, _)| asserted.get_mut(at));
    seen.into_iter().for_each(|seen| *seen = true);
}

/// The assertion that a call stands in, and where that begins.
fn around(case: &TestKey, call: &CallSite<'_>) -> Option<(usize, u32)> {
    let at = case.assertion_starts.partition_point(|start| *start <= call.start).checked_sub(1)?;
    let (start, end) = (*case.assertion_starts.get(at)?, *case.assertion_ends.get(at)?);
    (call.end <= end).then_some((at, start))
}

/// Whether a word that is no call, such as `should` in `total().should.be.above(5)`, stands before the call.
fn stands_behind(assertion: &str, call: &CallSite<'_>) -> bool {
    call.receiver.split(['.', ')']).any(|part| part == assertion)
}

/// Whether the assertion's name (`assertEquals`, `pytest.raises`) is that of the call.
fn goes_by(assertion: &str, call: &CallSite<'_>) -> bool {
    match assertion.rsplit_once('.') {
        Some((receiver, name)) => name == call.name && call.receiver.ends_with(receiver),
        None => assertion == call.name,
    }
}
