use crate::matching::Matching;
use crate::matching::memory::{Written, parsed};
use crate::records::Repository;
use crate::stage::{RepositoryStage, Work};

/// What matching writes of these files if `combined` makes the pairs.
fn matched(files: &[(&str, &str)]) -> Written {
    let mut settings = crate::Settings::default();
    for language in trefoil_languages::all() {
        settings.matching.modes.insert(language.name.into(), "combined".into());
    }
    let repository = Repository {
        host: "local".into(),
        repository: "sketch".into(),
        commit: "c0ffee".into(),
        source: "directory".into(),
        location: String::new(),
        revision: String::new(),
        licence: String::new(),
        licence_files: Vec::new(),
        licence_confidence: 0,
        vendored: Vec::new(),
        vendored_licences: Vec::new(),
        source_files: 0,
        source_bytes: 0,
    };
    let mut written = Written::default();
    let work = Work {
        repository: &repository,
        settings: &settings,
        clones: std::path::Path::new(""),
        credentials: None,
    };
    Matching.process(&work, &mut parsed(files), &mut written).unwrap();
    written
}

/// The focal names of each test, or the reason why it has none.
fn outcomes(files: &[(&str, &str)]) -> Vec<String> {
    let written = matched(files);
    let mut all: Vec<(u32, u32, String)> = Vec::new();
    for pair in &written.pairs {
        assert!(pair.confidence.is_some_and(|confidence| (0.5..=1.0).contains(&confidence)), "{pair:?}");
        all.push((pair.start_byte, pair.rank, format!("{} -> {}", pair.test_name, pair.focal_name)));
    }
    all.extend(
        written.dropped.iter().map(|row| (row.start_byte, 0, format!("{}: {}", row.name, row.reason))),
    );
    all.sort();
    all.into_iter().map(|(.., text)| text).collect()
}

const CART: (&str, &str) = (
    "src/main/java/shop/Cart.java",
    "package shop; public class Cart { public Cart() {} public void add(String a) {} public int size() { return 0; } \
     public int total() { return 0; } public void removeAll() {} void close() {} }",
);

fn java(body: &str) -> Vec<String> {
    let text = format!(
        "package shop; import org.junit.Test; import static org.junit.Assert.*; public class CartTest {{ {body} }}"
    );
    outcomes(&[CART, ("src/test/java/shop/CartTest.java", &text)])
}

#[test]
fn a_name_and_the_asserted_value_tell() {
    assert_eq!(
        java(
            "@Test public void testTotal() { Cart c = new Cart(); c.add(\"a\"); assertEquals(1, c.total()); }"
        ),
        ["CartTest.testTotal -> Cart.total"]
    );
    assert_eq!(
        java(
            "@Test public void removesAllItems() { Cart c = new Cart(); c.add(\"a\"); c.removeAll(); assertEquals(0, c.size()); }"
        ),
        ["CartTest.removesAllItems -> Cart.removeAll"]
    );
}

#[test]
fn a_helper_leads_to_what_it_calls() {
    assert_eq!(
        java(
            "@Test public void sums() { check(1); } private void check(int n) { assertEquals(n, new Cart().total()); }"
        ),
        ["CartTest.sums -> Cart.total"]
    );
}

#[test]
fn tests_without_a_call_of_the_repository_say_why_they_have_none() {
    assert_eq!(java("@Test public void nothing() { }"), ["CartTest.nothing: no_calls"]);
    assert_eq!(
        java("@Test public void parses() { assertEquals(1, Integer.parseInt(\"1\")); }"),
        ["CartTest.parses: calls_leave_the_repository"]
    );
    assert_eq!(
        java("@Test public void guesses() { unknown.vanish(); }"),
        ["CartTest.guesses: calls_not_resolved"]
    );
}

#[test]
fn set_up_counts_where_the_body_calls_nothing() {
    let text = "package shop; import org.junit.*; public class CartTest { Cart c = null; int n; \
                @Before public void act() { n = c.total(); } \
                @Test public void totals() { Assert.assertEquals(1, n); } }";
    assert_eq!(
        outcomes(&[CART, ("src/test/java/shop/CartTest.java", text)]),
        ["CartTest.totals -> Cart.total"]
    );
}

