//! Every filter: its reason, its limit, its switch; their order; the cap; and the whole stage.

use super::*;
use crate::export::samples::{pair, parsed, tables};
use crate::parsing::rows::FileRows;
use crate::records::{Column, Repository};
use std::path::Path;

const FOCAL: &str = "def size():\n    return 1\n";

fn python(test: &str) -> FileRows {
    parsed("tests/test_cart.py", test)
}

/// What becomes of the pair of `name` with `size`: the reason, or nothing if it is kept.
fn verdict(settings: &Settings, test: &FileRows, name: &str, focal: &FileRows, of: &str) -> Option<String> {
    let (files, callables) = if test == focal { tables(&[test]) } else { tables(&[test, focal]) };
    let pairs = vec![pair(test, name, focal, of)];
    let (kept, dropped) =
        filter(settings, &licensed(""), pairs, &Segments::new(), &FileViews::new(&files, &callables))
            .unwrap();
    assert_eq!(kept.len() + dropped.len(), 1);
    dropped.into_iter().next().map(|row| row.reason)
}

fn reason(settings: &Settings, test: &str) -> Option<String> {
    verdict(settings, &python(test), "test_size", &parsed("cart.py", FOCAL), "size")
}

fn reason_by_default(test: &str) -> Option<String> {
    reason(&Settings::default(), test)
}

#[test]
fn a_sound_pair_is_kept_with_digests_and_characters() {
    let test = python("import cart\n\ndef test_size():\n    assert cart.size() == 1\n");
    let focal = parsed("cart.py", FOCAL);
    let (files, callables) = tables(&[&test, &focal]);
    let views = FileViews::new(&files, &callables);
    let pairs = vec![pair(&test, "test_size", &focal, "size")];
    let (kept, dropped) =
        filter(&Settings::default(), &licensed(""), pairs, &Segments::new(), &views).unwrap();
    assert!(dropped.is_empty());
    let test = "def test_size(): assert cart.size() == 1";
    let expected = (digest::digest(&[test]), digest::digest(&[test, "\0", FOCAL]));
    assert_eq!((kept[0].test_digest.clone(), kept[0].text_digest.clone()), expected);
    let exported = [
        "def size():\n    return 1",
        "import cart",
        "#cart.py\n#focal function/method here\n",
        "def test_size():\n    assert cart.size() == 1",
    ];
    let characters: usize = exported.iter().map(|text| text.chars().count()).sum();
    assert_eq!(kept[0].characters as usize, characters);
}

#[test]
fn empty_tests_go() {
    for body in [
        "pass",
        "...",
        "\"\"\"Doc.\"\"\"",
        "# todo\n    pass  # later",
        "\"\"\"Doc.\"\"\"\n    ...",
        "r'It\\'s'",
    ] {
        let reason = reason_by_default(&format!("def test_size():\n    {body}\n"));
        assert_eq!(reason.as_deref(), Some("empty_test"), "{body}");
    }
    for body in ["size()", "pass; size()", "x = \"pass\"", "# a\n    size()  # b", "return", "\"a\".join(x)"]
    {
        assert_eq!(reason_by_default(&format!("def test_size():\n    {body}\n")), None, "{body}");
    }
    let off = Settings { empty_tests: false, tests_in_own_context: false, ..Settings::default() };
    assert_eq!(reason(&off, "def test_size():\n    pass\n"), None);
}

#[test]
fn empty_java_tests_go() {
    let focal = parsed("src/main/java/A.java", "class A { void size() { } }");
    for (body, expected) in [
        ("{ }", Some("empty_test")),
        ("{ // nothing\n /* at all */ ; {} }", Some("empty_test")),
        ("{ size(); // that\n }", None),
    ] {
        let text = format!("class ATest {{ @Test public void testSize() {body} }}");
        let test = parsed("src/test/java/ATest.java", &text);
        let reason = verdict(&Settings::default(), &test, "ATest.testSize", &focal, "A.size");
        assert_eq!(reason.as_deref(), expected, "{body}");
    }
}

#[test]
fn tests_with_syntax_errors_go() {
    let test = "def test_size():\n    assert size( == 1\n    x = 2\n";
    assert_eq!(reason_by_default(test).as_deref(), Some("syntax_error"));
    assert_eq!(reason(&Settings { syntax_errors: false, ..Settings::default() }, test), None);
}

#[test]
fn a_test_must_be_shorter_than_the_limit_in_characters() {
    let test = "def test_size():\n    x = 'äöü'";
    let characters = u32::try_from(test.chars().count()).unwrap();
    let with = |limit| reason(&Settings { max_test_characters: limit, ..Settings::default() }, test);
    assert_eq!(with(characters).as_deref(), Some("test_too_long"));
    assert_eq!(with(characters + 1), None);
    assert_eq!(with(0), None);
}

#[test]
fn at_most_so_many_assertions() {
    let test = |count| format!("def test_size():\n    Assert()\n{}", "    assert size()\n".repeat(count));
    assert_eq!(reason_by_default(&test(20)), None);
    assert_eq!(reason_by_default(&test(21)).as_deref(), Some("too_many_assertions"));
    assert_eq!(reason(&Settings { max_assertions: 0, ..Settings::default() }, &test(21)), None);
}

