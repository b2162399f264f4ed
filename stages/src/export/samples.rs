//! Rows of small files for tests, made by the real languages.

use crate::parsing::rows::{FileRows, rows};
use crate::records::{CallableRow, Pair, Place, SourceFile, identity};
use trefoil_languages::{Guards, Parser, of_path};

/// The rows of a file with this text.
pub(crate) fn parsed(path: &str, text: &str) -> FileRows {
    let language = of_path(path).unwrap();
    let (outline, _) = Parser::new(Guards::default()).outline(language, path, text.as_bytes()).unwrap();
    let place = Place {
        host: "local".into(),
        repository: "shop".into(),
        commit: "1234".into(),
        path: path.into(),
        blob_id: identity(&[text]).into(),
    };
    rows(&place, language, text.to_owned(), outline)
}

/// Files and callables of several files, as the tables of parsing hold them.
pub(crate) fn tables(files: &[&FileRows]) -> (Vec<SourceFile>, Vec<CallableRow>) {
    let callables = files.iter().flat_map(|rows| rows.callables.clone()).collect();
    (files.iter().map(|rows| rows.file.clone()).collect(), callables)
}

/// The declaration with this qualified name.
pub(crate) fn named<'a>(rows: &'a FileRows, name: &str) -> &'a CallableRow {
    let names: Vec<&str> = rows.callables.iter().map(|callable| callable.qualified_name.as_str()).collect();
    let position = names.iter().position(|candidate| *candidate == name);
    &rows.callables[position.unwrap_or_else(|| panic!("no {name} among {names:?}"))]
}

/// The pair of a test and a focal declaration.
pub(crate) fn pair(test_rows: &FileRows, test: &str, focal_rows: &FileRows, focal: &str) -> Pair {
    let (test, focal) = (named(test_rows, test), named(focal_rows, focal));
    Pair {
        host: test.host.clone(),
        repository: test.repository.clone(),
        commit: test.commit.clone(),
        path: test.path.clone(),
        blob_id: test.blob_id.clone(),
        start_byte: test.start_byte,
        end_byte: test.end_byte,
        first_line: test.first_line,
        last_line: test.last_line,
        id: identity(&[&test.id, &focal.id]),
        test_id: test.id.clone(),
        language: test.language.to_string(),
        test_name: test.qualified_name.clone(),
        test_kind: if test.kind == "method" { "method" } else { "function" }.to_owned(),
        test_ordinal: test.ordinal,
        mode: "mode".to_owned(),
        rule: "name".to_owned(),
        confidence: None,
        rank: 1,
        focal_id: focal.id.clone(),
        focal_name: focal.qualified_name.clone(),
        focal_kind: focal.kind.to_string(),
        focal_ordinal: focal.ordinal,
        focal_path: focal.path.as_ref().to_owned(),
        focal_blob_id: focal.blob_id.as_ref().to_owned(),
        focal_start_byte: focal.start_byte,
        focal_end_byte: focal.end_byte,
        focal_first_line: focal.first_line,
        focal_last_line: focal.last_line,
        text_digest: String::new(),
        test_digest: String::new(),
        characters: 0,
    }
}
