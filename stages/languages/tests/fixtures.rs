//! Every file `src/<language>/fixtures/<case>.<ext>` is outlined and compared with `<case>.expected`.
//!
//! `UPDATE_EXPECTED=1 cargo test -p trefoil-languages --test fixtures` writes the expected files anew; read
//! the difference before committing it, since a recorded mistake looks like a passing test.
//!
//! A fixture is outlined under its file name, or under the path that its first line names (`path: a/b.java`).

#![allow(clippy::unwrap_used, reason = "the whole file is a test, its plain functions too")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use trefoil_languages::{
    Binding, Call, Callable, CallableKind, Guards, Language, Outline, Parser, Role, Span,
};

/// The cases that each language shows; a language may have more.
const SHARED_CASES: [&str; 8] = [
    "plain_test",
    "setup_method",
    "parametrised",
    "nested_class",
    "ambiguous",
    "no_match",
    "syntax_error",
    "not_utf8",
];

#[test]
fn outlines_are_as_expected() {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let mut wrong = Vec::new();
    for language in trefoil_languages::all() {
        for source in sources(language) {
            let expected_path = source.with_extension("expected");
            let bytes = std::fs::read(&source).unwrap();
            let found = dump(language, &source, &bytes);
            if update {
                std::fs::write(&expected_path, &found).unwrap();
                continue;
            }
            let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
            if let Some(difference) = first_difference(&expected, &found) {
                wrong.push(format!("{}: {difference}", expected_path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "UPDATE_EXPECTED=1 rewrites the files\n{}", wrong.join("\n"));
}

#[test]
fn languages_show_the_shared_cases() {
    for language in trefoil_languages::all() {
        let present: Vec<_> =
            sources(language).iter().filter_map(|path| Some(path.file_stem()?.to_owned())).collect();
        if present.is_empty() {
            continue; // A language that is only a table as yet.
        }
        for case in SHARED_CASES {
            assert!(present.iter().any(|name| name == case), "{} lacks the fixture {case}", language.name);
        }
    }
}

fn sources(language: &Language) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(language.name).join("fixtures");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension().and_then(|e| e.to_str()).is_some_and(|e| language.extensions.contains(&e))
        })
        .collect();
    paths.sort();
    paths
}

fn first_difference(expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let mut rows = (1..).zip(
        found
            .lines()
            .chain(std::iter::repeat("<end>"))
            .zip(expected.lines().chain(std::iter::repeat("<end>"))),
    );
    let (line, (found, expected)) = rows.find(|(_, (a, b))| a != b || *a == "<end>")?;
    Some(format!("line {line}\n    expected {expected}\n    found    {found}"))
}

/// The outline as text: one block a declaration, then test cases and regions.
fn dump(language: &Language, source: &Path, bytes: &[u8]) -> String {
    let first_line = String::from_utf8_lossy(bytes.split(|&byte| byte == b'\n').next().unwrap_or_default());
    let path = match first_line.split_once("path: ") {
        Some((_, path)) => path.trim().to_owned(),
        None => source.file_name().unwrap().to_string_lossy().into_owned(),
    };
    let mut out = format!("path {path}\ntest path {}\n", (language.is_test_path)(&path));
    match Parser::new(Guards::default()).outline(language, &path, bytes) {
        Err(problem) => writeln!(out, "problem {}: {problem}", problem.reason()).unwrap(),
        Ok((outline, text)) => write_outline(&mut out, &outline, text),
    }
    out
}

fn write_outline(out: &mut String, outline: &Outline, text: &str) {
    writeln!(out, "package {}", if outline.package.is_empty() { "-" } else { &outline.package }).unwrap();
    for import in &outline.imports {
        writeln!(out, "import {import}").unwrap();
    }
    writeln!(out, "errors {}", outline.error_count).unwrap();
    for export in &outline.exports {
        writeln!(out, "export {export}").unwrap();
    }
    let calls = outline.calls_by_callable();
    for (callable, calls) in outline.callables.iter().zip(&calls) {
        write_callable(out, outline, callable, calls, text);
    }
    let of_file: Vec<&Call> = outline.calls.iter().filter(|call| call.owner.is_none()).collect();
    if !of_file.is_empty() {
        writeln!(out, "\ncalls of the file: {}", list(&of_file)).unwrap();
    }
    if !outline.bindings.is_empty() {
        out.push_str("\nbindings\n");
    }
    for Binding { owner, name, type_name, value } in &outline.bindings {
        let owner = owner.map_or("-", |owner| &outline.callables[owner as usize].qualified_name);
        writeln!(out, "  {owner}: {name}: {} = `{}`", or_dash(type_name), excerpt(*value, text)).unwrap();
    }
    if !outline.test_cases.is_empty() {
        out.push_str("\ntest cases\n");
    }
    for case in &outline.test_cases {
        let name = &outline.callables[case.callable as usize].qualified_name;
        let disabled = if case.disabled { ", disabled" } else { "" };
        writeln!(out, "  {name}: {}, {}{disabled}", case.framework.as_str(), case.kind.as_str()).unwrap();
        for assertion in &case.assertions {
            let line = line_of(text, assertion.span.start);
            writeln!(out, "    {line}: {} `{}`", assertion.name, excerpt(assertion.span, text)).unwrap();
        }
    }
    if !outline.regions.is_empty() {
        out.push_str("\nregions\n");
    }
    for region in &outline.regions {
        let line = line_of(text, region.span.start);
        let parent = match region.parent {
            Some(parent) => format!(" of {}", outline.callables[parent as usize].qualified_name),
            None => String::new(),
        };
        writeln!(out, "  {line}: {}{parent} `{}`", region.kind.as_str(), excerpt(region.span, text)).unwrap();
    }
}

fn write_callable(out: &mut String, outline: &Outline, callable: &Callable, calls: &[&Call], text: &str) {
    let Callable { kind, qualified_name, lines, .. } = callable;
    let parent = callable.parent.map_or("-", |parent| &outline.callables[parent as usize].qualified_name);
    writeln!(out, "\n{} {qualified_name}  lines {}-{}  in {parent}", kind.as_str(), lines.first, lines.last)
        .unwrap();
    let mut row = |label: &str, value: String| {
        if !value.is_empty() {
            writeln!(out, "  {label}: {value}").unwrap();
        }
    };
    let starts = excerpt(callable.span, text);
    row("name", if qualified_name.ends_with(&callable.name) { String::new() } else { callable.name.clone() });
    row("role", if callable.role == Role::Plain { String::new() } else { callable.role.as_str().to_owned() });
    row("text", format!("`{starts}`"));
    row("signature", format!("`{}`", excerpt(callable.signature, text)));
    row("body", callable.body.map_or("none".to_owned(), |body| format!("`{}`", excerpt(body, text))));
    row("modifiers", callable.modifiers.join(" "));
    row("annotations", callable.annotations.join(", "));
    row("test marker", if callable.has_test_marker { "yes".to_owned() } else { String::new() });
    let parameters = callable.parameters.iter().map(|p| format!("{}: {}", p.name, or_dash(&p.type_name)));
    row("parameters", parameters.collect::<Vec<_>>().join("; "));
    if matches!(callable.kind, CallableKind::Function | CallableKind::Method) {
        row("returns", or_dash(&callable.return_type).to_owned());
    }
    row("supertypes", callable.supertypes.join("; "));
    row("calls", list(calls));
    row("error inside", if callable.has_error { "yes".to_owned() } else { String::new() });
    row("recovered", if callable.recovered { "yes".to_owned() } else { String::new() });
}

fn list(calls: &[&Call]) -> String {
    calls.iter().map(|one| call(one)).collect::<Vec<_>>().join(", ")
}

/// `receiver -> name/arguments`, with `!` where it stands in an assertion.
fn call(call: &Call) -> String {
    let new = if call.constructor { "new " } else { "" };
    let arrow = if call.receiver.is_empty() { "" } else { " -> " };
    let receiver = call.receiver.split_whitespace().collect::<Vec<_>>().join(" ");
    let mark = if call.in_assertion { "!" } else { "" };
    format!("{receiver}{arrow}{new}{}/{}{mark}", call.name, call.arguments)
}

fn or_dash(word: &str) -> &str {
    if word.is_empty() { "-" } else { word }
}

fn line_of(text: &str, offset: u32) -> usize {
    1 + text.as_bytes()[..offset as usize].iter().filter(|&&byte| byte == b'\n').count()
}

/// The span's text on one line; of a long one the beginning and the end, which show both borders.
fn excerpt(span: Span, text: &str) -> String {
    let words: Vec<char> = span.of(text).split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    if words.len() <= 90 {
        return words.into_iter().collect();
    }
    let (head, tail) = (&words[..60], &words[words.len() - 25..]);
    format!("{} … {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}
