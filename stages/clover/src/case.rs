//! What the tasks are made of: tests that were cut out of their modules and run, with the lines that each covers.

use std::collections::BTreeMap;
use std::sync::Arc;
use trefoil_execution::LineSet;
use trefoil_execution::coverage::FileLines;
use trefoil_execution::problem::Problem;

/// A repository at a commit: where cases come from and what they may cover.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Host (`github.com`).
    pub host: String,
    /// Name on the host (`owner/name`).
    pub repository: String,
    /// Commit.
    pub commit: String,
    /// The text of every source file, by path: `X` of the paper. Files of tests are not among them.
    pub sources: BTreeMap<String, Arc<str>>,
}

/// The cases of one test module: the peers of each other (CLOVER, section 3.1).
#[derive(Clone, Debug, Default)]
pub struct TestModule {
    /// Path of the module.
    pub path: String,
    /// One case for each test function.
    pub cases: Vec<Case>,
}

/// A test that was cut out of its module with what it needs, and what it covers.
#[derive(Clone, Debug)]
pub struct Case {
    /// The cut test.
    pub problem: Problem,
    /// What running it covers.
    pub base: Coverage,
    /// What an empty test at the same place covers.
    pub empty: Arc<Coverage>,
}

/// Statements by path of the file, each by its first line.
pub type Coverage = BTreeMap<String, FileLines>;

impl Case {
    /// The names from the outermost class inwards.
    pub fn names(&self) -> Vec<&str> {
        let classes = self.problem.classes.iter().map(String::as_str);
        classes.chain([self.problem.function.as_str()]).collect()
    }

    /// The name as pytest writes it (`TestForm::test_empty`).
    pub fn name(&self) -> String {
        self.names().join("::")
    }
}

/// The lines of a file that ran.
pub fn hits<'a>(coverage: &'a Coverage, path: &str) -> &'a LineSet {
    static NONE: std::sync::LazyLock<LineSet> = std::sync::LazyLock::new(LineSet::default);
    coverage.get(path).map_or(&NONE, |lines| &lines.hit)
}

/// Cases for the tests of other modules.
#[cfg(test)]
pub mod tests {
    use super::*;
    use trefoil_execution::coverage::Outcome;
    use trefoil_execution::problem::Cut;

    /// A case of `test_a.py` that is called `name` (`TestA::test_b`) and covers these lines; those missed come after
    /// those hit.
    pub fn case(name: &str, source: &str, base: &[(&str, &[u32], &[u32])]) -> Case {
        let (classes, function) = name.rsplit_once("::").unwrap_or(("", name));
        let problem = Problem {
            id: format!("test_a.py::{name}"),
            test_path: "test_a.py".into(),
            path: "tmp_test_a_0001.py".into(),
            classes: classes.split("::").filter(|class| !class.is_empty()).map(str::to_owned).collect(),
            function: function.into(),
            span: (1, 1),
            body: 1,
            source: source.into(),
            cut: Cut::Needed,
            outcome: Outcome::Passed,
            items: Vec::new(),
            reason: String::new(),
            detail: String::new(),
        };
        Case { problem, base: coverage(base), empty: Arc::default() }
    }

    /// Lines hit and missed by path.
    pub fn coverage(files: &[(&str, &[u32], &[u32])]) -> Coverage {
        let set = |lines: &[u32]| lines.iter().copied().collect();
        let lines = |hit, missed| FileLines { hit: set(hit), missed: set(missed) };
        files.iter().map(|(path, hit, missed)| ((*path).to_owned(), lines(hit, missed))).collect()
    }
}