#[test]
fn a_test_beside_its_focal_function_is_in_its_own_context() {
    let both =
        parsed("tests/test_cart.py", &format!("{FOCAL}\n\ndef test_size():\n    assert size() == 1\n"));
    let with = |settings| verdict(&settings, &both, "test_size", &both, "size");
    assert_eq!(with(Settings::default()).as_deref(), Some("test_in_own_context"));
    assert_eq!(with(Settings { tests_in_own_context: false, ..Settings::default() }), None);
}

#[test]
fn the_input_must_be_shorter_than_the_limit() {
    let test = "import cart\n\ndef test_size():\n    assert cart.size()\n";
    let characters = ["def size():\n    return 1", "import cart", "#cart.py\n#focal function/method here\n"];
    let characters: u32 = characters.iter().map(|text| u32::try_from(text.len()).unwrap()).sum();
    let with = |limit| reason(&Settings { max_input_characters: limit, ..Settings::default() }, test);
    assert_eq!(with(characters).as_deref(), Some("input_too_long"));
    assert_eq!(with(characters + 1), None);
    assert_eq!(with(0), None);
}

#[test]
fn the_first_filter_that_objects_gives_the_reason() {
    let names: Vec<&str> = filters().iter().map(|filter| filter.reason).collect();
    let order = "licence_not_allowed licence_unknown empty_test syntax_error test_too_long too_many_assertions \
         test_in_own_context input_too_long";
    assert_eq!(names.join(" "), order);
    let mut settings = Settings {
        max_test_characters: 1,
        max_assertions: 1,
        max_input_characters: 1,
        ..Settings::default()
    };
    let test = "def test_size():\n    assert size()\n    assert size()\n";
    assert_eq!(reason(&settings, test).as_deref(), Some("test_too_long"));
    settings.max_test_characters = 0;
    assert_eq!(reason(&settings, test).as_deref(), Some("too_many_assertions"));
    settings.max_assertions = 0;
    assert_eq!(reason(&settings, test).as_deref(), Some("input_too_long"));
}

#[test]
fn only_pairs_of_repositories_with_an_allowed_licence_stay() {
    let (test, focal, pairs) = many(1);
    let (files, callables) = tables(&[&test, &focal]);
    let views = FileViews::new(&files, &callables);
    let reason = |allowed: &[&str], licence: &str| {
        let licences = allowed.iter().map(|&name| name.to_owned()).collect();
        let settings = Settings { licences, ..Settings::default() };
        let (_, dropped) =
            filter(&settings, &licensed(licence), pairs.clone(), &Segments::new(), &views).unwrap();
        dropped.first().map(|row| (row.reason.clone(), row.detail.clone()))
    };
    let not_allowed = |detail: &str| Some(("licence_not_allowed".to_owned(), detail.to_owned()));
    for licence in ["", "MIT", "GPL-3.0-only"] {
        assert_eq!(reason(&[], licence), None, "no list allows all");
    }
    let permissive = ["MIT", "Apache-2.0"];
    for licence in ["MIT", "MIT OR GPL-3.0-only", "MIT AND Apache-2.0", "Apache-2.0 WITH LLVM-exception"] {
        assert_eq!(reason(&permissive, licence), None, "{licence}");
    }
    for licence in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "MIT-0", "BSD-2-Clause OR ISC"] {
        assert_eq!(reason(&permissive, licence), not_allowed(&format!("{licence} in LICENSE")));
    }
    let unknown = Some(("licence_unknown".to_owned(), "no known licence in LICENSE".to_owned()));
    assert_eq!(reason(&permissive, ""), unknown);
}

#[test]
fn licences_that_do_not_exist_are_refused() {
    let checked = |name: &str| check(&Settings { licences: vec![name.into()], ..Settings::default() });
    assert_eq!(checked("EPL-2.0"), Ok(()));
    assert!(checked("Apache 2.0").unwrap_err().contains("did you mean `Apache-2.0`?"));
    assert!(checked("GPL-3.0").unwrap_err().contains("`GPL-3.0-only`"));
    assert!(checked("mine").unwrap_err().contains("`mine` is not an SPDX identifier"));
}

fn many(count: usize) -> (FileRows, FileRows, Vec<Pair>) {
    let tests: Vec<String> =
        (0..count).map(|n| format!("def test_size{n}():\n    assert size() == {n}\n")).collect();
    let (test, focal) = (python(&tests.join("\n")), parsed("cart.py", FOCAL));
    let pairs = (0..count).map(|n| pair(&test, &format!("test_size{n}"), &focal, "size")).collect();
    (test, focal, pairs)
}

