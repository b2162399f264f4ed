use super::Segmentation;
use crate::Settings;
use crate::export::Dataset;
use crate::export::contest::ContextOf;
use crate::matching::Matching;
use crate::matching::memory::{Tables, Written, parsed, work};
use crate::records::{Part, Segment};

/// Settings under which every language has the pairs of the paper's rule.
fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.export.dataset = Dataset::Contest;
    settings.matching.modes.values_mut().for_each(|mode| *mode = "contest".to_owned());
    settings
}

/// A small repository with its segments.
struct Cut<'t> {
    files: &'t [(&'t str, &'t str)],
    written: Written,
}

fn cut<'t>(files: &'t [(&'t str, &'t str)]) -> Cut<'t> {
    cut_with(files, &settings())
}

fn cut_with<'t>(files: &'t [(&'t str, &'t str)], settings: &Settings) -> Cut<'t> {
    let matched = work(&Matching, parsed(files), settings).unwrap();
    let mut tables: Tables = parsed(files);
    tables.add("matching", matched.pairs);
    Cut { files, written: work(&Segmentation, tables, settings).unwrap() }
}

impl Cut<'_> {
    /// The only segment.
    fn only(&self) -> &Segment {
        match self.written.segments.as_slice() {
            [only] => only,
            other => panic!("{} segments, dropped {:?}", other.len(), self.reasons()),
        }
    }

    fn text(&self, path: &str, start: u32, end: u32) -> &str {
        let text = self.files.iter().find(|(own, _)| *own == path).unwrap().1;
        &text[start as usize..end as usize]
    }

    /// Set-up and assertions of a segment.
    fn parts(&self, segment: &Segment) -> (&str, &str) {
        (
            self.text(&segment.path, segment.setup_start, segment.setup_end),
            self.text(&segment.path, segment.assertions_start, segment.assertions_end),
        )
    }

    /// The first lines of set-up and assertions of the only segment, trimmed and joined.
    fn squeezed(&self) -> (String, String) {
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (setup, assertions) = self.parts(self.only());
        (squeeze(setup), squeeze(assertions))
    }

    fn methods(&self, part: Part) -> Vec<&str> {
        let segment = self.only();
        let names = segment.method_parts.iter().zip(&segment.method_names);
        names.filter(|(of, _)| *of == part.as_str()).map(|(_, name)| name.as_str()).collect()
    }

    fn reasons(&self) -> Vec<&str> {
        self.written.dropped.iter().map(|row| row.reason.as_str()).collect()
    }
}

#[test]
fn figure_1_of_the_paper() {
    let files = [
        ("src/main/java/org/example/count/Counter.java", include_str!("fixtures/Counter.java")),
        ("src/test/java/org/example/count/CounterTest.java", include_str!("fixtures/CounterTest.java")),
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
        ("Counter.java", include_str!("fixtures/Counter.java")),
        ("CounterTest.java", include_str!("fixtures/CounterTest.java")),
    ];
    let unit_tests = Settings { export: Default::default(), ..settings() };
    assert_eq!(cut_with(&files, &unit_tests).written, Written::default());
}

const STACK: (&str, &str) = (
    "src/main/java/Stack.java",
    "class Stack { void push(int x) { grow(); push(x, 1); } void push(int x, int times) { push(x); } \
     void grow() { push(0); } int size() { return 0; } }",
);

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

#[test]
fn contexts_end_where_calls_go_round() {
    let body = "@Test public void testPush() { stack.push(1, 2); assertEquals(1, stack.size()); }";
    let test = format!("import org.junit.Test;\nclass StackTest {{ Stack stack; {body} }}");
    let files = [STACK, ("src/test/java/StackTest.java", test.as_str())];
    let found = cut(&files);
    assert_eq!(found.methods(Part::FocalContext), ["Stack.push", "Stack.grow"]);
}

