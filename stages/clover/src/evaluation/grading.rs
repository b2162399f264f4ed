//! The grade of one answer (CLOVER, sections 4 and 5, "Metrics").
//!
//! Pure: from the question, the reply and what came of running it, always the same grade.

use super::answer::{Answer, capture};
use super::running::Ran;
use crate::case::hits;
use crate::cut::Parsed;
use crate::syntax::Module;
use crate::tasks::cloze::is_copied;
use crate::tasks::{Task, target};
use crate::trivial::{Rules, asserts_something, is_trivial};
use serde::{Deserialize, Serialize};
use trefoil_execution::LineSet;
use trefoil_execution::coverage::Outcome;
use trefoil_stages::records::CloverQuestion;

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Grade {
    /// Row.
    pub id: String,
    /// Example.
    pub example: String,
    /// Task.
    pub task: String,
    /// Setting.
    pub setting: String,
    /// Template.
    pub template: String,
    /// Repository with its host.
    pub repository: String,
    /// Task I: the answer is the reference, white space around it aside.
    pub exact: bool,
    /// It ran and passed (ER, the execution rate).
    pub executed: bool,
    /// Task I: RER, executed and neither trivial nor copied. Tasks II and III: executed, and the target is used or every
    /// block covered (the success rate).
    pub success: bool,
    /// `success`, why it is none, or `infrastructure`, which is no verdict on the answer.
    pub kind: String,
    /// Particulars of the kind, for people.
    pub detail: String,
    /// Key of the outcome in the journal, which has what the test said; empty where nothing was run.
    pub run: String,
}

/// Kind of an answer that meets everything.
pub const SUCCESS: &str = "success";
/// Kind of an answer that could not be judged.
pub const INFRASTRUCTURE: &str = "infrastructure";
/// Kind of a question without an answer.
pub const MISSING: &str = "missing";

/// Judges a reply by what came of running it; `None` where it was not run.
pub fn grade(question: &CloverQuestion, reply: Option<&str>, ran: Option<&Ran>, rules: Rules) -> Grade {
    let mut grade = Grade {
        id: question.id.clone(),
        example: question.example.clone(),
        task: question.task.clone(),
        setting: question.setting.clone(),
        template: question.template.clone(),
        repository: format!("{}/{}", question.host, question.repository),
        exact: false,
        executed: false,
        success: false,
        kind: String::new(),
        detail: String::new(),
        run: String::new(),
    };
    let fault = match reply.map(|reply| capture(question, reply)) {
        None => Some((MISSING, String::new())),
        Some(Err(reason)) => Some((reason.as_str(), String::new())),
        Some(Ok(answer)) => {
            grade.exact = question.task == Task::Cloze.as_str() && answer.prediction == question.reference;
            judge(question, &answer, ran, rules, &mut grade.executed)
        }
    };
    let (kind, detail) = fault.unwrap_or((SUCCESS, String::new()));
    grade.success = kind == SUCCESS;
    (grade.kind, grade.detail) = (kind.to_owned(), detail);
    grade
}

/// What is wrong with an answer, if anything is.
fn judge(
    question: &CloverQuestion,
    answer: &Answer,
    ran: Option<&Ran>,
    rules: Rules,
    executed: &mut bool,
) -> Option<(&'static str, String)> {
    let Some(ran) = ran else {
        return Some((INFRASTRUCTURE, "it was not run".to_owned()));
    };
    match ran.outcome {
        Outcome::Passed => {}
        Outcome::Infrastructure => return Some((INFRASTRUCTURE, ran.detail.clone())),
        // What a test prints holds addresses and times; it stays with the outcome.
        outcome => return Some((outcome.as_str(), String::new())),
    }
    let trivial = trivial(question, answer, rules);
    *executed = trivial.is_none() || rules == Rules::Published;
    if let Some(reason) = trivial {
        return Some((reason, String::new()));
    }
    match Task::from_word(&question.task)? {
        Task::Cloze => {
            let rest = [question.file_before.as_str(), &question.file_after].concat();
            is_copied(&answer.code, &rest).then(|| ("copied", String::new()))
        }
        Task::Target => {
            let file = file(question, answer);
            let used =
                in_body(question, &file, |module, body| target::uses(module, body, &question.target_name));
            (used != Some(true)).then(|| ("target_missing", question.target_name.clone()))
        }
        Task::Blocks => missing(question, ran),
    }
}

/// Whether the answer says nothing of the tested code, and how.
fn trivial(question: &CloverQuestion, answer: &Answer, rules: Rules) -> Option<&'static str> {
    if question.task == Task::Cloze.as_str() {
        let module = Module::parse(&answer.code)?;
        let assertions = module.assertions(module.root());
        return assertions.first().is_none_or(|it| is_trivial(it, &module, rules)).then_some("trivial");
    }
    // The published metrics of tasks II and III look at the target and the lines alone.
    if rules == Rules::Published {
        return None;
    }
    let file = file(question, answer);
    let has_assertion = in_body(question, &file, target::has_assertion);
    if has_assertion != Some(true) {
        return Some("no_assertion");
    }
    (in_body(question, &file, asserts_something) != Some(true)).then_some("trivial")
}

/// The lines of blocks that did not run.
fn missing(question: &CloverQuestion, ran: &Ran) -> Option<(&'static str, String)> {
    let blocks = question.block_paths.iter().zip(&question.block_lines);
    let missing: Vec<String> = blocks
        .filter_map(|(path, lines)| {
            let wanted: LineSet = lines.parse().ok()?;
            let missing = wanted.difference(hits(&ran.files, path));
            (!missing.is_empty()).then(|| format!("{path}:{missing}"))
        })
        .collect();
    (!missing.is_empty()).then(|| ("not_covered", missing.join(" ")))
}

/// The file that runs.
pub fn file(question: &CloverQuestion, answer: &Answer) -> String {
    [&question.file_before, answer.code.as_str(), &question.file_after].concat()
}

fn in_body<R>(
    question: &CloverQuestion,
    file: &str,
    look: impl FnOnce(&Module<'_>, trefoil_syntax::Node<'_>) -> R,
) -> Option<R> {
    let names = question.classes.iter().chain([&question.function]).map(String::as_str).collect();
    let parsed = Parsed::of(file, names).ok()?;
    let function = parsed.function()?;
    Some(look(&parsed.module, function.body))
}

/// Questions for the tests of other modules.
#[cfg(test)]
pub mod tests;
