//! Bytes to outline, with guards against hostile input. Parsing cannot fail: the answer is an outline or
//! the [`Problem`] that stands in its place.

use crate::{Language, Outline, TestNames};
use trefoil_syntax::{Excess, Limits, Tree};

/// Limits for one file. All are counted in work and size and none in seconds, so that the same file gives
/// the same answer on a busy machine; the wall clock is watched from outside the process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guards {
    /// Largest file, in bytes.
    pub max_file_bytes: u64,
    /// Deepest nesting of syntax nodes.
    pub max_depth: u32,
    /// Most nodes in one tree.
    pub max_nodes: u32,
    /// Most parser steps per byte of source, in error recovery; sound code needs about one per byte.
    pub max_steps_per_byte: u32,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            max_file_bytes: 2 * 1024 * 1024,
            max_depth: 1_000,
            max_nodes: 2_000_000,
            max_steps_per_byte: 50,
        }
    }
}

/// Why a file has no outline.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Larger than [`Guards::max_file_bytes`].
    FileTooLarge {
        /// Size in bytes.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Holds a NUL byte and no UTF-16 mark.
    Binary {
        /// Position of the first NUL.
        offset: usize,
    },
    /// Text in another encoding than UTF-8.
    NotUtf8 {
        /// What it looks like: `utf-16` by its mark, else `unknown 8-bit`.
        encoding: &'static str,
        /// Position of the first byte that is not UTF-8.
        offset: usize,
    },
    /// The output of a minifier ([`Language::is_minified`]).
    Minified,
    /// Nested more deeply than [`Guards::max_depth`].
    NestedTooDeep {
        /// The limit.
        limit: u32,
    },
    /// More nodes than [`Guards::max_nodes`].
    TooManyNodes {
        /// The limit.
        limit: u32,
    },
    /// The parser needed more steps than allowed.
    ParseTooLong {
        /// The limit in steps.
        limit: u64,
    },
}

impl Problem {
    /// Stable reason word for records.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::FileTooLarge { .. } => "file_too_large",
            Self::Binary { .. } => "binary",
            Self::NotUtf8 { .. } => "not_utf8",
            Self::Minified => "minified",
            Self::NestedTooDeep { .. } => "nested_too_deep",
            Self::TooManyNodes { .. } => "too_many_nodes",
            Self::ParseTooLong { .. } => "parse_too_long",
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::FileTooLarge { bytes, limit } => write!(f, "{bytes} bytes; the limit is {limit}"),
            Self::Binary { offset } => write!(f, "NUL byte at offset {offset}"),
            Self::NotUtf8 { encoding, offset } => write!(f, "{encoding}; not UTF-8 at offset {offset}"),
            Self::Minified => write!(f, "output of a minifier"),
            Self::NestedTooDeep { limit } => write!(f, "syntax nested more than {limit} deep"),
            Self::TooManyNodes { limit } => write!(f, "more than {limit} syntax nodes"),
            Self::ParseTooLong { limit } => write!(f, "the parser was stopped after {limit} steps"),
        }
    }
}

/// Parses texts within guards.
#[derive(Clone, Copy, Debug)]
pub struct Parser {
    guards: Guards,
}

impl Parser {
    /// A parser with these limits.
    pub fn new(guards: Guards) -> Self {
        Self { guards }
    }

