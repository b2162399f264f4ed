use super::{Sample, rows};
use crate::export::RepositoryRows;
use crate::export::file_view::FileViews;
use crate::export::samples::{named, pair, parsed, tables};
use crate::records::{Pair, Part, Segment};
use std::collections::HashMap;

const FOCAL: &str = "class Cart { int size() { return count(); } int count() { return 1; } }";
const TEST: &str = "class CartTest {\n  @Test public void size() {\n    Cart cart = new Cart();\n    cart.size(); // now\n\n    \
                    assertEquals(\n      1, cart.size);\n  }\n}\n";

fn at(text: &str, piece: &str) -> (u32, u32) {
    let start = text.find(piece).unwrap() as u32;
    (start, start + piece.len() as u32)
}

fn segment(pair: &Pair, method: (&str, &str, u32, u32)) -> Segment {
    let (setup_start, setup_end) = at(TEST, "    Cart cart = new Cart();\n    cart.size(); // now");
    let (assertions_start, assertions_end) = at(TEST, "    assertEquals(\n      1, cart.size);");
    let (path, name, start, end) = method;
    Segment {
        setup_start,
        setup_end,
        assertions_start,
        assertions_end,
        method_parts: vec![Part::FocalContext.as_str().to_owned()],
        method_ids: vec!["1".to_owned()],
        method_names: vec![name.to_owned()],
        method_paths: vec![path.to_owned()],
        method_starts: vec![start],
        method_ends: vec![end],
        method_lines: vec![1],
        calls_resolved: 2,
        closing_start: assertions_end,
        closing_end: assertions_end,
        ..Segment::of(pair)
    }
}

#[test]
fn a_row_has_the_parts_with_their_places() {
    let (focal, test) = (parsed("Cart.java", FOCAL), parsed("CartTest.java", TEST));
    let pair = pair(&test, "CartTest.size", &focal, "Cart.size");
    let count = named(&focal, "Cart.count");
    let segment = segment(&pair, ("Cart.java", "Cart.count", count.start_byte, count.end_byte));
    let (files, callables) = tables(&[&focal, &test]);
    let frameworks = HashMap::from([(pair.test_id.clone(), "junit4".to_owned())]);
    let repository =
        RepositoryRows { licence: "MIT", files: &files, callables: &callables, frameworks: &frameworks };
    let segments = HashMap::from([(pair.id.clone(), segment.clone())]);
    let found = rows(std::slice::from_ref(&pair), &segments, &repository).unwrap();
    let [row] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(row.test_head, "@Test public void size() {");
    assert_eq!(row.setup, "    Cart cart = new Cart();\n    cart.size(); // now");
    assert_eq!(row.assertions, "    assertEquals(\n      1, cart.size);");
    assert_eq!(row.test_tail, "}");
    assert_eq!(row.focal_method, "int size() { return count(); }");
    assert_eq!(row.focal_context.texts, ["int count() { return 1; }"]);
    assert_eq!(
        (&*row.focal_context.paths[0], row.focal_context.start_bytes[0]),
        ("Cart.java", count.start_byte)
    );
    assert!(row.setup_context.texts.is_empty() && row.setup_members.texts.is_empty());
    assert_eq!((&*row.meta.licence, &*row.meta.test_framework), ("MIT", "junit4"));
    let views = FileViews::new(&files, &callables);
    let sample = Sample::new(&pair, &segment, &views).unwrap();
    let counted = [&row.setup, &row.focal_method, &row.focal_context.texts[0]];
    assert_eq!(sample.input_characters(), counted.iter().map(|text| text.len()).sum::<usize>());
}

#[test]
fn a_file_that_is_missing_is_named() {
    let (focal, test) = (parsed("Cart.java", FOCAL), parsed("CartTest.java", TEST));
    let pair = pair(&test, "CartTest.size", &focal, "Cart.size");
    let segment = segment(&pair, ("Base.java", "Base.start", 0, 5));
    let (files, callables) = tables(&[&focal, &test]);
    let views = FileViews::new(&files, &callables);
    let error = Sample::new(&pair, &segment, &views).err().unwrap().to_string();
    assert!(error.contains("local/shop: Base.java, in the context of test CartTest.size"), "{error}");
}
