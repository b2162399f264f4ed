//! From one file's outline to its rows. Pure: knows neither where the text came from nor where rows go.

use crate::records::{
    CALL_CONSTRUCTOR, CALL_IN_ASSERTION, CallableRow, Place, SourceFile, TestCaseRow, identity,
};
use std::collections::HashMap;
use trefoil_languages::{Binding, Call, Callable, Language, Outline, Region, Span, TestCase};

/// The rows of one parsed file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRows {
    /// The file with its text and regions.
    pub file: SourceFile,
    /// Its declarations, in order of their ordinals.
    pub callables: Vec<CallableRow>,
    /// Its test cases, in order of their callables.
    pub test_cases: Vec<TestCaseRow>,
}

/// Turns the outline of `text` into rows. Equal input gives equal rows: identities are made of the place,
/// the qualified name and the ordinal among equal qualified names in the file, never of positions, so that
/// an edit elsewhere in the file keeps them.
pub fn rows(place: &Place, language: &Language, text: String, mut outline: Outline) -> FileRows {
    let ids = ids(place, &outline.callables);
    let test_cases = outline
        .test_cases
        .iter()
        .filter_map(|case| {
            let index = case.callable as usize;
            Some(test_case(place, language, case, outline.callables.get(index)?, ids.get(index)?))
        })
        .collect();
    let callables = std::mem::take(&mut outline.callables)
        .into_iter()
        .zip(ids)
        .enumerate()
        .map(|(ordinal, (declaration, id))| callable(place, language, declaration, narrow(ordinal), id))
        .collect();
    FileRows { file: source_file(place, language, text, outline), callables, test_cases }
}

fn ids(place: &Place, callables: &[Callable]) -> Vec<String> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    callables
        .iter()
        .map(|callable| {
            let name = callable.qualified_name.as_str();
            let count = seen.entry(name).or_default();
            let id = identity(&[&place.host, &place.repository, &place.path, name, &count.to_string()]);
            *count += 1;
            id
        })
        .collect()
}

fn source_file(place: &Place, language: &Language, text: String, outline: Outline) -> SourceFile {
    let Outline { regions, calls, bindings, .. } = outline;
    let column = |cell: fn(&Region) -> u32| regions.iter().map(cell).collect();
    let of_calls = |cell: fn(&Call) -> u32| calls.iter().map(cell).collect();
    let of_bindings = |cell: fn(&Binding) -> u32| bindings.iter().map(cell).collect();
    let row = SourceFile {
        host: place.host.clone(),
        repository: place.repository.clone(),
        commit: place.commit.clone(),
        path: place.path.clone(),
        blob_id: place.blob_id.clone(),
        start_byte: 0,
        end_byte: narrow(text.len()),
        first_line: 1,
        last_line: last_line(&text),
        language: language.name.into(),
        bytes: text.len() as u64,
        is_test_path: (language.is_test_path)(&place.path),
        has_test_marker: !language.test_marker.is_empty() && text.contains(language.test_marker),
        region_kinds: regions.iter().map(|region| region.kind.as_str().into()).collect(),
        region_starts: column(|region| region.span.start),
        region_ends: column(|region| region.span.end),
        region_parents: column(|region| ordinal(region.parent)),
        exports: outline.exports,
        call_owners: of_calls(|call| ordinal(call.owner)),
        call_names: Vec::new(),
        call_receivers: Vec::new(),
        call_arguments: of_calls(|call| call.arguments),
        call_starts: of_calls(|call| call.span.start),
        call_ends: of_calls(|call| call.span.end),
        call_flags: of_calls(flags),
        binding_owners: of_bindings(|binding| ordinal(binding.owner)),
        binding_names: Vec::new(),
        binding_types: Vec::new(),
        binding_value_starts: of_bindings(|binding| binding.value.start),
        binding_value_ends: of_bindings(|binding| binding.value.end),
        package: outline.package,
        imports: outline.imports,
        error_count: outline.error_count,
        text,
    };
    let (call_names, call_receivers) = calls.into_iter().map(|call| (call.name, call.receiver)).unzip();
    let (binding_names, binding_types) =
        bindings.into_iter().map(|binding| (binding.name, binding.type_name)).unzip();
    SourceFile { call_names, call_receivers, binding_names, binding_types, ..row }
}

