//! Where tests are cut, and which are set aside or dropped.

use super::{Part, STACK, Settings, Written, cut, cut_with, settings};

#[test]
fn figure_1_of_the_paper() {
    let files = [
        ("src/main/java/org/example/count/Counter.java", include_str!("../fixtures/Counter.java")),
        ("src/test/java/org/example/count/CounterTest.java", include_str!("../fixtures/CounterTest.java")),
    ];
    let found = cut(&files);
    let (setup, assertions) = found.parts(found.only());
    assert_eq!(setup, "        int expected = 1;\n        counter.inc();");
    assert_eq!(assertions, "        assertEquals(\n            counter.count,\n            expected);");
    assert_eq!(found.methods(Part::SetupMember), ["CounterTest.before"]);
    assert_eq!(found.methods(Part::SetupContext), ["CounterTest.initCounter"]);
    assert_eq!(found.methods(Part::FocalContext), ["Counter.setCount", "Counter.inRange"]);
    let segment = found.only();
    assert_eq!((segment.calls_ambiguous, segment.calls_unknown, segment.methods_left_out), (0, 0, 0));
    let before = segment.method_names.iter().position(|name| name == "CounterTest.before").unwrap();
    let text =
        found.text(&segment.method_paths[before], segment.method_starts[before], segment.method_ends[before]);
    assert_eq!(text, "@Before\n    public void before() {\n        counter = initCounter();\n    }");
}

#[test]
fn other_data_sets_have_no_segments() {
    let files = [
        ("Counter.java", include_str!("../fixtures/Counter.java")),
        ("CounterTest.java", include_str!("../fixtures/CounterTest.java")),
    ];
    let unit_tests = Settings { export: Default::default(), ..settings() };
    assert_eq!(cut_with(&files, &unit_tests).written, Written::default());
}

/// The reason why the body of a test of `push` is set aside or dropped, or its two parts.
fn java(body: &str) -> Result<(String, String), String> {
    let test = format!(
        "import org.junit.Test;\nimport static org.junit.Assert.*;\nclass StackTest {{\n  Stack stack = new Stack();\n  \
         @Test public void testPush() {{\n{body}\n  }}\n}}\n"
    );
    let files = [STACK, ("src/test/java/StackTest.java", test.as_str())];
    let found = cut(&files);
    match found.reasons().first() {
        Some(reason) => Err((*reason).to_owned()),
        None => Ok(found.squeezed()),
    }
}

fn parts(setup: &str, assertions: &str) -> Result<(String, String), String> {
    Ok((setup.to_owned(), assertions.to_owned()))
}

#[test]
fn the_last_call_ends_the_setup() {
    assert_eq!(
        java(
            "stack.push(1); assertEquals(1, stack.size());\nstack.push(2); // two\n// now\nassertEquals(2, stack.size());"
        ),
        parts(
            "stack.push(1); assertEquals(1, stack.size()); stack.push(2); // two",
            "// now assertEquals(2, stack.size());"
        )
    );
}

#[test]
fn code_around_assertions_belongs_to_them() {
    assert_eq!(
        java(
            "stack.push(1);\nint n = 1;\nfor (int i = 0; i < n; i++) {\n assertEquals(i, stack.size());\n}\nstack = null;"
        ),
        parts(
            "stack.push(1);",
            "int n = 1; for (int i = 0; i < n; i++) { assertEquals(i, stack.size()); } stack = null;"
        )
    );
}

#[test]
fn a_loop_around_the_call_stays_whole() {
    assert_eq!(
        java("for (int i = 0; i < 3; i++) {\n stack.push(i);\n}\nassertEquals(3, stack.size());"),
        parts("for (int i = 0; i < 3; i++) { stack.push(i); }", "assertEquals(3, stack.size());")
    );
}

