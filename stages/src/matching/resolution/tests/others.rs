use super::meanings;

fn go(text: &str, name: &str) -> Vec<String> {
    let cart = (
        "cart/cart.go",
        "package cart\ntype Base struct{}\nfunc (b Base) Close() error { return nil }\ntype Cart struct {\n\tBase\n\tItems *List\n}\nfunc New() (*Cart, error) { return nil, nil }\nfunc (c *Cart) Add(n int) *Cart { return c }\n",
    );
    let list = ("cart/list.go", "package cart\ntype List struct{}\nfunc (l *List) Len() int { return 0 }\n");
    meanings(&[cart, list, ("cart/cart_test.go", text)], "cart/cart_test.go", name)
}

#[test]
fn methods_of_go_go_by_their_receivers() {
    let inside = "package cart\nimport \"testing\"\nfunc TestA(t *testing.T) {\n\tc, _ := New()\n\tc.Add(1).Add(2)\n\tc.Items.Len()\n\tc.Close()\n\tt.Log(1)\n}\n";
    assert_eq!(go(inside, "Add"), ["cart/cart.go:Cart.Add"; 2]);
    assert_eq!(go(inside, "Len"), ["cart/list.go:List.Len"]);
    assert_eq!(go(inside, "Close"), ["cart/cart.go:Base.Close"]);
    assert_eq!(go(inside, "Log"), ["External"]);
    let outside = "package cart_test\nimport (\n\t\"testing\"\n\t\"example.com/shop/cart\"\n)\nfunc TestA(t *testing.T) {\n\tc := &cart.Cart{}\n\tc.Add(1)\n\tcart.New()\n}\n";
    assert_eq!(go(outside, "Add"), ["cart/cart.go:Cart.Add"]);
    assert_eq!(go(outside, "New"), ["cart/cart.go:New"]);
}

fn javascript(text: &str, name: &str) -> Vec<String> {
    let files = [
        (
            "lib/index.js",
            "export * from './cart.js'\nexport { default as Till, open as start } from './till.js'\n",
        ),
        (
            "lib/cart.js",
            "export class Cart { constructor() {} add(n) { return this } }\nexport function make() {}\n",
        ),
        ("lib/till.js", "export default class Till { count() {} }\nexport const open = () => 1\n"),
        (
            "lib/app.js",
            "module.exports = createApp\nfunction createApp() {}\ncreateApp.json = function json() {}\n",
        ),
        ("test/a.js", text),
    ];
    meanings(&files, "test/a.js", name)
}

#[test]
fn modules_of_javascript_hand_out_names() {
    let text = "import { Cart, make, Till, start as begin } from '../lib'\nconst app = require('../lib/app')\nit('a', () => { const c = new Cart(); c.add(1).add(2); make(); begin(); new Till().count(); app(); app.json() })\n";
    assert_eq!(javascript(text, "Cart"), ["lib/cart.js:Cart.constructor"]);
    assert_eq!(javascript(text, "add").first().map(String::as_str), Some("lib/cart.js:Cart.add"));
    assert_eq!(javascript(text, "make"), ["lib/cart.js:make"]);
    assert_eq!(javascript(text, "begin"), ["lib/till.js:open"]);
    assert_eq!(javascript(text, "count"), ["lib/till.js:Till.count"]);
    assert_eq!(javascript(text, "app"), ["lib/app.js:createApp"]);
    assert_eq!(javascript(text, "json"), ["lib/app.js:createApp.json"]);
    assert_eq!(javascript("import { x } from 'other'\nit('a', () => { x() })\n", "x"), ["External"]);
}

fn csharp(text: &str, name: &str) -> Vec<String> {
    let files = [
        (
            "src/Shop/Cart.cs",
            "namespace Shop.Model { public partial class Cart : ICloseable { public Cart Add(int n) { return this; } public void Close() {} public Till Till { get; } } public interface ICloseable { void Close(); } public class Till { public int Count() { return 0; } } }",
        ),
        (
            "src/Shop/Cart.More.cs",
            "namespace Shop.Model { public partial class Cart { public void Clear() {} } }",
        ),
        (
            "src/Shop/Extensions.cs",
            "namespace Shop.Text { public static class Extensions { public static string Shorten(this string text, int n) => text; public static int Sum(this Model.Cart cart) => 0; } }",
        ),
        ("tests/Shop.Tests/ATests.cs", text),
    ];
    meanings(&files, "tests/Shop.Tests/ATests.cs", name)
}

