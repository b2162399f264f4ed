//! Whatever the bytes, the answer is an outline that keeps its promises or a problem: no panic, no stack
//! overflow, no stall. And its tree is that of tree-sitter, whoever parsed it.

#![allow(clippy::unwrap_used, reason = "the whole file is a test, its plain functions too")]

use proptest::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use trefoil_languages::{CallableKind, Guards, Language, Outline, Parser, Problem, Span};
use trefoil_syntax::Tree;

/// The promises of `outline.rs` that hold for any text.
fn check(outline: &Outline, text: &str) {
    let sound = |span: Span| {
        let Span { start, end } = span;
        assert!(start <= end && text.get(start as usize..end as usize).is_some(), "{start}..{end}");
    };
    for (index, callable) in outline.callables.iter().enumerate() {
        sound(callable.span);
        sound(callable.signature);
        assert!(callable.span.contains(callable.signature), "{callable:?}");
        assert!(callable.lines.first >= 1 && callable.lines.first <= callable.lines.last, "{callable:?}");
        if let Some(body) = callable.body {
            sound(body);
            assert!(callable.span.contains(body), "{callable:?}");
        }
        if let Some(parent) = callable.parent {
            assert!((parent as usize) < index, "the parent of {callable:?} comes first");
            assert!(outline.callables[parent as usize].span.contains(callable.span), "{callable:?}");
        }
    }
    for call in &outline.calls {
        sound(call.span);
        assert!(call.receiver.len() <= 80, "{call:?}");
        let owner = call.owner.map(|owner| &outline.callables[owner as usize]);
        assert!(owner.is_none_or(|owner| owner.span.contains(call.span)), "{call:?} in {owner:?}");
    }
    for binding in &outline.bindings {
        sound(binding.value);
        assert!(binding.name.len() <= 80 && !binding.name.is_empty(), "{binding:?}");
        let owner = binding.owner.map(|owner| &outline.callables[owner as usize]);
        assert!(
            owner.is_none_or(|owner| owner.span.contains(binding.value) || binding.value == Span::default()),
            "{binding:?} in {owner:?}"
        );
    }
    assert!(outline.callables.windows(2).all(|pair| pair[0].span.start <= pair[1].span.start));
    assert!(outline.regions.windows(2).all(|pair| pair[0].span.start <= pair[1].span.start));
    assert!(outline.test_cases.windows(2).all(|pair| pair[0].callable < pair[1].callable));
    for region in &outline.regions {
        sound(region.span);
        let parent = region.parent.map(|parent| &outline.callables[parent as usize]);
        assert!(parent.is_none_or(|parent| parent.kind.is_type() && parent.span.contains(region.span)));
    }
    for case in &outline.test_cases {
        let test = &outline.callables[case.callable as usize];
        assert!(case.assertions.iter().all(|assertion| test.span.contains(assertion.span)), "{case:?}");
        case.assertions.iter().for_each(|assertion| sound(assertion.span));
        let is_inside = |statement: &Span| test.body.is_some_and(|body| body.contains(*statement));
        assert!(case.statements.iter().all(is_inside), "{case:?}");
        assert!(case.statements.windows(2).all(|pair| pair[0].end <= pair[1].start), "{case:?}");
        case.statements.iter().for_each(|statement| sound(*statement));
    }
}

fn outline_and_check(language: &Language, text: &str) {
    // A language may have several grammars, and may look closer at files of tests.
    let (first, last) = (language.extensions.first().unwrap(), language.extensions.last().unwrap());
    for path in [format!("test/test_a.{first}"), format!("a/b.{last}")] {
        if let Ok((outline, text)) = Parser::new(Guards::default()).outline(language, &path, text.as_bytes())
        {
            check(&outline, text);
        }
        check_tree(&(language.grammar)(&path), text);
    }
}

/// Our parser takes what has no errors, and its trees are those of tree-sitter.
fn check_tree(grammar: &tree_sitter::Language, text: &str) {
    let theirs = Tree::parse_as_tree_sitter(grammar, text).unwrap();
    match Tree::parse_sound(grammar, text) {
        Some(ours) => assert_eq!(ours, theirs),
        None => assert!(theirs.root_node().has_error(), "{theirs:?}"),
    }
}

/// The fixtures of a language that are text.
fn fixtures(language: &Language) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(language.name).join("fixtures");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|end| end != "expected")).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// Cuts `len` characters out at `at` and puts `with` in, by positions that wrap around.
fn mutate(text: &str, edits: &[(usize, usize, String)]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for (at, len, with) in edits {
        let start = at % (characters.len() + 1);
        let end = (start + len).min(characters.len());
        characters.splice(start..end, with.chars());
    }
    characters.into_iter().collect()
}