    /// Parses `bytes` as `language`. The text is `bytes` itself, so spans are byte ranges of the blob;
    /// a byte order mark of UTF-8 stays in place.
    pub fn outline<'a>(
        &self,
        language: &Language,
        path: &str,
        bytes: &'a [u8],
    ) -> Result<(Outline, &'a str), Problem> {
        self.check(bytes)?;
        let text = std::str::from_utf8(bytes).map_err(not_utf8)?;
        Ok((self.outline_named(language, path, text, None)?, text))
    }

    /// The text that `bytes` are, in their memory.
    pub fn text(&self, bytes: Vec<u8>) -> Result<String, Problem> {
        self.check(&bytes)?;
        String::from_utf8(bytes).map_err(|error| not_utf8(error.utf8_error()))
    }

    /// The outline of a text that was found to be one, in a project that may name its tests otherwise than by
    /// convention.
    pub fn outline_named(
        &self,
        language: &Language,
        path: &str,
        text: &str,
        names: Option<&TestNames>,
    ) -> Result<Outline, Problem> {
        if (language.is_minified)(path, text) {
            return Err(Problem::Minified);
        }
        let tree = self.tree(language, path, text)?;
        let mut outline = match language.extract_named.zip(names) {
            Some((extract, names)) => extract(&tree, text, path, names),
            None => (language.extract)(&tree, text, path),
        };
        crate::fragments::note(language, &tree, text, &mut outline);
        Ok(outline)
    }

    /// The syntax tree of `text`, or of that of its readings with the least errors, or the guard that it hit.
    pub fn tree(&self, language: &Language, path: &str, text: &str) -> Result<Tree, Problem> {
        let tree = self.guarded_tree(language, path, text)?;
        let Some(readings) = language.readings.filter(|_| tree.root_node().has_error()) else {
            return Ok(tree);
        };
        let errors = Errors::of(&tree);
        if errors.count == 0 {
            return Ok(tree); // Such as the missing end of the last line.
        }
        let readings = readings(&tree, text);
        let (mut best, mut least) = (tree, errors);
        for reading in readings {
            // The text itself is within the limits, so there is an answer whatever becomes of its readings.
            let Ok(tree) = self.guarded_tree(language, path, &reading) else { continue };
            let errors = Errors::of(&tree);
            if errors.bytes < least.bytes {
                (best, least) = (tree, errors);
            }
            if least.count == 0 {
                break;
            }
        }
        Ok(best)
    }

    /// Whether `bytes` can be a text at all.
    fn check(&self, bytes: &[u8]) -> Result<(), Problem> {
        let (size, limit) = (bytes.len() as u64, self.guards.max_file_bytes);
        if size > limit {
            return Err(Problem::FileTooLarge { bytes: size, limit });
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(Problem::NotUtf8 { encoding: "utf-16", offset: 0 });
        }
        memchr::memchr(0, bytes).map_or(Ok(()), |offset| Err(Problem::Binary { offset }))
    }

    fn guarded_tree(&self, language: &Language, path: &str, text: &str) -> Result<Tree, Problem> {
        let Guards { max_nodes, max_depth, max_steps_per_byte, .. } = self.guards;
        let limit = (text.len() as u64 + 10_000) * u64::from(max_steps_per_byte);
        let limits = Limits { steps: limit, nodes: max_nodes as usize };
        // A grammar built for another version of tree-sitter is a fault of the build; a test parses with each.
        let tree = Tree::parse(&(language.grammar)(path), text, limits).map_err(|excess| match excess {
            Excess::Steps => Problem::ParseTooLong { limit },
            Excess::Nodes => Problem::TooManyNodes { limit: max_nodes },
        })?;
        if deeper_than(&tree, max_depth) {
            return Err(Problem::NestedTooDeep { limit: max_depth });
        }
        Ok(tree)
    }
}

/// What of a tree is error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Errors {
    /// Error and missing nodes.
    pub(crate) count: u32,
    /// Bytes in error nodes; a missing node counts as one.
    pub(crate) bytes: usize,
}

impl Errors {
    /// Counts by way of the ancestors of errors only.
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut errors = Self::default();
        let mut end = 0;
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() {
                errors.count += 1;
                let inside_another = node.start_byte() < end;
                errors.bytes += if inside_another { 0 } else { node.byte_range().len().max(1) };
                end = end.max(node.end_byte());
            }
            if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return errors;
                }
            }
        }
    }
}

fn not_utf8(error: std::str::Utf8Error) -> Problem {
    Problem::NotUtf8 { encoding: "unknown 8-bit", offset: error.valid_up_to() }
}

/// A subtree cannot be deeper than it has nodes, so that in ordinary code only the few largest are entered.
fn deeper_than(tree: &Tree, limit: u32) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        if depth > limit {
            return true;
        }
        // The count includes the node itself.
        let fits = depth as usize + cursor.node().descendant_count() - 1 <= limit as usize;
        if !fits && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}