#[test]
fn what_set_up_keeps_for_the_assertions_is_tested() {
    let text = "package shop; import org.junit.*; public class ShoppingTest { Cart c; int n; \
                @Before public void act() { c = new Cart(); n = c.total(); c.removeAll(); } \
                @Test public void isOne() { Assert.assertEquals(1, n); } }";
    assert_eq!(
        outcomes(&[CART, ("src/test/java/shop/ShoppingTest.java", text)]),
        ["ShoppingTest.isOne -> Cart.total"]
    );
    let chained = text.replace("n = c.total()", "n = c.total().intValue()");
    assert_eq!(
        outcomes(&[CART, ("src/test/java/shop/ShoppingTest.java", &chained)]),
        ["ShoppingTest.isOne -> Cart.total"],
        "what others call on its value changes nothing"
    );
}

#[test]
fn methods_that_every_object_has_are_not_guessed() {
    let cart = "package cart\ntype Full struct{}\nfunc (f *Full) Error() string { return \"\" }\nfunc Add(n int) error { return nil }\n";
    let test = |name: &str| {
        format!(
            "package cart\nimport \"testing\"\nfunc {name}(t *testing.T) {{\n\terr := other()\n\tif err.Error() != \"\" {{ t.Fatal(err) }}\n}}\n"
        )
    };
    let of = |path: &str, text: &str| outcomes(&[("full.go", cart), (path, text)]);
    assert_eq!(of("add_test.go", &test("TestAdd")), ["TestAdd: calls_not_resolved"]);
    assert_eq!(of("full_test.go", &test("TestFullError")), ["TestFullError -> Full.Error"]);
}

#[test]
fn votes_show_the_candidates_with_their_evidence() {
    let text = "package shop; public class CartTest { @org.junit.Test public void testTotal() { Cart c = new Cart(); \
                org.junit.Assert.assertEquals(1, c.total()); } }";
    let written = matched(&[CART, ("src/test/java/shop/CartTest.java", text)]);
    let votes: Vec<_> = written.votes.iter().filter(|vote| vote.mode == "combined").collect();
    assert_eq!(votes.len(), 2);
    assert_eq!((votes[0].answer.as_str(), votes[0].focal_name.as_str()), ("matched", "Cart.total"));
    assert!(
        votes[0].detail.contains("name_contained") && votes[0].detail.contains("class_named"),
        "{}",
        votes[0].detail
    );
    assert_eq!((votes[1].answer.as_str(), votes[1].focal_name.as_str()), ("less_likely", "Cart.Cart"));
    assert!(votes[0].confidence > votes[1].confidence);
}

#[test]
fn every_language_is_served() {
    let python = [
        ("shop/cart.py", "class Cart:\n    def total(self): return 0\n"),
        (
            "tests/test_cart.py",
            "from shop.cart import Cart\ndef test_total():\n    c = Cart()\n    assert c.total() == 0\n",
        ),
    ];
    assert_eq!(outcomes(&python), ["test_total -> Cart.total"]);
    let go = [
        ("cart/cart.go", "package cart\ntype Cart struct{}\nfunc (c *Cart) Total() int { return 0 }\n"),
        (
            "cart/cart_test.go",
            "package cart\nimport \"testing\"\nfunc TestCartTotal(t *testing.T) {\n\tc := &Cart{}\n\tif c.Total() != 0 {\n\t\tt.Error(1)\n\t}\n}\n",
        ),
    ];
    assert_eq!(outcomes(&go), ["TestCartTotal -> Cart.Total"]);
    let javascript = [
        ("lib/cart.js", "exports.total = function total(items) { return 0 }\n"),
        (
            "test/cart.js",
            "const cart = require('../lib/cart')\ndescribe('cart', () => { it('has a total', () => { expect(cart.total([])).toBe(0) }) })\n",
        ),
    ];
    assert_eq!(outcomes(&javascript), ["cart > has a total -> total"]);
    let csharp = [
        ("src/Shop/Cart.cs", "namespace Shop { public class Cart { public int Total() { return 0; } } }"),
        (
            "tests/Shop.Tests/CartTests.cs",
            "using NUnit.Framework; using Shop; namespace Shop.Tests { public class CartTests { [Test] public void TotalIsZero() { var c = new Cart(); Assert.AreEqual(0, c.Total()); } } }",
        ),
    ];
    assert_eq!(outcomes(&csharp), ["CartTests.TotalIsZero -> Cart.Total"]);
}

