//! The funnel of ConTest in the paper's own steps (Villmow et al., section 3.5), so that a run can be laid beside it.

use super::{Counts, add, path};
use crate::engine::plan::RunContext;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use trefoil_shards::read_table;
use trefoil_stages::records::{CallableRole, DroppedKey, PairFocal, SegmentKey};
use trefoil_stages::segmentation::SET_ASIDE_REASONS;

/// The steps of one language.
#[derive(Default, Serialize, Deserialize)]
pub struct ContestFunnel {
    /// Classes or blocks that hold test cases.
    pub test_classes: u64,
    /// Test cases.
    pub test_cases: u64,
    /// Pairs of a test and its focal method.
    pub matched: u64,
    /// Classes that the focal methods stand in; files where there are no classes.
    pub target_classes: u64,
    /// Pairs whose test was cut into set-up and assertions.
    pub segmented: u64,
    /// Those of them without a call of the focal method in the assertions.
    pub without_focal_call: u64,
    /// Those of them that passed the filters, the limit of contexts above all.
    pub within_limits: u64,
    /// Those of them that are no duplicates.
    pub rows: u64,
    /// Pairs that were not cut, by reason.
    pub not_segmented: Counts,
    /// Pairs that were set aside, by reason.
    pub set_aside: Counts,
    /// Segmented pairs all of whose calls have one meaning.
    pub all_calls_resolved: u64,
    /// Segmented pairs none of whose calls is unknown: where one means one of several overloads, all are taken.
    pub no_call_unknown: u64,
    /// Calls whose meaning is known.
    pub calls_resolved: u64,
    /// Calls of one of several overloads.
    pub calls_ambiguous: u64,
    /// Calls of which reading does not tell.
    pub calls_unknown: u64,
}

impl ContestFunnel {
    /// Why pairs are no segments.
    pub fn reasons(&self) -> Counts {
        let all = self.not_segmented.iter().chain(&self.set_aside);
        all.map(|(reason, count)| (reason.clone(), *count)).collect()
    }
}

/// Counts one shard.
pub fn count(funnels: &mut BTreeMap<String, ContestFunnel>, context: &RunContext, shard: u32) -> Result<()> {
    let table = |stage: &str, name: &str| path(context, stage, shard, name);
    read_table(&table("parsing", "callables"), |row: CallableRole| {
        let is_class = u64::from(row.role == "test_class");
        funnels.entry(row.language).or_default().test_classes += is_class;
    })?;
    // A repository has its rows in one shard.
    let mut classes = HashSet::new();
    read_table(&table("matching", "pairs"), |row: PairFocal| {
        let class = row.focal_name.rsplit_once('.').map_or("", |(class, _)| class).to_owned();
        let new = classes.insert((row.host, row.repository, row.focal_path, class));
        funnels.entry(row.language).or_default().target_classes += u64::from(new);
    })?;
    read_table(&table("segmentation", "segments"), |row: SegmentKey| {
        let funnel = funnels.entry(row.language).or_default();
        funnel.segmented += 1;
        funnel.without_focal_call += 1;
        funnel.all_calls_resolved += u64::from(row.calls_ambiguous + row.calls_unknown == 0);
        funnel.no_call_unknown += u64::from(row.calls_unknown == 0);
        funnel.calls_resolved += u64::from(row.calls_resolved);
        funnel.calls_ambiguous += u64::from(row.calls_ambiguous);
        funnel.calls_unknown += u64::from(row.calls_unknown);
    })?;
    Ok(read_table(&table("segmentation", "dropped"), |row: DroppedKey| {
        let funnel = funnels.entry(row.language).or_default();
        if SET_ASIDE_REASONS.contains(&row.reason.as_str()) {
            funnel.segmented += 1;
            add(&mut funnel.set_aside, &row.reason);
        } else {
            add(&mut funnel.not_segmented, &row.reason);
        }
    })?)
}

/// The steps with their counts, all languages together.
pub fn steps(repositories: u64, funnels: &BTreeMap<String, ContestFunnel>) -> Vec<(String, u64)> {
    let sum = |count: fn(&ContestFunnel) -> u64| funnels.values().map(count).sum();
    vec![
        ("repositories".into(), repositories),
        ("test classes".into(), sum(|funnel| funnel.test_classes)),
        ("test cases".into(), sum(|funnel| funnel.test_cases)),
        ("matched to a focal method".into(), sum(|funnel| funnel.matched)),
        ("target classes".into(), sum(|funnel| funnel.target_classes)),
        ("cut into set-up and assertions".into(), sum(|funnel| funnel.segmented)),
        ("without a focal call in the assertions".into(), sum(|funnel| funnel.without_focal_call)),
        ("within the limits".into(), sum(|funnel| funnel.within_limits)),
        ("without duplicates".into(), sum(|funnel| funnel.rows)),
    ]
}

/// The steps as text, and how well calls were understood.
pub fn text(repositories: u64, funnels: &BTreeMap<String, ContestFunnel>) -> String {
    let mut text = String::from("\nsteps of ConTest\n");
    for (step, count) in steps(repositories, funnels) {
        let _ = writeln!(text, "  {step:<40}{count:>9}");
    }
    for (language, funnel) in funnels.iter().filter(|(_, funnel)| funnel.without_focal_call > 0) {
        let calls = funnel.calls_resolved + funnel.calls_ambiguous + funnel.calls_unknown;
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let _ = writeln!(
            text,
            "  {language}: {:.1}% of {calls} calls have one meaning, {:.1}% one of several overloads, which are all taken; \
             all have one in {:.1}% of the tests, none is unknown in {:.1}%",
            share(funnel.calls_resolved, calls),
            share(funnel.calls_ambiguous, calls),
            share(funnel.all_calls_resolved, funnel.without_focal_call),
            share(funnel.no_call_unknown, funnel.without_focal_call)
        );
    }
    text
}
