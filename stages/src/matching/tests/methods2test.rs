//! Each case is checked against what the original's Python says by reading it.

use super::{DECLARED, Declared, Sketch};
use crate::matching::verdict::MATCHED;

const BOTH: [&str; 2] = ["methods2test", "methods2test-fixed"];

/// A focal class in a module `core`, where both modes look.
fn focal() -> Sketch {
    Sketch::default().java("core/src/main/java/a/Foo.java", false).class("Foo").method("add").method("remove")
}

fn with_tests() -> Sketch {
    focal().java("core/src/test/java/a/FooTest.java", true).class("FooTest")
}

#[test]
fn rules_in_their_order() {
    #[rustfmt::skip]
    let cases: [(&str, &[&str], &str); 13] = [
        ("testAdd", &[], "FooTest.testAdd -> Foo.add (name)"),
        ("ADDTEST", &[], "FooTest.ADDTEST -> Foo.add (name)"),
        ("testAdd", &["remove"], "FooTest.testAdd -> Foo.add (name)"),
        ("adds", &["remove", "remove"], "FooTest.adds -> Foo.remove (unique_call)"),
        ("adds", &["REMOVE", "unknown"], "FooTest.adds -> Foo.remove (unique_call)"),
        ("adds", &["remove", "add"], "FooTest.adds: several_calls_into_focal_class"),
        ("adds", &["unknown"], "FooTest.adds: no_call_into_focal_class"),
        ("adds", &["new add"], "FooTest.adds: no_call_into_focal_class"),
        ("adds", &[], "FooTest.adds: no_call_into_focal_class"),
        // The known fault: `test` is cut out of `Latest` too.
        ("testLatest", &["latest"], "FooTest.testLatest: no_call_into_focal_class"),
        ("testTest", &[], "FooTest.testTest: no_call_into_focal_class"),
        ("test_add", &[], "FooTest.test_add: no_call_into_focal_class"),
        ("teTESTstAdd", &[], "FooTest.teTESTstAdd: no_call_into_focal_class"),
    ];
    for mode in BOTH {
        for (name, calls, expected) in cases {
            assert_eq!(with_tests().test(name, calls).matched(mode).outcomes(), [expected], "{mode}");
        }
    }
}

#[test]
fn the_latest_fault_finds_la() {
    let latest = Sketch::default()
        .java("m/src/main/java/a/Foo.java", false)
        .class("Foo")
        .method("latest")
        .method("la")
        .java("m/src/test/java/a/FooTest.java", true)
        .class("FooTest")
        .test("testLatest", &["latest"]);
    assert_eq!(latest.matched("methods2test").outcomes(), ["FooTest.testLatest -> Foo.la (name)"]);
}

#[test]
fn overloads_constructors_and_second_classes() {
    let repository = Sketch::default()
        .java("m/src/main/java/a/Foo.java", false)
        .class("Foo")
        .declare(Declared { kind: "constructor", name: "Foo", ..DECLARED })
        .method("add")
        .method("add")
        .declare(Declared { kind: "class", name: "Helper", parent: None, ..DECLARED })
        .declare(Declared { name: "help", parent: Some(4), ..DECLARED })
        .java("m/src/test/java/a/FooTest.java", true)
        .class("FooTest")
        .test("testFoo", &[])
        .test("adding", &["add"])
        .test("testHelp", &[]);
    let written = repository.matched("methods2test");
    assert_eq!(
        written.outcomes(),
        [
            "FooTest.testFoo -> Foo.Foo (name)",
            "FooTest.adding -> Foo.add (unique_call)",
            "FooTest.testHelp -> Helper.help (name)",
        ]
    );
    assert_eq!(written.pairs[0].focal_kind, "constructor");
    assert_eq!(written.pairs[1].focal_ordinal, 2, "of overloads the first");
}

