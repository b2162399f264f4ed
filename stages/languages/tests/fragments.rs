//! Every declaration and every body of the fixtures, written as one line and unfolded again, has the same tree.

#![allow(clippy::unwrap_used, reason = "the whole file is a test, its plain functions too")]

use std::path::{Path, PathBuf};
use trefoil_languages::{Callable, Fragment, Guards, Language, Outline, Parser, Shape, Span, unfold};

fn sources(language: &Language) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(language.name).join("fixtures");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| trefoil_languages::of_path(path.to_str().unwrap()).is_some()).collect();
    paths.sort();
    paths
}

/// The pieces of a file: its declarations, and the insides of their bodies.
fn pieces<'t>(outline: &Outline, text: &'t str) -> Vec<(Shape, &'t str)> {
    let mut pieces = Vec::new();
    for callable in outline.callables.iter().filter(|callable| !callable.has_error) {
        pieces.push((Shape::Member, callable.span.of(text)));
        pieces.extend(inside(callable, text).map(|inside| (Shape::Statements, inside.of(text))));
    }
    pieces
}

/// The statements of a declaration's body, without braces and with the indentation of the first line.
fn inside(callable: &Callable, text: &str) -> Option<Span> {
    let body = callable.body.filter(|_| !callable.kind.is_type())?;
    let code = body.of(text);
    let from_line = text[..body.start as usize].rfind('\n').map_or(0, |end| end + 1);
    match &text[from_line..body.start as usize] {
        _ if code.starts_with('{') && code.ends_with('}') => {
            Some(Span { start: body.start + 1, end: body.end - 1 })
        }
        before if before.trim().is_empty() => Some(Span { start: from_line as u32, ..body }),
        // The value of an arrow function is a statement, `=> x` of C# is none.
        _ => Some(body).filter(|_| !code.starts_with("=>")),
    }
}

fn comes_back(parser: &Parser, language: &'static Language, path: &str, shape: Shape, found: &Fragment) {
    let line = found.linear();
    let code = unfold(language, &line).unwrap_or_else(|folded| panic!("{folded:?} in {line}"));
    let again = parser.fragment(language, path, shape, &code);
    let again = again.unwrap_or_else(|| panic!("{path}: no tree for\n{code}\nof {line}"));
    assert_eq!(again.linear(), line, "{path}:\n{code}");
    assert_eq!(again.tokens(), found.tokens(), "{path}:\n{code}");
}

#[test]
fn trees_come_back() {
    for language in trefoil_languages::all() {
        let (mut all, mut parsed) = (0, 0);
        for source in sources(language) {
            let path = source.to_str().unwrap();
            let bytes = std::fs::read(&source).unwrap();
            let parser = Parser::new(Guards::default());
            let Ok((outline, text)) = parser.outline(language, path, &bytes) else { continue };
            for (shape, piece) in pieces(&outline, text) {
                all += 1;
                let Some(found) = parser.fragment(language, path, shape, piece) else {
                    println!("no tree: {path} {shape:?}\n{piece}\n-----");
                    continue;
                };
                parsed += 1;
                comes_back(&parser, language, path, shape, &found);
            }
        }
        // One body of C# has but one of two branches of its conditional compilation.
        assert!(parsed + 1 >= all, "{}: {parsed} of {all}", language.name);
    }
}

#[test]
fn statements_of_tests_are_those_that_their_bodies_have_by_themselves() {
    let parser = Parser::new(Guards::default());
    for language in trefoil_languages::all() {
        let (mut all, mut noted) = (0, 0);
        for source in sources(language) {
            let path = source.to_str().unwrap();
            let bytes = std::fs::read(&source).unwrap();
            let Ok((outline, text)) = parser.outline(language, path, &bytes) else { continue };
            for case in &outline.test_cases {
                let callable = &outline.callables[case.callable as usize];
                let Some(inside) = inside(callable, text) else { continue };
                let alone = parser.fragment(language, path, Shape::Statements, inside.of(text));
                let Some(alone) = alone.map(|alone| alone.statements()) else { continue };
                all += usize::from(!alone.is_empty());
                if !case.statements.is_empty() {
                    noted += 1;
                    let texts =
                        |spans: &[Span], code| spans.iter().map(|span| span.of(code)).collect::<Vec<_>>();
                    let (own, alone) = (texts(&case.statements, text), texts(&alone, inside.of(text)));
                    assert_eq!(own, alone, "{path}: {}", callable.qualified_name);
                }
            }
        }
        println!("{}: {noted} of {all}", language.name);
        assert!(noted * 10 >= all * 9, "{}: {noted} of {all}", language.name);
    }
}

#[test]
fn nothing_breaks_out_of_its_piece() {
    let parser = Parser::new(Guards::default());
    for (language, text) in [
        ("java", "a(); } void b() { c();"),
        ("csharp", "A(); } void B() { C();"),
        ("go", "a()\n}\nfunc b() {\nc()"),
        ("javascript", "a(); } function b() { c();"),
        ("python", "  a()\nb()"),
    ] {
        let language = trefoil_languages::by_name(language).unwrap();
        let path = format!("a.{}", language.extensions[0]);
        assert!(parser.fragment(language, &path, Shape::Statements, text).is_none(), "{text}");
    }
}

#[test]
fn lines_that_are_no_tree_are_refused() {
    let java = trefoil_languages::by_name("java").unwrap();
    for (line, part, what) in [
        ("<[block]> a", 2, "`block` is not closed"),
        ("<[block]> a <[/body]>", 2, "`block` is open and `body` is closed"),
        ("a <[/block]>", 1, "`block` was not open"),
        ("<[block]> <[/]> <[/]>", 2, "`<[/]>` without a node before it"),
        ("<[identifier]> <[/]>", 0, "`identifier` cannot be without children"),
    ] {
        let folded = unfold(java, line).unwrap_err();
        assert_eq!((folded.part, folded.what.as_str()), (part, what), "{line}");
    }
}

#[test]
fn a_line_of_java() {
    let java = trefoil_languages::by_name("java").unwrap();
    let text = "// first\nassertEquals(\n  counter.count, // why\n  \"a b\");";
    let found = Parser::new(Guards::default()).fragment(java, "", Shape::Statements, text).unwrap();
    assert_eq!(
        found.linear(),
        "<[expression_statement]> <[method_invocation]> assertEquals <[argument_list]> ( <[field_access]> counter \
         . count <[/field_access]> , \"a␣b\" ) <[/argument_list]> <[/method_invocation]> ; \
         <[/expression_statement]>"
    );
    assert_eq!(found.tokens(), ["assertEquals", "(", "counter", ".", "count", ",", "\"a b\"", ")", ";"]);
    assert_eq!(found.statements(), [Span { start: 9, end: text.len() as u32 }]);
}
