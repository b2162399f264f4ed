//! Records through real files and back, and what carrying rows over promises.

use crate::{
    ListedRepository, Manifest, ShardInput, ShardWriter, TableWriter, read_list, read_table, read_table_while,
};
use std::path::Path;
use trefoil_stages::Output;
use trefoil_stages::records::{
    CallableRow, Column, Failure, Record, SourceFile, UnitTestsInputs, UnitTestsMeta, UnitTestsRow,
};

fn callable(ordinal: u32) -> CallableRow {
    let names = |count: u32| (0..count).map(|n| format!("parameter{n}")).collect::<Vec<_>>();
    CallableRow {
        host: "local".into(),
        repository: "a".into(),
        commit: "c".into(),
        path: "src/Ünï.java".into(),
        blob_id: "b".into(),
        start_byte: ordinal,
        end_byte: u32::MAX,
        first_line: 1,
        last_line: 2,
        id: format!("id{ordinal}"),
        ordinal,
        language: "java".into(),
        kind: "method".into(),
        name: String::new(),
        qualified_name: "A.b".into(),
        parent: ordinal.checked_sub(1),
        signature_start: 0,
        signature_end: 9,
        body_start: None,
        body_end: Some(7),
        modifiers: vec![],
        annotations: vec!["Test".into(), String::new()],
        has_test_marker: ordinal.is_multiple_of(2),
        parameter_names: names(ordinal % 4),
        parameter_types: names(ordinal % 4),
        return_type: "void".into(),
        supertypes: vec![],
        role: "test".into(),
        has_error: false,
        recovered: true,
    }
}

#[test]
fn rows_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("callables.parquet");
    let rows: Vec<CallableRow> = (0..1_000).map(callable).collect();
    let mut table = TableWriter::create(&path, &CallableRow::SCHEMA).unwrap();
    for part in rows.chunks(300) {
        table.append(&CallableRow::columns(part), part.len()).unwrap();
        table.flush().unwrap();
    }
    let file = table.finish().unwrap();
    assert_eq!(file.rows, 1_000);
    assert_eq!(crate::digest_of_file(&path).unwrap(), (file.sha256, file.bytes));
    let mut read = Vec::new();
    read_table(&path, |row: CallableRow| read.push(row)).unwrap();
    assert_eq!(read, rows);
}

/// Rows whose columns need dictionaries that are kept, given up and not begun, nulls in runs, and several pages.
fn mixed(rows: u32) -> Vec<CallableRow> {
    let mut rows: Vec<CallableRow> = (0..rows).map(callable).collect();
    for (row, at) in rows.iter_mut().zip(0_u32..) {
        row.path = format!("src/{}.java", at / 40).into();
        row.name = format!("name{}", if at < 900 { at % 300 } else { at });
        row.kind = ["class", "method", "ünï", ""][at as usize % 7 % 4].into();
        row.return_type = "long ".repeat(at as usize % 500);
        row.parent = (at / 100 % 2 == 0 || at % 9 == 0).then_some(at);
        row.modifiers = vec![format!("{at}"); if at % 50 < 25 { 0 } else { at as usize % 11 }];
    }
    rows
}

#[test]
fn any_rows_come_back_and_their_bytes_are_the_same_in_whatever_batches_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("callables.parquet");
    for count in [1, 127, 129, 400, 3_000] {
        let rows = mixed(count);
        let write = |batch: usize| {
            let mut table = TableWriter::create(&path, &CallableRow::SCHEMA).unwrap();
            for part in rows.chunks(batch) {
                table.append(&CallableRow::columns(part), part.len()).unwrap();
            }
            table.finish().unwrap().sha256
        };
        let digests = [1, 7, 250, 3_000].map(write);
        assert!(digests.iter().all(|digest| *digest == digests[0]), "{count} rows: {digests:?}");
        let mut read = Vec::new();
        read_table(&path, |row: CallableRow| read.push(row)).unwrap();
        assert_eq!(read, rows);
    }
}

#[test]
fn cells_that_do_not_fit_the_schema_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rows = mixed(3);
    let refused = |change: fn(&mut Vec<Column<'_>>)| {
        let path = folder.path().join("callables.parquet");
        let mut table = TableWriter::create(&path, &CallableRow::SCHEMA).unwrap();
        let mut columns = CallableRow::columns(&rows);
        change(&mut columns);
        table.append(&columns, rows.len()).unwrap_err().to_string()
    };
    assert!(refused(|columns| columns.swap(0, 5)).contains("a column of type Text got other cells"));
    let lengths = "its columns got different numbers of rows";
    assert!(refused(|columns| drop(columns.pop())).contains(lengths));
    assert!(refused(|columns| columns[0] = Column::Text(vec![None])).contains(lengths));
}