#[test]
fn what_takes_the_test_handle_serves_the_tests() {
    let go = [
        ("cart/cart.go", "package cart\ntype Cart struct{}\nfunc (c *Cart) Total() int { return 0 }\n"),
        (
            "cart/support.go",
            "package cart\nimport \"testing\"\nfunc RunAll(t *testing.T, c *Cart) int { return c.Total() }\n",
        ),
        (
            "cart/cart_test.go",
            "package cart\nimport \"testing\"\nfunc TestRunAllOfIt(t *testing.T) {\n\tif RunAll(t, &Cart{}) != 0 {\n\t\tt.Error(1)\n\t}\n}\n",
        ),
    ];
    assert_eq!(outcomes(&go), ["TestRunAllOfIt -> Cart.Total"]);
}

#[test]
fn overloads_are_told_apart_by_types() {
    let cart = "package shop; public class Cart { public int add(String name) { return 0; } public int add(int number) { return 0; } \
                public int add(Item item) { return 0; } } class Item { }";
    let text = "package shop; import org.junit.Test; import static org.junit.Assert.*; public class CartTest { \
                @Test public void testAdd() { Cart c = new Cart(); Item it = new Item(); assertEquals(0, c.add(it)); } }";
    let written =
        matched(&[("src/main/java/shop/Cart.java", cart), ("src/test/java/shop/CartTest.java", text)]);
    let starts: Vec<_> = written.pairs.iter().map(|pair| pair.focal_start_byte as usize).collect();
    assert_eq!(starts, [cart.find("public int add(Item").unwrap()]);
}

#[test]
fn overloads_that_a_test_calls_alike_are_all_focal() {
    let cart = "package shop; public class Cart { public int add(String name) { return 0; } public int add(int number) { return 0; } }";
    let text = "package shop; import org.junit.Test; import static org.junit.Assert.*; public class CartTest { \
                @Test public void testAdd() { Cart c = new Cart(); assertEquals(0, c.add(1)); assertEquals(0, c.add(\"a\")); } }";
    let found =
        outcomes(&[("src/main/java/shop/Cart.java", cart), ("src/test/java/shop/CartTest.java", text)]);
    assert_eq!(found, ["CartTest.testAdd -> Cart.add"; 2]);
}

#[test]
fn an_extension_method_goes_by_its_receiver() {
    let csharp = [
        (
            "src/Words.cs",
            "using System; namespace Say { public static class NumberWords { public static string ToWords(this int number) => \"\"; } \
             public static class TimeWords { public static string ToWords(this TimeSpan time, int parts = 1) => \"\"; } }",
        ),
        (
            "tests/Say.Tests/WordsTests.cs",
            "using System; using Xunit; using Say; namespace Say.Tests { public class WordsTests { \
             [Fact] public void ToWordsOfTime() { Assert.Equal(\"\", TimeSpan.FromHours(1).ToWords()); } } }",
        ),
    ];
    assert_eq!(outcomes(&csharp), ["WordsTests.ToWordsOfTime -> TimeWords.ToWords"]);
}

#[test]
fn python_goes_by_aliases_inherited_constructors_and_decorators() {
    let shop = ("shop/__init__.py", "from shop.make import product\nitem = product\n");
    let make = (
        "shop/make.py",
        "def product(cls): return cls\n\nclass Base:\n    def __init__(self): pass\n    def show(self): return ''\n\n\
         class Cart(Base):\n    def show(self): return 'cart'\n",
    );
    let test = (
        "tests/test_make.py",
        "import shop\nfrom shop.make import Cart\n\ndef test_product_decorator():\n    @shop.item\n    class Tea:\n        pass\n    assert Tea()\n\n\
         def test_show():\n    cart = Cart()\n    assert cart.show() == 'cart'\n",
    );
    assert_eq!(
        outcomes(&[shop, make, test]),
        ["test_product_decorator -> product", "test_show -> Cart.show"]
    );
}

