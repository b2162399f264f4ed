//! Problems: every test cut out of its module, and the cut held against the original by running both.

use super::{Order, Suite, no_answer, zygote::Program};
use crate::coverage::Outcome;
use crate::environment::{Environment, EnvironmentError, REPOSITORY};
use crate::problem::{Case, Cut, Item, Problem};
use crate::sandbox::Limits;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A line of `cut.py`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Test(Test),
    Failed { test_path: String, failed: String },
}

#[derive(Deserialize)]
struct Test {
    id: String,
    test_path: String,
    path: String,
    classes: Vec<String>,
    function: String,
    /// The module defines it twice; the first definition never runs.
    again: bool,
    cuts: [Piece; 2],
}

#[derive(Deserialize)]
struct Piece {
    source: String,
    span: (u32, u32),
    body: u32,
}

impl Suite<'_> {
    /// Cuts every test out of its module and verifies the cut: its items and their outcomes must be those of the
    /// original module. Where the narrow cut does not run as the original does, the wide one is tried. Problems come
    /// in the order of files and tests; one that is not fit for use has a reason. With `repeat` those that are fit run
    /// again under other conditions, and those whose answer changes are out.
    pub fn problems(&self, repeat: bool) -> Result<Vec<Problem>, EnvironmentError> {
        let (tests, unreadable) = self.cut()?;
        let paths: BTreeSet<&str> = tests.iter().map(|test| test.test_path.as_str()).collect();
        let originals = self.modules(&paths, Order::default())?;
        let mut problems = self.attempt(&tests, 0, Cut::Needed, &originals)?;
        let again: Vec<usize> =
            (0..problems.len()).filter(|index| problems.get(*index).is_some_and(differs)).collect();
        let retried: Vec<&Test> = again.iter().filter_map(|index| tests.get(*index)).collect();
        let wide = self.attempt_some(&retried, 1, Cut::OtherTests, &originals)?;
        for (index, problem) in again.into_iter().zip(wide) {
            if let Some(place) = problems.get_mut(index).filter(|_| problem.reason.is_empty()) {
                *place = problem;
            }
        }
        if repeat {
            self.repeat(&mut problems, &originals)?;
        }
        problems.extend(unreadable);
        problems.sort_by(|a, b| (&a.test_path, &a.path).cmp(&(&b.test_path, &b.path)));
        Ok(problems)
    }

    fn cut(&self) -> Result<(Vec<Test>, Vec<Problem>), EnvironmentError> {
        let exchange = Environment::exchange()?;
        let limits = Limits { output_bytes: 1 << 30, ..Limits::default() };
        let command = ["/environment/venv/bin/python", "/trefoil/cut.py", REPOSITORY];
        let mut running = self.sandbox.start(&self.environment.job(exchange.path(), &command, limits))?;
        let failed =
            |cause: String| EnvironmentError::File { path: self.environment.folder().to_owned(), cause };
        for path in &self.environment.recipe.project.tests {
            running.say(path).map_err(|cause| failed(cause.to_string()))?;
        }
        let ending = running.finish(Duration::from_secs(900))?;
        if !ending.success() {
            return Err(failed(format!("tests cannot be cut out: {}", ending.log)));
        }
        let (mut tests, mut unreadable) = (Vec::new(), Vec::new());
        for line in ending.output.lines() {
            match serde_json::from_str(line).map_err(|cause| failed(cause.to_string()))? {
                Row::Test(test) => tests.push(test),
                Row::Failed { test_path, failed } => unreadable.push(Problem {
                    id: format!("{test_path}::"),
                    path: test_path.clone(),
                    test_path,
                    classes: Vec::new(),
                    function: String::new(),
                    span: (0, 0),
                    body: 0,
                    source: String::new(),
                    cut: Cut::Needed,
                    outcome: Outcome::Error,
                    items: Vec::new(),
                    reason: "module_unreadable".to_owned(),
                    detail: failed,
                }),
            }
        }
        Ok((tests, unreadable))
    }

    /// The items of original modules, by path: what cuts are held against.
    pub(super) fn modules(
        &self,
        paths: &BTreeSet<&str>,
        order: Order,
    ) -> Result<BTreeMap<String, Vec<Item>>, EnvironmentError> {
        let cases: Vec<Case> = paths
            .iter()
            .map(|path| Case {
                id: (*path).to_owned(),
                path: (*path).to_owned(),
                source: String::new(),
                function: String::new(),
            })
            .collect();
        // A whole module has as much time as its tests would have alone, within reason.
        let seconds = self.limits.seconds.saturating_mul(10);
        let mut found = BTreeMap::new();
        self.under(Limits { seconds, ..self.limits }, order).verify(&cases, &mut |verdict, _| {
            found.insert(verdict.id, verdict.items);
        })?;
        Ok(found)
    }

    fn attempt(
        &self,
        tests: &[Test],
        piece: usize,
        cut: Cut,
        originals: &BTreeMap<String, Vec<Item>>,
    ) -> Result<Vec<Problem>, EnvironmentError> {
        self.attempt_some(&tests.iter().collect::<Vec<_>>(), piece, cut, originals)
    }

    fn attempt_some(
        &self,
        tests: &[&Test],
        piece: usize,
        cut: Cut,
        originals: &BTreeMap<String, Vec<Item>>,
    ) -> Result<Vec<Problem>, EnvironmentError> {
        let mut problems: Vec<Problem> = tests.iter().filter_map(|test| problem(test, piece, cut)).collect();
        let cases: Vec<Case> = problems.iter().map(Case::from).collect();
        let mut answers = Vec::with_capacity(cases.len());
        self.deal(&cases, None, Program::Zygote, &mut |_, ran| answers.push(ran.answer))?;
        for (index, problem) in problems.iter_mut().enumerate() {
            let none = || no_answer(Outcome::Infrastructure, "it was not run");
            let answer = answers.get(index).cloned().unwrap_or_else(none);
            problem.outcome = answer.outcome;
            problem.detail = answer.detail;
            problem.items = answer.items.into_iter().map(|(name, outcome)| Item { name, outcome }).collect();
            problem.items.sort();
            judge(
                problem,
                originals.get(&problem.test_path),
                tests.get(index).is_some_and(|test| test.again),
            );
        }
        Ok(problems)
    }
}