#[test]
fn calls_in_assertions_are_set_aside() {
    let files_of = |body: &str| java(body).unwrap_err();
    assert_eq!(files_of("int x = 1;\nassertTrue(stack.push(x));"), "focal_call_in_assertion");
    let in_one_statement = "focal_call_and_assertion_in_one_statement";
    assert_eq!(
        files_of(
            "for (int i = 0; i < 3; i++) { stack.push(i); assertEquals(i, stack.size()); }\nassertEquals(3, stack.size());"
        ),
        in_one_statement
    );
    assert_eq!(
        files_of("try { stack.push(-1); fail(); } catch (IllegalStateException e) { }"),
        in_one_statement
    );
    assert_eq!(files_of("if (stack.push(1)) { fail(\"full\"); }"), in_one_statement);
    assert_eq!(
        java("try { stack.push(1); assertEquals(1, stack.size()); } catch (IOException e) { fail(); }"),
        parts("try { stack.push(1);", "assertEquals(1, stack.size());")
    );
}

/// Set-up before the assertions, assertions, and what closes the set-up, of the only test in files.
fn three_parts(files: &[(&str, &str)]) -> [String; 3] {
    let found = cut(files);
    let segment = found.only();
    let (setup, assertions) = found.parts(segment);
    let closing = found.text(&segment.path, segment.closing_start, segment.closing_end);
    [setup, assertions, closing].map(str::to_owned)
}

#[test]
fn a_cut_inside_a_statement_leaves_it_whole() {
    let body = "for (int i = 0; i < 3; i++) {\n    stack.push(i); // one\n    // all there\n    \
                assertEquals(i, stack.size());\n  }\n  stack = null;";
    let test = format!(
        "import org.junit.Test;\nimport static org.junit.Assert.*;\nclass StackTest {{\n  Stack stack;\n  \
         @Test public void testPush() {{\n  {body}\n  }}\n}}\n"
    );
    assert_eq!(
        three_parts(&[STACK, ("src/test/java/StackTest.java", test.as_str())]),
        [
            "  for (int i = 0; i < 3; i++) {\n    stack.push(i); // one",
            "    // all there\n    assertEquals(i, stack.size());",
            "  }\n  stack = null;"
        ]
    );
    let go = "package shop\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tfor _, tc := range cases {\n\t\t\
              t.Run(tc.name, func(t *testing.T) {\n\t\t\tgot := Add(tc.n)\n\t\t\tif got != tc.want {\n\t\t\t\t\
              t.Errorf(\"%d\", got)\n\t\t\t}\n\t\t})\n\t}\n}\n";
    let cart = "package shop\n\nfunc Add(n int) int { return n }\n";
    assert_eq!(
        three_parts(&[("shop/cart.go", cart), ("shop/cart_test.go", go)]),
        [
            "\tfor _, tc := range cases {\n\t\tt.Run(tc.name, func(t *testing.T) {\n\t\t\tgot := Add(tc.n)",
            "\t\t\tif got != tc.want {\n\t\t\t\tt.Errorf(\"%d\", got)\n\t\t\t}",
            "\t\t})\n\t}"
        ]
    );
    let python = "from shop import total\n\ndef test_total(shop):\n    with shop.open() as one:\n        try:\n            \
                  x = total(one)\n            assert x == 1\n        finally:\n            one.close()\n";
    assert_eq!(
        three_parts(&[("shop.py", "def total(items):\n    return 1\n"), ("test_shop.py", python)]),
        [
            "    with shop.open() as one:\n        try:\n            x = total(one)",
            "            assert x == 1",
            "        finally:\n            one.close()"
        ]
    );
}

#[test]
fn a_region_that_the_setup_opens_stays_whole() {
    let cart = "public class Cart { public int Add(int n) { return n; } }";
    let parts = |body: &str| {
        let test = format!(
            "using Xunit;\npublic class CartTests {{\n  [Fact] public void AddCounts() {{\n    var cart = new Cart();\n{body}\n  }}\n}}\n"
        );
        three_parts(&[("src/Cart.cs", cart), ("tests/CartTests.cs", test.as_str())])
    };
    let setup = |rest: &str| format!("    var cart = new Cart();\n{rest}");
    let act = "    #region act\n    var n = cart.Add(1);\n    Log(n);\n    // 1\n    #endregion";
    let assertions = "    Assert.Equal(1, n);";
    assert_eq!(parts(&format!("{act}\n\n{assertions}")), [setup(act), assertions.to_owned(), String::new()]);
    let call = "    var n = cart.Add(1);";
    let whole = format!("    #region assert\n{assertions}\n    #endregion // assert");
    assert_eq!(parts(&format!("{call}\n{whole}")), [setup(call), whole, String::new()]);
    // Its end closes what the set-up opens, as the end of a loop does.
    let opened = format!("    #region all\n{call}");
    assert_eq!(
        parts(&format!("{opened}\n{assertions}\n    #endregion")),
        [setup(&opened), assertions.to_owned(), "    #endregion".to_owned()]
    );
}