#[test]
fn arguments_in_focal_files_tell_overloads_apart() {
    let stack = "class Stack { void push(int[] all) { grow(all); } void grow(int[] all) { } void grow(String s) { } }";
    let test = "import org.junit.*;\nclass StackTest { Stack stack; @Test public void testPush() { stack.push(null); \
                Assert.assertNotNull(stack); } }";
    let files = [("src/main/java/Stack.java", stack), ("src/test/java/StackTest.java", test)];
    let found = cut(&files);
    assert_eq!(found.methods(Part::FocalContext), ["Stack.grow"]);
    assert_eq!(found.only().calls_ambiguous, 0);
}

#[test]
fn what_no_type_tells_may_be_told_by_the_name() {
    let cart = "export function addAll(shop, list) {\n  shop.makeReceipt()\n  list.push(1)\n  inner()\n  \
                function inner() { }\n}\nclass Till {\n  makeReceipt() { this.print() }\n  print() { }\n  \
                push(x) { }\n}\n";
    let test = "import { addAll } from './cart.js'\nit('can add all', () => {\n  addAll(1, [])\n  \
                expect(1).toBe(1)\n})\n";
    let files = [("src/cart.js", cart), ("src/cart.test.js", test)];
    let found = cut(&files);
    assert_eq!(found.methods(Part::FocalContext), ["Till.makeReceipt", "Till.print"]);
    // `push` may be an array's or the till's.
    assert_eq!(found.only().calls_unknown, 1);
    let stack = "class Stack { void push(String s) { s.equals(\"\"); pop(); } void pop() { } public boolean equals(Object o) \
                 { return true; } }";
    let test = "import org.junit.*;\nclass StackTest { Stack stack; @Test public void testPush() { stack.push(null); \
                Assert.assertNotNull(stack); } }";
    let files = [("src/main/java/Stack.java", stack), ("src/test/java/StackTest.java", test)];
    let found = cut(&files);
    assert_eq!(found.methods(Part::FocalContext), ["Stack.pop"]);
    assert_eq!(found.only().calls_unknown, 0);
}

#[test]
fn contexts_stay_in_the_two_files_unless_the_repository_is_asked_for() {
    let base = "class Base { void start() { Far.go(); near(); } void near() { } }";
    let shop = "class Shop extends Base { void open() { start(); inner(); } void inner() { Far.go(); } }";
    let far = "class Far { static void go() { further(); } static void further() { } }";
    let test = "import org.junit.*;\nclass ShopTest { Shop shop = new Shop();\n@Test public void testOpen() { \
                shop.open(); Assert.assertNotNull(shop); } }";
    let main = |name: &str| format!("src/main/java/{name}.java");
    let [base_path, shop_path, far_path] = ["Base", "Shop", "Far"].map(main);
    let files = [
        (base_path.as_str(), base),
        (shop_path.as_str(), shop),
        (far_path.as_str(), far),
        ("src/test/java/ShopTest.java", test),
    ];
    assert_eq!(cut(&files).methods(Part::FocalContext), ["Shop.inner"]);
    let mut settings = settings();
    settings.export.contest.context = ContextOf::Repository;
    let found = cut_with(&files, &settings);
    assert_eq!(
        found.methods(Part::FocalContext),
        ["Base.start", "Far.go", "Far.further", "Base.near", "Shop.inner"]
    );
    settings.export.contest.context_budget_bytes = 70;
    let found = cut_with(&files, &settings);
    assert_eq!(found.methods(Part::FocalContext), ["Base.start", "Far.go"]);
    assert!(found.only().methods_left_out > 0);
}

