use super::{Audit, Benchmark, Item, Kind, Report, Row, Settings};
use crate::splitting::{Split, place};
use std::collections::BTreeSet;
use trefoil_duplicates::Comments;

/// A row that owns its texts.
#[derive(Clone, Debug)]
struct Owned {
    id: String,
    split: Split,
    repository: String,
    cluster: String,
    focal_place: String,
    test: String,
    focal: String,
    contexts: [String; 2],
}

fn word(seed: &str, number: u64) -> String {
    format!("w{:x}", place(seed, &number.to_string(), 0) >> 30)
}

/// A body of statements in words that no other row has.
fn statements(seed: &str, count: u64) -> String {
    (0..count)
        .map(|line| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|part| word(seed, 4 * line + part));
            format!("    {a} {b} = {c}.{d}({line}, \"{b}\");\n")
        })
        .collect()
}

fn test(seed: &str) -> String {
    format!("@Test\npublic void test{}() {{\n{}}}", word(seed, 999), statements(seed, 8))
}

/// Rows of repositories with one owner each; every fifth repository is for judging.
fn clean(count: usize) -> Vec<Owned> {
    (0..count)
        .map(|number| {
            let repository = number / 5;
            let split = match repository % 10 {
                0 => Split::Test,
                1 => Split::Validation,
                _ => Split::Train,
            };
            let key = format!("github.com/owner{repository}/name{repository}");
            let focal = statements(&format!("focal{number}"), 6);
            Owned {
                id: format!("row{number}"),
                split,
                cluster: key.clone(),
                repository: key,
                focal_place: format!("src/C{number}.java#f"),
                test: test(&format!("test{number}")),
                focal: format!("int f{number}(int a) {{\n{focal}}}"),
                contexts: [
                    statements(&format!("around{number}"), 4),
                    statements(&format!("beside{number}"), 9),
                ],
            }
        })
        .collect()
}

fn audit(rows: &[Owned], benchmark: &[Item]) -> Report {
    let settings = Settings::default();
    let mut audit = Audit::new(&settings, Benchmark::new(benchmark, &settings), [None, None]);
    let rows: Vec<Row<'_>> = rows
        .iter()
        .map(|row| Row {
            id: &row.id,
            split: row.split,
            repository: &row.repository,
            cluster: &row.cluster,
            focal_place: &row.focal_place,
            test: &row.test,
            focal: &row.focal,
            contexts: [&row.contexts[0], &row.contexts[1]],
            comments: Comments::Slashes,
        })
        .collect();
    rows.chunks(64).for_each(|rows| audit.add(rows).unwrap());
    audit.finish().unwrap()
}

fn items() -> Vec<Item> {
    (0..60)
        .map(|number| Item { name: format!("task/{number}"), text: test(&format!("task{number}")) })
        .collect()
}

/// The text with another name in one of its statements.
fn changed(text: &str) -> String {
    let line = text.lines().nth(4).unwrap();
    text.replace(line, "    another = thing;")
}

#[test]
fn nothing_is_found_where_nothing_leaks() {
    let report = audit(&clean(1_500), &items());
    assert!(report.findings.is_empty(), "{:?}", &report.findings[..5]);
    assert_eq!(report.counts.len(), Kind::ALL.len());
    assert_eq!(report.rows.values().sum::<u64>(), 1_500);
}

#[test]
fn every_planted_leak_is_found() {
    let mut rows = clean(2_000);
    let items = items();
    let of = |rows: &[Owned], split: Split| -> Vec<usize> {
        (0..rows.len()).filter(|row| rows[*row].split == split).collect()
    };
    let (train, judged) = (of(&rows, Split::Train), {
        let mut both = of(&rows, Split::Test);
        both.extend(of(&rows, Split::Validation));
        both
    });
    let kinds = [
        Kind::SameTest,
        Kind::NearTest,
        Kind::SameFocal,
        Kind::NearFocal,
        Kind::SharedFocalMethod,
        Kind::SharedRepository,
        Kind::SharedProject,
        Kind::SharedOwner,
        Kind::TestInOwnContext,
        Kind::BenchmarkGrams,
    ];
    let mut planted = BTreeSet::new();
    for (number, kind) in (0..200).zip(kinds.into_iter().cycle()) {
        let source = rows[train[number * 7]].clone();
        // One row of each repository, so that what is planted for one is not found for its neighbours.
        let row = &mut rows[judged[number * 2]];
        planted.insert((kind, row.id.clone()));
        match kind {
            Kind::SameTest => row.test = source.test.replace("    ", "\t"),
            Kind::NearTest => row.test = changed(&source.test),
            Kind::SameFocal => row.focal = source.focal.replace('\n', "\n  "),
            Kind::NearFocal => row.focal = changed(&source.focal),
            Kind::SharedFocalMethod => {
                (row.repository, row.focal_place) = (source.repository, source.focal_place);
                row.focal = source.focal;
            }
            Kind::SharedRepository => row.repository = source.repository,
            Kind::SharedProject => row.cluster = source.cluster,
            Kind::SharedOwner => row.repository = source.repository.replace("/name", "/other"),
            Kind::TestInOwnContext => {
                let body = row.test.split_once("{\n").unwrap().1.replace("    ", " /* so */ ");
                row.contexts[number / 10 % 2].push_str(&format!("void helper() {{ {body}"));
            }
            _ => row.focal = format!("{}\n{}", row.focal, items[number / 10].text),
        }
    }
    let report = audit(&rows, &items);
    let found: BTreeSet<(Kind, String)> =
        report.findings.iter().map(|finding| (finding.kind, finding.row.clone())).collect();
    let missed: Vec<_> = planted.difference(&found).collect();
    assert!(missed.is_empty(), "{missed:?}");
    // Who shares a method shares its repository, and with that its owner and its text; nothing else is found.
    let follows = |kind: Kind| match kind {
        Kind::SharedFocalMethod => vec![Kind::SharedRepository, Kind::SharedOwner, Kind::SameFocal],
        Kind::SharedRepository => vec![Kind::SharedOwner],
        _ => vec![],
    };
    let mut explained = planted.clone();
    for (kind, row) in &planted {
        explained.extend(follows(*kind).into_iter().map(|kind| (kind, row.clone())));
    }
    let unexplained: Vec<_> = found.difference(&explained).collect();
    assert!(unexplained.is_empty(), "{unexplained:?}");
}

#[test]
fn a_row_in_two_splits_and_a_benchmark_with_another_name_are_found() {
    let mut rows = clean(100);
    rows.push(Owned { split: Split::Test, ..rows[30].clone() });
    rows[40].test = items()[3].text.replace("public void test", "void anotherName");
    let report = audit(&rows, &items());
    assert_eq!(report.counts[&Kind::SameRow], 1);
    let near: Vec<_> = report.findings.iter().filter(|one| one.kind == Kind::BenchmarkNear).collect();
    assert_eq!(near.iter().map(|one| (&*one.row, &*one.other)).collect::<Vec<_>>(), [("row40", "task/3")]);
    assert!(near[0].likeness.unwrap() > 0.8 && near[0].split == "train");
}

#[test]
fn what_is_trivial_or_in_one_split_is_no_leak() {
    let mut rows = clean(600);
    rows.iter_mut().for_each(|row| row.focal = "int get() { return x; }".to_owned());
    let train: Vec<usize> = (0..600).filter(|row| rows[*row].split == Split::Train).collect();
    for row in train {
        rows[row].test = "@Test void same() { assertEquals(1, one()); }".to_owned();
    }
    assert!(audit(&rows, &[]).findings.is_empty());
}