#[test]
fn what_a_callback_of_the_call_asserts_may_be_the_assertions() {
    let cart = ("src/cart.js", "export function add(x, done) { done(x) }\n");
    let test = |more: &str| {
        format!(
            "import {{ add }} from './cart.js'\nit('can add', () => {{\n  add(1, (sum) => {{\n    \
             expect(sum).toBe(1)\n  }})\n{more}}})\n"
        )
    };
    let alone = test("");
    assert_eq!(
        three_parts(&[cart, ("src/cart.test.js", alone.as_str())]),
        ["  add(1, (sum) => {", "    expect(sum).toBe(1)", "  })"]
    );
    let others = test("  expect(2).toBe(2)\n");
    assert_eq!(
        three_parts(&[cart, ("src/cart.test.js", others.as_str())])[1..],
        ["  expect(2).toBe(2)".to_owned(), String::new()]
    );
}

#[test]
fn bodies_that_python_cannot_leave_empty_are_not_cut_out() {
    let test =
        "from shop import view\n\ndef test_view():\n    with view() as one:\n        assert one == 1\n";
    let found =
        cut(&[("shop.py", "def view():\n    return 1\n"), ("test_shop.py", test)]).reasons().join(" ");
    assert_eq!(found, "focal_call_and_assertion_in_one_statement");
}

#[test]
fn calls_in_local_functions_do_not_count() {
    let shop = "def total(items):\n    return 1\n";
    let test = |rest: &str| {
        format!(
            "from shop import total\n\ndef test_total():\n    def view():\n        return total([])\n{rest}    assert view() == 1\n"
        )
    };
    let only_there = test("");
    let found = cut(&[("shop.py", shop), ("test_shop.py", only_there.as_str())]).reasons().join(" ");
    assert_eq!(found, "no_focal_call");
    let twice = test("    x = total([1])\n");
    let files = [("shop.py", shop), ("test_shop.py", twice.as_str())];
    assert_eq!(cut(&files).squeezed().1, "assert view() == 1");
}

#[test]
fn bodies_of_one_expression_are_dropped() {
    let cart = "namespace Shop { public class Cart { public int Size() { return 0; } } }";
    let test = "using Xunit; namespace Shop { public class CartTests { Cart cart = new Cart();\n[Fact] public void Size() => \
                Assert.Equal(0, cart.Size()); } }";
    assert_eq!(cut(&[("src/Cart.cs", cart), ("tests/CartTests.cs", test)]).reasons(), ["no_statements"]);
}

#[test]
fn tests_set_aside_are_rows_of_a_table_of_their_own() {
    let test = "import org.junit.Test;\nclass StackTest { @Test public void testPush() { Stack s = new Stack(); \
                assertTrue(s.push(1)); } }";
    let files = [STACK, ("src/test/java/StackTest.java", test)];
    let found = cut(&files);
    assert!(found.written.segments.is_empty());
    let [row] = found.written.set_aside.as_slice() else { panic!("{:?}", found.written) };
    assert_eq!(row.reason, "focal_call_in_assertion");
    assert_eq!(found.parts(row), ("Stack s = new Stack();", "assertTrue(s.push(1));"));
}

#[test]
fn tests_without_assertions_after_the_call_are_dropped() {
    assert_eq!(
        java("assertEquals(0, stack.size());\nstack.push(1);").unwrap_err(),
        "nothing_after_focal_call"
    );
    assert_eq!(java("stack.push(1);\nstack.grow();").unwrap_err(), "no_assertion_after_focal_call");
}