#[test]
fn python_has_fixtures_and_indented_bodies() {
    let conftest = "import pytest\n\n@pytest.fixture(autouse=True)\ndef clean():\n    reset()\n\n\
                    @pytest.fixture\ndef database():\n    return 1\n\n@pytest.fixture\ndef unused():\n    return 2\n";
    let shop = "def total(items):\n    return add(items)\n\ndef add(items):\n    return sum(items)\n";
    let test = "import pytest\nfrom shop import total\n\n@pytest.fixture\ndef items(database):\n    return make()\n\n\
                def make():\n    return [1]\n\ndef setup_module():\n    pass\n\nclass TestTotal:\n    \
                def setup_method(self):\n        self.x = 1\n\n    def test_total(self, items):\n        \
                # add up\n        text = \"\"\"a\nb\"\"\"\n        result = total(items)  # here\n\n        \
                assert (\n            result\n            == 1\n        )\n";
    let files = [("tests/conftest.py", conftest), ("shop.py", shop), ("tests/test_shop.py", test)];
    let found = cut(&files);
    let (setup, assertions) = found.parts(found.only());
    assert_eq!(
        setup,
        "        # add up\n        text = \"\"\"a\nb\"\"\"\n        result = total(items)  # here"
    );
    assert_eq!(assertions, "        assert (\n            result\n            == 1\n        )");
    assert_eq!(
        found.methods(Part::SetupMember),
        ["setup_module", "clean", "database", "items", "TestTotal.setup_method"]
    );
    assert_eq!(found.methods(Part::SetupContext), ["make"]);
    assert_eq!(found.methods(Part::FocalContext), ["add"]);
}

#[test]
fn go_has_test_main_and_suites() {
    let cart = "package shop\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Add(n int) { c.grow(n) }\n\n\
                func (c *Cart) grow(n int) { c.n += n }\n";
    let main = "package shop\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) { prepare(); m.Run() }\n";
    let test = "package shop\n\nimport \"testing\"\n\nfunc open() *Cart { return &Cart{} }\n\n\
                func TestAdd(t *testing.T) {\n\tcart := open()\n\tcart.Add(2)\n\tif got := cart.n; got != 2 {\n\t\t\
                t.Errorf(\"%d\", got)\n\t}\n}\n";
    let files = [("shop/cart.go", cart), ("shop/main_test.go", main), ("shop/cart_test.go", test)];
    let found = cut(&files);
    assert_eq!(
        found.squeezed(),
        ("cart := open() cart.Add(2)".into(), "if got := cart.n; got != 2 { t.Errorf(\"%d\", got) }".into())
    );
    assert_eq!(found.methods(Part::SetupMember), ["TestMain"]);
    assert_eq!(found.methods(Part::SetupContext), ["open"]);
    assert_eq!(found.methods(Part::FocalContext), ["Cart.grow"]);
}

#[test]
fn javascript_has_blocks_that_run_before() {
    let cart = "export function add(list, x) { grow(list); list.push(x) }\nfunction grow(list) {}\n";
    let test = "import { add } from './cart.js'\nlet list\nbeforeAll(() => { prepare() })\ndescribe('cart', () => {\n  \
                beforeEach(() => {\n    list = fresh()\n  })\n  function fresh() { return [] }\n  \
                it('can add', async () => {\n    const x = 1\n    await add(list, x)\n    expect(list)\n      \
                .toEqual([1])\n  })\n})\n";
    let files = [("src/cart.js", cart), ("src/cart.test.js", test)];
    let found = cut(&files);
    let (setup, assertions) = found.parts(found.only());
    assert_eq!(setup, "    const x = 1\n    await add(list, x)");
    assert_eq!(assertions, "    expect(list)\n      .toEqual([1])");
    assert_eq!(found.methods(Part::SetupMember), ["beforeAll", "cart > beforeEach"]);
    assert_eq!(found.methods(Part::SetupContext), ["cart > fresh"]);
    assert_eq!(found.methods(Part::FocalContext), ["grow"]);
}