#[test]
fn methods_decorate_without_a_call_too() {
    let app = "class App:\n    def __init__(self): ...\n    def teardown(self, f): return f\n    def run(self): return 1\n";
    let test = "from shop.app import App\ndef test_teardown():\n    app = App()\n    @app.teardown\n    def last(): ...\n    assert app.run() == 1\n";
    assert_eq!(
        outcomes(&[("shop/app.py", app), ("tests/test_app.py", test)]),
        ["test_teardown -> App.teardown"]
    );
}

#[test]
fn python_calls_by_syntax_and_by_forwarding() {
    let shop = (
        "shop.py",
        "from abc import Thing\n\nclass Cart(Thing):\n    @property\n    def total(self): return 0\n    def __ior__(self, other): return self\n    \
         def fill(self, n): return n\n\nclass Shop(Thing):\n    def __init__(self):\n        self.cart = Cart()\n    \
         def __getattr__(self, name): return getattr(self.cart, name)\n",
    );
    let test = (
        "tests/test_shop.py",
        "import pytest\nfrom shop import Cart, Shop\n\ndef test_sum():\n    cart = Cart()\n    assert cart.total == 0\n\n\
         def test_ior():\n    cart = Cart()\n    cart |= Cart()\n\ndef test_fill_fails():\n    cart = Cart()\n    \
         pytest.raises(ValueError, cart.fill, -1)\n\ndef test_fill_of_shop():\n    shop = Shop()\n    assert shop.fill(1) == 1\n",
    );
    assert_eq!(
        outcomes(&[shop, test]),
        [
            "test_sum -> Cart.total",
            "test_ior -> Cart.__ior__",
            "test_fill_fails -> Cart.fill",
            "test_fill_of_shop -> Cart.fill"
        ]
    );
}

#[test]
fn the_tested_class_goes_before_what_the_receiver_is_named_after() {
    let locales = (
        "locales.py",
        "class Locale:\n    def name_of(self, day): return ''\n\nclass SlavicLocale(Locale):\n    def name_of(self, day): return 'x'\n\n\
         class CzechLocale(SlavicLocale):\n    def other(self): pass\n",
    );
    let test = (
        "tests/test_locales.py",
        "class TestCzechLocale:\n    def test_name_of(self):\n        assert self.locale.name_of(1) == 'x'\n",
    );
    assert_eq!(outcomes(&[locales, test]), ["TestCzechLocale.test_name_of -> SlavicLocale.name_of"]);
}

#[test]
fn a_property_that_is_defined_by_a_call_is_a_member() {
    let javascript = [
        (
            "lib/cart.js",
            "const cart = exports = module.exports = {}\nObject.defineProperty(cart, 'total', { get: function () { return 0 } })\n",
        ),
        (
            "test/cart.js",
            "const cart = require('../lib/cart')\ndescribe('cart', () => { it('has a total', () => { expect(cart.total).toBe(0) }) })\n",
        ),
    ];
    let written = matched(&javascript);
    assert!(written.votes.iter().any(|vote| vote.focal_name == "cart.total"), "{:?}", written.dropped);
}

#[test]
fn what_has_no_code_is_nobodys_focal_method() {
    let go = [
        (
            "cart/cart.go",
            "package cart\ntype Totaler interface {\n\tTotal() int\n}\ntype Sum func() int\nfunc Of(t Totaler) int { return t.Total() }\n",
        ),
        (
            "cart/cart_test.go",
            "package cart\nimport \"testing\"\nfunc TestTotal(t *testing.T) {\n\tvar own Totaler\n\tif own.Total() != 0 {\n\t\tt.Error(1)\n\t}\n}\n",
        ),
    ];
    assert_eq!(outcomes(&go), ["TestTotal: no_calls"]);
    let csharp = [
        ("src/Shop/Cart.cs", "namespace Shop { public class Cart { public int Total; } }"),
        (
            "tests/Shop.Tests/CartTests.cs",
            "using NUnit.Framework; using Shop; namespace Shop.Tests { public class CartTests { [Test] public void CartIsMade() { Assert.NotNull(new Cart()); } } }",
        ),
    ];
    assert_eq!(outcomes(&csharp), ["CartTests.CartIsMade: no_calls"]);
}

