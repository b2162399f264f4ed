//! Task I: an operand of an assertion is masked (CLOVER, section 4).

use super::{Example, Question, Shown};
use crate::case::{Case, Snapshot};
use crate::cut::{Parsed, Unfit};
use crate::syntax::{Assertion, Form, Function, Module, bare};
use crate::trivial::{Rules, is_trivial};
use std::collections::HashMap;
use trefoil_stages::records::identity;
use trefoil_syntax::Node;

/// What stands for the masked operand.
pub const MASK: &str = "____";

/// A reference that more than this share of a repository's problems has is no example ("200" is a good guess anywhere);
/// CLOVER, section 4, "Example selection".
const FREQUENT: f64 = 0.01;

/// An assertion with one blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cloze {
    /// The statement up to the mask.
    pub left: String,
    /// The statement after the mask, without its message.
    pub right: String,
    /// What was masked.
    pub answer: String,
}

impl Cloze {
    /// The statement with the mask.
    pub fn question(&self) -> String {
        self.with(MASK)
    }

    /// The statement with `answer` in place of the mask.
    pub fn with(&self, answer: &str) -> String {
        [&self.left, answer, &self.right].concat()
    }
}

/// Every problem of a case, and the reasons of the assertions that are none.
pub fn problems(snapshot: &Snapshot, path: &str, number: usize, case: &Case) -> (Vec<Example>, Vec<Unfit>) {
    let parsed = match Parsed::new(case) {
        Ok(parsed) => parsed,
        Err(unfit) => return (Vec::new(), vec![unfit]),
    };
    let Some(function) = parsed.function() else { return (Vec::new(), Vec::new()) };
    let (mut examples, mut unfit) = (Vec::new(), Vec::new());
    for assertion in parsed.module.assertions(function.body) {
        if let Some(reason) = hindrance(&assertion, &function) {
            unfit.push(reason);
            continue;
        }
        for (operand, side) in operands(&assertion.form) {
            match problem(&parsed, &function, &assertion, operand) {
                Ok((cloze, shown)) => {
                    let at = assertion.statement.start_byte().to_string();
                    let id = identity(&[&snapshot.host, &snapshot.repository, path, &case.name(), &at, side]);
                    examples.push(Example::new(id, (path, number, case), Question::Cloze(cloze), shown));
                }
                Err(reason) => unfit.push(reason),
            }
        }
    }
    (examples, unfit)
}

/// Why an assertion cannot be the last line of its test.
fn hindrance(assertion: &Assertion<'_>, function: &Function<'_>) -> Option<Unfit> {
    if matches!(assertion.form, Form::Other) {
        return Some(Unfit("no_operand"));
    }
    let mut node = assertion.statement;
    while let Some(parent) = node.parent().filter(|_| node != function.body) {
        match parent.kind() {
            // It runs only where something later calls it.
            "function_definition" | "class_definition" | "lambda" if parent != function.node => {
                return Some(Unfit("in_nested_function"));
            }
            // Without what follows, the statement would be no Python.
            "try_statement" if parent.child_by_field_name("body") == Some(node) => {
                return Some(Unfit("inside_try"));
            }
            _ => node = parent,
        }
    }
    None
}

fn operands<'a>(form: &Form<'a>) -> Vec<(Node<'a>, &'static str)> {
    match form {
        Form::Unary(node) => vec![(*node, "whole")],
        Form::Binary { left, right, .. } => vec![(bare(*left), "left"), (bare(*right), "right")],
        Form::Other => Vec::new(),
    }
}

fn problem(
    parsed: &Parsed<'_>,
    function: &Function<'_>,
    assertion: &Assertion<'_>,
    operand: Node,
) -> Result<(Cloze, Shown), Unfit> {
    let start = assertion.statement.start_byte();
    let whole = parsed.module.text(assertion.statement);
    let statement = whole.get(..assertion.condition.end_byte() - start).unwrap_or_default();
    let piece = |range: std::ops::Range<usize>| statement.get(range).unwrap_or_default().to_owned();
    let (from, to) = (operand.start_byte() - start, operand.end_byte() - start);
    let cloze = Cloze { left: piece(0..from), answer: piece(from..to), right: piece(to..statement.len()) };
    if statement.contains(MASK) {
        return Err(Unfit("holds_the_mask"));
    }
    if is_trivial(assertion, &parsed.module, Rules::Corrected) {
        return Err(Unfit("trivial"));
    }
    let cut = parsed.cut_off(function, start, statement);
    if is_copied(statement, &[&cut.before, &cut.after].map(String::as_str).concat()) {
        return Err(Unfit("copy_of_an_assertion"));
    }
    let head = parsed.head(function, start).trim_end().to_owned();
    Ok((cloze, Shown { setup: parsed.setup(function), head, cut }))
}

