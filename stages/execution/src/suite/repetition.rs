//! Tests whose answer depends on more than their text, found by running them again.
//!
//! A test that is fit for use runs twice more, each time with another seed of hashes, the second time in reverse order
//! and in a third of the time, and has to end as it did and to run the same lines both times. Its module runs once more
//! with its items in another order. What a model writes in its place could else be judged by chance.

use super::zygote::Program;
use super::{Order, Suite};
use crate::coverage::Outcome;
use crate::environment::EnvironmentError;
use crate::problem::{Case, Item, Problem};
use crate::sandbox::Limits;
use std::collections::{BTreeMap, BTreeSet};

/// How a test ended once more, and a digest of its lines.
struct Again {
    outcome: Outcome,
    detail: String,
    lines: blake3::Hash,
}

impl Suite<'_> {
    /// Gives a reason to each problem whose answer changes; `originals` are the items of its module in their own order.
    pub(super) fn repeat(
        &self,
        problems: &mut [Problem],
        originals: &BTreeMap<String, Vec<Item>>,
    ) -> Result<(), EnvironmentError> {
        let mut fit: Vec<&mut Problem> =
            problems.iter_mut().filter(|problem| problem.reason.is_empty()).collect();
        let mut cases: Vec<Case> = fit.iter().map(|problem| Case::from(&**problem)).collect();
        let first = self.under(self.limits, Order { hashes: 1, items: None }).again(&cases)?;
        cases.reverse();
        let limits = Limits { seconds: (self.limits.seconds / 3).max(1), ..self.limits };
        let mut second = self.under(limits, Order { hashes: 2, items: None }).again(&cases)?;
        second.reverse();
        let paths: BTreeSet<&str> = fit.iter().map(|problem| problem.test_path.as_str()).collect();
        let shuffled = self.modules(&paths, Order { hashes: 0, items: Some(1) })?;
        let moved: BTreeMap<&String, Vec<&Item>> = shuffled
            .iter()
            .map(|(path, items)| (path, moved(originals.get(path).map_or(&[], Vec::as_slice), items)))
            .collect();
        let found: Vec<Option<(&str, String)>> = fit
            .iter()
            .zip(first.iter().zip(&second))
            .map(|(problem, (first, second))| {
                changes(first, second).or_else(|| {
                    let items = moved.get(&problem.test_path)?;
                    let item =
                        items.iter().find(|item| problem.items.iter().any(|own| own.name == item.name))?;
                    let detail = format!("{}: {} after other tests", item.name, item.outcome.as_str());
                    Some(("depends_on_order", detail))
                })
            })
            .collect();
        for (problem, found) in fit.iter_mut().zip(found) {
            if let Some((reason, detail)) = found {
                problem.reason = reason.to_owned();
                problem.detail = detail;
            }
        }
        Ok(())
    }

    fn again(&self, cases: &[Case]) -> Result<Vec<Again>, EnvironmentError> {
        let mut found = Vec::with_capacity(cases.len());
        self.deal(cases, Some(&self.table), Program::Zygote, &mut |_, ran| {
            let mut lines = blake3::Hasher::new();
            for (path, file) in ran.files.iter().filter(|(_, file)| !file.hit.is_empty()) {
                lines.update(format!("{path}: {}\n", file.hit).as_bytes());
            }
            let (outcome, detail) = (ran.answer.outcome, ran.answer.detail);
            found.push(Again { outcome, detail, lines: lines.finalize() });
        })?;
        Ok(found)
    }
}

/// Why a test that has passed is not to be relied on, from two more runs. A failure of the sandbox says nothing.
fn changes(first: &Again, second: &Again) -> Option<(&'static str, String)> {
    let ran = |again: &&Again| again.outcome != Outcome::Infrastructure;
    let other = [first, second].into_iter().filter(ran).find(|again| again.outcome != Outcome::Passed);
    if let Some(again) = other {
        let is_slow = again.outcome == Outcome::TimedOut && first.outcome == Outcome::Passed;
        let reason = if is_slow { "near_its_time_limit" } else { "outcome_changes" };
        return Some((reason, format!("passed, then {}: {}", again.outcome.as_str(), again.detail)));
    }
    let both = [first, second].iter().all(ran);
    (both && first.lines != second.lines)
        .then(|| ("lines_change", "not the same lines in two runs".to_owned()))
}

/// Items that end otherwise in another order. Where the module died half-way nothing is known of those that are missing.
fn moved<'a>(original: &[Item], shuffled: &'a [Item]) -> Vec<&'a Item> {
    let before: BTreeMap<&str, Outcome> =
        original.iter().map(|item| (item.name.as_str(), item.outcome)).collect();
    let differs = |item: &&Item| before.get(item.name.as_str()).is_some_and(|before| *before != item.outcome);
    shuffled.iter().filter(differs).collect()
}