#[test]
fn words_of_a_title_and_of_sentences_are_no_mentions() {
    let load =
        ("lib/scripts.js", "function load(url) { return url }\nfunction parse(text) { return text }\n");
    let title = "describe('config', () => { it('should load twice', () => { expect(1).toBe(1) }) })\n";
    assert_eq!(outcomes(&[load, ("test/config.js", title)]), ["config > should load twice: no_calls"]);
    let sentence = "describe('config', () => { it('can load', () => { expect(1).toBe(1, 'load it') }) })\n";
    assert_eq!(outcomes(&[load, ("test/config.js", sentence)]), ["config > can load: no_calls"]);
}

#[test]
fn equality_that_an_assertion_asks_for_is_a_call() {
    let cart = "package shop; public class Cart { public void add(int n) {} public boolean equals(Object other) { return true; } \
                public int hashCode() { return 0; } }";
    let text = "package shop; import org.junit.Test; import static org.junit.Assert.*; public class CartTest { \
                @Test public void testEquals() { Cart a = new Cart(); Cart b = new Cart(); assertEquals(a, b); } }";
    let found =
        outcomes(&[("src/main/java/shop/Cart.java", cart), ("src/test/java/shop/CartTest.java", text)]);
    assert_eq!(found, ["CartTest.testEquals -> Cart.equals"]);
}

#[test]
fn of_several_implementations_that_of_the_tests_package_is_meant() {
    let go = [
        (
            "converter/converter.go",
            "package converter\ntype Converter interface {\n\tConvert(s string) string\n}\n",
        ),
        (
            "plain/convert.go",
            "package plain\ntype plainConverter struct{}\nfunc (p plainConverter) Convert(s string) string { return s }\n",
        ),
        (
            "rich/convert.go",
            "package rich\ntype richConverter struct{}\nfunc (r richConverter) Convert(s string) string { return s }\n",
        ),
        (
            "rich/convert_test.go",
            "package rich\nimport (\n\t\"testing\"\n\t\"example.com/a/converter\"\n)\nfunc TestConvert(t *testing.T) {\n\tvar c converter.Converter\n\tif c.Convert(\"a\") != \"a\" {\n\t\tt.Error(1)\n\t}\n}\n",
        ),
    ];
    assert_eq!(outcomes(&go), ["TestConvert -> richConverter.Convert"]);
}

#[test]
fn of_several_implementations_that_which_the_test_is_named_after_is_meant() {
    let java = [
        ("src/main/java/a/Maker.java", "package a; public interface Maker { Object make(); }"),
        (
            "src/main/java/a/Makers.java",
            "package a; public class Makers { public static Maker any() { return null; } }",
        ),
        (
            "src/main/java/a/EarlyBoundMaker.java",
            "package a; public class EarlyBoundMaker implements Maker { public Object make() { return 1; } }",
        ),
        (
            "src/main/java/a/LateBoundMaker.java",
            "package a; public class LateBoundMaker implements Maker { public Object make() { return 2; } }",
        ),
        (
            "src/test/java/a/LateboundMakerTest.java",
            "package a; import org.junit.*; public class LateboundMakerTest { @Test public void makes() { \
             Assert.assertEquals(2, Makers.any().make()); } }",
        ),
    ];
    assert_eq!(outcomes(&java), ["LateboundMakerTest.makes -> LateBoundMaker.make"]);
}