#[test]
fn types_of_csharp_have_parts_and_extensions() {
    let text = "using NUnit.Framework; using Shop.Model; using Shop.Text; namespace Shop.Tests { public class ATests { private Cart kept = new Cart(); [Test] public void A() { var c = new Cart(); c.Add(1).Clear(); kept.Sum(); \"a\".Shorten(1); c.Till.Count(); this.kept.Close(); } } }";
    assert_eq!(csharp(text, "Add"), ["src/Shop/Cart.cs:Cart.Add"]);
    assert_eq!(csharp(text, "Clear"), ["src/Shop/Cart.More.cs:Cart.Clear"]);
    assert_eq!(csharp(text, "Sum"), ["src/Shop/Extensions.cs:Extensions.Sum"]);
    assert_eq!(csharp(text, "Shorten"), ["src/Shop/Extensions.cs:Extensions.Shorten"]);
    assert_eq!(csharp(text, "Count"), ["src/Shop/Cart.cs:Till.Count"]);
}

#[test]
fn what_new_makes_in_go_has_the_type_that_it_names() {
    let text = "package cart\nimport \"testing\"\nfunc TestA(t *testing.T) {\n\tnew(Cart).Add(1)\n\tc := new(Cart)\n\tc.Add(2)\n}\n";
    assert_eq!(go(text, "Add"), ["cart/cart.go:Cart.Add"; 2]);
}

#[test]
fn surroundings_and_literals_of_javascript_are_nobodys_code() {
    let text =
        "import { Cart } from '../lib'\nconst name = 'a'\nit('a', () => { process.add(1); name.add(1) })\n";
    assert_eq!(javascript(text, "add"), ["External"; 2]);
    let own =
        "import { Cart } from '../lib'\nconst process = new Cart()\nit('a', () => { process.add(1) })\n";
    assert_eq!(javascript(own, "add"), ["lib/cart.js:Cart.add"]);
}

#[test]
fn what_a_build_would_make_stands_for_its_source() {
    let files = [
        ("packages/a/src/index.ts", "export function make() {}\n"),
        ("packages/a/test/a.js", "import { make } from '../lib/index.js'\nit('a', () => { make() })\n"),
    ];
    assert_eq!(meanings(&files, "packages/a/test/a.js", "make"), ["packages/a/src/index.ts:make"]);
}

#[test]
fn what_functions_of_javascript_return_has_a_type() {
    let files = [
        (
            "src/span.js",
            "export class Span {\n  static of(n) { return new Span(n) }\n  longer(n) { return clone(this, n) }\n  mark() { this.marked = true; return this; }\n  equals(other) { return true }\n}\nfunction clone(span, n) { return new Span(n) }\n",
        ),
        ("src/zone.js", "export class Zone { equals(other) { return true } }\n"),
        (
            "test/span.js",
            "import { Span } from '../src/span.js'\nconst kept = Span.of(1)\nconst short = () => Span.of(2)\nit('a', () => { const own = Span.of(3); own.equals(1); kept.longer(1).mark().equals(2); short().equals(3) })\n",
        ),
    ];
    assert_eq!(meanings(&files, "test/span.js", "equals"), ["src/span.js:Span.equals"; 3]);
}

#[test]
fn a_name_of_go_that_is_bound_to_itself_keeps_its_type() {
    let text = "package cart\nimport \"testing\"\nvar kept = Cart{}\nfunc TestA(t *testing.T) {\n\tkept := kept\n\tkept.Add(1)\n}\n";
    assert_eq!(go(text, "Add"), ["cart/cart.go:Cart.Add"]);
}

#[test]
fn an_alias_of_go_is_of_the_type_that_is_made_for_others() {
    let files = [
        (
            "flag/flag.go",
            "package flag\ntype Number = Flag[int, plain[int]]\ntype Flag[T any, V any] struct{}\nfunc (f *Flag[T, V]) String() string { return \"\" }\ntype plain[T any] struct{}\nfunc (p *plain[T]) String() string { return \"\" }\n",
        ),
        (
            "flag/flag_test.go",
            "package flag\nimport \"testing\"\nfunc TestA(t *testing.T) {\n\tf := &Number{}\n\tf.String()\n}\n",
        ),
    ];
    assert_eq!(meanings(&files, "flag/flag_test.go", "String"), ["flag/flag.go:Flag.String"]);
}
