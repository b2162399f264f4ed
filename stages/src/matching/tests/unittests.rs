//! The rules of UnitTests for the languages that were parsed for these tests.

use super::{Written, matched_files};

#[test]
fn java_goes_by_the_tests_of_junit() {
    let source = (
        "src/main/java/a/Cart.java",
        "package a;\npublic class Cart {\n    public int add() { return 1; }\n    public int size() { return 1; }\n}\n",
    );
    let test = "package a;\nimport org.junit.jupiter.api.*;\nclass CartTest {
    @Test void testAdd() {}
    @Test void counts() { new Cart().size(); }
    @ParameterizedTest void testSize(int i) {}
    @TestFactory void testSize() {}
}\n";
    let written = matched_files(&[source, ("src/test/java/a/CartTest.java", test)]);
    let vote = |test: &str| written.vote("unittests-java", &format!("CartTest.{test}"));
    assert_eq!(
        vote("testAdd"),
        "focal_class: matched, name -> Cart.add, unique_call: no_call_into_focal_class"
    );
    assert_eq!(
        vote("counts"),
        "focal_class: matched, name: no_method_of_that_name, unique_call -> Cart.size"
    );
    let others = written.votes.iter().filter(|vote| vote.test_name == "CartTest.testSize");
    let others: Vec<_> =
        others.filter(|vote| vote.mode == "unittests-java").map(|vote| &vote.answer).collect();
    assert_eq!(others, ["not_a_junit_test"; 6]);
    let testng = test.replace("org.junit.jupiter.api.*", "org.testng.annotations.Test");
    let written = matched_files(&[source, ("src/test/java/a/CartTest.java", &testng)]);
    let vote = written.vote("unittests-java", "CartTest.testAdd");
    assert_eq!(vote, "focal_class: not_a_junit_test, name: not_a_junit_test, unique_call: not_a_junit_test");
}

const CART_GO: (&str, &str) = (
    "cart/cart.go",
    "package cart

type Cart struct{}

func (c *Cart) Add(item string) {}
func (c *Cart) Size() int { return 0 }
func (c *Cart) size() int { return 0 }
func Load() *Cart { return nil }
func parse(text string) int { return 0 }
",
);

fn go(files: &[(&str, &str)], test: &str) -> String {
    let text = format!("package cart\n\nimport \"testing\"\n\nfunc {test}(t *testing.T) {{ t.Fail() }}\n");
    let mut all = vec![CART_GO, ("cart/cart_test.go", text.as_str())];
    all.extend(files);
    matched_files(&all).vote("unittests-go", test)
}

#[test]
fn go_goes_by_the_name_and_forgives_the_first_letter() {
    assert_eq!(go(&[], "TestLoad"), "name -> Load");
    assert_eq!(go(&[], "TestAdd"), "name -> Cart.Add");
    assert_eq!(go(&[], "TestParse"), "name -> parse");
    assert_eq!(go(&[], "Test_parse"), "name -> parse");
    assert_eq!(go(&[], "TestSize"), "name -> Cart.Size", "the exported one is the name itself");
    assert_eq!(go(&[], "TestLoads"), "name: no_function_of_that_name");
    let other = ("list/list.go", "package list\n\nfunc Load() {}\n");
    assert_eq!(go(&[other], "TestLoad"), "name: several_functions_of_that_name");
    let helper = ("list/list_test.go", "package list\n\nfunc Load() {}\n");
    assert_eq!(go(&[helper], "TestLoad"), "name -> Load");
}

#[test]
fn go_knows_the_package_testing_only() {
    let suite = "package cart

import \"github.com/stretchr/testify/suite\"

type CartSuite struct{ suite.Suite }

func (s *CartSuite) TestLoad() { s.Equal(1, Load()) }
";
    let written = matched_files(&[CART_GO, ("cart/suite_test.go", suite)]);
    assert_eq!(written.vote("unittests-go", "CartSuite.TestLoad"), "name: other_framework");
}

fn csharp(members: &str) -> Written {
    let source = (
        "src/Cart.cs",
        "namespace Shop { public class Cart { public void Add(int a) {} public void Add(string a) {}
         public void AddRange(int[] a) {} public int Size() { return 0; } } }",
    );
    let test = format!("using Xunit;\nnamespace Shop.Tests {{ public class CartTests {{ {members} }} }}");
    matched_files(&[source, ("tests/CartTests.cs", &test)])
}

#[test]
fn csharp_wants_the_name_and_the_call() {
    let written = csharp(
        "[Fact] public void Add_Works() { var cart = new Cart(); cart.Add(1); Assert.Equal(1, cart.Size()); }
         [Fact] public void Size_Works() { var cart = new Cart(); cart.Add(1); }
         [Fact] public void AddRange_AfterAdd() { var cart = new Cart(); cart.Add(1); cart.AddRange(null); }
         [Theory] [InlineData(1)] public void AddRange(int a) { new Cart().AddRange(null); }
         [Fact] public void add() { new Cart().Add(1); }",
    );
    let vote = |test: &str| written.vote("unittests-csharp", &format!("CartTests.{test}"));
    assert_eq!(vote("Add_Works"), "name_and_call -> Cart.Add");
    assert_eq!(vote("Size_Works"), "name_and_call: no_called_method_in_name");
    assert_eq!(vote("AddRange_AfterAdd"), "name_and_call: several_called_methods_in_name");
    assert_eq!(vote("AddRange"), "name_and_call -> Cart.AddRange");
    assert_eq!(vote("add"), "name_and_call: no_called_method_in_name");
}

#[test]
fn csharp_knows_the_attributes_of_its_list() {
    let written = csharp(
        "[FactAttribute] public void Add_Long() { new Cart().Add(1); }
         [SkippableFact] public void Add_Other() { new Cart().Add(1); }",
    );
    assert_eq!(written.vote("unittests-csharp", "CartTests.Add_Long"), "name_and_call -> Cart.Add");
    let other = written
        .votes
        .iter()
        .find(|vote| vote.test_name == "CartTests.Add_Other" && vote.mode == "unittests-csharp");
    assert!(other.is_none_or(|vote| vote.answer == "no_test_attribute"));
}

#[test]
fn javascript_takes_the_last_local_call() {
    let source = (
        "lib/cart.js",
        "export function add(cart) { return cart }\nexport const total = (cart) => cart.length\n",
    );
    let test = "import { add, total } from '../lib/cart.js'
it('adds', () => { expect(total([])).toBe(0); add([]) })
it('sums', () => { add([]); expect(total(add([]))).toBe(0); console.log('x') })
it('says nothing', () => { console.log('x') })\n";
    let written = matched_files(&[source, ("test/cart.js", test)]);
    assert_eq!(written.vote("unittests-js", "adds"), "last_local_call -> add");
    assert_eq!(written.vote("unittests-js", "sums"), "last_local_call -> total");
    assert_eq!(written.vote("unittests-js", "says nothing"), "last_local_call: not_in_repository");
}