/// Whether `statement` asserts what an assertion of `file` asserts.
pub fn is_copied(statement: &str, file: &str) -> bool {
    let (Some(answer), Some(file)) = (Module::parse(statement), Module::parse(file)) else { return false };
    let answers = answer.assertions(answer.root());
    let Some(asserted) = answers.first().map(|assertion| answer.leaves(bare(assertion.condition))) else {
        return false;
    };
    file.assertions(file.root()).iter().any(|known| file.leaves(bare(known.condition)) == asserted)
}

/// Leaves out the problems with a frequent reference; how many they are.
///
/// A reference that occurs once is not frequent, however few problems there are: by the letter of the formula a
/// repository with fewer than 100 problems would have no examples.
pub fn leave_out_frequent(problems: &mut Vec<Example>) -> usize {
    let mut counts: HashMap<String, usize> = HashMap::new();
    problems.iter().for_each(|problem| *counts.entry(reference(problem)).or_default() += 1);
    let all = problems.len();
    let is_frequent = |count: usize| count > 1 && count as f64 / all as f64 > FREQUENT;
    problems.retain(|problem| !counts.get(&reference(problem)).is_some_and(|count| is_frequent(*count)));
    all - problems.len()
}

fn reference(problem: &Example) -> String {
    match &problem.question {
        Question::Cloze(cloze) => cloze.answer.clone(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests::case;

    fn problems_of(body: &str) -> (Vec<(String, String)>, Vec<&'static str>) {
        let file = format!("import shop\n\nKNOWN = 1\nassert shop.ready()\n\ndef test_it(x):\n{body}");
        let case = case("test_it", &file, &[]);
        let (examples, unfit) = problems(&Snapshot::default(), "test_a.py", 0, &case);
        let pair = |example: &Example| match &example.question {
            Question::Cloze(cloze) => (cloze.question(), cloze.answer.clone()),
            _ => unreachable!(),
        };
        (examples.iter().map(pair).collect(), unfit.into_iter().map(|unfit| unfit.0).collect())
    }

    fn strings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn either_side_of_a_comparison_and_the_whole_of_others_is_masked() {
        let (found, unfit) = problems_of(
            "    assert f(x) == [1,\n        2], 'message'\n    assert not x.is_open\n    assert (a) not  in (b)\n",
        );
        assert_eq!(
            found,
            strings(&[
                ("assert ____ == [1,\n        2]", "f(x)"),
                ("assert f(x) == ____", "[1,\n        2]"),
                ("assert not ____", "x.is_open"),
                ("assert (____) not  in (b)", "a"),
                ("assert (a) not  in (____)", "b"),
            ])
        );
        assert_eq!(unfit, [] as [&str; 0]);
    }

    #[test]
    fn what_is_no_problem_has_a_reason() {
        let (found, unfit) = problems_of(
            "    assert a and b\n    assert 1 < x < 3\n    assert 'a' == str('a')\n    assert shop.ready()\n\
             \x20   try:\n        assert a\n    except E:\n        assert f(1)\n\
             \x20   def inner():\n        assert x == 2\n    assert True\n    assert x == '____'\n    assert  f( 1 )\n",
        );
        assert_eq!(found, strings(&[("assert ____", "f(1)")]));
        assert_eq!(
            unfit,
            [
                "no_operand",
                "no_operand",
                "trivial",
                "trivial",
                "copy_of_an_assertion",
                "inside_try",
                "in_nested_function",
                "no_operand",
                "holds_the_mask",
                "holds_the_mask",
                "copy_of_an_assertion"
            ]
        );
    }

    #[test]
    fn the_question_is_the_last_line_of_its_test() {
        let file = "def test_it():\n    x = f()\n    assert x == 1\n    assert x.other\n    x.close()\n\nafter = 1\n";
        let case = case("test_it", file, &[]);
        let (examples, _) = problems(&Snapshot::default(), "test_a.py", 0, &case);
        let first = &examples[0];
        assert_eq!(
            first.cut.with("assert 2 == 1"),
            "def test_it():\n    x = f()\n    assert 2 == 1\n\nafter = 1\n"
        );
        assert_eq!(
            (first.head.as_str(), first.setup.as_str()),
            ("def test_it():\n    x = f()", "after = 1\n")
        );
        let ids: std::collections::BTreeSet<_> = examples.iter().map(|example| &example.id).collect();
        assert_eq!((examples.len(), ids.len()), (3, 3));
    }

    #[test]
    fn frequent_references_go_and_single_ones_stay() {
        let body: String = (0..4).map(|n| format!("    assert f({n}) == 200\n")).collect();
        let file = format!("def test_it():\n{body}");
        let case = case("test_it", &file, &[]);
        let (mut examples, _) = problems(&Snapshot::default(), "test_a.py", 0, &case);
        assert_eq!(examples.len(), 8);
        assert_eq!(leave_out_frequent(&mut examples), 4);
        assert!(examples.iter().all(|example| reference(example).starts_with("f(")));
    }
}
