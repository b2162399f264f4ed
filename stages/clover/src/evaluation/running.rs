//! Answers are put into their files and run by whoever can; what came of it is kept in a [`Journal`], so that a run that
//! was killed goes on where it was.

use super::answer::Answer;
use super::grading::file;
use super::journal::{Journal, JournalError};
use crate::case::Coverage;
use crate::draw;
use crate::tasks::Task;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use trefoil_execution::coverage::Outcome;
use trefoil_execution::problem::Case;
use trefoil_stages::records::{CloverQuestion, identity};

/// A file to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Identity of everything that the outcome depends on: the same file in the same place is run once.
    pub key: String,
    /// Where it runs.
    pub environment: Environment,
    /// Whether lines are asked for.
    pub lines: bool,
    /// The file; its id is the key.
    pub case: Case,
    /// The source files whose lines are asked for.
    pub paths: Vec<String>,
}

/// The repository at the commit that a file runs in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Environment {
    /// Host.
    pub host: String,
    /// Name on the host.
    pub repository: String,
    /// Commit.
    pub commit: String,
}

/// What came of running a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Ran {
    /// How it ended.
    pub outcome: Outcome,
    /// One line about an outcome other than passed.
    #[serde(default)]
    pub detail: String,
    /// Lines of the files that were asked for.
    #[serde(default)]
    pub files: Coverage,
}

/// Runs files of one environment; a sandbox stands behind it.
pub trait Runner {
    /// Runs them in any order and hands over each outcome as soon as it is there. An error says that nothing can be run
    /// in this environment, and why.
    fn run(
        &self,
        environment: &Environment,
        jobs: &[&Job],
        done: &mut dyn FnMut(&str, Ran),
    ) -> Result<(), String>;
}

impl Job {
    /// The job of an answer.
    pub fn new(question: &CloverQuestion, answer: &Answer) -> Self {
        let source = file(question, answer);
        let lines = question.task == Task::Blocks.as_str();
        let paths: BTreeSet<String> = question.block_paths.iter().cloned().collect();
        let paths: Vec<String> = paths.into_iter().collect();
        let environment = Environment {
            host: question.host.clone(),
            repository: question.repository.clone(),
            commit: question.commit.clone(),
        };
        let Environment { host, repository, commit } = &environment;
        let with_lines = if lines { paths.join("\n") } else { String::new() };
        let key = identity(&[
            host,
            repository,
            commit,
            &question.run_path,
            &question.function,
            &source,
            &with_lines,
        ]);
        let case = Case {
            id: key.clone(),
            path: question.run_path.clone(),
            source,
            function: question.function.clone(),
        };
        Self { key, environment, lines, case, paths }
    }
}

/// How often a job is tried whose outcome says nothing of the test.
const TRIES: u32 = 3;

/// Runs what the journal does not hold yet, environment by environment. Failures of the infrastructure are tried again
/// and stay out of the journal, so that a later run takes them once more; they are the answer.
pub fn run(
    jobs: &[Job],
    runner: &dyn Runner,
    journal: &mut Journal,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<BTreeMap<String, Ran>, JournalError> {
    let mut open: BTreeMap<&str, &Job> = jobs.iter().map(|job| (job.key.as_str(), job)).collect();
    open.retain(|key, _| journal.get(key).is_none());
    let (all, mut done) = (open.len(), 0);
    let mut failures = BTreeMap::new();
    let mut by_environment: BTreeMap<&Environment, Vec<&Job>> = BTreeMap::new();
    open.values().for_each(|job| by_environment.entry(&job.environment).or_default().push(job));
    for (environment, mut jobs) in by_environment {
        jobs.sort_by_key(|job| draw::hash(0, &["order", &job.key]));
        for _ in 0..TRIES {
            let (mut broken, mut error) = (BTreeSet::new(), None);
            let outcome = runner.run(environment, &jobs, &mut |key, ran| {
                if ran.outcome == Outcome::Infrastructure {
                    failures.insert(key.to_owned(), ran);
                    broken.insert(key.to_owned());
                } else {
                    failures.remove(key);
                    error = error.take().or(journal.add(key, ran).err());
                    done += 1;
                    progress(done, all);
                }
            });
            error.map_or(Ok(()), Err)?;
            if let Err(cause) = &outcome {
                // Nothing runs here; to try at once again would not help.
                let left = jobs.iter().filter(|job| journal.get(&job.key).is_none());
                failures.extend(left.map(|job| (job.key.clone(), Ran::infrastructure(cause))));
                break;
            }
            jobs.retain(|job| journal.get(&job.key).is_none());
            if jobs.is_empty() {
                break;
            }
        }
        for job in jobs.iter().filter(|job| journal.get(&job.key).is_none()) {
            let silent = || Ran::infrastructure("the sandbox gave no outcome");
            failures.entry(job.key.clone()).or_insert_with(silent);
        }
    }
    Ok(failures)
}

impl Ran {
    /// A failure that says nothing of the test.
    pub fn infrastructure(detail: &str) -> Self {
        Self { outcome: Outcome::Infrastructure, detail: detail.to_owned(), files: Coverage::new() }
    }
}