/// Pieces that break syntax in more interesting ways than random characters do.
fn piece() -> impl Strategy<Value = String> {
    let known =
        ["{", "}", "(", ")", ";", ",", ".", "\"", "'''", "/*", "//", "\n", "\n    ", ":", "@Test ", "é"];
    let words =
        ["class A", "void f()", "new A() {", "enum E {", "assert ", "assertThat(", "->", "def f", "<", "="];
    let script = [
        "describe('a', () => {",
        "it('b', function () {",
        "test.each`",
        "QUnit.module('c')",
        "module.exports = ",
        "exports.d = ",
        "e.prototype.f = function ",
        "const { g } = require('h')",
        "export default ",
        "import i from 'j'",
        ".expect(",
        "expect(k).to.be.l",
        "this.#m = ",
        "=> ",
        "`${",
        "{ n() {",
        "async ",
        "await ",
    ];
    let go =
        ["func f() {", "func (t *T) M(", "if x := f(); ", "t.Error(", "struct {", "T{", ":= ", "type T "];
    let csharp = [
        "#if A",
        "\n#else\n",
        "\n#endif\n",
        "$\"{",
        "=> ",
        "new()",
        "[Fact]",
        "Assert.That(",
        "namespace A;",
        "?.",
    ];
    prop_oneof![
        prop::sample::select(
            [known.as_slice(), words.as_slice(), script.as_slice(), go.as_slice(), csharp.as_slice()]
                .concat()
        )
        .prop_map(str::to_owned),
        ".{0,4}"
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,200}", pieces in prop::collection::vec(piece(), 0..80)) {
        for language in trefoil_languages::all() {
            outline_and_check(language, &text);
            outline_and_check(language, &pieces.concat());
        }
    }

    #[test]
    fn broken_fixtures(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<usize>(), 0..12_usize, piece()), 0..6),
    ) {
        for language in trefoil_languages::all() {
            let fixtures = fixtures(language);
            if !fixtures.is_empty() {
                let fixture: &String = which.get(&fixtures);
                let text = mutate(fixture, &edits);
                outline_and_check(language, &text);
                check_nothing_is_missed(language, &text);
            }
        }
    }
}

/// Walks pass by most of the tree; what they must not miss is told from the whole of it.
fn check_nothing_is_missed(language: &Language, text: &str) {
    match language.name {
        "java" => check_invocations(language, text),
        "go" => check_calls_of_go(language, text),
        "csharp" => check_calls_of_csharp(language, text),
        _ => {}
    }
}

/// Every call, conversion and literal of a named type is listed, and so is every comment and every error.
fn check_calls_of_go(language: &Language, text: &str) {
    let tree = Parser::new(Guards::default()).tree(language, "", text).unwrap();
    let outline = (language.extract)(&tree, text, "a_test.go");
    let (mut expected, mut comments, mut errors, mut functions) = (Vec::new(), 0, 0, 0);
    let mut below = vec![tree.root_node()];
    while let Some(node) = below.pop() {
        let first = node.child(0).map(|first| first.kind());
        let is_call = match node.kind() {
            "call_expression" => first != Some("func_literal"),
            "type_conversion_expression" => true,
            "composite_literal" => {
                matches!(first, Some("type_identifier" | "qualified_type" | "generic_type"))
            }
            _ => false,
        };
        if is_call {
            expected.push((node.start_byte(), node.end_byte()));
        }
        comments += usize::from(node.kind() == "comment");
        functions += usize::from(matches!(node.kind(), "function_declaration" | "method_declaration"));
        errors += u32::from(node.is_error() || node.is_missing());
        below.extend(node.children());
    }
    let spans = outline.calls.iter().map(|call| (call.span.start as usize, call.span.end as usize));
    let mut found: Vec<_> = spans.collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    let found = outline.regions.iter().filter(|region| region.kind.as_str() == "comment").count();
    assert_eq!((found, outline.error_count), (comments, errors));
    let declared = outline.callables.iter().filter(|callable| {
        callable.kind == CallableKind::Function
            || (callable.kind == CallableKind::Method && !callable.supertypes.is_empty())
    });
    assert_eq!(declared.count(), functions);
}