#[test]
fn the_cap_draws_the_same_pairs_in_any_order() {
    let (test, focal, pairs) = many(30);
    let (files, callables) = tables(&[&test, &focal]);
    let views = FileViews::new(&files, &callables);
    let run = |seed, cap, pairs: Vec<Pair>| {
        let settings = Settings { seed, max_pairs_per_repository: cap, ..Settings::default() };
        filter(&settings, &licensed(""), pairs, &Segments::new(), &views).unwrap()
    };
    let (kept, dropped) = run(1, 10, pairs.clone());
    assert_eq!((kept.len(), dropped.len()), (10, 20));
    assert!(dropped.iter().all(|row| row.reason == "over_repository_cap" && row.stage == "filtering"));
    assert!(kept.is_sorted_by_key(|pair| pair.start_byte));
    assert!(dropped.is_sorted_by_key(|row| row.start_byte));
    assert_eq!(run(1, 10, pairs.iter().rev().cloned().collect()), (kept.clone(), dropped));
    assert_ne!(run(2, 10, pairs.clone()).0, kept);
    assert_eq!(run(1, 0, pairs.clone()).0.len(), 30);
    assert_eq!(run(1, 30, pairs.clone()).0.len(), 30);
    let smaller = run(1, 9, pairs).0;
    assert!(smaller.iter().all(|pair| kept.contains(pair)), "a smaller cap keeps a part of the larger one's");
}

#[test]
fn the_cap_takes_the_likeliest_pair_of_a_test_first() {
    let (test, focal, pairs) = many(20);
    let (files, callables) = tables(&[&test, &focal]);
    let views = FileViews::new(&files, &callables);
    let further =
        pairs.iter().map(|pair| Pair { rank: pair.rank + 1, id: format!("0{}", pair.id), ..pair.clone() });
    let all = pairs.iter().cloned().chain(further).collect();
    let settings = Settings { max_pairs_per_repository: 9, ..Settings::default() };
    let kept = filter(&settings, &licensed(""), all, &Segments::new(), &views).unwrap().0;
    let first = pairs[0].rank;
    let tests = |behind: u32| {
        let of_rank = kept.iter().filter(move |pair| pair.rank == first + behind);
        of_rank.map(|pair| pair.test_id.as_str()).collect::<Vec<_>>()
    };
    assert_eq!((tests(0).len(), tests(1).len()), (5, 4));
    assert!(tests(1).iter().all(|test| tests(0).contains(test)));
}

/// A repository under this licence.
fn licensed(expression: &str) -> Repository {
    let text = String::new;
    Repository {
        host: text(),
        repository: text(),
        commit: text(),
        source: text(),
        location: text(),
        revision: text(),
        source_files: 0,
        source_bytes: 0,
        licence: expression.into(),
        licence_files: vec!["LICENSE".into()],
        licence_confidence: 100,
        vendored: Vec::new(),
        vendored_licences: Vec::new(),
    }
}

/// Tables in memory.
struct Tables {
    pairs: Vec<Pair>,
    files: Vec<SourceFile>,
    callables: Vec<CallableRow>,
}

impl Input for Tables {
    fn visit(
        &mut self,
        stage: &'static str,
        schema: &Schema,
        visit: &mut dyn FnMut(&[Column<'_>], usize),
    ) -> Result<(), TableError> {
        match (stage, schema.name) {
            ("matching", "pairs") => visit(&Pair::columns(&self.pairs), self.pairs.len()),
            ("parsing", "source_files") => visit(&SourceFile::columns(&self.files), self.files.len()),
            ("parsing", "callables") => visit(&CallableRow::columns(&self.callables), self.callables.len()),
            other => panic!("filtering reads {other:?}"),
        }
        Ok(())
    }
}

#[derive(Default)]
struct Written(Vec<(&'static str, usize)>);

impl Output for Written {
    fn write(
        &mut self,
        schema: &'static Schema,
        _columns: Vec<Column<'_>>,
        rows: usize,
    ) -> Result<(), TableError> {
        self.0.push((schema.name, rows));
        Ok(())
    }
}

fn process(tables: &mut Tables) -> Result<Written, StageError> {
    let mut settings = crate::Settings::default();
    settings.filtering.max_pairs_per_repository = 2;
    let repository = licensed("");
    let work =
        Work { repository: &repository, settings: &settings, clones: Path::new(""), credentials: None };
    let mut written = Written::default();
    Filtering.process(&work, tables, &mut written)?;
    Ok(written)
}

#[test]
fn the_stage_reads_and_writes_its_tables() {
    let (test, focal, pairs) = many(5);
    let unused = parsed("unused.py", "def f(): pass\n");
    let (files, callables) = tables(&[&unused, &test, &focal]);
    let written = process(&mut Tables { pairs, files, callables }).unwrap();
    assert_eq!(written.0, [("pairs", 2), ("dropped", 3)]);
    let none = process(&mut Tables { pairs: vec![], files: vec![], callables: vec![] }).unwrap();
    assert_eq!(none.0, []);
}

#[test]
fn a_pair_without_its_files_is_a_fault_of_the_tables() {
    let (test, _, pairs) = many(1);
    let (files, callables) = tables(&[&test]);
    let error = process(&mut Tables { pairs, files, callables }).err().unwrap();
    assert!(matches!(&error, StageError::Tables(_)) && error.to_string().contains("cart.py"), "{error}");
}
