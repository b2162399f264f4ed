//! Contexts of the fixtures, which a person has read, and the form of a row.

use super::*;
use crate::TableError;
use crate::export::samples::{named, pair, parsed, tables};
use crate::export::{FileViews, RepositoryRows};
use crate::parsing::rows::FileRows;
use crate::records::SourceFile;
use std::collections::HashMap;

fn context(path: &str, text: &str, test: &str) -> String {
    let parsed = parsed(path, text);
    let view = FileView::new(&parsed.file, parsed.callables.iter().collect());
    test_func_context(&view, named(&parsed, test)).to_string()
}

macro_rules! fixtures {
    ($($name:ident: $file:literal as $path:literal, $($test:literal),+;)+) => {$(
        #[test]
        fn $name() {
            let text = include_str!(concat!("fixtures/", $file));
            let expected = include_str!(concat!("fixtures/", $file, ".context"));
            $(
                let found = context($path, text, $test);
                assert_eq!(found.lines().collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>(), "{}", $test);
            )+
        }
    )+};
}

fixtures! {
    java_plain: "plain.java" as "src/test/java/CartTest.java", "CartTest.testAdd", "CartTest.testRemove";
    java_nested: "nested.java" as "src/test/java/CartTest.java", "CartTest.WhenEmptied.hasNoItems";
    java_junit3: "junit3.java" as "src/test/java/QueueTest.java", "QueueTest.testPush", "QueueTest.testPop";
    javascript_mocha: "mocha.js" as "test/cart.js", "Cart > when empty > has no items", "Cart > when empty > refuses to pay";
    javascript_qunit: "qunit.js" as "test/chunk.js", "chunk > splits", "chunk > keeps the rest";
    python_functions: "functions.py" as "tests/test_cart.py", "test_total", "test_price";
    python_unittest: "unittest.py" as "tests/test_cart.py", "CartTest.test_len", "CartTest.test_add";
    go_tables: "table_test.go" as "shop/table_test.go", "TestTotal", "TestRound";
    go_suite: "suite_test.go" as "shop/suite_test.go", "CartSuite.TestAdd", "TestCarts";
    python_nested: "nested.py" as "tests/test_nested.py", "TestOuter.TestInner.test_inner";
    csharp_nunit: "nunit.cs" as "tests/Shop.Tests/CartTests.cs", "CartTests.Add", "CartTests.Remove";
    csharp_nested: "nested.cs" as "tests/Shop.Tests/CartTests.cs", "CartTests.WhenEmptied.HasNoItems";
}

#[test]
fn no_test_of_the_file_stands_in_any_context() {
    let fixtures = [
        ("A.java", include_str!("fixtures/plain.java")),
        ("B.java", include_str!("fixtures/nested.java")),
        ("C.java", include_str!("fixtures/junit3.java")),
        ("test/d.js", include_str!("fixtures/mocha.js")),
        ("test/e.js", include_str!("fixtures/qunit.js")),
        ("a_test.go", include_str!("fixtures/table_test.go")),
        ("b_test.go", include_str!("fixtures/suite_test.go")),
        ("tests/test_a.py", include_str!("fixtures/functions.py")),
        ("tests/test_b.py", include_str!("fixtures/unittest.py")),
        ("tests/test_c.py", include_str!("fixtures/nested.py")),
        ("A.cs", include_str!("fixtures/nunit.cs")),
        ("B.cs", include_str!("fixtures/nested.cs")),
    ];
    for (path, text) in fixtures {
        let parsed = parsed(path, text);
        assert!(!parsed.test_cases.is_empty(), "{path}");
        let view = FileView::new(&parsed.file, parsed.callables.iter().collect());
        for test in &parsed.test_cases {
            let context = test_func_context(&view, &parsed.callables[test.ordinal as usize]);
            for other in &parsed.test_cases {
                assert!(!context.contains(&other.name), "{} in the context of {}", other.name, test.name);
            }
        }
    }
}

/// Rows with the English prompts.
fn rows(
    pairs: &[Pair],
    files: &[SourceFile],
    callables: &[CallableRow],
) -> Result<Vec<UnitTestsRow>, TableError> {
    let frameworks = pairs.iter().map(|pair| (pair.test_id.clone(), "jest".to_owned())).collect();
    let repository = RepositoryRows { licence: "MIT", files, callables, frameworks: &frameworks };
    crate::export::rows(pairs, &repository, &PromptBook::new(&Prompts::default()).unwrap())
}

