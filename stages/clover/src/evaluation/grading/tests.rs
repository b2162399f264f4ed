use super::*;
use crate::case::tests::coverage;

/// A question of Task I whose file goes on after it.
pub fn cloze_question(question: &str, reference: &str) -> CloverQuestion {
    CloverQuestion {
        host: "local".into(),
        repository: "shop".into(),
        commit: "1".into(),
        path: "tests/test_a.py".into(),
        id: "row".into(),
        example: "example".into(),
        task: "I".into(),
        setting: "4k".into(),
        budget: Some(4096),
        template: "statement".into(),
        classes: Vec::new(),
        function: "test_it".into(),
        run_path: "tests/tmp_test_a.py".into(),
        file_before: "import shop\n\ndef test_it():\n    assert shop.known() == 1\n    ".into(),
        original: question.replace("____", reference),
        file_after: "\n".into(),
        question: question.into(),
        reference: reference.into(),
        target_name: String::new(),
        block_paths: Vec::new(),
        block_lines: Vec::new(),
    }
}

/// A question of Task II in a class.
pub fn body_question(template: &str) -> CloverQuestion {
    CloverQuestion {
        task: "II".into(),
        template: template.into(),
        classes: vec!["TestA".into()],
        file_before: "import shop\n\nclass TestA:\n    def test_it(self):\n".into(),
        original: "        cart = shop.Cart()\n        assert cart.total() == 0".into(),
        file_after: "\n\n    def other(self):\n        return 1\n".into(),
        question: String::new(),
        target_name: "total".into(),
        ..cloze_question("", "")
    }
}

fn blocks_question() -> CloverQuestion {
    CloverQuestion {
        task: "III".into(),
        block_paths: vec!["shop.py".into(), "cart.py".into()],
        block_lines: vec!["3-5".into(), "7,9".into()],
        ..body_question("part")
    }
}

fn ran(outcome: Outcome) -> Ran {
    let files = coverage(&[("shop.py", &[1, 3, 4, 5], &[6]), ("cart.py", &[7, 9], &[])]);
    Ran { outcome, detail: "why".into(), files }
}

/// Kind, EM, ER and success of a reply that runs and passes.
fn passed(question: &CloverQuestion, reply: &str, rules: Rules) -> (String, bool, bool, bool) {
    let grade = grade(question, Some(reply), Some(&ran(Outcome::Passed)), rules);
    (grade.kind, grade.exact, grade.executed, grade.success)
}

#[test]
fn the_reference_scores_everything() {
    for rules in [Rules::Corrected, Rules::Published] {
        let question = cloze_question("assert ____ == 2", "shop.count()");
        assert_eq!(passed(&question, &question.original, rules), ("success".into(), true, true, true));
        for question in [body_question("part"), body_question("full"), blocks_question()] {
            let whole =
                format!("```python\n{}{}{}```", question.file_before, question.original, question.file_after);
            assert_eq!(passed(&question, &whole, rules), ("success".into(), false, true, true));
        }
    }
}

#[test]
fn another_valid_answer_is_a_success_without_being_exact() {
    let question = cloze_question("assert ____ == 2", "shop.count()");
    let grade = passed(&question, "assert len(shop.all()) == 2", Rules::Corrected);
    assert_eq!(grade, ("success".into(), false, true, true));
}

#[test]
fn empty_and_trivial_answers_score_nothing_anywhere() {
    let cloze = cloze_question("assert ____ == 2", "shop.count()");
    let nothing = |question: &CloverQuestion, reply: &str, kind: &str| {
        assert_eq!(passed(question, reply, Rules::Corrected), (kind.into(), false, false, false), "{reply}");
    };
    nothing(&cloze, "", "empty");
    nothing(&cloze, "assert 2 == 2", "trivial");
    nothing(&cloze, "assert 1 + 1 == 2", "trivial");
    nothing(&cloze, "assert True", "changed_statement");
    nothing(&cloze_question("assert ____", "x"), "assert True", "trivial");
    for question in [body_question("part"), blocks_question()] {
        nothing(&question, "", "empty");
        nothing(&question, "pass", "no_assertion");
        nothing(&question, "assert True", "trivial");
        nothing(&question, "self.assertEqual(1, 1)", "trivial");
        nothing(&question, "shop.Cart().total()", "no_assertion");
        nothing(&question, "shop.Cart().total()\nassert str('a') == 'a'", "trivial");
    }
}

#[test]
fn by_the_published_rules_a_trivial_answer_runs_but_is_not_refined() {
    let cloze = cloze_question("assert ____ == 2", "shop.count()");
    assert_eq!(passed(&cloze, "assert 2 == 2", Rules::Published), ("trivial".into(), false, true, false));
    assert_eq!(passed(&cloze, "assert 1 + 1 == 2", Rules::Published), ("success".into(), false, true, true));
}

#[test]
fn a_copy_of_an_assertion_runs_but_is_not_refined() {
    let question = cloze_question("assert ____ == 1", "shop.count()");
    for reply in ["assert shop.known() == 1", "assert (shop . known()) == 1"] {
        assert_eq!(
            passed(&question, reply, Rules::Corrected),
            ("copied".into(), false, true, false),
            "{reply}"
        );
    }
}

#[test]
fn the_target_has_to_be_used_in_code() {
    let question = body_question("part");
    for reply in ["assert shop.Cart()", "# total\nassert shop.Cart() != 'total'"] {
        assert_eq!(passed(&question, reply, Rules::Corrected), ("target_missing".into(), false, true, false));
    }
    assert!(passed(&question, "assert shop.Cart().total() == 0", Rules::Corrected).3);
}

#[test]
fn every_line_of_every_block_has_to_run() {
    let mut short = ran(Outcome::Passed);
    short.files = coverage(&[("shop.py", &[3, 5], &[4])]);
    let question = blocks_question();
    let grade = grade(&question, Some("assert shop.Cart().total() == 0"), Some(&short), Rules::Corrected);
    assert_eq!((grade.kind.as_str(), grade.executed, grade.success), ("not_covered", true, false));
    assert_eq!(grade.detail, "shop.py:4 cart.py:7,9");
}

#[test]
fn what_did_not_pass_is_told_by_kind_and_the_infrastructure_apart() {
    let question = cloze_question("assert ____ == 2", "shop.count()");
    let kind = |ran: Option<&Ran>| grade(&question, Some(&question.original), ran, Rules::Corrected);
    for outcome in
        [Outcome::Failed, Outcome::Error, Outcome::TimedOut, Outcome::OutOfMemory, Outcome::Crashed]
    {
        let grade = kind(Some(&ran(outcome)));
        assert_eq!((grade.kind.as_str(), grade.executed, grade.success), (outcome.as_str(), false, false));
    }
    assert_eq!(kind(Some(&ran(Outcome::Infrastructure))).kind, INFRASTRUCTURE);
    assert_eq!(kind(None).kind, INFRASTRUCTURE);
    assert_eq!(grade(&question, None, None, Rules::Corrected).kind, MISSING);
}