#[test]
fn focal_files_by_path() {
    #[rustfmt::skip]
    let cases = [
        // (focal, test, methods2test, methods2test-fixed)
        ("m/src/main/java/a/Foo.java", "m/src/test/java/a/FooTest.java", true, true),
        ("m/src/main/java/a/Foo.java", "m/src/test/java/a/TestFoo.java", true, true),
        ("m/src/main/java/a/Foo.java", "m/src/test/java/a/FOOTEST.java", true, true),
        ("src/main/java/a/Foo.java", "src/test/java/a/FooTest.java", false, true),
        ("a/Foo.java", "a/FooTest.java", true, true),
        ("a/Foo.java", "test/a/FooTest.java", false, false),
        ("m/src/main/java/a/Foo.java", "m/src/test/java/a/FooTests.java", false, false),
        ("m/src/main/java/test/Foo.java", "m/src/test/java/test/FooTest.java", false, false),
        ("m/src/testing/Foo.java", "m/src/ing/FooTest.java", false, false),
    ];
    for (focal, test, shipped, fixed) in cases {
        for (mode, expected) in BOTH.into_iter().zip([shipped, fixed]) {
            let repository = Sketch::default().java(focal, false).class("Foo").method("add");
            let outcomes =
                repository.java(test, true).class("T").test("testAdd", &[]).matched(mode).outcomes();
            let wanted = if expected { "T.testAdd -> Foo.add (name)" } else { "T.testAdd: no_focal_class" };
            assert_eq!(outcomes, [wanted], "{mode}: {focal} {test}");
        }
    }
}

#[test]
fn marked_files_are_no_focal_files() {
    let repository = Sketch::default().java("a/Foo.java", true).class("Foo").method("add");
    let repository = repository.java("a/FooTest.java", true).class("T").test("testAdd", &[]);
    assert_eq!(repository.matched("methods2test").outcomes(), ["T.testAdd: no_focal_class"]);
}

#[test]
fn of_paths_that_differ_in_case_the_smallest() {
    let repository = Sketch::default()
        .java("a/foo.java", false)
        .class("foo")
        .method("add")
        .java("a/Foo.java", false)
        .class("Foo")
        .method("add")
        .java("a/FooTest.java", true)
        .class("T")
        .test("testAdd", &[]);
    assert_eq!(repository.matched("methods2test").pairs[0].focal_path, "a/Foo.java");
}

#[test]
fn one_non_ascii_path_ends_the_repository_as_shipped() {
    let repository = || with_tests().test("testAdd", &[]).java("core/src/main/java/a/Größe.java", false);
    let as_shipped = repository().matched("methods2test");
    assert_eq!(as_shipped.outcomes(), ["FooTest.testAdd: non_ascii_path_in_repository"]);
    assert!(as_shipped.dropped[0].detail.contains("Größe.java"), "{}", as_shipped.dropped[0].detail);
    let fixed = repository().matched("methods2test-fixed");
    assert_eq!(fixed.outcomes(), ["FooTest.testAdd -> Foo.add (name)"]);
    let python = with_tests().test("testAdd", &[]).python("größe.py", false);
    assert_eq!(python.matched("methods2test").pairs.len(), 1);
}