/// All named calls and creations outside attributes and parameters, all comments, all errors.
fn check_calls_of_csharp(language: &Language, text: &str) {
    let Ok(tree) = Parser::new(Guards::default()).tree(language, "", text) else { return };
    let outline = (language.extract)(&tree, text, "");
    let (mut invocations, mut creations, mut comments, mut errors) = (Vec::new(), Vec::new(), 0, 0);
    let mut below = vec![(tree.root_node(), false)];
    while let Some((node, in_header)) = below.pop() {
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "invocation_expression" if !in_header => {
                let function = node.child(0).unwrap();
                let last = function.child(function.child_count().saturating_sub(1));
                let named = match function.kind() {
                    "identifier" | "generic_name" => &text[function.byte_range()] != "nameof",
                    "member_access_expression" => true,
                    "conditional_access_expression" => last.unwrap().kind() == "member_binding_expression",
                    _ => false,
                };
                invocations.extend(named.then_some((node.start_byte() as u32, node.end_byte() as u32)));
            }
            "object_creation_expression" if !in_header => {
                // In broken code the type may stand after the arguments, so that it looks like `new(…)`.
                let named = field("type").is_some_and(|created| created.kind() != "array_type")
                    && !is_implicit(&text[node.byte_range()]);
                creations.extend(named.then_some((node.start_byte() as u32, node.end_byte() as u32)));
            }
            _ => {}
        }
        comments += usize::from(node.kind() == "comment");
        errors += u32::from(node.is_error() || node.is_missing());
        let header = ["attribute_list", "parameter_list", "bracketed_parameter_list", "type_argument_list"];
        let more = ["type_parameter_list", "type_parameter_constraints_clause"];
        let in_header = in_header || header.contains(&node.kind()) || more.contains(&node.kind());
        below.extend(node.children().map(|child| (child, in_header)));
    }
    let spans = |constructor| {
        let calls = outline.calls.iter().filter(move |call| call.constructor == constructor);
        let is_new = |call: &&trefoil_languages::Call| !call.constructor || !is_implicit(call.span.of(text));
        let mut spans: Vec<_> = calls.filter(is_new).map(|call| (call.span.start, call.span.end)).collect();
        spans.sort();
        spans
    };
    invocations.sort();
    creations.sort();
    assert_eq!(spans(false), invocations);
    assert_eq!(spans(true), creations);
    let found = outline.regions.iter().filter(|region| region.kind.as_str() == "comment").count();
    assert_eq!((found, outline.error_count), (comments, errors));
}

