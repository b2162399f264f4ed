//! From predictions to grades: answers are run, those that fail are held against the original in the same environment,
//! then everything is graded.

use super::answer::{Answer, NoAnswer, capture};
use super::grading::{Grade, INFRASTRUCTURE, grade};
use super::journal::{Journal, JournalError};
use super::predictions::Predictions;
use super::running::{Job, Ran, Runner, run};
use crate::trivial::Rules;
use std::collections::BTreeMap;
use trefoil_execution::coverage::Outcome;
use trefoil_stages::records::CloverQuestion;

/// Grades every question, in the order given. Without a runner only what the journal holds is used.
///
/// A failure counts against an answer only where the original passes at the same place: else the environment is broken,
/// which is a failure of the infrastructure (the paper's consistency check, section 2.1).
pub fn assess(
    questions: &[CloverQuestion],
    predictions: &Predictions,
    runner: Option<&dyn Runner>,
    journal: &mut Journal,
    rules: Rules,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<Grade>, JournalError> {
    let answers: Vec<Option<Job>> = questions
        .iter()
        .map(|question| {
            let answer: Result<Answer, NoAnswer> = capture(question, predictions.get(&question.id)?);
            answer.ok().map(|answer| Job::new(question, &answer))
        })
        .collect();
    let mut work = |jobs: Vec<Job>, journal: &mut Journal| match runner {
        Some(runner) => run(&jobs, runner, journal, progress),
        None => Ok(BTreeMap::new()),
    };
    let mut failures = work(answers.iter().flatten().cloned().collect(), journal)?;
    let originals: Vec<Option<Job>> = questions
        .iter()
        .zip(&answers)
        .map(|(question, job)| {
            let ran = journal.get(&job.as_ref()?.key)?;
            let failed = grade(question, predictions.get(&question.id), Some(ran), rules);
            (!failed.executed && ran.outcome != Outcome::Passed)
                .then(|| Job::new(question, &original(question)))
        })
        .collect();
    failures.extend(work(originals.iter().flatten().cloned().collect(), journal)?);
    let outcome = |job: &Job| journal.get(&job.key).or_else(|| failures.get(&job.key));
    let graded = questions.iter().zip(&answers).zip(&originals).map(|((question, job), original)| {
        let ran = job.as_ref().and_then(outcome);
        let mut grade = grade(question, predictions.get(&question.id), ran, rules);
        let unasked =
            predictions.error(&question.id).map(|error| format!("the model could not be asked: {error}"));
        let broken = || original.as_ref().and_then(|original| broken(outcome(original)));
        if let Some(cause) = unasked.or_else(broken) {
            (grade.kind, grade.detail) = (INFRASTRUCTURE.to_owned(), cause);
        }
        grade.run = job.as_ref().map(|job| job.key.clone()).unwrap_or_default();
        grade
    });
    Ok(graded.collect())
}

fn original(question: &CloverQuestion) -> Answer {
    Answer { code: question.original.clone(), prediction: question.reference.clone() }
}

/// Why the environment says nothing, judged by the original.
fn broken(original: Option<&Ran>) -> Option<String> {
    match original {
        Some(Ran { outcome: Outcome::Passed, .. }) => None,
        Some(ran) => Some(format!("the original test ended as {} here", ran.outcome.as_str())),
        None => Some("the original test was not run here".to_owned()),
    }
}
