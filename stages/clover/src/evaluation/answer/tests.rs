use super::*;
use crate::evaluation::grading::tests::{body_question, cloze_question};

fn prediction(question: &str, reply: &str) -> Result<String, NoAnswer> {
    capture(&cloze_question(question, ""), reply).map(|answer| answer.prediction)
}

#[test]
fn a_filled_statement_is_found_in_any_wrapping() {
    for reply in [
        "assert f(x) == [1, 2]",
        "```python\nassert f(x) == [1, 2]\n```",
        "Here it is:\n\n```\nassert f(x) == [1,2]\n```\nbecause",
        "    assert f(x) == [1, 2]\n",
        "assert (f(x) == [1, 2]), 'message'  # why",
        "```python\nx = 3\nassert f(x) == [\n    1, 2]\nassert y\n```",
        "f(x)",
        "`````python\nf(x)\n`````",
    ] {
        assert_eq!(prediction("assert ____ == [1, 2]", reply).as_deref(), Ok("f(x)"), "{reply}");
    }
    assert_eq!(prediction("assert x == ____", "assert x == 'a'").as_deref(), Ok("'a'"));
    assert_eq!(prediction("assert \"a\" in ____", "assert 'a' in y").as_deref(), Ok("y"));
    assert_eq!(
        prediction("assert not ____", "assert not x or y").as_deref(),
        Err(&NoAnswer::ChangedStatement)
    );
    assert_eq!(prediction("assert not ____", "assert not (x or y)").as_deref(), Ok("(x or y)"));
    assert_eq!(prediction("assert ____", "assert x or y").as_deref(), Ok("x or y"));
    for reply in ["assert (x == y) is z", "assert x == y is z", "assert ((x == y) is z)"] {
        let wanted = if reply.contains("(x") { Ok("x == y") } else { Err(&NoAnswer::ChangedStatement) };
        assert_eq!(prediction("assert (____) is z", reply).as_deref(), wanted, "{reply}");
    }
    for reply in ["assert x == (\n 'a'\n 'b')", "assert x == ('a' 'b')"] {
        assert!(
            prediction("assert x == (\n  ____\n)", reply).is_ok_and(|it| it.starts_with("'a'")),
            "{reply}"
        );
    }
}

#[test]
fn nothing_outside_the_blank_may_change() {
    for reply in [
        "assert f(x) == [1]",
        "assert f(x) != [1, 2]",
        "assert f(x) or f(x) == [1, 2]",
        "assert 1 == f(x) == [1, 2]",
        "assert True",
        "assert f(x) == [1, 2] or True",
    ] {
        assert_eq!(prediction("assert ____ == [1, 2]", reply), Err(NoAnswer::ChangedStatement), "{reply}");
    }
    for reply in
        ["I cannot say.", "f(x); y", "f(x)\ng(x)", "f(x) or 1", "```\n```", "assert", "def f():\n  pass"]
    {
        let found = prediction("assert ____ == [1, 2]", reply);
        assert!(found.is_err(), "{reply}: {found:?}");
    }
    assert_eq!(prediction("assert ____", " \n"), Err(NoAnswer::Empty));
}

fn body(template: &str, reply: &str) -> Result<String, NoAnswer> {
    capture(&body_question(template), reply).map(|answer| answer.code)
}

#[test]
fn a_body_is_found_with_or_without_its_file_and_indented() {
    let wanted = Ok("        x = 1\n\n        assert x".to_owned());
    for reply in [
        "        x = 1\n\n        assert x\n",
        "```python\nx = 1\n\nassert x\n```",
        "```python\n    x = 1\n\n    assert x\n```",
        "```python\ndef test_it(self):\n    x = 1\n\n    assert x\n```",
        "```python\nclass TestA:\n    def test_it(self):\n        x = 1\n\n        assert x\n\n    def other(self): pass\n```",
    ] {
        assert_eq!(body("part", reply), wanted, "{reply}");
    }
    let file = "```python\nimport shop\nshop.cheat()\nclass TestA:\n    @skip\n    def test_it(self, more):\n        x = 1\n\n        assert x\n```";
    assert_eq!(body("full", file), wanted);
    assert_eq!(body("full", "x = 1\nassert x"), Err(NoAnswer::NoCode));
}

#[test]
fn a_body_cannot_leave_its_test() {
    for reply in [
        "        x = 1\n    def setUp(self):\n        pass\n",
        "        x = 1\nimport os\n",
        "x = (1\n",
        "# only a comment",
    ] {
        assert_eq!(body("part", reply), Err(NoAnswer::NoCode), "{reply}");
    }
}