#[test]
fn what_a_test_hands_over_is_called() {
    assert_eq!(
        java(
            "@Test public void refuses() { Cart c = new Cart(); assertThrows(Exception.class, c::removeAll); }"
        ),
        ["CartTest.refuses -> Cart.removeAll"]
    );
    let python = [
        ("shop/cart.py", "def weigh(parcel):\n    raise ValueError\n"),
        (
            "tests/test_cart.py",
            "import pytest\nfrom shop.cart import weigh\ndef test_refuses():\n    pytest.raises(ValueError, weigh, 1)\n",
        ),
    ];
    assert_eq!(outcomes(&python), ["test_refuses -> weigh"]);
}

#[test]
fn objects_that_are_handed_over_to_be_called_are_candidates() {
    let python = [
        (
            "shop/rules.py",
            "class Rules:\n    def __init__(self, rule): self.rule = rule\n    def __call__(self, value): return self.rule(value)\n\
             class Limit:\n    def __init__(self, most): self.most = most\n    def __call__(self, value): return value\n",
        ),
        (
            "tests/test_shop.py",
            "from shop.rules import Limit, Rules\ndef test_limit():\n    rules = Rules(Limit(3))\n    assert rules(2) == 2\n",
        ),
    ];
    let written = matched(&python);
    let of_limit = written.votes.iter().filter(|vote| vote.mode == "combined");
    assert!(of_limit.clone().any(|vote| vote.focal_name == "Limit.__call__"), "{:?}", written.votes);
    assert!(of_limit.clone().any(|vote| vote.focal_name == "Rules.__call__"), "{:?}", written.votes);
}

#[test]
fn a_method_that_is_not_implemented_stands_for_the_one_that_is() {
    let python = [
        (
            "shop/cart.py",
            "class Cart:\n    def total(self):\n        raise NotImplementedError()\n\
             class PaperCart(Cart):\n    def total(self):\n        return 3\n",
        ),
        (
            "tests/test_cart.py",
            "from shop.cart import Cart\ndef test_total():\n    c: Cart = make()\n    assert c.total() == 3\n",
        ),
    ];
    assert_eq!(outcomes(&python), ["test_total -> PaperCart.total"]);
}

#[test]
fn python_asks_objects_whether_they_are_true() {
    let python = [
        (
            "shop/cart.py",
            "class Cart:\n    def __bool__(self): return False\n    def add(self, item): pass\n",
        ),
        (
            "tests/test_cart.py",
            "from shop.cart import Cart\ndef test_empty():\n    c = Cart()\n    assert not c\n",
        ),
    ];
    assert_eq!(outcomes(&python), ["test_empty -> Cart.__bool__"]);
}

#[test]
fn names_that_get_a_value_and_words_in_quotes_are_no_mentions() {
    let python = [
        ("shop/cart.py", "class Shelf:\n    def left(self, by): pass\n    def justify(self, by): pass\n"),
        ("tests/test_print.py", "def test_justify_left():\n    render(\"a\", justify=\"left\")\n"),
    ];
    assert_eq!(outcomes(&python), ["test_justify_left: calls_leave_the_repository"]);
}

#[test]
fn a_variable_of_the_test_is_no_mention() {
    let log = (
        "shop/log.py",
        "class LogConfig:\n    def __init__(self):\n        self.all = dict()\n    @property\n    def config(self):\n        return self.all\n",
    );
    let test = "import unittest\nclass LogConfigTest(unittest.TestCase):\n    def test_config(self):\n        known = {'config': 1}\n        config = dict(known)\n        self.assertEqual(1, config['config'])\n";
    assert_eq!(
        outcomes(&[log, ("tests/test_log.py", test)]),
        ["LogConfigTest.test_config: calls_leave_the_repository"]
    );
}

#[test]
fn a_file_that_is_named_after_tests_supports_them() {
    let client = (
        "shop/testclient.py",
        "class TestClient:\n    def get(self, path):\n        return send(path)\ndef send(path):\n    return path\n",
    );
    let test = "from shop.testclient import TestClient\ndef test_page():\n    client = TestClient()\n    assert client.get('/')\n";
    let written = matched(&[client, ("tests/test_cart.py", test)]);
    let vote =
        written.votes.iter().find(|vote| vote.mode == "combined" && vote.focal_name == "TestClient.get");
    assert!(vote.is_some_and(|vote| vote.detail.contains("test_support")), "{:?}", written.votes);
}
