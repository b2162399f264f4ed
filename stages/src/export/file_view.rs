//! One file as exports look at it: text, regions and declarations, put together from rows of parsing.
//! Knows no language and no data set.

use crate::TableError;
use crate::records::{CallableRow, Pair, SourceFile};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use trefoil_languages::{Region, RegionKind, Role, Span};

/// A file with its declarations. Whatever several pairs of one file need is computed once and kept.
pub struct FileView<'a> {
    file: &'a SourceFile,
    callables: Vec<&'a CallableRow>,
    regions: Vec<Region>,
    characters: OnceCell<usize>,
    uncommented: OnceCell<SourceFile>,
    squeezed: OnceCell<String>,
    contexts: RefCell<Contexts>,
    squeezed_contexts: RefCell<Contexts>,
}

/// Contexts by the class (or function) around the test.
type Contexts = HashMap<Option<u32>, Arc<str>>;

impl<'a> FileView<'a> {
    /// The view of `file`; `callables` are its declarations in any order.
    pub fn new(file: &'a SourceFile, mut callables: Vec<&'a CallableRow>) -> Self {
        callables.sort_by_key(|callable| callable.ordinal);
        Self {
            file,
            callables,
            regions: regions(file),
            characters: OnceCell::new(),
            uncommented: OnceCell::new(),
            squeezed: OnceCell::new(),
            contexts: RefCell::default(),
            squeezed_contexts: RefCell::default(),
        }
    }

    /// The file's row.
    pub fn file(&self) -> &'a SourceFile {
        self.file
    }

    /// Whole text.
    pub fn text(&self) -> &'a str {
        &self.file.text
    }

    /// The declarations in order of their ordinals.
    pub fn callables(&self) -> &[&'a CallableRow] {
        &self.callables
    }

    /// The declaration with this ordinal.
    pub fn callable(&self, ordinal: u32) -> Option<&'a CallableRow> {
        self.callables.get(ordinal as usize).copied().filter(|callable| callable.ordinal == ordinal)
    }

    /// The regions in order of their starts.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Spans of the regions of this kind.
    pub fn spans(&self, kind: RegionKind) -> impl Iterator<Item = Span> {
        self.regions.iter().filter(move |region| region.kind == kind).map(|region| region.span)
    }

    /// Spans of all tests of the file.
    pub fn test_spans(&self) -> impl Iterator<Item = Span> {
        self.callables.iter().filter(|callable| is_test(callable)).map(|callable| span(callable))
    }

    /// The declarations around this one, innermost first.
    pub fn around(&self, callable: &CallableRow) -> impl Iterator<Item = &'a CallableRow> {
        // Parents have smaller ordinals; the filter keeps a damaged table from making a cycle.
        let parent =
            |of: &CallableRow| of.parent.filter(|parent| *parent < of.ordinal).and_then(|p| self.callable(p));
        std::iter::successors(parent(callable), move |around| parent(around))
    }

    /// Characters of the text.
    pub fn characters(&self) -> usize {
        *self.characters.get_or_init(|| self.text().chars().count())
    }

    /// The file with spaces in place of its comments, so that every span stays what it is.
    pub fn uncommented(&self) -> &SourceFile {
        self.uncommented.get_or_init(|| uncommented(self.file, self.spans(RegionKind::Comment)))
    }

    /// The text without comments and any white space, for comparisons.
    pub fn squeezed(&self) -> &str {
        self.squeezed.get_or_init(|| squeeze(&self.uncommented().text))
    }

    /// What `make` gives for the class (or function) with this ordinal, computed on the first call.
    pub(super) fn context(&self, parent: Option<u32>, make: impl FnOnce() -> String) -> Arc<str> {
        kept(&self.contexts, parent, make)
    }

    /// The same without comments and any white space; `make` gets the view of the file without comments.
    pub(super) fn squeezed_context(
        &self,
        parent: Option<u32>,
        make: impl FnOnce(&FileView<'_>) -> String,
    ) -> Arc<str> {
        kept(&self.squeezed_contexts, parent, || {
            squeeze(&make(&FileView::new(self.uncommented(), self.callables.clone())))
        })
    }
}

fn kept(contexts: &RefCell<Contexts>, parent: Option<u32>, make: impl FnOnce() -> String) -> Arc<str> {
    if let Some(context) = contexts.borrow().get(&parent) {
        return context.clone();
    }
    let context: Arc<str> = make().into();
    contexts.borrow_mut().insert(parent, context.clone());
    context
}

