//! What a model reads and writes (ConTest, section 4.1 and 5.2.1): the four parts of a row as one tree on one line, or
//! as tokens with a marker before each part; the assertions likewise.

use super::sample::is_put_together;
use crate::records::{ContestMethods, ContestRow};
use std::collections::HashMap;
use trefoil_languages::{Folded, Fragment, Guards, Language, Parser, Shape, by_name, unfold};

/// Node around the whole input.
const SOURCE: &str = "source";
/// Node around the target.
const TARGET: &str = "assertions";
/// Node around a method of the parts that may have several.
const METHOD: &str = "called_method";

/// A row as a model takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formed {
    /// Set-up, focal method and contexts.
    pub source: String,
    /// Assertions.
    pub target: String,
}

/// Part of a row that cannot be parsed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unparsed(pub &'static str);

/// Writes rows as trees or tokens. What many rows share is written once.
pub struct Former {
    parser: Parser,
    as_tree: bool,
    known: HashMap<(String, String), Option<String>>,
    known_bytes: usize,
}

/// Text of methods that is kept for the next rows, in bytes.
const KEPT_BYTES: usize = 32 << 20;

impl Former {
    /// Writes trees, or only their tokens.
    pub fn new(as_tree: bool) -> Self {
        Self { parser: Parser::new(Guards::default()), as_tree, known: HashMap::new(), known_bytes: 0 }
    }

    /// The form of a row.
    pub fn form(&mut self, row: &ContestRow) -> Result<Formed, Unparsed> {
        let language = by_name(&row.language).ok_or(Unparsed("language"))?;
        let path = row.meta.test_path.as_str();
        let mut source = Writer { text: String::new(), as_tree: self.as_tree };
        source.open(SOURCE);
        source.open("test_setup");
        self.methods(language, &row.setup_members, &mut source, "setup_members")?;
        source.push(&self.statements(language, path, &row.setup).ok_or(Unparsed("setup"))?);
        source.close("test_setup");
        source.open("focal_method");
        let focal = self.member(language, &row.meta.focal_path, &row.focal_method);
        source.push(&focal.ok_or(Unparsed("focal_method"))?);
        source.close("focal_method");
        for (name, methods) in [("setup_context", &row.setup_context), ("focal_context", &row.focal_context)]
        {
            source.open(name);
            self.methods(language, methods, &mut source, name)?;
            source.close(name);
        }
        source.close(SOURCE);
        let mut target = Writer { text: String::new(), as_tree: self.as_tree };
        target.open(TARGET);
        target.push(&self.statements(language, path, &row.assertions).ok_or(Unparsed("assertions"))?);
        target.close(TARGET);
        Ok(Formed { source: source.text, target: target.text })
    }

    fn methods(
        &mut self,
        language: &'static Language,
        methods: &ContestMethods,
        into: &mut Writer,
        part: &'static str,
    ) -> Result<(), Unparsed> {
        for (path, text) in methods.paths.iter().zip(&methods.texts) {
            let line = self.member(language, path, text).ok_or(Unparsed(part))?;
            into.open(METHOD);
            into.push(&line);
            into.close(METHOD);
        }
        Ok(())
    }

    fn statements(&mut self, language: &'static Language, path: &str, text: &str) -> Option<String> {
        let fragment = self.parser.fragment(language, path, Shape::Statements, text)?;
        Some(self.line(&fragment))
    }

    fn member(&mut self, language: &'static Language, path: &str, text: &str) -> Option<String> {
        // The ending of a path tells the grammar.
        let ending = path.rsplit('.').next().unwrap_or_default();
        let key = (ending.to_owned(), text.to_owned());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let fragment = self.parser.fragment(language, path, Shape::Member, text);
        let line = fragment.map(|fragment| self.line(&fragment));
        self.known_bytes += key.1.len() + line.as_ref().map_or(0, String::len);
        if self.known_bytes > KEPT_BYTES {
            self.known.clear();
            self.known_bytes = 0;
        }
        self.known.insert(key, line.clone());
        line
    }

    fn line(&self, fragment: &Fragment) -> String {
        if self.as_tree { fragment.linear() } else { fragment.words() }
    }

    /// Whether a row is what its parts say: set-up and assertions have the tokens of the test between head and tail,
    /// and every tree unfolds to code of the same tree.
    pub fn check(&mut self, row: &ContestRow) -> Result<(), Unparsed> {
        let language = by_name(&row.language).ok_or(Unparsed("language"))?;
        let path = row.meta.test_path.as_str();
        self.put_together(language, row).ok_or(Unparsed("put_together"))?;
        for text in [&row.setup, &row.assertions] {
            if !self.parser.comes_back(language, path, Shape::Statements, text) {
                return Err(Unparsed("statements_come_back"));
            }
        }
        let parts = [&row.setup_members, &row.setup_context, &row.focal_context];
        let methods = parts.iter().flat_map(|methods| methods.paths.iter().zip(&methods.texts));
        for (path, text) in methods.chain([(&row.meta.focal_path, &row.focal_method)]) {
            if !self.parser.comes_back(language, path, Shape::Member, text) {
                return Err(Unparsed("method_comes_back"));
            }
        }
        Ok(())
    }

    fn put_together(&mut self, language: &'static Language, row: &ContestRow) -> Option<()> {
        let path = row.meta.test_path.as_str();
        let before = row.setup.strip_suffix(row.setup_closing.as_str())?;
        let parts = [&*row.test_head, before, &row.assertions, &row.setup_closing, &row.test_tail];
        let whole = parts.join("\n");
        let whole = self.parser.fragment(language, path, Shape::Member, &whole)?;
        let [setup, assertions] = [&row.setup, &row.assertions]
            .map(|text| self.parser.fragment(language, path, Shape::Statements, text));
        let (setup, assertions) = (setup?, assertions?);
        let (whole, setup, assertions) = (whole.tokens(), setup.tokens(), assertions.tokens());
        // The head ends where the tail leaves as many tokens as there are inside.
        let mut tail = String::new();
        let squeezed: String = row.test_tail.split_whitespace().collect();
        let mut end = whole.len();
        while tail.len() < squeezed.len() {
            end = end.checked_sub(1)?;
            let token: String = whole.get(end)?.split_whitespace().collect();
            tail.insert_str(0, &token);
        }
        let inside = whole.get(end.checked_sub(setup.len() + assertions.len())?..end)?;
        let closes = !row.setup_closing.is_empty();
        (tail == squeezed && is_put_together(inside, &setup, &assertions, closes)).then_some(())
    }
}

/// A tree, or tokens behind markers.
struct Writer {
    text: String,
    as_tree: bool,
}

impl Writer {
    fn open(&mut self, name: &str) {
        // Markers stand before parts; there is none for the whole.
        if self.as_tree || name != SOURCE {
            self.push(&format!("<[{name}]>"));
        }
    }

    fn close(&mut self, name: &str) {
        if self.as_tree {
            self.push(&format!("<[/{name}]>"));
        }
    }

    fn push(&mut self, words: &str) {
        if !words.is_empty() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(words);
        }
    }
}

/// The code of a target's tree, with or without the node around it.
pub fn target_code(language: &'static Language, line: &str) -> Result<String, Folded> {
    let line = line.trim();
    let (open, close) = (format!("<[{TARGET}]>"), format!("<[/{TARGET}]>"));
    let inside = line.strip_prefix(&open).and_then(|rest| rest.strip_suffix(&close));
    unfold(language, inside.unwrap_or(line))
}