#[test]
fn tests_that_the_rule_does_not_see() {
    let test = Declared { name: "testAdd", has_test_marker: true, is_test_case: true, ..DECLARED };
    let nested = with_tests()
        .declare(Declared { kind: "class", name: "Inner", ..DECLARED })
        .declare(Declared { parent: Some(1), ..test });
    assert_eq!(nested.matched("methods2test").outcomes(), ["FooTest.Inner.testAdd: nested_class"]);

    for kind in ["enum", "record", "interface"] {
        let typed = focal()
            .java("core/src/test/java/a/FooTest.java", true)
            .declare(Declared { kind, name: "FooTest", parent: None, ..DECLARED })
            .test("testAdd", &[]);
        assert_eq!(typed.matched("methods2test").outcomes(), ["FooTest.testAdd: not_a_top_level_class"]);
    }

    let parametrised = with_tests().declare(Declared { name: "testAdd", is_test_case: true, ..DECLARED });
    assert_eq!(parametrised.matched("methods2test").outcomes(), ["FooTest.testAdd: no_test_marker"]);

    let recovered = with_tests().declare(Declared {
        name: "testAdd",
        has_test_marker: true,
        is_test_case: true,
        recovered: true,
        ..DECLARED
    });
    assert_eq!(recovered.matched("methods2test").outcomes(), ["FooTest.testAdd: below_syntax_error"]);

    let in_field = with_tests().field().test("testAdd", &[]).test("testRemove", &[]);
    assert_eq!(
        in_field.matched("methods2test").outcomes(),
        ["FooTest.testAdd: nested_class", "FooTest.testRemove -> Foo.remove (name)"]
    );
}

#[test]
fn members_that_the_rule_does_not_see() {
    let hidden = |declared: Declared| {
        Sketch::default()
            .java("a/Foo.java", false)
            .class("Foo")
            .declare(Declared { kind: "class", name: "Inner", ..DECLARED })
            .declare(declared)
            .java("a/FooTest.java", true)
            .class("T")
            .test("testAdd", &["add"])
            .matched("methods2test")
            .outcomes()
    };
    let none = ["T.testAdd: no_call_into_focal_class"];
    assert_eq!(hidden(Declared { name: "add", parent: Some(1), ..DECLARED }), none);
    assert_eq!(hidden(Declared { name: "add", recovered: true, ..DECLARED }), none);
    assert_eq!(hidden(Declared { name: "add", kind: "lambda", ..DECLARED }), none);
    assert_eq!(hidden(Declared { name: "add", ..DECLARED }), ["T.testAdd -> Foo.add (name)"]);
}

#[test]
fn marked_callables_make_pairs_though_parsing_calls_them_no_tests() {
    let marked = Declared { has_test_marker: true, ..DECLARED };
    let written = with_tests()
        .declare(Declared { name: "testAdd", ..marked })
        .declare(Declared { name: "template", ..marked })
        .declare(Declared { kind: "constructor", name: "FooTest", calls: &["add"], ..marked })
        .matched("methods2test");
    assert_eq!(written.outcomes(), ["FooTest.testAdd -> Foo.add (name)"]);
    assert_eq!(
        written.votes_on("FooTest.template")[..3],
        [
            "methods2test focal_class: matched",
            "methods2test name: no_method_of_that_name",
            "methods2test unique_call: no_call_into_focal_class",
        ]
    );
}

#[test]
fn every_rule_of_every_mode_votes() {
    let written = Sketch::default()
        .java("src/main/java/Foo.java", false)
        .class("Foo")
        .method("add")
        .method("remove")
        .java("src/test/java/FooTest.java", true)
        .class("FooTest")
        .test("testAdd", &["remove"])
        .matched("methods2test");
    let votes = written.votes_on("FooTest.testAdd");
    assert_eq!(
        votes.iter().filter(|vote| !vote.starts_with("combined ")).collect::<Vec<_>>(),
        [
            "methods2test focal_class: no_focal_class",
            "methods2test name: no_focal_class",
            "methods2test unique_call: no_focal_class",
            "methods2test-fixed focal_class: matched",
            "methods2test-fixed name: matched",
            "methods2test-fixed unique_call: matched",
            "unittests-java focal_class: matched",
            "unittests-java name: matched",
            "unittests-java unique_call: matched",
            "contest test_class: unresolvable",
            "unitsyn last_call: matched",
        ]
    );
    let unique =
        written.votes.iter().find(|vote| vote.answer == MATCHED && vote.rule == "unique_call").unwrap();
    assert_eq!((unique.focal_name.as_str(), unique.focal_line), ("Foo.remove", 3));
}