#[test]
fn nested_rows_come_back_and_reading_stops_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unit_tests.parquet");
    let rows: Vec<UnitTestsRow> = (0..100).map(exported).collect();
    let mut table = TableWriter::create(&path, &UnitTestsRow::SCHEMA).unwrap();
    for part in rows.chunks(30) {
        table.append(&UnitTestsRow::columns(part), part.len()).unwrap();
        table.flush().unwrap();
    }
    table.finish().unwrap();
    let mut read = Vec::new();
    read_table(&path, |row: UnitTestsRow| read.push(row)).unwrap();
    assert_eq!(read, rows);
    read.clear();
    read_table_while(&path, |row: UnitTestsRow| {
        read.push(row);
        read.len() < 45
    })
    .unwrap();
    assert_eq!(read, rows[..45]);
}

fn exported(number: u32) -> UnitTestsRow {
    let text = |name: &str| format!("{name} {number}");
    UnitTestsRow {
        instruction: text("instruction"),
        inputs: UnitTestsInputs {
            focal_func: text("focal_func"),
            test_func_type: text("test_func_type"),
            test_func_context: text("test_func_context"),
            language: text("language"),
            focal_file_path: text("focal_file_path"),
            test_file_path: text("test_file_path"),
            focal_func_context: text("focal_func_context"),
            test_framework: String::new(),
        },
        outputs: text("outputs"),
        meta: UnitTestsMeta {
            id: u64::MAX >> 1,
            repo_id: text("repo_id"),
            focal_func_type: text("focal_func_type"),
            pair_id: text("pair_id"),
            licence: text("licence"),
            commit: text("commit"),
            test_name: text("test_name"),
            test_blob_id: text("test_blob_id"),
            test_start_byte: 1,
            test_end_byte: 2,
            test_first_line: 3,
            test_last_line: 4,
            focal_name: text("focal_name"),
            focal_blob_id: text("focal_blob_id"),
            focal_start_byte: 5,
            focal_end_byte: 6,
            focal_first_line: 7,
            focal_last_line: 8,
            mode: text("mode"),
            rule: text("rule"),
            confidence: Some(0.875),
        },
    }
}

#[test]
fn a_table_of_other_columns_is_damage_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failures.parquet");
    TableWriter::create(&path, &Failure::SCHEMA).unwrap().finish().unwrap();
    let mut table = TableWriter::create(&path, &Failure::SCHEMA).unwrap();
    table.append(&Failure::columns(&[failure("r", 0)]), 1).unwrap();
    table.finish().unwrap();
    let error = read_table(&path, |_: SourceFile| ()).unwrap_err().to_string();
    assert!(error.contains("failures.parquet is damaged"), "{error}");
}

fn failure(repository: &str, number: u32) -> Failure {
    Failure {
        host: "local".into(),
        repository: repository.into(),
        commit: String::new(),
        stage: "parsing".into(),
        reason: "panicked".into(),
        // Long and without repetition, so that row groups fill up.
        detail: (0..200)
            .map(|n| trefoil_stages::records::identity(&[repository, &format!("{number} {n}")]))
            .collect(),
    }
}

fn write(writer: &mut ShardWriter, repository: &str, rows: u32) {
    for start in (0..rows).step_by(500) {
        let rows: Vec<Failure> =
            (start..rows.min(start + 500)).map(|number| failure(repository, number)).collect();
        writer.write(&Failure::SCHEMA, Failure::columns(&rows), rows.len()).unwrap();
    }
    writer.end_repository(&format!("local/{repository}"), "print", None).unwrap();
}

fn create(folder: &Path) -> ShardWriter {
    ShardWriter::create(folder, "parsing", "shard", &[&Failure::SCHEMA]).unwrap()
}