/// A callable's ordinal in a column where 0 stands for none.
fn ordinal(index: Option<u32>) -> u32 {
    index.map_or(0, |index| index + 1)
}

fn callable(
    place: &Place,
    language: &Language,
    declaration: Callable,
    ordinal: u32,
    id: String,
) -> CallableRow {
    let (parameter_names, parameter_types) =
        declaration.parameters.into_iter().map(|parameter| (parameter.name, parameter.type_name)).unzip();
    CallableRow {
        host: place.host.clone(),
        repository: place.repository.clone(),
        commit: place.commit.clone(),
        path: place.path.clone(),
        blob_id: place.blob_id.clone(),
        start_byte: declaration.span.start,
        end_byte: declaration.span.end,
        first_line: declaration.lines.first,
        last_line: declaration.lines.last,
        id,
        ordinal,
        language: language.name.into(),
        kind: declaration.kind.as_str().into(),
        name: declaration.name,
        qualified_name: declaration.qualified_name,
        parent: declaration.parent,
        signature_start: declaration.signature.start,
        signature_end: declaration.signature.end,
        body_start: declaration.body.map(|body| body.start),
        body_end: declaration.body.map(|body| body.end),
        modifiers: declaration.modifiers,
        annotations: declaration.annotations,
        has_test_marker: declaration.has_test_marker,
        parameter_names,
        parameter_types,
        return_type: declaration.return_type,
        supertypes: declaration.supertypes,
        role: declaration.role.as_str().into(),
        has_error: declaration.has_error,
        recovered: declaration.recovered,
    }
}

fn test_case(
    place: &Place,
    language: &Language,
    case: &TestCase,
    callable: &Callable,
    id: &str,
) -> TestCaseRow {
    let spans = |end: fn(Span) -> u32| case.assertions.iter().map(|assertion| end(assertion.span)).collect();
    let statements = |end: fn(&Span) -> u32| case.statements.iter().map(end).collect();
    TestCaseRow {
        host: place.host.clone(),
        repository: place.repository.clone(),
        commit: place.commit.clone(),
        path: place.path.clone(),
        blob_id: place.blob_id.clone(),
        start_byte: callable.span.start,
        end_byte: callable.span.end,
        first_line: callable.lines.first,
        last_line: callable.lines.last,
        id: id.to_owned(),
        ordinal: case.callable,
        language: language.name.into(),
        name: callable.name.clone(),
        qualified_name: callable.qualified_name.clone(),
        framework: case.framework.as_str().into(),
        kind: case.kind.as_str().into(),
        disabled: case.disabled,
        assertion_names: case.assertions.iter().map(|assertion| assertion.name.clone()).collect(),
        assertion_starts: spans(|span| span.start),
        assertion_ends: spans(|span| span.end),
        statement_starts: statements(|span| span.start),
        statement_ends: statements(|span| span.end),
    }
}

fn flags(call: &Call) -> u32 {
    let constructor = if call.constructor { CALL_CONSTRUCTOR } else { 0 };
    let in_assertion = if call.in_assertion { CALL_IN_ASSERTION } else { 0 };
    constructor | in_assertion
}

/// Line of the last byte; a final line end belongs to the line that it ends.
pub(super) fn last_line(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let before_last = bytes.get(..bytes.len().saturating_sub(1)).unwrap_or_default();
    narrow(before_last.iter().filter(|byte| **byte == b'\n').count() + 1)
}

