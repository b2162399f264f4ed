//! Names: what an assignment names, keys of objects, titles, and the value that a name is given.

use super::walk::{Walk, Whole};
use crate::Span;
use crate::outline::beginning;
use trefoil_syntax::Node;

/// Longest name, path or module text that is repeated for others to refer to (real ones stay below 100).
/// Without it a hostile file of one long name and many short members fills the memory.
const LONGEST_NAME: usize = 200;

/// Longest left side that is taken for a name.
const LONGEST_PATH: usize = 80;

/// Most parentheses, casts and assignments that are looked through for a value.
const MAX_WRAPPINGS: usize = 10;

/// A value that the walk has not reached yet, and its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    /// The id of the value's node.
    pub(super) value: usize,
    /// What comes before the name, joined by dots.
    pub(super) prefix: String,
    /// The name; empty where only the value's own name can tell.
    pub(super) name: String,
    /// It is called on something: a property or a member of a class.
    pub(super) member: bool,
    /// The name under which the file hands it out; `Some("")` for the file's only export.
    pub(super) export: Option<String>,
    /// Members are set-up and teardown of a test module.
    pub(super) hooks: bool,
    pub(super) whole: Whole,
}

impl Named {
    /// The prefix of its members.
    pub(super) fn path(&self) -> String {
        let name = if self.is_exports() { "" } else { self.name.as_str() };
        join(&self.prefix, name)
    }

    /// It stands for all that the file hands out, so that its members are handed out.
    pub(super) fn is_exports(&self) -> bool {
        self.export.as_deref() == Some("")
    }
}

/// The left side of an assignment.
#[derive(Clone, Debug, Default)]
pub(super) struct Target<'text> {
    /// Names but for `module.exports`, `exports`, `this` and `prototype`.
    pub(super) path: Vec<&'text str>,
    /// It begins with `module.exports` or `exports`.
    pub(super) exported: bool,
    /// It is a property of something that is not handed out by the file.
    pub(super) member: bool,
}

impl<'text> Target<'text> {
    /// The target of the text `a.b.c`; none for anything but a short path of names.
    pub(super) fn of(text: &'text str) -> Option<Self> {
        if text.len() > LONGEST_PATH {
            return None;
        }
        let mut path: Vec<&str> = text.split('.').map(str::trim).collect();
        if !path.iter().all(|part| is_name(part)) {
            return None;
        }
        let exports = match path.as_slice() {
            ["module", "exports", ..] => 2,
            ["exports", ..] => 1,
            _ => 0,
        };
        path.drain(..exports);
        let written = path.len();
        path.retain(|part| !matches!(*part, "this" | "prototype"));
        let member = path.len() < written || path.len() > 1;
        (exports > 0 || !path.is_empty()).then_some(Self { path, exported: exports > 0, member })
    }
}

fn is_name(word: &str) -> bool {
    let word = word.strip_prefix('#').unwrap_or(word);
    let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    word.starts_with(|c: char| fits(c) && !c.is_ascii_digit()) && word.chars().all(fits)
}

/// `a` and `b` as `a.b`; either may be empty.
pub(super) fn join(prefix: &str, name: &str) -> String {
    match (prefix.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => cut(&format!("{prefix}.{name}")).to_owned(),
    }
}

/// The beginning of a name.
pub(super) fn cut(text: &str) -> &str {
    beginning(text, LONGEST_NAME)
}

/// On one line, cut to a name's length.
pub(super) fn squeezed(text: &str) -> String {
    // Words are taken from the beginning only, so that a long text costs no more than a short one.
    let start = beginning(text, 2 * LONGEST_NAME);
    cut(&start.split_whitespace().collect::<Vec<_>>().join(" ")).to_owned()
}

/// The text of a string or template between its quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = text.len().checked_sub(1).and_then(|end| text.get(1..end));
    inner.unwrap_or_default()
}

