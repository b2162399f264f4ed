//! From the tree of a piece of code to one line of text (ConTest, section 4.1): `<[kind]>` and `<[/kind]>` around
//! what a node holds, `<[kind]><[/]>` for one that holds nothing but its usual tokens, and the text of leaves.
//!
//! The parts are separated by single blanks. In leaves white space is shown by signs (`␣ ␊ ␉ ␍`), and `␛` stands
//! before what would be taken for something else. Comments are left out.

use super::Fragment;
use trefoil_syntax::Node;

/// A step of the walk over a piece.
pub(super) enum Event<'t> {
    Open(&'t str),
    /// A node that holds these tokens and nothing else.
    Hollow(&'t str, &'t str),
    Leaf(&'t str),
    Close(&'t str),
}

impl Fragment {
    /// The trees of the piece as one line, from which [`super::unfold`] makes code with the same trees.
    pub fn linear(&self) -> String {
        let mut line = String::with_capacity(self.inside.len() * 4);
        self.walk(&mut |event| {
            if !line.is_empty() {
                line.push(' ');
            }
            match event {
                Event::Open(kind) => push(&mut line, ["<[", kind, "]>"]),
                Event::Hollow(kind, _) => push(&mut line, ["<[", kind, "]> <[/]>"]),
                Event::Leaf(text) => escape(&mut line, text),
                Event::Close(kind) => push(&mut line, ["<[/", kind, "]>"]),
            }
        });
        line
    }

    /// The leaves of the piece as one line, written as [`Self::linear`] writes them.
    pub fn words(&self) -> String {
        let mut line = String::with_capacity(self.inside.len() * 2);
        for token in self.tokens() {
            if !line.is_empty() {
                line.push(' ');
            }
            escape(&mut line, token);
        }
        line
    }

    /// Visits all nodes without recursion.
    pub(super) fn walk<'t>(&'t self, visit: &mut dyn FnMut(Event<'t>)) {
        for root in self.nodes().into_iter().filter(|node| !node.is_extra()) {
            let mut cursor = root.walk();
            loop {
                let node = cursor.node();
                let entered = !node.is_extra() && self.enter(node, visit);
                if entered && cursor.goto_first_child() {
                    continue;
                }
                let mut left = false;
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        left = true;
                        break;
                    }
                    visit(Event::Close(cursor.node().kind()));
                }
                if left {
                    break;
                }
            }
        }
    }

    /// Shows a node; answers whether its children are to follow.
    fn enter<'t>(&'t self, node: Node<'t>, visit: &mut dyn FnMut(Event<'t>)) -> bool {
        let kind = node.kind();
        // A token of several words (`not in`) may have them for children; its kind is what it says.
        let is_named = node.is_named();
        if !is_named || node.child_count() == 0 || (self.rules.is_atom)(kind) || !self.is_covered(node) {
            let text = if is_named { self.text_of(node) } else { kind };
            if !text.is_empty() {
                visit(Event::Leaf(text));
            }
            return false;
        }
        if let Some(tokens) = self.hollow(node, kind) {
            visit(Event::Hollow(kind, tokens));
            return false;
        }
        visit(Event::Open(kind));
        true
    }

    fn text_of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Whether nothing but white space lies between and around the children.
    fn is_covered(&self, node: Node<'_>) -> bool {
        let mut at = node.start_byte();
        for child in node.children() {
            let range = child.byte_range();
            if !self.is_blank(at, range.start) {
                return false;
            }
            at = range.end;
        }
        self.is_blank(at, node.end_byte())
    }

    fn is_blank(&self, from: usize, to: usize) -> bool {
        from >= to || self.text.get(from..to).is_some_and(|gap| gap.trim().is_empty())
    }

    fn hollow(&self, node: Node<'_>, kind: &str) -> Option<&'static str> {
        let (_, tokens) = self.rules.hollow.iter().find(|(own, _)| *own == kind)?;
        let mut wanted = tokens.split(' ');
        let same = node
            .children()
            .filter(|child| !child.is_extra())
            .all(|child| !child.is_named() && wanted.next() == Some(child.kind()));
        (same && wanted.next().is_none()).then_some(tokens)
    }
}

fn push<const N: usize>(line: &mut String, parts: [&str; N]) {
    parts.iter().for_each(|part| line.push_str(part));
}

/// Sign before characters that are meant as they stand.
const ESCAPE: char = '␛';
/// White space and the signs that show it.
const SHOWN: [(char, char); 4] = [(' ', '␣'), ('\n', '␊'), ('\t', '␉'), ('\r', '␍')];
/// Subword vocabularies mark the beginning of a word with it; `␛u` stands for it.
const WORD: char = '▁';

fn escape(line: &mut String, leaf: &str) {
    let mut last = None;
    for character in leaf.chars() {
        match character {
            WORD => line.extend([ESCAPE, 'u']),
            '[' if last == Some('<') => line.extend([ESCAPE, '[']),
            ESCAPE => line.extend([ESCAPE, ESCAPE]),
            _ => match SHOWN.iter().find(|(blank, sign)| *blank == character || *sign == character) {
                Some((blank, sign)) if *blank == character => line.push(*sign),
                Some((_, sign)) => line.extend([ESCAPE, *sign]),
                None => line.push(character),
            },
        }
        last = Some(character);
    }
}

/// The text that a leaf stands for.
pub(super) fn unescape(leaf: &str) -> String {
    let mut text = String::with_capacity(leaf.len());
    let mut characters = leaf.chars();
    while let Some(character) = characters.next() {
        match character {
            ESCAPE => match characters.next() {
                Some('u') => text.push(WORD),
                other => text.extend(other),
            },
            _ => {
                let blank = SHOWN.iter().find(|(_, sign)| *sign == character).map(|(blank, _)| *blank);
                text.push(blank.unwrap_or(character));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_in_a_leaf_looks_like_a_part_of_the_tree() {
        let mut line = String::new();
        escape(&mut line, "a <[block]> ▁b␣␛\n");
        assert_eq!(line, "a␣<␛[block]>␣␛ub␛␣␛␛␊");
    }

    proptest! {
        #[test]
        fn leaves_come_back(leaf in "[a-z<\\[\\]> \\n\\t\\r▁␣␛u]{0,20}") {
            let mut line = String::new();
            escape(&mut line, &leaf);
            prop_assert!(!line.contains([' ', '\n', '▁']) && !line.contains("<["));
            prop_assert_eq!(unescape(&line), leaf);
        }
    }
}