#[test]
fn every_language_has_rules() {
    for language in trefoil_languages::all() {
        assert!(rules(language.name).is_some(), "{}", language.name);
    }
}

const FOCAL: &str = "import os\n\n\nclass Cart:\n    # how many\n    @property\n    def size(self):\n        return 1\n\n    other = 2\n";
const TEST: &str = "from cart import Cart\n\n\ndef test_size():\n    assert Cart().size == 1\n";

#[test]
fn a_row_has_the_form_of_the_published_sample() {
    let (test, focal) = (parsed("tests/test_cart.py", TEST), parsed("cart.py", FOCAL));
    let (files, callables) = tables(&[&test, &focal]);
    let pair = pair(&test, "test_size", &focal, "Cart.size");
    let rows = rows(std::slice::from_ref(&pair), &files, &callables).unwrap();
    let row = &rows[0];
    assert_eq!(row.inputs.focal_func, "```python\n@property\n    def size(self):\n        return 1\n```");
    assert_eq!(
        row.inputs.focal_func_context,
        "```python\n#cart.py\nimport os\n\n\nclass Cart:\n    # how many\n    #focal function/method here\n\n    other = 2\n```"
    );
    assert_eq!(row.inputs.test_func_context, "```\nfrom cart import Cart\n```");
    assert_eq!(row.outputs, "def test_size():\n    assert Cart().size == 1");
    assert_eq!((row.inputs.language.as_str(), row.inputs.test_func_type.as_str()), ("python", "function"));
    assert_eq!((row.inputs.focal_file_path.as_str(), row.inputs.test_framework.as_str()), ("cart.py", ""));
    assert_eq!((row.meta.repo_id.as_str(), row.meta.focal_func_type.as_str()), ("local/shop", "method"));
    assert_eq!((row.meta.pair_id.as_str(), row.meta.licence.as_str()), (pair.id.as_str(), "MIT"));
    assert_eq!(format!("{:016x}", row.meta.id << 1)[..15], pair.id[..15]);
    assert!(!row.instruction.contains("framework"), "{}", row.instruction);
    let views = FileViews::new(&files, &callables);
    let (test, focal) = views.sides(&pair).unwrap();
    let input = focal_text(&pair, focal).len()
        + "from cart import Cart".len()
        + focal_func_context(&pair, focal).len();
    assert_eq!(input_characters(&pair, test, focal), input);
}

#[test]
fn the_words_of_a_row_are_those_of_its_prompt() {
    let (test, focal) = (parsed("tests/test_cart.py", TEST), parsed("cart.py", FOCAL));
    let (files, callables) = tables(&[&test, &focal]);
    let pair = pair(&test, "test_size", &focal, "Cart.size");
    let book = PromptBook::new(&Prompts::Named("russian".into())).unwrap();
    let frameworks = HashMap::new();
    let repository =
        RepositoryRows { licence: "", files: &files, callables: &callables, frameworks: &frameworks };
    let row = crate::export::rows(std::slice::from_ref(&pair), &repository, &book).unwrap().remove(0);
    assert_eq!(row.inputs.test_func_type, "тестовую функцию");
    assert_eq!(row.instruction, book.of(&pair.id).instruction(""));
}

#[test]
fn frameworks_have_their_published_names() {
    for (word, name) in [("jest", "jest"), ("unknown_javascript", "Unknown"), ("", "Unknown")] {
        assert_eq!(framework(word), name);
    }
}

#[test]
fn a_code_block_ends_where_it_should() {
    assert_eq!(code_block("java", "a"), "```java\na\n```");
    assert_eq!(code_block("java", "/** ```x``` */\n"), "````java\n/** ```x``` */\n````");
}

#[test]
fn a_missing_file_is_named() {
    let (test, focal) = (parsed("tests/test_cart.py", TEST), parsed("cart.py", FOCAL));
    let (files, callables) = tables(&[&test]);
    let error = rows(&[pair(&test, "test_size", &focal, "Cart.size")], &files, &callables).unwrap_err();
    assert!(error.to_string().contains("cart.py"), "{error}");
}

