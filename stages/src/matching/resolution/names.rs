//! Look-ups by name, built once for the files of a language.

use super::super::hash::HashMap;
use super::super::index::{File, Index};
use super::Key;
use super::rules::Rules;
use std::cell::OnceCell;
use trefoil_languages::CallableKind;

/// By folder and name, a file and a position in it.
type OfFolders<'a> = HashMap<(&'a str, &'a str), (u32, usize)>;

/// Declarations and modules by name, and the bindings of each file.
pub(super) struct Names<'a> {
    callables: HashMap<&'a str, Vec<Key>>,
    types: HashMap<&'a str, Vec<Key>>,
    modules: HashMap<String, Vec<u32>>,
    files: HashMap<&'a str, u32>,
    folders: HashMap<&'a str, Vec<u32>>,
    bindings: Vec<OnceCell<Vec<u32>>>,
    /// The first binding of a name that stands outside all declarations, by folder and name, with its file.
    of_folders: OnceCell<OfFolders<'a>>,
    /// Bindings by the spans of their values, in order.
    values: Vec<OnceCell<Vec<(u32, u32, u32)>>>,
    /// Calls by their spans, in order.
    calls: Vec<OnceCell<Vec<(u32, u32, u32)>>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(index: &'a Index<'a>, language: &str, rules: &Rules) -> Self {
        let mut names = Self {
            callables: HashMap::default(),
            types: HashMap::default(),
            modules: HashMap::default(),
            files: HashMap::default(),
            folders: HashMap::default(),
            bindings: vec![OnceCell::new(); index.files.len()],
            of_folders: OnceCell::new(),
            values: vec![OnceCell::new(); index.files.len()],
            calls: vec![OnceCell::new(); index.files.len()],
        };
        for (at, file) in (0..).zip(&index.files).filter(|(_, file)| file.row.language == language) {
            let path = file.row.path.as_str();
            names.files.insert(path, at);
            names.folders.entry(folder(path)).or_default().push(at);
            for module in (rules.modules)(path) {
                names.modules.entry(module).or_default().push(at);
            }
            for declaration in file.declarations {
                let kind = CallableKind::from_word(&declaration.kind);
                let key = Key { file: at, ordinal: declaration.ordinal };
                let into = match kind {
                    Some(CallableKind::Block) | None => continue,
                    Some(kind) if kind.is_type() => &mut names.types,
                    Some(_) => &mut names.callables,
                };
                into.entry(declaration.name.as_str()).or_default().push(key);
            }
        }
        names
    }

    /// Functions, methods and constructors of a name.
    pub(super) fn callables(&self, name: &str) -> &[Key] {
        self.callables.get(name).map_or(&[], Vec::as_slice)
    }

    /// Those of them in one file.
    pub(super) fn callables_in(&self, file: u32, name: &str) -> &[Key] {
        in_file(self.callables(name), file)
    }

    /// Types of a name.
    pub(super) fn types(&self, name: &str) -> &[Key] {
        self.types.get(name).map_or(&[], Vec::as_slice)
    }

    /// Those of them in one file.
    pub(super) fn types_in(&self, file: u32, name: &str) -> &[Key] {
        in_file(self.types(name), file)
    }

    /// The files that are imported by a name.
    pub(super) fn modules(&self, name: &str) -> &[u32] {
        self.modules.get(name).map_or(&[], Vec::as_slice)
    }

    /// The file at a path.
    pub(super) fn file(&self, path: &str) -> Option<u32> {
        self.files.get(path).copied()
    }

    /// The files of a folder.
    pub(super) fn folder(&self, path: &str) -> &[u32] {
        self.folders.get(path).map_or(&[], Vec::as_slice)
    }

    /// The bindings of a name in a file, by their positions there, in order.
    pub(super) fn bindings<'s>(
        &'s self,
        at: u32,
        file: &File<'a>,
        name: &'s str,
    ) -> impl Iterator<Item = usize> + use<'s, 'a> {
        let names = &file.row.binding_names;
        let sorted = self.bindings.get(at as usize).map_or(&[][..], |cell| {
            cell.get_or_init(|| {
                let mut order: Vec<u32> = (0..names.len() as u32).collect();
                order.sort_by_key(|at| names.get(*at as usize));
                order
            })
        });
        let name_of = |at: &u32| names.get(*at as usize).map_or("", |name| name.as_str());
        let from = sorted.partition_point(|at| name_of(at) < name);
        let rest = sorted.get(from..).unwrap_or_default();
        let len = rest.partition_point(|at| name_of(at) == name);
        rest.get(..len).unwrap_or_default().iter().map(|at| *at as usize)
    }

    /// The first binding of a name outside all declarations of the files in a folder: its file, and its position there.
    pub(super) fn binding_in(&self, folder: &str, index: &Index<'a>, name: &str) -> Option<(u32, usize)> {
        let of_folders = self.of_folders.get_or_init(|| {
            let mut first = HashMap::default();
            for (folder, files) in &self.folders {
                for (at, file) in files.iter().filter_map(|at| Some((*at, index.files.get(*at as usize)?))) {
                    let bindings = file.row.binding_names.iter().zip(&file.row.binding_owners.0).enumerate();
                    for (place, (name, _)) in bindings.filter(|(_, (_, owner))| owner.is_none()) {
                        first.entry((*folder, name.as_str())).or_insert((at, place));
                    }
                }
            }
            first
        });
        of_folders.get(&(folder, name)).copied()
    }

    /// What the value that begins at a place and goes at least as far as `end` is bound to, as written.
    pub(super) fn binding_from(&self, file: &File<'a>, start: u32, end: u32) -> Option<&'a str> {
        let row = file.row;
        let in_order = || in_order(&row.binding_value_starts, &row.binding_value_ends);
        let values = self.values.get(file.position as usize)?.get_or_init(in_order);
        let from = values.partition_point(|value| (value.0, value.1) < (start, end));
        let value = values.get(from).filter(|value| value.0 == start)?;
        row.binding_names.get(value.2 as usize).map(|name| name.as_str())
    }

    /// The call with this span.
    pub(super) fn call_at(&self, at: u32, index: &Index<'a>, start: u32, end: u32) -> Option<usize> {
        at_span(self.calls_of(at, index)?, (start, end))
    }

    /// The longest call that begins at `start` and ends by `end` and before `limit`, with its end.
    pub(super) fn call_before(
        &self,
        at: u32,
        index: &Index<'a>,
        (start, end, limit): (u32, u32, u32),
    ) -> Option<(usize, u32)> {
        let calls = self.calls_of(at, index)?;
        let after = calls.partition_point(|call| call.0 < start || (call.0 == start && call.1 <= end));
        let before = calls.get(..after)?.iter().rev();
        let mut same_start = before.take_while(|call| call.0 == start);
        same_start.find(|call| call.1 < limit).map(|call| (call.2 as usize, call.1))
    }

    fn calls_of(&self, at: u32, index: &Index<'a>) -> Option<&[(u32, u32, u32)]> {
        let row = index.files.get(at as usize)?.row;
        let calls = self.calls.get(at as usize)?.get_or_init(|| in_order(&row.call_starts, &row.call_ends));
        Some(calls)
    }
}

/// Spans with their places, in the order of the text.
fn in_order(starts: &[u32], ends: &[u32]) -> Vec<(u32, u32, u32)> {
    let spans = starts.iter().zip(ends).zip(0..);
    let mut all: Vec<_> = spans.map(|((start, end), place)| (*start, *end, place)).collect();
    all.sort_unstable();
    all
}

/// The place of a span.
fn at_span(spans: &[(u32, u32, u32)], span: (u32, u32)) -> Option<usize> {
    let from = spans.partition_point(|own| (own.0, own.1) < span);
    spans.get(from).filter(|own| (own.0, own.1) == span).map(|own| own.2 as usize)
}

fn in_file(keys: &[Key], file: u32) -> &[Key] {
    let from = keys.partition_point(|key| key.file < file);
    let to = keys.partition_point(|key| key.file <= file);
    keys.get(from..to).unwrap_or_default()
}

/// The folder of a path, without the slash.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