/// `new()`
fn is_implicit(creation: &str) -> bool {
    creation.strip_prefix("new").is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// The rule of methods2test, told from the tree alone: the invocations of a method are all the
/// `method_invocation` nodes below it. The walk passes by most of the tree and must miss none of them.
fn check_invocations(language: &Language, text: &str) {
    let parser = Parser::new(Guards::default());
    let tree = parser.tree(language, "", text).unwrap();
    let outline = (language.extract)(&tree, text, "");
    let (mut expected, mut comments, mut errors) = (Vec::new(), 0, 0);
    let mut below = vec![(tree.root_node(), false)];
    while let Some((node, in_method)) = below.pop() {
        let is_method = matches!(
            node.kind(),
            "method_declaration"
                | "annotation_type_element_declaration"
                | "constructor_declaration"
                | "compact_constructor_declaration"
        );
        if in_method && node.kind() == "method_invocation" {
            let name = node.child_by_field_name("name").unwrap();
            expected.push((node.start_byte(), node.end_byte(), &text[name.byte_range()]));
        }
        comments += usize::from(node.kind().ends_with("_comment"));
        errors += u32::from(node.is_error() || node.is_missing());
        below.extend(node.children().map(|child| (child, in_method || is_method)));
    }
    let members: Vec<_> = outline.callables.iter().map(|callable| !callable.kind.is_type()).collect();
    let mut found = Vec::new();
    let calls = outline.calls_by_callable();
    for (callable, calls) in outline.callables.iter().zip(&calls) {
        let mut around = std::iter::successors(callable.parent, |&up| outline.callables[up as usize].parent);
        if !callable.kind.is_type() && !around.any(|up| members[up as usize]) {
            let invocations = calls.iter().filter(|call| !call.constructor);
            found.extend(
                invocations
                    .map(|call| (call.span.start as usize, call.span.end as usize, call.name.as_str())),
            );
        }
    }
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    let found = outline.regions.iter().filter(|region| region.kind.as_str() == "comment").count();
    assert_eq!(found, comments);
    assert_eq!(outline.error_count, errors);
}

#[test]
fn fixtures_keep_the_promises() {
    for language in trefoil_languages::all() {
        for text in fixtures(language) {
            outline_and_check(language, &text);
            check_nothing_is_missed(language, &text);
        }
    }
}

/// Deep and long input, on a thread with a small stack and with a limit no sane run comes near.
#[test]
fn deep_nesting_is_a_problem_and_no_crash() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    let java = |inner: String| format!("class A {{ int a() {{ return {inner}; }} }}");
    let cases = [
        ("java", java(nested("(", "1", ")", 100_000))),
        ("java", java(nested("a(", "1", ")", 100_000))),
        ("java", java(nested("new A() { int a() { return ", "1", "; } }", 20_000))),
        ("java", java(format!("a{}", ".a()".repeat(100_000)))),
        ("java", java("1+".repeat(1_000_000 - 30) + "1")),
        ("java", nested("class A {", "", "}", 100_000)),
        ("java", format!("class A {{ void a() {} }}", nested("{", "", "}", 100_000))),
        ("java", "{".repeat(100_000)),
        ("java", "(".repeat(100_000)),
        ("java", "class A { void a() {".repeat(20_000)),
        ("python", format!("a = {}", nested("(", "1", ")", 100_000))),
        ("python", format!("a = {}1", "1+".repeat(1_000_000 - 30))),
        ("python", "(".repeat(100_000)),
        ("go", format!("package a; func f() {{ {} }}", nested("g(", "1", ")", 100_000))),
        ("go", format!("package a; func f() {{ a{} }}", ".b()".repeat(100_000))),
        ("go", format!("package a; var a = {}1", "1+".repeat(1_000_000 - 30))),
        ("go", format!("package a; {}", nested("func f() {", "", "}", 20_000))),
        ("go", format!("package a; var a = {}", nested("T{", "", "}", 100_000))),
        ("go", "type T struct {".repeat(20_000)),
        ("javascript", format!("a = {}", nested("(\n", "1", ")", 100_000))),
        ("javascript", nested("a(() => {\n", "", "})", 100_000)),
        ("javascript", format!("a{}", ".a()\n".repeat(100_000))),
        ("javascript", format!("a{}", ".expect(1)\n".repeat(300))),
        ("javascript", "a = \n".repeat(50_000) + "function () {}"),
        ("javascript", nested("describe('a', () => {\n", "it('b', () => {})", "})", 300)),
        ("javascript", nested("({ a: \n", "1", "})", 50_000)),
        ("javascript", "describe('a', () => {\n".repeat(20_000)),
        ("javascript", "QUnit.module('a')\n".repeat(50_000)),
        ("javascript", nested("{ QUnit.module('a');\n", "", "}\n", 900)),
        ("javascript", "`${\n".repeat(20_000)),
        ("csharp", format!("class A {{ int a() => {}; }}", nested("(", "1", ")", 100_000))),
        ("csharp", format!("class A {{ int a() => {}; }}", nested("a(", "1", ")", 100_000))),
        ("csharp", format!("class A {{ int a() => a{}; }}", ".a()".repeat(100_000))),
        ("csharp", nested("namespace A { class A {", "", "} }", 50_000)),
        ("csharp", nested("void a() {", "", "}", 50_000)),
        ("csharp", nested("\n#if A\n", "", "\n#endif\n", 50_000)),
        ("csharp", "\n#if A\n(".repeat(50_000)),
        ("csharp", "$\"{".repeat(50_000)),
        ("csharp", "{".repeat(100_000)),
    ];
    for (name, text) in cases {
        let head: String = text.chars().take(40).collect();
        let language = trefoil_languages::by_name(name).unwrap();
        let begin = Instant::now();
        let run = move || match Parser::new(Guards::default()).outline(language, "test/a", text.as_bytes()) {
            Ok((outline, text)) => check(&outline, text),
            Err(problem) => {
                let guarded = matches!(
                    problem,
                    Problem::NestedTooDeep { .. }
                        | Problem::TooManyNodes { .. }
                        | Problem::ParseTooLong { .. }
                );
                assert!(guarded, "{problem}");
            }
        };
        std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
        println!("{:?} {name} {head}", begin.elapsed());
        assert!(begin.elapsed() < Duration::from_secs(60), "{name} {head}");
    }
}

/// Just inside the limit of depth the walk does its work on the same small stack.
#[test]
fn the_deepest_outline_is_complete() {
    let java = trefoil_languages::by_name("java").unwrap();
    let open = "new A() { int a() { b(); return ";
    let text = format!("class A {{ int a = {}1{}; }}", open.repeat(150), "; } }".repeat(150));
    let run = move || {
        let parser = Parser::new(Guards::default());
        let (outline, text) = parser.outline(java, "A.java", text.as_bytes()).unwrap();
        check(&outline, text);
        assert_eq!(outline.callables.len(), 151);
        assert!(outline.callables.iter().skip(1).all(|callable| callable.kind == CallableKind::Function));
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
}

#[test]
fn sound_code_stays_far_from_the_step_limit() {
    let guards = Guards { max_steps_per_byte: 5, max_nodes: u32::MAX, ..Guards::default() };
    for language in trefoil_languages::all() {
        for text in fixtures(language) {
            // Enough of it to outgrow the allowance that every file has.
            let text = text.repeat(1 + 200_000 / text.len().max(1));
            assert!(
                Parser::new(guards).tree(language, "", &text).is_ok(),
                "{}",
                text.lines().next().unwrap()
            );
        }
    }
}

/// What `scripts/fuzz` found, cut down.
#[test]
fn once_found_stays_found() {
    for text in ["=> = await QUnit.module('c')", "type N*string, struct{}void f()"] {
        for language in trefoil_languages::all() {
            outline_and_check(language, text);
        }
    }
}
