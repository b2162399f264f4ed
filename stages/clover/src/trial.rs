//! The trial of examples before they go into a data set: the original has to reach full marks as an answer, and a wrong
//! answer must not pass. An example whose own test the graders would fault is no example.

use crate::build::{Builder, Tally, templates};
use crate::evaluation::answer::{Answer, capture};
use crate::evaluation::journal::JournalError;
use crate::evaluation::running::run;
use crate::evaluation::{Job, Journal, Runner, grade};
use crate::prompt::Template;
use crate::tasks::{Example, Question, Task};
use crate::trivial::Rules;
use trefoil_execution::coverage::Outcome;

/// What a model would reply that gives the original.
pub fn original_reply(file_before: &str, original: &str, file_after: &str, template: Template) -> String {
    match template {
        Template::Statement | Template::Part => format!("```python\n{original}\n```"),
        Template::Full => format!("```python\n{file_before}{original}{file_after}\n```"),
    }
}

/// The first `wanted` of `examples`, in their order, that stand the trial; the others are counted by reason.
pub fn stand(
    builder: &Builder<'_>,
    examples: Vec<Example>,
    wanted: usize,
    runner: &dyn Runner,
    journal: &mut Journal,
    tally: &mut Tally,
) -> Result<Vec<Example>, JournalError> {
    let mut stood = Vec::new();
    let mut examples = examples.into_iter();
    while stood.len() < wanted {
        let batch: Vec<Example> = examples.by_ref().take(wanted - stood.len()).collect();
        if batch.is_empty() {
            break;
        }
        let jobs: Vec<Job> = batch.iter().flat_map(|example| jobs(builder, example)).collect();
        let failures = run(&jobs, runner, journal, &mut |_, _| {})?;
        for example in batch {
            match fault(builder, &example, |key| journal.get(key).or_else(|| failures.get(key)).cloned()) {
                None => stood.push(example),
                Some(reason) => *tally.entry((example.question.task(), reason)).or_default() += 1,
            }
        }
    }
    Ok(stood)
}

/// The original as an answer under each template, and a wrong answer.
fn jobs(builder: &Builder<'_>, example: &Example) -> Vec<Job> {
    let task = example.question.task();
    let original = templates(task).iter().filter_map(|template| {
        let question = builder.question(example, *template);
        let answer = capture(&question, &original_of(example, *template)).ok()?;
        Some(Job::new(&question, &answer))
    });
    original.chain(control(builder, example)).collect()
}

fn original_of(example: &Example, template: Template) -> String {
    original_reply(&example.cut.before, &example.cut.code, &example.cut.after, template)
}

/// The file with an assertion that fails in place of that of Task I: where it passes, the assertion is never reached, and
/// every answer would pass.
fn control(builder: &Builder<'_>, example: &Example) -> Option<Job> {
    let Question::Cloze(_) = &example.question else { return None };
    let answer = Answer { code: "assert False".to_owned(), prediction: String::new() };
    Some(Job::new(&builder.question(example, Template::Statement), &answer))
}

/// Why an example does not stand.
fn fault(
    builder: &Builder<'_>,
    example: &Example,
    ran: impl Fn(&str) -> Option<crate::evaluation::Ran>,
) -> Option<&'static str> {
    if let Some(control) = control(builder, example) {
        match ran(&control.key).map(|ran| ran.outcome) {
            Some(Outcome::Failed) => {}
            Some(Outcome::Infrastructure) | None => return Some("trial_not_run"),
            Some(_) => return Some("assertion_not_reached"),
        }
    }
    let task = example.question.task();
    templates(task).iter().find_map(|template| {
        let question = builder.question(example, *template);
        let reply = original_of(example, *template);
        let Ok(answer) = capture(&question, &reply) else { return Some("original_not_captured") };
        let ran = ran(&Job::new(&question, &answer).key);
        let grade = grade(&question, Some(&reply), ran.as_ref(), Rules::Corrected);
        let full = grade.success && grade.executed && (grade.exact || task != Task::Cloze);
        (!full).then(|| match ran.map(|ran| ran.outcome) {
            None | Some(Outcome::Infrastructure) => "trial_not_run",
            Some(Outcome::Passed) => "original_not_full_marks",
            Some(_) => "original_fails",
        })
    })
}
