use super::meanings;

const SHOP: (&str, &str) = (
    "src/main/java/shop/Shop.java",
    "package shop;
     import shop.parts.*;
     public class Shop extends Base implements Named {
         static final Till TILL = new Till();
         Cart cart = new Cart();
         static Shop open() { return new Shop(); }
         Cart cart() { return cart; }
         void sell(int n) {}
         void sell(String name) {}
         void sell(String name, int... n) {}
         enum Mode { FAST; Mode next() { return this; } }
         static class Till { int count() { return 0; } }
     }",
);
const BASE: (&str, &str) =
    ("src/main/java/shop/Base.java", "package shop; class Base { void close() {} int size() { return 0; } }");
const NAMED: (&str, &str) = (
    "src/main/java/shop/Named.java",
    "package shop; interface Named { default String name() { return \"\"; } }",
);
const CART: (&str, &str) = (
    "src/main/java/shop/parts/Cart.java",
    "package shop.parts; public class Cart { public Cart() {} public Cart(int n) {} public Cart add(int n) { return this; } public int size() { return 0; } public static int limit() { return 0; } }",
);

/// What the calls of `name` in a test method with this body mean.
fn in_test(imports: &str, body: &str, name: &str) -> Vec<String> {
    let text = format!(
        "package shop; {imports} public class ShopTest extends ShopTestBase {{
             private Cart kept; Shop.Till till;
             @Test public void works(Shop given) {{ {body} }}
             private Cart helper() {{ return null; }}
         }}"
    );
    let base = (
        "src/test/java/shop/ShopTestBase.java",
        "package shop; abstract class ShopTestBase { protected Shop inherited; Shop made() { return null; } }",
    );
    let path = "src/test/java/shop/ShopTest.java";
    meanings(&[SHOP, BASE, NAMED, CART, base, (path, &text)], path, name)
        .into_iter()
        .map(|found| found.replace("src/main/java/shop/", "").replace("src/test/java/shop/", "test/"))
        .collect()
}

const CART_IMPORT: &str = "import shop.parts.Cart; import java.util.List;";

#[test]
fn receivers_have_the_type_of_their_declarations() {
    for body in [
        "Cart c = null; c.add(1);",
        "var c = new Cart(); c.add(1);",
        "kept.add(1);",
        "this.kept.add(1);",
        "new Cart(2).add(1);",
        "given.cart().add(1);",
        "Shop.open().cart.add(1);",
        "made().cart().add(1);",
        "inherited.cart().add(1);",
        "helper().add(1);",
        "((Cart) null).add(1);",
        "for (Cart c : carts()) { c.add(1); }",
        "try (Cart c = helper()) { c.add(1); }",
        "Cart[] all = null; all[0].add(1);",
    ] {
        assert_eq!(in_test(CART_IMPORT, body, "add"), ["parts/Cart.java:Cart.add"], "{body}");
    }
    assert_eq!(in_test(CART_IMPORT, "kept.add(1).add(2).size();", "size"), ["parts/Cart.java:Cart.size"]);
}

#[test]
fn members_are_inherited_and_nested() {
    assert_eq!(in_test("", "given.close();", "close"), ["Base.java:Base.close"]);
    assert_eq!(in_test("", "given.name();", "name"), ["Named.java:Named.name"]);
    assert_eq!(in_test("", "Shop.Mode.FAST.next();", "next"), ["Shop.java:Shop.Mode.next"]);
    assert_eq!(in_test("", "Shop.TILL.count(); till.count();", "count"), ["Shop.java:Shop.Till.count"; 2]);
}

#[test]
fn static_imports_and_full_names() {
    let import = "import static shop.parts.Cart.limit;";
    assert_eq!(in_test(import, "limit();", "limit"), ["parts/Cart.java:Cart.limit"]);
    assert_eq!(
        in_test("import static shop.parts.Cart.*;", "limit();", "limit"),
        ["parts/Cart.java:Cart.limit"]
    );
    assert_eq!(in_test("", "shop.parts.Cart.limit();", "limit"), ["parts/Cart.java:Cart.limit"]);
}

#[test]
fn overloads_go_by_arguments() {
    assert_eq!(in_test("", "int n = 1; given.sell(n);", "sell"), ["Shop.java:Shop.sell"]);
    let several = in_test("", "given.sell(unknown());", "sell");
    assert_eq!(several, ["Shop.java:Shop.sell@8 | Shop.java:Shop.sell@9"]);
    assert_eq!(
        in_test("", "given.sell(\"a\"); given.sell(\"a\", 1, 2);", "sell"),
        ["Shop.java:Shop.sell"; 2]
    );
    assert_eq!(in_test(CART_IMPORT, "new Cart(); new Cart(1);", "Cart"), ["parts/Cart.java:Cart.Cart"; 2]);
    assert_eq!(in_test("", "new Shop();", "Shop"), ["Shop.java:Shop"]);
}

#[test]
fn what_is_outside_or_unknown_is_called_so() {
    assert_eq!(in_test(CART_IMPORT, "List<Cart> l = null; l.add(null);", "add"), ["External"]);
    assert_eq!(in_test("import static org.junit.Assert.*;", "assertTrue(1);", "assertTrue"), ["External"]);
    assert_eq!(in_test("", "\"a\".add(1);", "add"), ["External"]);
    assert_eq!(in_test("", "unknown.add(1);", "add"), ["Unknown"]);
    assert_eq!(in_test("", "given.vanish();", "vanish"), ["Unknown"]);
}

#[test]
fn private_overloads_are_called_by_their_own_class_only() {
    let base =
        ("src/main/java/shop/Base.java", "package shop; public class Base { public void then(Object a) {} }");
    let stub = (
        "src/main/java/shop/Stub.java",
        "package shop; public class Stub extends Base { private void then(String a) {} void own() { then(\"a\"); } }",
    );
    let test = "package shop; public class StubTest { void a() { new Stub().then(\"a\"); } }";
    let files = [base, stub, ("src/test/java/shop/StubTest.java", test)];
    let of = |path: &str| meanings(&files, path, "then");
    assert_eq!(of("src/test/java/shop/StubTest.java"), ["src/main/java/shop/Base.java:Base.then"]);
    assert!(of("src/main/java/shop/Stub.java")[0].starts_with("src/main/java/shop/Stub.java:Stub.then"));
}
