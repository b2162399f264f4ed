//! Contexts of the fixtures, which a person has read, and the form of a row.

use super::*;
use crate::export::samples::{named, pair, parsed, tables};
use crate::export::{FileViews, rows};

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
    python_functions: "functions.py" as "tests/test_cart.py", "test_total", "test_price";
    python_unittest: "unittest.py" as "tests/test_cart.py", "CartTest.test_len", "CartTest.test_add";
    go_tables: "table_test.go" as "shop/table_test.go", "TestTotal", "TestRound";
    go_suite: "suite_test.go" as "shop/suite_test.go", "CartSuite.TestAdd", "TestCarts";
    python_nested: "nested.py" as "tests/test_nested.py", "TestOuter.TestInner.test_inner";
}

#[test]
fn no_test_of_the_file_stands_in_any_context() {
    let fixtures = [
        ("A.java", include_str!("fixtures/plain.java")),
        ("B.java", include_str!("fixtures/nested.java")),
        ("C.java", include_str!("fixtures/junit3.java")),
        ("a_test.go", include_str!("fixtures/table_test.go")),
        ("b_test.go", include_str!("fixtures/suite_test.go")),
        ("tests/test_a.py", include_str!("fixtures/functions.py")),
        ("tests/test_b.py", include_str!("fixtures/unittest.py")),
        ("tests/test_c.py", include_str!("fixtures/nested.py")),
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
    assert_eq!(row.inputs.test_func_context, "```python\nfrom cart import Cart\n```");
    assert_eq!(row.outputs, "def test_size():\n    assert Cart().size == 1");
    assert_eq!((row.inputs.language.as_str(), row.inputs.test_func_type.as_str()), ("python", "function"));
    assert_eq!((row.inputs.focal_file_path.as_str(), row.inputs.test_framework.clone()), ("cart.py", None));
    assert_eq!((row.meta.repo_id.as_str(), row.meta.focal_func_type.as_str()), ("local/shop", "method"));
    assert!(!leaks(row));
    let views = FileViews::new(&files, &callables);
    let (test, focal) = views.sides(&pair).unwrap();
    let input = focal_text(&pair, focal).len()
        + "from cart import Cart".len()
        + focal_func_context(&pair, focal).len();
    assert_eq!(input_characters(&pair, test, focal), input);
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

#[test]
fn leaks_are_found_in_other_layouts_and_names() {
    let body = "        assert Cart().size == 1 and Cart().size != 2 and Cart()\n";
    let test = parsed("tests/test_cart.py", &format!("def test_size():\n{body}"));
    let copy = format!("def size():\n    pass\n\ndef copied():\n    {}\n", body.trim());
    let chance = "def size():\n    pass\n\ndef copied():\n    pass\n";
    for (text, leak) in [(copy.as_str(), Some("focal_func_context")), (chance, None)] {
        let focal = parsed("cart.py", text);
        let (files, callables) = tables(&[&test, &focal]);
        let pair = pair(&test, "test_size", &focal, "size");
        let views = FileViews::new(&files, &callables);
        let (test, focal) = views.sides(&pair).unwrap();
        assert_eq!(leaks_into_contexts(&pair, test, focal), leak);
    }
}

#[test]
fn short_bodies_need_their_signature_to_leak() {
    let test = parsed("tests/test_run.py", "def test_run():\n    run()\n");
    let focal = parsed("run.py", "def run():\n    pass\n\ndef other(): run()\n");
    let (files, callables) = tables(&[&test, &focal]);
    let pair = pair(&test, "test_run", &focal, "run");
    let views = FileViews::new(&files, &callables);
    let (test, focal) = views.sides(&pair).unwrap();
    assert_eq!(leaks_into_contexts(&pair, test, focal), None);
}
