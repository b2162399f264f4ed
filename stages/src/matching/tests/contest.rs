use super::{Written, matched_files};

const STACK: (&str, &str) = (
    "src/main/java/a/Stack.java",
    "package a;
public class Stack {
    public Stack() {}
    public void push(int item) {}
    public int pop() { return 0; }
    public int getTopItem() { return 0; }
    public boolean isEmpty() { return true; }
    public void assertSound() {}
}
",
);

/// Votes on tests of the class `StackTest` with these members.
fn java(members: &str) -> Written {
    let text = format!(
        "package a;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\n\
         public class StackTest {{\n    private Stack stack = new Stack();\n{members}}}\n"
    );
    matched_files(&[STACK, ("src/test/java/a/StackTest.java", &text)])
}

#[track_caller]
fn votes(members: &str, expected: &str) {
    assert_eq!(java(members).vote("contest", "StackTest.t"), expected, "{members}");
}

#[test]
fn the_call_with_most_words_of_the_tests_name() {
    let written = java(
        "@Test public void testPush() { stack.push(1); assertFalse(stack.isEmpty()); }
         @Test public void emptyAfterPop() { stack.pop(); assertTrue(stack.isEmpty()); }
         @Test public void TEST_get_top_item() { stack.push(1); assertEquals(1, stack.getTopItem()); }
         @Test public void pushPop() { stack.push(1); stack.pop(); }",
    );
    let vote = |test: &str| written.vote("contest", &format!("StackTest.{test}"));
    assert_eq!(vote("testPush"), "test_name -> Stack.push");
    assert_eq!(vote("TEST_get_top_item"), "test_name -> Stack.getTopItem");
    // One word each, and the class has none of the words either.
    assert_eq!(vote("emptyAfterPop"), "test_class: unresolvable");
    assert_eq!(vote("pushPop"), "test_class: unresolvable");
}

#[test]
fn a_tenth_of_the_words_is_too_little() {
    let test = |name: &str| java(&format!("@Test public void {name}() {{ stack.push(1); }}"));
    let ten = test("pushB_c_d_e_f_g_h_i_j");
    assert_eq!(ten.vote("contest", "StackTest.pushB_c_d_e_f_g_h_i_j"), "test_class: unresolvable");
    let nine = test("pushB_c_d_e_f_g_h_i");
    assert_eq!(nine.vote("contest", "StackTest.pushB_c_d_e_f_g_h_i"), "test_name -> Stack.push");
}

#[test]
fn the_class_decides_where_the_name_does_not() {
    let text = "package a;\nimport org.junit.Test;\npublic class PopTest {
    @Test public void works() { Stack stack = new Stack(); stack.push(1); stack.pop(); }
    @Test public void pushThenPop() { Stack stack = new Stack(); stack.push(1); stack.pop(); }
}\n";
    let written = matched_files(&[STACK, ("src/test/java/a/PopTest.java", text)]);
    assert_eq!(written.vote("contest", "PopTest.works"), "test_class -> Stack.pop");
    assert_eq!(written.vote("contest", "PopTest.pushThenPop"), "test_class -> Stack.pop");
}

#[test]
fn assertions_and_constructors_are_no_candidates() {
    votes("@Test public void t() { assertEquals(1, 1); }", "test_name: no_calls");
    votes("@Test public void t() { new Stack(); }", "test_name: no_calls");
    let written = java("@Test public void assertTrueOfEmpty() { assertTrue(stack.isEmpty()); }");
    assert_eq!(written.vote("contest", "StackTest.assertTrueOfEmpty"), "test_name -> Stack.isEmpty");
    let chain =
        java("@Test public void isEqualTo() { assertThat(stack.pop()).isEqualTo(stack.getTopItem()); }");
    assert_eq!(chain.vote("contest", "StackTest.isEqualTo"), "test_class: unresolvable");
}

#[test]
fn what_is_declared_elsewhere_drops_the_test() {
    let outside = java("@Test public void testFormat() { stack.push(1); String.format(\"x\"); }");
    assert_eq!(outside.vote("contest", "StackTest.testFormat"), "test_name: not_in_repository");
    let helper = java("@Test public void testFill() { fill(); stack.push(1); }\nvoid fill() {}\n");
    assert_eq!(helper.vote("contest", "StackTest.testFill"), "test_name: not_a_focal_method");
}

#[test]
fn functions_have_their_file_for_a_class() {
    let source = ("shop/cart.py", "def total(cart):\n    return 0\n\n\ndef empty(cart):\n    pass\n");
    let test =
        "from shop.cart import empty, total\n\n\ndef test_it():\n    empty([])\n    assert total([]) == 0\n";
    let written = matched_files(&[source, ("tests/test_total.py", test)]);
    assert_eq!(written.vote("contest", "test_it"), "test_class -> total");
    let elsewhere = matched_files(&[source, ("tests/test_shop.py", test)]);
    assert_eq!(elsewhere.vote("contest", "test_it"), "test_class: unresolvable");
}

#[test]
fn titles_and_blocks_of_javascript_have_words() {
    let source = ("lib/cart.js", "export function addItem(cart) {}\nexport function total(cart) {}\n");
    let test = "import { addItem, total } from '../lib/cart.js'
describe('.addItem()', () => {
  describe('when empty', () => {
    it('computes the total', () => { addItem([]); expect(total([])).toBe(0) })
    it('works', () => { addItem([]); expect(total([])).toBe(0) })
  })
})\n";
    let written = matched_files(&[source, ("test/cart.test.js", test)]);
    let block = ".addItem() > when empty >";
    assert_eq!(written.vote("contest", &format!("{block} computes the total")), "test_name -> total");
    assert_eq!(written.vote("contest", &format!("{block} works")), "test_class -> addItem");
}
