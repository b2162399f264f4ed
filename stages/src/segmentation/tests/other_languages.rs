//! What languages other than Java have of their own.

use super::{Part, cut};

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
