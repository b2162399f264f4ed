//! The fast estimate: one process for the whole suite.

use super::{Engine, Suite};
use crate::LineSet;
use crate::coverage::{CaseCoverage, CaseKind, Outcome};
use crate::environment::{EnvironmentError, PluginLine, run_plugin};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Items of one test function, put together.
#[derive(Default)]
struct Test {
    outcomes: BTreeSet<Outcome>,
    hit: BTreeMap<String, BTreeSet<u32>>,
}

impl Suite<'_> {
    /// Lines of every test of the repository from one pytest process: an estimate, and labelled so, since what other
    /// tests imported or cached does not run again. Rows come in the order of their ids.
    /// The CPU seconds of the process, 0 where it was stopped.
    pub fn estimate(
        &self,
        patience: Duration,
        tell: &mut dyn FnMut(CaseCoverage),
    ) -> Result<f64, EnvironmentError> {
        let report = run_plugin(self.sandbox, &self.environment, self.table.measured(), &[], patience)?;
        let mut seconds = 0.0;
        let mut base: BTreeMap<String, LineSet> = BTreeMap::new();
        let mut tests: BTreeMap<String, Test> = BTreeMap::new();
        for line in report.lines {
            match line {
                PluginLine::Base { base: lines } => {
                    base =
                        lines.into_iter().map(|(path, lines)| (path, lines.into_iter().collect())).collect();
                }
                PluginLine::Item { item, outcome, hit } => {
                    let function = item.split('[').next().unwrap_or(&item).to_owned();
                    let test = tests.entry(function).or_default();
                    test.outcomes.insert(outcome);
                    for (path, lines) in hit {
                        test.hit.entry(path).or_default().extend(lines);
                    }
                }
                PluginLine::Status { cpu, .. } => seconds = cpu,
                PluginLine::Collection { .. } => {}
            }
        }
        let limits = self.sandbox.in_force(&self.limits, false);
        for (id, test) in tests {
            let hit = test.hit.into_iter().map(|(path, lines)| (path, lines.into_iter().collect())).collect();
            tell(CaseCoverage {
                id,
                kind: CaseKind::Test,
                outcome: together(&test.outcomes),
                detail: String::new(),
                engine: Engine::Plugin,
                exact: Engine::Plugin.is_exact(),
                files: self.table.lines(&base, &hit),
                limits: limits.clone(),
            });
        }
        Ok(seconds)
    }
}

/// The outcome of a test whose items ended in these.
fn together(outcomes: &BTreeSet<Outcome>) -> Outcome {
    let order = [Outcome::Error, Outcome::Failed, Outcome::Passed];
    order.into_iter().find(|outcome| outcomes.contains(outcome)).unwrap_or(Outcome::Skipped)
}
