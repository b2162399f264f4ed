//! Which methods are context, and how well the calls are understood.

use super::{Part, STACK, cut, cut_with, settings};
use crate::export::contest::ContextOf;

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
