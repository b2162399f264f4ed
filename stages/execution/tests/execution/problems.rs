//! Tests cut out of a module and verified.

use crate::repository::suite;
use std::collections::BTreeMap;
use trefoil_execution::problem::{Cut, Problem};
use trefoil_execution::sandbox::Limits;

/// Those of a file by their names.
fn problems(file: &str) -> BTreeMap<String, Problem> {
    let problems = suite(Limits { seconds: 30, ..Limits::default() }).problems(true).unwrap();
    let of_file = problems.into_iter().filter(|problem| problem.test_path == file);
    of_file.map(|problem| (problem.id.replace(&format!("{file}::"), ""), problem)).collect()
}

#[test]
fn each_test_has_what_it_needs_and_no_more() {
    let problems = problems("tests/test_prices.py");
    let reasons: Vec<(&str, &str)> =
        problems.iter().map(|(name, problem)| (name.as_str(), problem.reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("Shelf::test_rows", ""),
            ("TestStall::test_one", ""),
            ("TestStall::test_two", ""),
            ("test_asynchronous", ""),
            ("test_discount", ""),
            ("test_door_is_open", ""),
            ("test_known", ""),
            ("test_rich", ""),
            ("test_skipped", "skipped"),
            ("test_total", ""),
            ("test_twice", ""),
            ("test_unknown", ""),
            ("test_wrong", "fails_in_its_module"),
        ]
    );
    assert!(problems.values().all(|problem| problem.cut == Cut::Needed));
    let names: Vec<&str> = problems["test_known"].items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["test_known[bread]", "test_known[salt]"]);
    assert_eq!(problems["test_rich"].source, include_str!("fixtures/cut_test_rich.py"));
    assert_eq!(problems["TestStall::test_two"].source, include_str!("fixtures/cut_test_two.py"));
    assert_eq!(problems["Shelf::test_rows"].items[0].name, "TestLong::test_rows");
}

#[test]
fn the_span_is_that_of_the_function_in_the_cut() {
    for problem in problems("tests/test_prices.py").values() {
        let lines: Vec<&str> = problem.source.lines().collect();
        let (first, last) = (problem.span.0 as usize, problem.span.1 as usize);
        let function = &lines[first - 1..last];
        let named = format!("def {}(", problem.function);
        assert!(function.iter().any(|line| line.contains(&named)), "{}: {function:?}", problem.id);
        assert!(problem.body as usize > first && problem.body as usize <= last, "{}", problem.id);
    }
}

#[test]
fn a_test_whose_answer_changes_is_left_out_with_the_reason() {
    let problems = problems("tests/test_moods.py");
    let reasons: Vec<(&str, &str)> =
        problems.iter().map(|(name, problem)| (name.as_str(), problem.reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("test_before_all_others", "depends_on_order"),
            ("test_of_changing_ways", "lines_change"),
            ("test_of_lucky_days", "outcome_changes"),
            ("test_of_the_evening", ""),
            ("test_of_the_morning", ""),
        ]
    );
    assert_eq!(problems["test_before_all_others"].detail, "test_before_all_others: failed after other tests");
    let detail = &problems["test_of_lucky_days"].detail;
    assert!(detail.starts_with("passed, then failed: "), "{detail}");
}