#[test]
fn carried_over_rows_give_the_bytes_of_computed_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second, whole) =
        (folder.path().join("first"), folder.path().join("second"), folder.path().join("whole"));
    let mut writer = create(&first);
    // More than one row group in `a`, none in `b`.
    write(&mut writer, "a", 4_000);
    write(&mut writer, "b", 0);
    let manifest = writer.commit().unwrap();
    assert!(manifest.repositories["local/a"].row_groups["failures"].len() > 1);
    assert!(manifest.repositories["local/b"].row_groups.is_empty());

    let mut earlier = ShardInput::open(&first).unwrap();
    let mut writer = create(&second);
    writer.carry_over(&mut earlier, "local/a").unwrap();
    writer.carry_over(&mut earlier, "local/b").unwrap();
    write(&mut writer, "c", 10);
    writer.commit().unwrap();

    let mut writer = create(&whole);
    write(&mut writer, "a", 4_000);
    write(&mut writer, "b", 0);
    write(&mut writer, "c", 10);
    writer.commit().unwrap();
    for file in ["failures.parquet", Manifest::FILE] {
        assert!(
            std::fs::read(second.join(file)).unwrap() == std::fs::read(whole.join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn one_repository_is_read_without_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shard");
    let mut writer = create(&path);
    for (repository, rows) in [("a", 3), ("b", 2), ("c", 1)] {
        write(&mut writer, repository, rows);
    }
    writer.commit().unwrap();
    let mut input = ShardInput::open(&path).unwrap();
    let mut seen = Vec::new();
    input
        .visit("local/b", &Failure::SCHEMA, &mut |columns, rows| {
            seen.extend(
                (0..rows).filter_map(|row| Failure::from_columns(columns, row)).map(|row| row.repository),
            );
        })
        .unwrap();
    assert_eq!(seen, ["b", "b"]);
}

#[test]
fn a_repository_can_be_taken_back_while_none_of_its_rows_are_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = create(&folder.path().join("shard"));
    writer.write(&Failure::SCHEMA, Failure::columns(&[failure("a", 0)]), 1).unwrap();
    assert!(writer.forget_repository());
    write(&mut writer, "b", 1);
    for start in 0..8 {
        let rows: Vec<Failure> = (0..500).map(|number| failure("c", start * 500 + number)).collect();
        writer.write(&Failure::SCHEMA, Failure::columns(&rows), rows.len()).unwrap();
    }
    assert!(!writer.forget_repository(), "a row group of `c` is in the file already");
}

#[test]
fn lists_of_three_formats_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("list.csv");
    std::fs::write(&csv, "location,name,revision\nhttps://h/a/b,a/b,0123456\n../c,,\n").unwrap();
    let lines = folder.path().join("list.jsonl");
    let text = "{\"location\": \"https://h/a/b\", \"name\": \"a/b\", \"revision\": \"0123456\"}\n{\"location\": \"../c\"}\n";
    std::fs::write(&lines, text).unwrap();
    let wanted = [
        ListedRepository {
            host: String::new(),
            name: "a/b".into(),
            location: "https://h/a/b".into(),
            revision: "0123456".into(),
            id: 0,
        },
        ListedRepository { location: "../c".into(), ..ListedRepository::default() },
    ];
    assert_eq!(read_list(&csv, "https://github.com").unwrap(), wanted);
    assert_eq!(read_list(&lines, "https://github.com").unwrap(), wanted);

    let parquet = folder.path().join("list.parquet");
    let mut frame = polars::df!("location" => ["https://h/a/b", "../c"], "name" => [Some("a/b"), None],
        "revision" => [Some("0123456"), None])
    .unwrap();
    polars::prelude::ParquetWriter::new(std::fs::File::create(&parquet).unwrap()).finish(&mut frame).unwrap();
    assert_eq!(read_list(&parquet, "https://github.com").unwrap(), wanted);
}

#[test]
fn exports_of_others_are_lists() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let rows = read_list(&path, "https://github.com").unwrap();
        rows.into_iter().map(|row| (row.location, row.id)).collect::<Vec<_>>()
    };
    let at = |name: &str, id: u64| (format!("https://github.com/{name}.git"), id);
    let bigquery = "repo_name,watch_count\na/b,7\nc/d,9\n";
    assert_eq!(read("bigquery.csv", bigquery), [at("a/b", 0), at("c/d", 0)]);
    let events = [
        r#"{"id": "1", "type": "PushEvent", "repo": {"id": 5, "name": "old/b", "url": "https://api.github.com/repos/old/b"}}"#,
        r#"{"id": "2", "type": "PushEvent", "repo": {"id": 6, "name": "c/d", "url": "https://api.github.com/repos/c/d"}}"#,
        r#"{"id": "3", "type": "PushEvent", "repo": {"id": 5, "name": "new/b", "url": "https://api.github.com/repos/new/b"}}"#,
    ];
    assert_eq!(read("archive.jsonl", &events.join("\n")), [at("new/b", 5), at("c/d", 6)]);
    assert_eq!(read("flat.csv", "repo.id,repo.name\n5,a/b\n5,a/b\n"), [at("a/b", 5)]);
    let origins = "origin,visit\nhttps://gitlab.com/x/y,3\nhttps://github.com/a/b,1\n";
    let places = ["https://gitlab.com/x/y", "https://github.com/a/b"].map(|place| (place.to_owned(), 0));
    assert_eq!(read("heritage.csv", origins), places);
    assert_eq!(read("unitsyn.txt", "a/b\n\n# more\nc/d\n"), [at("a/b", 0), at("c/d", 0)]);
}

#[test]
fn a_list_with_wrong_columns_says_which() {
    let folder = tempfile::tempdir().unwrap();
    for (text, wanted) in
        [("location,brnch\na,b\n", "unknown column `brnch`"), ("name\na\n", "no column `location`")]
    {
        let path = folder.path().join("list.csv");
        std::fs::write(&path, text).unwrap();
        let error = read_list(&path, "https://github.com").unwrap_err().to_string();
        assert!(error.contains(wanted) && error.contains("list.csv"), "{error}");
    }
}
