use super::matched_files;

const CART: (&str, &str) = (
    "cart.py",
    "class Cart:
    def add(self, item):
        pass

    def size(self):
        return 0


def load(name):
    return Cart()


def parse(text):
    return text
",
);

/// The vote on a pytest function with this body.
#[track_caller]
fn votes(body: &str, expected: &str) {
    let text = format!(
        "import json\n\nfrom cart import Cart, load, parse\n\n\ndef test_it():\n    {}\n",
        body.trim()
    );
    let written = matched_files(&[CART, ("test_cart.py", &text)]);
    assert_eq!(written.vote("unitsyn", "test_it"), expected, "{body}");
}

#[test]
fn the_last_call_up_to_the_first_assertion() {
    votes("load('a')\n    x = parse('b')\n    assert x == 'b'", "last_call -> parse");
    votes("load('a')\n    assert parse('b') == 'b'", "last_call -> parse");
    votes("load('a')\n    assert True\n    parse('b')", "last_call -> load");
    votes("cart = Cart()\n    cart.add(1)\n    assert cart.size() == 1", "last_call -> Cart.size");
}

#[test]
fn what_runs_last_is_last() {
    votes("assert load(parse('a')) is None", "last_call -> load");
    votes("load('a').add(parse('b'))\n    assert True", "last_call -> Cart.add");
}

#[test]
fn calls_into_libraries_are_passed_over() {
    votes("x = parse('b')\n    assert json.loads(x) == 1", "last_call -> parse");
    votes("x = parse('b')\n    assert len(x) == 1", "last_call -> parse");
    votes("assert json.loads('1') == 1", "last_call: not_in_repository");
}

#[test]
fn without_an_assertion_the_last_call_of_all() {
    votes("load('a')\n    parse('b')", "last_call -> parse");
    votes("assert 1 == 1", "last_call: no_calls");
    votes("pass", "last_call: no_calls");
}

#[test]
fn making_an_object_is_a_call_only_where_there_is_no_new() {
    let source = (
        "src/main/java/a/Box.java",
        "package a;\npublic class Box {\n    public Box(int size) {}\n    public int size() { return 1; }\n}\n",
    );
    let test = "package a;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\npublic class BoxTest {
    @Test public void made() { assertNotNull(new Box(1)); }
    @Test public void asked() { Box box = new Box(1); assertEquals(new Box(2), box.size()); }
}\n";
    let written = matched_files(&[source, ("src/test/java/a/BoxTest.java", test)]);
    assert_eq!(written.vote("unitsyn", "BoxTest.made"), "last_call: no_calls");
    assert_eq!(written.vote("unitsyn", "BoxTest.asked"), "last_call -> Box.size");
    let python = ("box.py", "class Box:\n    def __init__(self, size):\n        pass\n");
    let test = "from box import Box\n\n\ndef test_made():\n    assert Box(1)\n";
    let written = matched_files(&[python, ("test_box.py", test)]);
    assert_eq!(written.vote("unitsyn", "test_made"), "last_call -> Box.__init__");
}

#[test]
fn the_words_of_assertions_are_no_calls() {
    let source =
        ("lib/sum.js", "export function sum(a) { return a }\nexport function equal(a) { return a }\n");
    let test = "import { sum, equal } from '../lib/sum.js'
it('expects', () => { expect(sum([1])).to.equal(1) })
it('says should', () => { sum([1]).should.equal(1) })
it('asserts', () => { assert.equal(sum([1]), 1) })\n";
    let written = matched_files(&[source, ("test/sum.test.js", test)]);
    for title in ["expects", "says should", "asserts"] {
        assert_eq!(written.vote("unitsyn", title), "last_call -> sum", "{title}");
    }
}
