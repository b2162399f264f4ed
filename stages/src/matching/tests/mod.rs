//! Small repositories, written down as parsing would have seen them, and what the modes say of them.

mod combined;
mod contest;
mod methods2test;
mod stage;
mod unitsyn;
mod unittests;
mod unittests_python;

use super::Matching;
use super::memory::{Tables, Written, parsed, work};
use crate::records::{CallableRow, SourceFile, TestCaseRow, Vote};

/// A repository under construction. Declarations go into the file that was begun last.
#[derive(Clone, Default)]
struct Sketch {
    files: Vec<SourceFile>,
    callables: Vec<CallableRow>,
    tests: Vec<TestCaseRow>,
    next_byte: u32,
}

/// A declaration with the facts that matter to matching.
struct Declared {
    kind: &'static str,
    name: &'static str,
    parent: Option<u32>,
    has_test_marker: bool,
    is_test_case: bool,
    recovered: bool,
    role: &'static str,
    calls: &'static [&'static str],
    annotations: &'static [&'static str],
}

const DECLARED: Declared = Declared {
    kind: "method",
    name: "",
    parent: Some(0),
    has_test_marker: false,
    is_test_case: false,
    recovered: false,
    role: "plain",
    calls: &[],
    annotations: &[],
};

impl Sketch {
    fn java(mut self, path: &str, has_test_marker: bool) -> Self {
        let is_test_path = path.contains("src/test/");
        self.files.push(file(path, "java", is_test_path, has_test_marker));
        self
    }

    fn python(mut self, path: &str, is_test_path: bool) -> Self {
        self.files.push(file(path, "python", is_test_path, false));
        self
    }

    /// A field of the file begun last, from the next declaration's start to far beyond it.
    fn field(mut self) -> Self {
        let start = self.next_byte;
        let file = self.files.last_mut().unwrap();
        file.region_kinds = vec!["import".into(), "field".into()];
        file.region_starts = vec![0, start];
        file.region_ends = vec![5, start + 10];
        file.region_parents = vec![0, 1];
        self
    }

    fn declare(mut self, declared: Declared) -> Self {
        let file = self.files.last().unwrap();
        let ordinal = self.callables.iter().filter(|row| row.path == file.path).count() as u32;
        let parent = self
            .callables
            .iter()
            .find(|row| row.path == file.path && Some(row.ordinal) == declared.parent)
            .map_or_else(String::new, |row| format!("{}.", row.qualified_name));
        let row = callable(file, ordinal, self.next_byte, format!("{parent}{}", declared.name), &declared);
        if declared.is_test_case {
            self.tests.push(test_case(&row));
        }
        self.next_byte += 10;
        self.callables.push(row);
        let file = self.files.last_mut().unwrap();
        for name in declared.calls {
            file.call_owners.push(ordinal + 1);
            // `new x` is a constructor call.
            file.call_names.push(name.trim_start_matches("new ").into());
            file.call_flags.push(u32::from(name.starts_with("new ")));
            file.call_receivers.push("".into());
            file.call_arguments.push(0);
            file.call_starts.push(0);
            file.call_ends.push(0);
        }
        self
    }

    fn class(self, name: &'static str) -> Self {
        self.declare(Declared { kind: "class", name, parent: None, ..DECLARED })
    }

    fn method(self, name: &'static str) -> Self {
        self.declare(Declared { name, ..DECLARED })
    }

    fn function(self, name: &'static str) -> Self {
        self.declare(Declared { kind: "function", parent: None, name, ..DECLARED })
    }

    /// A test with `@Test`.
    fn test(self, name: &'static str, calls: &'static [&'static str]) -> Self {
        self.declare(Declared {
            name,
            calls,
            role: "test",
            has_test_marker: true,
            is_test_case: true,
            annotations: &["Test"],
            ..DECLARED
        })
    }

    fn pytest(self, name: &'static str) -> Self {
        let parent = None;
        self.declare(Declared {
            kind: "function",
            name,
            parent,
            role: "test",
            is_test_case: true,
            ..DECLARED
        })
    }

    /// What matching writes with this mode for Java and the default one for Python.
    fn matched(self, java: &str) -> Written {
        let mut settings = crate::Settings::default();
        settings.matching.modes.insert("java".into(), java.into());
        self.matched_with(&settings).unwrap()
    }

    fn matched_with(self, settings: &crate::Settings) -> Result<Written, crate::StageError> {
        let mut input = Tables::default();
        input.add("parsing", self.files);
        input.add("parsing", self.callables);
        input.add("parsing", self.tests);
        matched(input, settings)
    }
}

/// What matching writes of real files, each a path with its text, with the default modes.
fn matched_files(files: &[(&str, &str)]) -> Written {
    matched(parsed(files), &crate::Settings::default()).unwrap()
}

fn matched(input: Tables, settings: &crate::Settings) -> Result<Written, crate::StageError> {
    work(&Matching, input, settings)
}

impl Written {
    /// `test -> focal (rule)` or `test: reason` of every test with an outcome, in the order of the rows.
    fn outcomes(&self) -> Vec<String> {
        let pairs = self.pairs.iter().map(|pair| {
            let text = format!("{} -> {} ({})", pair.test_name, pair.focal_name, pair.rule);
            ((&pair.path, pair.start_byte), text)
        });
        let dropped = self
            .dropped
            .iter()
            .map(|row| ((&row.path, row.start_byte), format!("{}: {}", row.name, row.reason)));
        let mut all: Vec<_> = pairs.chain(dropped).collect();
        all.sort();
        all.into_iter().map(|(_, text)| text).collect()
    }