/// Spaces take as many bytes as the comment; its line ends stay.
fn uncommented(file: &SourceFile, comments: impl Iterator<Item = Span>) -> SourceFile {
    let mut text = Vec::with_capacity(file.text.len());
    let between = |start: usize, end: usize| file.text.get(start..end).unwrap_or_default().as_bytes();
    for comment in comments.filter(|comment| comment.end as usize <= file.text.len()) {
        let (start, end) = (comment.start as usize, comment.end as usize);
        // A comment that starts inside the last one is gone already.
        if start < text.len() {
            continue;
        }
        text.extend_from_slice(between(text.len(), start));
        text.extend(between(start, end).iter().map(|&byte| if byte == b'\n' { b'\n' } else { b' ' }));
    }
    text.extend_from_slice(between(text.len(), file.text.len()));
    let is_code = |kind: &str| RegionKind::from_word(kind) != Some(RegionKind::Comment);
    let code: Vec<usize> =
        file.region_kinds.iter().enumerate().filter(|(_, kind)| is_code(kind)).map(|(at, _)| at).collect();
    let numbers = |column: &[u32]| code.iter().filter_map(|&at| column.get(at).copied()).collect();
    SourceFile {
        region_kinds: code.iter().filter_map(|&at| file.region_kinds.get(at).cloned()).collect(),
        region_starts: numbers(&file.region_starts),
        region_ends: numbers(&file.region_ends),
        region_parents: numbers(&file.region_parents),
        text: String::from_utf8(text).unwrap_or_default(),
        ..file.clone()
    }
}

/// The views of one repository's files, by path.
pub struct FileViews<'a>(BTreeMap<&'a str, FileView<'a>>);

impl<'a> FileViews<'a> {
    /// Views of `files`, each with those of `callables` that lie in it.
    pub fn new(files: &'a [SourceFile], callables: &'a [CallableRow]) -> Self {
        let mut by_path: HashMap<&str, Vec<&CallableRow>> = HashMap::new();
        for callable in callables {
            by_path.entry(&callable.path).or_default().push(callable);
        }
        let view = |file: &'a SourceFile| {
            let callables = by_path.remove(file.path.as_ref()).unwrap_or_default();
            (file.path.as_ref(), FileView::new(file, callables))
        };
        Self(files.iter().map(view).collect())
    }

    /// The view of the file at a path.
    pub fn of(&self, path: &str) -> Option<&FileView<'a>> {
        self.0.get(path)
    }

    /// The views of the test's and the focal method's file.
    pub fn sides(&self, pair: &Pair) -> Result<(&FileView<'a>, &FileView<'a>), TableError> {
        let view = |path: &str, blob_id: &str| match self.0.get(path) {
            Some(view) if *view.file.blob_id == *blob_id => Ok(view),
            Some(_) => Err(damaged(pair, path, "has another blob id in the table of source files")),
            None => Err(damaged(pair, path, "is missing in the table of source files")),
        };
        let test = view(&pair.path, &pair.blob_id)?;
        match test.callable(pair.test_ordinal) {
            Some(callable) if callable.id == pair.test_id => {}
            _ => return Err(damaged(pair, &pair.path, "lacks the test in the table of callables")),
        }
        Ok((test, view(&pair.focal_path, &pair.focal_blob_id)?))
    }
}

/// `text` without any white space.
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The whole declaration.
pub(super) fn span(callable: &CallableRow) -> Span {
    Span { start: callable.start_byte, end: callable.end_byte }
}

fn is_test(callable: &CallableRow) -> bool {
    callable.role == Role::Test.as_str()
}

fn regions(file: &SourceFile) -> Vec<Region> {
    let spans = file.region_starts.iter().zip(&file.region_ends);
    let mut regions: Vec<Region> = file
        .region_kinds
        .iter()
        .zip(spans.zip(&file.region_parents))
        .filter_map(|(kind, ((&start, &end), parent))| {
            let kind = RegionKind::from_word(kind)?;
            Some(Region { kind, span: Span { start, end }, parent: parent.checked_sub(1) })
        })
        .collect();
    regions.sort_by_key(|region| region.span);
    regions
}

fn damaged(pair: &Pair, path: &str, what: &str) -> TableError {
    let test = &pair.test_name;
    TableError(
        format!(
            "{}/{}: {path}, named by the pair of test {test}, {what}; parse the repository anew",
            pair.host, pair.repository
        )
        .into(),
    )
}
