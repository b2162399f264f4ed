use super::{DECLARED, Declared, Sketch};

fn outcome(repository: Sketch) -> String {
    let mut outcomes = repository.matched("methods2test").outcomes();
    assert_eq!(outcomes.len(), 1);
    outcomes.remove(0)
}

fn library() -> Sketch {
    Sketch::default()
        .python("lib/a.py", false)
        .function("load")
        .class("Store")
        .declare(Declared { name: "save", parent: Some(1), ..DECLARED })
        .declare(Declared { name: "reset", parent: Some(1), role: "setup", ..DECLARED })
}

#[test]
fn names_without_their_prefix() {
    let cases = [
        ("test_load", "test_load -> load (name)"),
        ("test_save", "test_save -> Store.save (name)"),
        ("test_loads", "test_loads: no_function_of_that_name"),
        ("test_Load", "test_Load: no_function_of_that_name"),
        ("test_", "test_: no_function_of_that_name"),
        // A class is no function, and what sets tests up is no focal method.
        ("test_Store", "test_Store: no_function_of_that_name"),
        ("test_reset", "test_reset: no_function_of_that_name"),
        ("testLoad", "testLoad: not_named_test_"),
        ("load_test", "load_test: not_named_test_"),
    ];
    for (name, expected) in cases {
        assert_eq!(outcome(library().python("tests/test_a.py", true).pytest(name)), expected);
    }
}

#[test]
fn methods_of_test_classes_are_tests_too() {
    let in_class = library().python("tests/test_a.py", true).class("LoadTest").declare(Declared {
        name: "test_load",
        role: "test",
        is_test_case: true,
        ..DECLARED
    });
    assert_eq!(outcome(in_class), "LoadTest.test_load -> load (name)");
}

#[test]
fn several_of_a_name_are_none_and_are_listed() {
    let several = library()
        .python("lib/b.py", false)
        .function("load")
        .python("tests/test_a.py", true)
        .pytest("test_load")
        .matched("methods2test");
    assert_eq!(several.outcomes(), ["test_load: several_functions_of_that_name"]);
    assert_eq!(several.dropped[0].detail, "2: load lib/a.py:1, load lib/b.py:5");
}

#[test]
fn definitions_of_one_qualified_name_in_a_file_are_one() {
    let repeated = library().function("load").python("tests/test_a.py", true).pytest("test_load");
    let written = repeated.matched("methods2test");
    assert_eq!(written.outcomes(), ["test_load -> load (name)"]);
    assert_eq!(written.pairs[0].focal_ordinal, 0, "the first of them");
}

#[test]
fn files_of_tests_give_no_candidates_and_others_no_tests() {
    let helper = library()
        .python("conftest.py", false)
        .function("load")
        .python("tests/test_b.py", true)
        .function("load")
        .python("tests/test_a.py", true)
        .pytest("test_load");
    assert_eq!(outcome(helper), "test_load -> load (name)");
    let elsewhere = library().python("tests/suite.py", false).pytest("test_load");
    assert_eq!(outcome(elsewhere), "test_load: not_a_test_file");
}

#[test]
fn local_functions_and_members_of_test_classes_are_no_candidates() {
    // `load`, `Store`, `save` and `reset` come first in the file, so that the next ordinal is 4.
    let local = library()
        .function("wait")
        .declare(Declared { name: "retry", kind: "function", parent: Some(4), ..DECLARED })
        .declare(Declared { name: "Checks", kind: "class", role: "test_class", ..DECLARED })
        .declare(Declared { name: "prepare", parent: Some(6), ..DECLARED });
    for name in ["test_retry", "test_prepare"] {
        let test = local.clone().python("tests/test_a.py", true).pytest(name);
        assert_eq!(outcome(test), format!("{name}: no_function_of_that_name"));
    }
    let reachable = local.python("tests/test_a.py", true).pytest("test_wait");
    assert_eq!(outcome(reachable), "test_wait -> wait (name)");
}

#[test]
fn an_overload_is_passed_over_for_the_function_behind_it() {
    let written = Sketch::default()
        .python("lib/a.py", false)
        .declare(Declared {
            name: "cut",
            kind: "function",
            parent: None,
            annotations: &["t.overload"],
            ..DECLARED
        })
        .function("cut")
        .python("tests/test_a.py", true)
        .pytest("test_cut")
        .matched("methods2test");
    assert_eq!(written.pairs[0].focal_ordinal, 1);
}