#[test]
fn csharp_has_constructors_and_class_fixtures() {
    let cart = "namespace Shop { public class Cart { public void Add(int n) { Grow(n); } void Grow(int n) { } \
                public int Count; } }";
    let test = "using Xunit;\nnamespace Shop.Tests {\n public class Store { public Store() { } }\n \
                public class CartTests : IClassFixture<Store> {\n  Cart cart;\n  public CartTests(Store store) { \
                cart = Make(); }\n  Cart Make() { return new Cart(); }\n  [Fact] public void AddCounts() {\n   \
                var n = 2;\n   cart.Add(n);\n   Assert.Equal(\n     n,\n     cart.Count);\n  }\n }\n}\n";
    let files = [("src/Cart.cs", cart), ("tests/CartTests.cs", test)];
    let found = cut(&files);
    assert_eq!(found.squeezed(), ("var n = 2; cart.Add(n);".into(), "Assert.Equal( n, cart.Count);".into()));
    assert_eq!(found.methods(Part::SetupMember), ["Store.Store", "CartTests.CartTests"]);
    assert_eq!(found.methods(Part::SetupContext), ["CartTests.Make"]);
    assert_eq!(found.methods(Part::FocalContext), ["Cart.Grow"]);
}

/// Reasons for which a test of `Cart.Add` is set aside or dropped.
fn csharp(cart: &str, body: &str) -> Vec<String> {
    let test = format!(
        "using Xunit;\nnamespace Shop.Tests {{\n public class CartTests {{\n  [Fact] public void AddCounts() {{\n   \
         var cart = new Cart();\n{body}\n  }}\n }}\n}}\n"
    );
    let files = [("src/Cart.cs", cart), ("tests/CartTests.cs", test.as_str())];
    cut(&files).reasons().into_iter().map(str::to_owned).collect()
}

#[test]
fn what_conditional_compilation_tears_apart_is_no_row() {
    let cart = "public class Cart { public int Add(int n) { return n; } }";
    let body = "   foreach (var n in cart) {\n    cart.Add(n);\n    Assert.Equal(1, n);\n   }";
    assert_eq!(csharp(cart, body), [""; 0]);
    // One reading of the loop in the test, none in the set-up without what it asserts.
    let heads = "#if NET\n   foreach (var n in cart)\n#else\n   foreach (var n in cart.All)\n#endif\n";
    let body = body.replace("   foreach (var n in cart)", heads);
    assert_eq!(csharp(cart, &body), ["focal_call_and_assertion_in_one_statement"]);
    let body = "   var n = cart.Add(1);\n   Assert.Equal(1, n);";
    // The tree of the focal method holds one reading of it, without what the condition brings.
    let conditional = "public class Cart {\n#if NET\n  [Dynamic]\n  [Other]\n#endif\n  public int Add(int n) { return n; } }";
    assert_eq!(csharp(conditional, body), ["method_not_parsed"]);
    let torn = "public class Cart {\n  public int Add(int n) {\n#if NET\n  return n; }\n#else\n  return n + 1; }\n#endif\n }";
    assert_eq!(csharp(torn, body), ["method_not_parsed"]);
}

#[test]
fn what_the_cut_rests_on_is_no_unknown_call() {
    let cart = "function Cart() { }\nCart.prototype.add = function (n) { grow(n) }\nfunction grow(n) { }\n\
                module.exports = Cart\n";
    let test = "var Cart = require('../src/cart')\nit('should add', function () {\n  withCart(function (cart) {\n    \
                cart.add(1)\n  })\n  expect(1).toBe(1)\n})\n";
    let files = [("src/cart.js", cart), ("test/cart.test.js", test)];
    let found = cut(&files);
    assert_eq!(found.methods(Part::FocalContext), ["grow"]);
    assert_eq!((found.only().calls_unknown, found.methods(Part::SetupContext).len()), (0, 0));
    // The pair says which of the overloads a test is about.
    let cart =
        "public class Cart { public void Add(int n, string s) { } public void Add(string s, int n) { } }";
    let test = "using Xunit;\npublic class CartTests { [Fact] public void Add() { var cart = new Cart(); cart.Add(A(), B()); \
                Assert.NotNull(cart); } }";
    let files = [("src/Cart.cs", cart), ("tests/CartTests.cs", test)];
    let found = cut(&files);
    assert_eq!((found.only().calls_ambiguous, found.methods(Part::SetupContext).len()), (0, 0));
}