/// The context that a test leaks into.
fn leak(test: &FileRows, name: &str, focal: &FileRows, of: &str) -> Option<&'static str> {
    let (files, callables) = if test == focal { tables(&[test]) } else { tables(&[test, focal]) };
    let pair = pair(test, name, focal, of);
    let views = FileViews::new(&files, &callables);
    let (test, focal) = views.sides(&pair).unwrap();
    leaks_into_contexts(&pair, test, focal)
}

const TEST_CONTEXT: Option<&str> = Some("test_func_context");
const FOCAL_CONTEXT: Option<&str> = Some("focal_func_context");

#[test]
fn a_python_test_is_found_wherever_it_can_be_read() {
    let focal = |more: &str| parsed("cart.py", &format!("def size():\n    return 1\n\n{more}"));
    let test = |body: &str, more: &str| {
        parsed("tests/test_cart.py", &format!("{more}\n\ndef test_size():\n    {body}\n"))
    };
    let body = "cart = Cart()  # empty\n    assert cart.size() == 0";
    for (case, test, focal, expected) in [
        ("nowhere", test(body, ""), focal("def other():\n    cart = Cart()\n"), None),
        (
            "under another name beside the focal function",
            test(body, ""),
            focal(&format!("def check():\n    {body}\n")),
            FOCAL_CONTEXT,
        ),
        (
            "with other comments and blank lines",
            test(body, ""),
            focal("def check():\n    # anew\n    cart = Cart()\n\n    assert cart.size() == 0  # none\n"),
            FOCAL_CONTEXT,
        ),
        (
            "with line ends of another system",
            test(body, ""),
            focal("def check():\r\n    cart = Cart()\r\n    assert cart.size() == 0\r\n"),
            FOCAL_CONTEXT,
        ),
        (
            "one statement in the code of the test file itself",
            test("assert size() == 1", "if __name__ == '__main__':\n    assert size() == 1"),
            focal(""),
            TEST_CONTEXT,
        ),
        (
            "in a class of the test file that holds no test",
            test(
                body,
                "class Checks:\n    def run(self):\n        cart = Cart()\n        assert cart.size() == 0",
            ),
            focal(""),
            TEST_CONTEXT,
        ),
        (
            "one statement, elsewhere another",
            test("assert size() == 1", "assert size() == 2"),
            focal(""),
            None,
        ),
        (
            "a helper that is only a signature",
            test(body, &format!("def check():\n    {body}")),
            focal(""),
            None,
        ),
    ] {
        assert_eq!(leak(&test, "test_size", &focal, "size"), expected, "{case}");
    }
}

#[test]
fn a_java_test_is_found_wherever_it_can_be_read() {
    let focal = |more: &str| {
        parsed("src/main/java/Cart.java", &format!("class Cart {{ int size() {{ return 1; }} {more} }}"))
    };
    let test = |more: &str| {
        let body = "Cart cart = new Cart(); // empty\n        assertEquals(0, cart.size());";
        let text = format!(
            "class CartTest {{ {more}\n    @Test public void testSize() {{\n        {body}\n    }}\n}}"
        );
        parsed("src/test/java/CartTest.java", &text)
    };
    let statements = "Cart cart = new Cart();\r\n /* none */ assertEquals(0, cart.size());";
    for (case, test, focal, expected) in [
        ("nowhere", test(""), focal(""), None),
        (
            "in set-up",
            test(&format!("@Before public void setUp() {{ log(); {statements} }}")),
            focal(""),
            TEST_CONTEXT,
        ),
        (
            "in a helper of which the signature stays",
            test(&format!("public void check() {{ {statements} }}")),
            focal(""),
            None,
        ),
        (
            "in another test",
            test(&format!("@Test public void testAgain() {{ {statements} }}")),
            focal(""),
            None,
        ),
        (
            "beside the focal method",
            test(""),
            focal(&format!("void check() {{ {statements} }}")),
            FOCAL_CONTEXT,
        ),
    ] {
        assert_eq!(leak(&test, "CartTest.testSize", &focal, "Cart.size"), expected, "{case}");
    }
}

#[test]
fn a_test_repeated_beside_its_focal_function_leaks() {
    let test = "def test_size():\n    assert size() == len('1')\n";
    let text = format!("def size():\n    return 1\n\n{test}\n{}", test.replace("test_size", "also"));
    let both = parsed("tests/test_cart.py", &text);
    assert_eq!(leak(&both, "test_size", &both, "size"), FOCAL_CONTEXT);
}
