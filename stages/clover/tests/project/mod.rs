//! A small shop with tests, and a runner that knows which of their files pass.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trefoil_clover::build::{Builder, Original};
use trefoil_clover::calibration::Calibration;
use trefoil_clover::case::{Case, Coverage, Snapshot, TestModule};
use trefoil_clover::evaluation::running::Environment;
use trefoil_clover::evaluation::{Job, Journal, Ran, Runner};
use trefoil_clover::settings::Settings;
use trefoil_clover::trial::stand;
use trefoil_execution::coverage::{FileLines, Outcome};
use trefoil_execution::problem::{Cut, Problem};
use trefoil_stages::records::{CloverQuestion, CloverRow};

const CART: &str = include_str!("cart.py");
const TESTS: &str = include_str!("test_cart.py");

pub fn count(text: &str) -> u32 {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count() as u32
}

pub fn snapshot() -> Snapshot {
    let sources =
        [("shop/cart.py", CART), ("shop/__init__.py", "from .cart import Cart\n"), ("shop/empty.py", "")];
    Snapshot {
        host: "local".into(),
        repository: "shop".into(),
        commit: "1".into(),
        sources: sources.map(|(path, text)| (path.to_owned(), Arc::from(text))).into(),
    }
}

/// Lines of `cart.py` that a test runs beside those that importing runs.
fn own_lines(function: &str) -> (u32, u32) {
    match function {
        "test_total" => (9, 10),
        "test_discount" => (13, 20),
        _ => (23, 24),
    }
}

fn lines(function: Option<&str>) -> Coverage {
    let statements: BTreeSet<u32> =
        (1..).zip(CART.lines()).filter(|(_, line)| !line.trim().is_empty()).map(|(at, _)| at).collect();
    let at_import =
        |line: &u32| CART.lines().nth(*line as usize - 1).is_some_and(|line| !line.starts_with("        "));
    let own = function.map(own_lines);
    let is_hit =
        |line: &u32| at_import(line) || own.is_some_and(|(first, last)| (first..=last).contains(line));
    let (hit, missed) = statements.into_iter().partition::<Vec<u32>, _>(is_hit);
    let set = |lines: Vec<u32>| lines.into_iter().collect();
    [("shop/cart.py".to_owned(), FileLines { hit: set(hit), missed: set(missed) })].into()
}

/// The cases of a module; its text is cut as an environment would cut it.
pub fn module(path: &str) -> TestModule {
    let (imports, tests) = TESTS.split_once("\n\n\n").unwrap();
    let cases = tests.split("\n\n\n").enumerate().map(|(number, test)| {
        let function = test.split_once("def ").unwrap().1.split_once('(').unwrap().0;
        let problem = Problem {
            id: format!("{path}::{function}"),
            test_path: path.to_owned(),
            path: format!("tests/tmp_{number}_{}", path.rsplit('/').next().unwrap()),
            classes: Vec::new(),
            function: function.to_owned(),
            span: (1, 1),
            body: 1,
            source: format!("{imports}\n\n\n{}\n", test.trim_end()),
            cut: Cut::Needed,
            outcome: Outcome::Passed,
            items: Vec::new(),
            reason: String::new(),
            detail: String::new(),
        };
        Case { problem, base: lines(Some(function)), empty: Arc::new(lines(None)) }
    });
    TestModule { path: path.to_owned(), cases: cases.collect() }
}

/// All rows of the shop's data set.
pub fn rows() -> Vec<CloverRow> {
    let (snapshot, settings, module) = (snapshot(), Settings::default(), module("tests/test_cart.py"));
    let mut builder = Builder::new(&snapshot, &settings, &count);
    builder.add(&module);
    let calibration = Calibration::new(&module);
    let original = Original { blob_id: "b".into(), text: TESTS.into() };
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("trial.jsonl")).unwrap();
    let mut rows = Vec::new();
    for (task, examples) in builder.draw() {
        let wanted = settings.of(task).per_repository;
        let runner = Known::default();
        let stood = stand(&builder, examples, wanted, &runner, &mut journal, &mut BTreeMap::new()).unwrap();
        rows.extend(stood.iter().flat_map(|example| builder.rows(&calibration, &original, (example, true))));
    }
    rows
}

pub fn questions() -> Vec<CloverQuestion> {
    rows().into_iter().map(CloverQuestion::from).collect()
}

/// Passes the originals, whole or cut off at an assertion, and fails everything else.
#[derive(Default)]
pub struct Known {
    /// Everything passes, and covers what the original does.
    pub passes: bool,
    /// Nothing passes.
    pub broken: bool,
    /// So many times a file meets a failure of the infrastructure before it runs.
    pub infrastructure: u32,
    /// Milliseconds that a file takes.
    pub delay: u64,
    /// How often each file was tried.
    pub tries: RefCell<BTreeMap<String, u32>>,
}

impl Known {
    /// How many files have run.
    pub fn runs(&self) -> usize {
        self.tries.borrow().len()
    }

    fn outcome(&self, source: &str) -> Outcome {
        let originals = module("tests/test_cart.py").cases;
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_original = |case: &Case| squeezed(&case.problem.source).starts_with(&squeezed(source));
        let passes = self.passes || originals.iter().any(is_original);
        if passes && !self.broken { Outcome::Passed } else { Outcome::Failed }
    }
}

impl Runner for Known {
    fn run(&self, _: &Environment, jobs: &[&Job], done: &mut dyn FnMut(&str, Ran)) -> Result<(), String> {
        for job in jobs {
            std::thread::sleep(std::time::Duration::from_millis(self.delay));
            let mut tries = self.tries.borrow_mut();
            let tries = tries.entry(job.key.clone()).or_default();
            *tries = tries.saturating_add(1);
            if *tries <= self.infrastructure {
                done(&job.key, Ran::infrastructure("the sandbox fell over"));
                continue;
            }
            let files = if job.lines { lines(Some(&job.case.function)) } else { Coverage::new() };
            // Tests say other things each time: addresses, times, names of temporary files.
            let detail = format!("at {:p}", &raw const files).replace("0x", &std::process::id().to_string());
            done(&job.key, Ran { outcome: self.outcome(&job.case.source), detail, files });
        }
        Ok(())
    }
}
