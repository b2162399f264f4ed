use super::meanings;

const FILES: [(&str, &str); 9] = [
    ("src/shop/__init__.py", "from .app import Shop as Shop\nfrom . import tools\nfrom .app import *\n"),
    (
        "src/shop/app.py",
        "from .base import Base\nclass Shop(Base):\n    def __init__(self, till: 'Till'):\n        self.till = till\n        self.cart = Cart()\n    def sell(self): return self\n    @property\n    def first(self) -> 'Cart': ...\nclass Cart:\n    def add(self, n): ...\nclass Till:\n    def count(self): ...\nclass Coin:\n    def __new__(cls, n): ...\n    def flip(self): ...\nclass Penny(Coin): ...\ndef make():\n    return Shop(None)\n_hidden = Shop(None)\nsell = _hidden.sell\n",
    ),
    ("src/shop/base.py", "class Base:\n    def __init__(self): ...\n    def close(self): ...\n"),
    ("src/shop/tools.py", "def clean(x): ...\ndef wrap(x) -> t.Optional[Shop]: ...\nfrom .app import Shop\n"),
    (
        "tests/conftest.py",
        "import pytest\nfrom shop import Shop\nfrom shop.app import Till\n@pytest.fixture\ndef shop():\n    s = Shop(1)\n    yield s\n@pytest.fixture\ndef till(request):\n    request.cls.till = Till()\n    request.cls.any = Till()\n@pytest.fixture\ndef other(request):\n    request.cls.any = Shop(1)\n",
    ),
    ("src/shop/later.py", "def clean(x): ...\n"),
    ("src/bell/__init__.py", "from .bell import bell\nfrom . import rope\n"),
    ("src/bell/bell.py", "class bell:\n    def ring(self): ...\n"),
    ("tests/sub/other.py", "def helper(): return 1\n"),
];

fn in_test(text: &str, name: &str) -> Vec<String> {
    let path = "tests/sub/test_shop.py";
    let mut files = FILES.to_vec();
    files.push((path, text));
    meanings(&files, path, name).into_iter().map(|found| found.replace("src/shop/", "")).collect()
}

#[test]
fn imports_lead_to_modules_and_what_they_hand_out() {
    for text in [
        "from shop.tools import clean\ndef test_a(): clean(1)",
        "from shop.tools import clean as wash\nimport shop\ndef test_a(): shop.tools.clean(1)",
        "import shop.tools\ndef test_a(): shop.tools.clean(1)",
        "import shop.tools as st\ndef test_a(): st.clean(1)",
        "from shop import tools\ndef test_a(): tools.clean(1)",
        "from src.shop import tools\ndef test_a(): tools.clean(1)",
        "from shop.tools import *\ndef test_a(): clean(1)",
        "def test_a():\n    from shop.tools import clean\n    clean(1)",
    ] {
        assert_eq!(in_test(text, "clean"), ["tools.py:clean"], "{text}");
    }
    assert_eq!(
        in_test("from .other import helper\ndef test_a(): helper()", "helper"),
        ["tests/sub/other.py:helper"]
    );
}

#[test]
fn what_is_imported_last_or_hides_a_module_is_meant() {
    assert_eq!(
        in_test("from shop.tools import *\nfrom shop.later import *\ndef test_a(): clean(1)", "clean"),
        ["later.py:clean"]
    );
    for text in [
        "import bell\ndef test_a(): bell.bell().ring()",
        "from bell import bell\ndef test_a(): bell().ring()",
    ] {
        assert_eq!(in_test(text, "ring"), ["src/bell/bell.py:bell.ring"], "{text}");
    }
}

#[test]
fn objects_are_followed_from_where_they_are_made() {
    for body in [
        "    s = Shop(1)\n    s.close()",
        "    with Shop(1) as s:\n        s.close()",
        "    s: Shop = other()\n    s.close()",
        "    s = make()\n    s.close()",
        "    make().sell().close()",
        "    Shop(1).sell().close()",
        "    wrap(1).close()",
        "    (await make()).close()",
    ] {
        let text = format!(
            "from shop import Shop\nfrom shop.app import make\nfrom shop.tools import wrap\ndef test_a():\n{body}\n"
        );
        assert_eq!(in_test(&text, "close"), ["base.py:Base.close"], "{body}");
    }
    let text = "from shop import Shop\ndef test_a():\n    s = Shop(1)\n    s.cart.add(1)\n    s.first.add(1)\n    s.till.count()";
    assert_eq!(in_test(text, "add"), ["app.py:Cart.add"; 2]);
    assert_eq!(in_test(text, "count"), ["app.py:Till.count"]);
    assert_eq!(in_test(text, "Shop"), ["app.py:Shop.__init__"]);
}