    /// `rule -> focal`, or `rule: reason`, of the votes of a mode on a test.
    #[track_caller]
    fn vote(&self, mode: &str, test: &str) -> String {
        let of_test = |vote: &&Vote| vote.mode == mode && vote.test_name == test;
        let votes = self.votes.iter().filter(of_test).map(|vote| match vote.focal_name.as_str() {
            "" => format!("{}: {}", vote.rule, vote.answer),
            focal => format!("{} -> {focal}", vote.rule),
        });
        let votes: Vec<String> = votes.collect();
        assert!(!votes.is_empty(), "{mode} has no vote on {test}");
        votes.join(", ")
    }

    /// `mode rule: answer` of every vote on a test.
    fn votes_on(&self, test: &str) -> Vec<String> {
        let votes = self.votes.iter().filter(|vote| vote.test_name == test);
        votes.map(|vote| format!("{} {}: {}", vote.mode, vote.rule, vote.answer)).collect()
    }
}

fn file(path: &str, language: &str, is_test_path: bool, has_test_marker: bool) -> SourceFile {
    SourceFile {
        host: "local".into(),
        repository: "sketch".into(),
        commit: "c0ffee".into(),
        path: path.into(),
        blob_id: format!("blob of {path}").into(),
        start_byte: 0,
        end_byte: 0,
        first_line: 1,
        last_line: 1,
        language: language.into(),
        bytes: 0,
        is_test_path,
        has_test_marker,
        package: String::new(),
        imports: vec![],
        error_count: 0,
        region_kinds: vec![],
        region_starts: vec![],
        region_ends: vec![],
        region_parents: vec![],
        exports: vec![],
        call_owners: vec![],
        call_names: vec![],
        call_receivers: vec![],
        call_arguments: vec![],
        call_starts: vec![],
        call_ends: vec![],
        call_flags: vec![],
        binding_owners: vec![],
        binding_names: vec![],
        binding_types: vec![],
        binding_value_starts: vec![],
        binding_value_ends: vec![],
        text: String::new(),
    }
}

fn callable(
    file: &SourceFile,
    ordinal: u32,
    start_byte: u32,
    qualified_name: String,
    of: &Declared,
) -> CallableRow {
    CallableRow {
        host: file.host.clone(),
        repository: file.repository.clone(),
        commit: file.commit.clone(),
        path: file.path.clone(),
        blob_id: file.blob_id.clone(),
        start_byte,
        end_byte: start_byte + 10,
        first_line: start_byte / 10 + 1,
        last_line: start_byte / 10 + 1,
        id: format!("{}#{ordinal}", file.path),
        ordinal,
        language: file.language.clone(),
        kind: of.kind.into(),
        name: of.name.into(),
        qualified_name,
        parent: of.parent,
        signature_start: 0,
        signature_end: 0,
        body_start: None,
        body_end: None,
        modifiers: vec![],
        annotations: of.annotations.iter().map(|name| (*name).into()).collect(),
        has_test_marker: of.has_test_marker,
        parameter_names: vec![],
        parameter_types: vec![],
        return_type: String::new(),
        supertypes: vec![],
        role: of.role.into(),
        has_error: false,
        recovered: of.recovered,
    }
}

fn test_case(row: &CallableRow) -> TestCaseRow {
    TestCaseRow {
        host: row.host.clone(),
        repository: row.repository.clone(),
        commit: row.commit.clone(),
        path: row.path.clone(),
        blob_id: row.blob_id.clone(),
        start_byte: row.start_byte,
        end_byte: row.end_byte,
        first_line: row.first_line,
        last_line: row.last_line,
        id: row.id.clone(),
        ordinal: row.ordinal,
        language: row.language.clone(),
        name: row.name.clone(),
        qualified_name: row.qualified_name.clone(),
        framework: "".into(),
        kind: "plain".into(),
        disabled: false,
        assertion_names: vec![],
        assertion_starts: vec![],
        assertion_ends: vec![],
        statement_starts: vec![],
        statement_ends: vec![],
    }
}