impl<'text> Walk<'text> {
    /// The value without parentheses, `await`, casts and further assignments, whose targets are collected.
    pub(super) fn value_of<'tree>(&self, value: Node<'tree>) -> (Node<'tree>, Vec<Target<'text>>) {
        let grammar = self.grammar;
        let (mut value, mut targets) = (value, Vec::new());
        for _ in 0..MAX_WRAPPINGS {
            let kind = value.kind_id();
            let wraps =
                [grammar.parenthesized, grammar.await_, grammar.as_, grammar.satisfies, grammar.non_null];
            let inner = if kind == grammar.assignment {
                let left = value.child_by_field_id(grammar.left);
                targets.extend(left.and_then(|left| Target::of(self.text_of(left))));
                value.child_by_field_id(grammar.right)
            } else if kind != 0 && wraps.contains(&kind) {
                value.named_child(0)
            } else {
                None
            };
            match inner {
                Some(inner) => value = inner,
                None => break,
            }
        }
        (value, targets)
    }

    /// A key as a name; none for a computed one.
    pub(super) fn key(&self, key: Node) -> Option<&'text str> {
        let grammar = self.grammar;
        let (kind, text) = (key.kind_id(), self.text_of(key));
        if kind == grammar.string {
            Some(cut(unquoted(text)))
        } else if [grammar.property_identifier, grammar.private_name, grammar.number, grammar.shorthand]
            .contains(&kind)
        {
            Some(cut(text))
        } else {
            None
        }
    }

    /// The title of a block: the text of a string, anything else as it is written.
    pub(super) fn title(&self, node: Node) -> String {
        let quoted = [self.grammar.string, self.grammar.template].contains(&node.kind_id());
        let text = self.text_of(node);
        squeezed(if quoted { unquoted(text) } else { text })
    }

    /// The text of a left side, if it is a short path of names.
    pub(super) fn left_side(&self, node: Node) -> Option<&'text str> {
        let text = self.text_of(node);
        (text.len() <= LONGEST_PATH && text.split('.').all(|part| is_name(part.trim()))).then_some(text)
    }

    /// Takes the name that was meant for this value.
    pub(super) fn take_name(&mut self, node: Node) -> Option<Named> {
        self.named.take_if(|named| named.value == node.id())
    }

    /// Whether `value` is something that has a name if it is bound to one.
    pub(super) fn can_be_named(&self, value: Node) -> bool {
        let (grammar, kind) = (self.grammar, value.kind_id());
        grammar.is_function_value(kind) || kind == grammar.class || kind == grammar.object
    }

    /// Gives `value` a name when the walk reaches it, if it is something that has one.
    pub(super) fn name_value(&mut self, value: Node, named: Named) {
        if self.can_be_named(value) {
            self.named = Some(Named { value: value.id(), ..named });
        }
    }
}

/// The span of the text before `end` without white space at its end, from `start`.
pub(super) fn trimmed(text: &str, start: u32, end: u32) -> Span {
    let before = Span { start, end }.of(text);
    Span { start, end: start + before.trim_end().len() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_short_paths_of_names() {
        let path =
            |text| Target::of(text).map(|target| (target.path.join("."), target.exported, target.member));
        assert_eq!(path("f"), Some(("f".into(), false, false)));
        assert_eq!(path("app.use"), Some(("app.use".into(), false, true)));
        assert_eq!(path("Foo.prototype.bar"), Some(("Foo.bar".into(), false, true)));
        assert_eq!(path("Foo.prototype"), Some(("Foo".into(), false, true)));
        assert_eq!(path("this.x"), Some(("x".into(), false, true)));
        assert_eq!(path("module.exports"), Some((String::new(), true, false)));
        assert_eq!(path("exports.a"), Some(("a".into(), true, false)));
        assert_eq!(path("exports.a.b"), Some(("a.b".into(), true, true)));
        assert_eq!(path("this.#x"), Some(("#x".into(), false, true)));
        for text in ["a[0]", "f().x", "{ a }", "this", "", "1"] {
            assert_eq!(path(text), None, "{text}");
        }
    }
}