#[test]
fn fixtures_are_what_they_return() {
    assert_eq!(in_test("def test_a(shop): shop.close()", "close"), ["base.py:Base.close"]);
    let own = "import pytest\nfrom shop.app import Cart\n@pytest.fixture\ndef cart(shop): return Cart()\nclass TestX:\n    def test_a(self, cart): cart.add(1)";
    assert_eq!(in_test(own, "add"), ["app.py:Cart.add"]);
    let set_up = "import unittest\nfrom shop.app import Cart\nclass XTest(unittest.TestCase):\n    def setUp(self):\n        self.cart = Cart()\n    def test_a(self):\n        self.cart.add(1)\n        self.assertTrue(1)";
    assert_eq!(in_test(set_up, "add"), ["app.py:Cart.add"]);
    assert_eq!(in_test(set_up, "assertTrue"), ["External"]);
}

#[test]
fn fixtures_of_a_class_are_its_own_and_give_it_fields() {
    let own = "import pytest\nfrom shop.app import Cart\nclass TestX:\n    @pytest.fixture\n    def shop(self): return Cart()\n    def test_b(self, shop): shop.add(1)\ndef test_a(shop): shop.close()";
    assert_eq!(in_test(own, "close"), ["base.py:Base.close"]);
    assert_eq!(in_test(own, "add"), ["app.py:Cart.add"]);
    let given = "class TestX:\n    def test_a(self):\n        self.till.count()\n        self.any.close()";
    assert_eq!(in_test(given, "count"), ["app.py:Till.count"]);
    assert_eq!(in_test(given, "close"), ["Unknown"], "fixtures do not agree");
}

#[test]
fn a_variable_may_be_named_as_the_class_is() {
    for text in [
        "from shop.app import Cart\nclass TestX:\n    def test_a(self):\n        cls = Cart\n        cls().add(1)",
        "from shop.app import Cart\nclass TestX:\n    def test_a(self, cls: Cart): cls.add(1)",
    ] {
        assert_eq!(in_test(text, "add"), ["app.py:Cart.add"], "{text}");
    }
}

#[test]
fn what_makes_objects_before_there_is_one_is_a_constructor() {
    let text = "from shop.app import Penny\ndef test_a(): Penny(1).flip()";
    assert_eq!(in_test(text, "Penny"), ["app.py:Coin.__new__"]);
    assert_eq!(in_test(text, "flip"), ["app.py:Coin.flip"]);
}

#[test]
fn methods_of_a_class_make_objects_of_it() {
    let makers = (
        "src/shop/makers.py",
        "class Till:\n    @classmethod\n    def of(cls, n):\n        till = cls()\n        till.fill(n)\n        return till\n    \
         @classmethod\n    def empty(cls): return cls.of(0)\n    def again(self): return self.__class__()\n    def count(self): ...\n",
    );
    for call in ["Till.of(1).count()", "Till.empty().count()", "Till().again().count()"] {
        let text = format!("from shop.makers import Till\ndef test_a(): {call}");
        let mut files = FILES.to_vec();
        files.extend([makers, ("tests/test_makers.py", text.as_str())]);
        assert_eq!(
            meanings(&files, "tests/test_makers.py", "count"),
            ["src/shop/makers.py:Till.count"],
            "{call}"
        );
    }
}

#[test]
fn what_is_outside_or_unknown_is_called_so() {
    assert_eq!(in_test("import os\ndef test_a(): os.path.join(1)", "join"), ["External"]);
    assert_eq!(in_test("def test_a(): len(1)", "len"), ["External"]);
    assert_eq!(in_test("def test_a(client): client.get(1)", "get"), ["Unknown"]);
}

#[test]
fn methods_of_strings_are_nobodys_code() {
    let format = "class Formatter:\n    def sell(self, x): ...\n\ndef test_a():\n    line = '<{}>'\n    line.sell(1)\n    rb'a'.sell(2)\n";
    assert_eq!(in_test(format, "sell"), ["External"; 2]);
}