/// Positions fit `u32`: the guards refuse files far below 4 GiB.
fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trefoil_languages::{Assertion, CallableKind, Framework, RegionKind, Role, TestKind};

    fn place() -> Place {
        Place {
            host: "local".into(),
            repository: "shop".into(),
            commit: "c".into(),
            path: "src/ATest.java".into(),
            blob_id: "b".into(),
        }
    }

    fn declaration(name: &str, parent: Option<u32>, span: Span) -> Callable {
        Callable {
            kind: CallableKind::Method,
            name: name.to_owned(),
            qualified_name: name.to_owned(),
            parent,
            span,
            lines: trefoil_languages::Lines { first: 1, last: 1 },
            signature: span,
            body: None,
            modifiers: Vec::new(),
            annotations: Vec::new(),
            has_test_marker: false,
            parameters: Vec::new(),
            return_type: String::new(),
            supertypes: Vec::new(),
            role: Role::Plain,
            has_error: false,
            recovered: false,
        }
    }

    fn java() -> &'static Language {
        trefoil_languages::by_name("java").unwrap()
    }

    #[test]
    fn overloads_get_ids_of_their_own() {
        let span = Span { start: 0, end: 1 };
        let outline = Outline {
            callables: vec![declaration("A.m", None, span), declaration("A.m", Some(0), span)],
            ..Outline::default()
        };
        let rows = rows(&place(), java(), "x".to_owned(), outline);
        assert_eq!(rows.callables[0].id, identity(&["local", "shop", "src/ATest.java", "A.m", "0"]));
        assert_eq!(rows.callables[1].id, identity(&["local", "shop", "src/ATest.java", "A.m", "1"]));
        assert_eq!(rows.callables[1].parent, Some(0));
        assert_eq!(rows.callables[1].ordinal, 1);
    }

    #[test]
    fn a_test_case_points_at_its_callable() {
        let span = Span { start: 2, end: 5 };
        let case = TestCase {
            callable: 0,
            framework: Framework::Junit5,
            kind: TestKind::Plain,
            assertions: vec![Assertion { name: "assertTrue".into(), span }],
            statements: vec![span],
            disabled: true,
        };
        let outline = Outline {
            callables: vec![declaration("m", None, span)],
            test_cases: vec![case],
            ..Outline::default()
        };
        let rows = rows(&place(), java(), "@Test\n".to_owned(), outline);
        assert!(rows.file.has_test_marker);
        assert_eq!(rows.test_cases[0].id, rows.callables[0].id);
        assert_eq!(rows.test_cases[0].framework, "junit5");
        assert_eq!((rows.test_cases[0].start_byte, rows.test_cases[0].end_byte), (2, 5));
        assert_eq!(rows.test_cases[0].assertion_ends, [5]);
        let case = &rows.test_cases[0];
        assert_eq!((&case.statement_starts[..], &case.statement_ends[..]), (&[2][..], &[5][..]));
    }

    #[test]
    fn calls_and_bindings_become_parallel_lists() {
        let span = Span { start: 0, end: 1 };
        let call = Call {
            owner: Some(0),
            name: "go".into(),
            receiver: "a".into(),
            arguments: 2,
            span,
            constructor: true,
            in_assertion: true,
        };
        let binding = Binding { owner: None, name: "x".into(), type_name: "T".into(), value: span };
        let outline = Outline { calls: vec![call], bindings: vec![binding], ..Outline::default() };
        let file = rows(&place(), java(), "x".to_owned(), outline).file;
        assert_eq!((&file.call_owners[..], &file.call_arguments[..]), (&[1][..], &[2][..]));
        assert_eq!((&file.call_names[0][..], &file.call_receivers[0][..]), ("go", "a"));
        assert_eq!(file.call_flags, [CALL_CONSTRUCTOR | CALL_IN_ASSERTION]);
        assert_eq!((&file.binding_names[0][..], &file.binding_types[0][..]), ("x", "T"));
        assert_eq!((&file.binding_owners[..], &file.binding_value_ends[..]), (&[0][..], &[1][..]));
    }

    #[test]
    fn regions_become_parallel_lists() {
        let region = |kind, start, parent| Region { kind, span: Span { start, end: start + 1 }, parent };
        let outline = Outline {
            regions: vec![region(RegionKind::Import, 0, None), region(RegionKind::Field, 3, Some(0))],
            ..Outline::default()
        };
        let file = rows(&place(), java(), "a\nb\n".to_owned(), outline).file;
        assert_eq!(file.region_kinds, ["import", "field"]);
        assert_eq!(file.region_starts, [0, 3]);
        assert_eq!(file.region_ends, [1, 4]);
        assert_eq!(file.region_parents, [0, 1]);
        assert_eq!((file.first_line, file.last_line, file.end_byte), (1, 2, 4));
    }
}