/// The items of the original that belong to a test: its own name, whatever class runs it.
fn items_of(items: &[Item], function: &str) -> Vec<Item> {
    let mut own: Vec<Item> =
        items.iter().filter(|item| function_of(&item.name) == function).cloned().collect();
    own.sort();
    own
}

fn function_of(item: &str) -> &str {
    let name = item.split('[').next().unwrap_or(item);
    name.rsplit("::").next().unwrap_or(name)
}

/// Gives a problem its reason, where it is not fit for use.
fn judge(problem: &mut Problem, original: Option<&Vec<Item>>, again: bool) {
    let class = problem.classes.join("::");
    let of_class = |item: &Item| {
        // Other classes of the module may have a test of this name: they are other problems, unless they inherit it.
        let around = item
            .name
            .split('[')
            .next()
            .unwrap_or(&item.name)
            .rsplit_once("::")
            .map_or("", |(class, _)| class);
        around == class
    };
    let expected = items_of(original.map_or(&[], Vec::as_slice), &problem.function);
    let same_class: Vec<Item> = expected.iter().filter(|item| of_class(item)).cloned().collect();
    let expected = if same_class.is_empty() { expected } else { same_class };
    let own: Vec<Item> = problem.items.iter().filter(|item| of_class(item)).cloned().collect();
    let found = if own.is_empty() { problem.items.clone() } else { own };
    let reason = if again {
        "defined_twice"
    } else if problem.outcome == Outcome::Infrastructure {
        "infrastructure"
    } else if expected.is_empty() {
        "not_run_in_its_module"
    } else if found != expected {
        "cut_differs_from_original"
    } else {
        match problem.outcome {
            Outcome::Passed => "",
            Outcome::Skipped => "skipped",
            Outcome::Failed => "fails_in_its_module",
            other => other.as_str(),
        }
    };
    problem.items = found;
    problem.reason = reason.to_owned();
}

/// True where another cut may do better.
fn differs(problem: &Problem) -> bool {
    problem.reason == "cut_differs_from_original"
}

fn problem(test: &Test, piece: usize, cut: Cut) -> Option<Problem> {
    let piece = test.cuts.get(piece)?;
    Some(Problem {
        id: test.id.clone(),
        test_path: test.test_path.clone(),
        path: test.path.clone(),
        classes: test.classes.clone(),
        function: test.function.clone(),
        span: piece.span,
        body: piece.body,
        source: piece.source.clone(),
        cut,
        outcome: Outcome::Infrastructure,
        items: Vec::new(),
        reason: String::new(),
        detail: String::new(),
    })
}
