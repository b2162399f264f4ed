//! From a line of [`super::Fragment::linear`] back to code. The layout is plain: what was written on several lines
//! comes back on few, comments are gone, the tree is the same.

use super::FragmentRules;
use super::linear::unescape;
use crate::Language;

/// Why a line is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// Place of the part that does not fit, counted from 0.
    pub part: usize,
    /// What is wrong with it.
    pub what: String,
}

/// The code of a line of trees.
pub fn unfold(language: &'static Language, line: &str) -> Result<String, Folded> {
    let mut printer = Printer {
        rules: language.fragments,
        code: String::with_capacity(line.len() / 2),
        open: Vec::new(),
        depth: 0,
        breaks: false,
    };
    let mut parts = line.split(' ').filter(|part| !part.is_empty()).enumerate().peekable();
    while let Some((at, part)) = parts.next() {
        let tag = part.strip_prefix("<[").and_then(|rest| rest.strip_suffix("]>"));
        let fault = |what: String| Folded { part: at, what };
        match tag {
            None => printer.leaf(&unescape(part)),
            Some("/") => return Err(fault("`<[/]>` without a node before it".to_owned())),
            Some(tag) => match tag.strip_prefix('/') {
                Some(kind) => printer.close(kind).map_err(fault)?,
                None if parts.next_if(|(_, next)| *next == "<[/]>").is_some() => {
                    printer.hollow(tag).map_err(fault)?;
                }
                None => printer.enter(tag),
            },
        }
    }
    match printer.open.pop() {
        Some(kind) => Err(Folded { part: line.split(' ').count(), what: format!("`{kind}` is not closed") }),
        None => Ok(printer.code),
    }
}

struct Printer<'l> {
    rules: &'static FragmentRules,
    code: String,
    open: Vec<&'l str>,
    /// How many indented lists are open.
    depth: usize,
    /// Whether the next token begins a line.
    breaks: bool,
}

impl<'l> Printer<'l> {
    fn enter(&mut self, kind: &'l str) {
        if self.rules.is_indented && self.rules.lists.contains(&kind) {
            self.depth += 1;
            self.breaks = true;
        }
        self.open.push(kind);
    }

    fn close(&mut self, kind: &str) -> Result<(), String> {
        match self.open.pop() {
            Some(open) if open == kind => {}
            Some(open) => return Err(format!("`{open}` is open and `{kind}` is closed")),
            None => return Err(format!("`{kind}` was not open")),
        }
        if self.rules.is_indented && self.rules.lists.contains(&kind) {
            self.depth -= 1;
            self.breaks = true;
        }
        self.end(kind);
        Ok(())
    }

    fn hollow(&mut self, kind: &'l str) -> Result<(), String> {
        let known = self.rules.hollow.iter().find(|(known, _)| *known == kind);
        let (_, tokens) = known.ok_or_else(|| format!("`{kind}` cannot be without children"))?;
        self.open.push(kind);
        tokens.split(' ').for_each(|token| self.leaf(token));
        self.close(kind)
    }

    /// What comes after a node or a token inside the node that is open.
    fn end(&mut self, kind: &str) {
        let parent = self.open.last();
        let on_line = parent.is_none_or(|parent| {
            self.rules.lines.contains(parent) || (self.rules.is_indented && self.rules.lists.contains(parent))
        });
        self.breaks |= on_line || (self.rules.ends_line)(kind);
    }

    fn leaf(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.breaks = true;
            return;
        }
        let is_directive = self.rules.has_directives && text.starts_with('#');
        // A separator belongs to the line before it.
        if (self.breaks || is_directive) && text != ";" && !self.code.is_empty() {
            self.code.push('\n');
        } else if !self.code.is_empty() {
            self.code.push(' ');
        }
        if self.code.is_empty() || self.code.ends_with('\n') {
            self.code.extend(std::iter::repeat_n("    ", self.depth));
        }
        self.breaks = is_directive;
        self.code.push_str(text.trim_end());
        self.end("");
    }
}
