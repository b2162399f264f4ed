//! Conditional compilation. The grammar takes `#if` where whole declarations, statements or expressions stand
//! in its branches. Elsewhere (`#if` around a `case`, an `else`, an argument, half a parameter list) its
//! branches make no sense side by side, and the file is read again with one of them.
//!
//! Which symbols are defined is not known here. The first branch is taken before others: most directives have
//! no `#else`, and where they do, the first is the one that says what the code is for.

use crate::Span;
use std::collections::HashSet;
use std::ops::Range;
use trefoil_syntax::Tree;

/// The text with the branches of some or all directives resolved, in the order in which to try them.
pub(super) fn readings(tree: &Tree, text: &str) -> Vec<String> {
    let seen = Seen::of(tree);
    let groups = groups(text, &seen);
    let is_broken = |group: &&Group| !seen.sound.contains(&group.start());
    let broken: Vec<&Group> = groups.iter().filter(is_broken).collect();
    let all: Vec<&Group> = groups.iter().collect();
    let mut readings = Vec::new();
    for (groups, taken) in
        [(&broken, Taken::First), (&broken, Taken::Last), (&all, Taken::First), (&all, Taken::Last)]
    {
        let reading = resolved(text, groups, taken);
        if reading != text && !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings
}

/// Which branch stays. The last is the `#else`, or nothing where there is none.
#[derive(Clone, Copy, PartialEq)]
enum Taken {
    First,
    Last,
}

/// `#if` to `#endif`: the lines of its directives, at least two.
struct Group {
    directives: Vec<Range<usize>>,
    has_else: bool,
}

impl Group {
    /// Where the `#` of `#if` stands.
    fn start(&self) -> usize {
        self.directives.first().map_or(0, |line| line.start)
    }
}

/// What the tree tells of directives, from one pass over it.
#[derive(Default)]
struct Seen {
    /// Places of each `#if` that the grammar could take.
    sound: HashSet<usize>,
    /// Comments and the contents of strings, in order: a directive in one is none.
    quoted: Vec<Range<usize>>,
}

impl Seen {
    fn of(tree: &Tree) -> Self {
        let mut seen = Self::default();
        let mut cursor = tree.walk();
        // The groups around the cursor: depth and place.
        let mut around: Vec<(u32, usize)> = Vec::new();
        loop {
            let node = cursor.node();
            let kind = node.kind();
            if node.is_error() || node.is_missing() {
                // The innermost group is to blame.
                if let Some((_, start)) = around.last() {
                    seen.sound.remove(start);
                }
            } else if kind.starts_with("preproc_if") {
                seen.sound.insert(node.start_byte());
                around.push((cursor.depth(), node.start_byte()));
            } else if kind == "comment"
                || (kind.contains("string") && kind != "interpolated_string_expression")
            {
                seen.quoted.push(node.byte_range());
            }
            if cursor.goto_first_child() {
                continue;
            }
            loop {
                if around.last().is_some_and(|(depth, _)| *depth >= cursor.depth()) {
                    around.pop();
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return seen;
                }
            }
        }
    }

    fn is_quoted(&self, at: usize) -> bool {
        let before = self.quoted.partition_point(|range| range.start <= at);
        before.checked_sub(1).and_then(|last| self.quoted.get(last)).is_some_and(|range| at < range.end)
    }
}

/// All groups in the order of their ends, inner before outer.
fn groups(text: &str, seen: &Seen) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut open: Vec<Group> = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let written = line.trim_end_matches(['\r', '\n']);
        let indented = written.len() - written.trim_start_matches([' ', '\t', '\u{feff}']).len();
        let directive = line_start + indented..line_start + written.len();
        line_start += line.len();
        let Some(word) = text.get(directive.clone()).and_then(word) else { continue };
        if seen.is_quoted(directive.start) {
            continue;
        }
        match word {
            "if" => open.push(Group { directives: vec![directive], has_else: false }),
            "elif" | "else" => {
                if let Some(group) = open.last_mut() {
                    group.directives.push(directive);
                    group.has_else = word == "else";
                }
            }
            "endif" => {
                if let Some(mut group) = open.pop() {
                    group.directives.push(directive);
                    groups.push(group);
                }
            }
            _ => {}
        }
    }
    groups
}

/// Where a declaration begins that holds the `#endif` of an `#if` before it: `#if A` around its attributes, or
/// around one of two signatures. Without that line its text would be none, nor what is left without it.
pub(super) fn opening(text: &str, declaration: Span) -> Option<Span> {
    let inside = declaration.of(text);
    if !inside.contains("#e") && !inside.contains("# e") {
        return None;
    }
    let mut depth = 0_i32;
    let closes = inside.lines().any(|line| {
        let word = word(line.trim_start());
        depth += i32::from(word == Some("if")) - i32::from(word == Some("endif"));
        depth < 0
    });
    let before = text.get(..declaration.start as usize).filter(|_| closes)?;
    let mut open = 1_i32;
    let mut start = before.len();
    for line in before.split_inclusive('\n').rev() {
        start -= line.len();
        let bare = line.trim_start_matches([' ', '\t', '\u{feff}']);
        let word = word(bare.trim_end());
        open += i32::from(word == Some("endif")) - i32::from(word == Some("if"));
        if open == 0 {
            let start = start + (line.len() - bare.len());
            return Some(Span { start: start as u32, ..declaration });
        }
        // Code that belongs to another declaration stands between.
        if word.is_none() && line.contains(['}', ';']) {
            return None;
        }
    }
    None
}

/// `if` of `# if A`.
fn word(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('#')?.trim_start();
    rest.split(|next: char| !next.is_ascii_alphabetic()).next()
}

/// The text with spaces for the directives of `groups` and for the branches that are not taken.
fn resolved(text: &str, groups: &[&Group], taken: Taken) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut blank = |range: Range<usize>| {
        for byte in bytes.get_mut(range).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    };
    for group in groups {
        let branches = group.directives.len() - 1;
        let stays = match taken {
            Taken::First => Some(0),
            Taken::Last => group.has_else.then(|| branches - 1),
        };
        for (branch, pair) in group.directives.windows(2).enumerate() {
            if let [from, to] = pair {
                let end = if stays == Some(branch) { from.end } else { to.start };
                blank(from.start..end);
            }
        }
        group.directives.last().into_iter().for_each(|line| blank(line.clone()));
    }
    // Whole lines are blank, so no character is cut; a text that came out otherwise would be no reading.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let tree =
            Tree::parse(&tree_sitter_c_sharp::LANGUAGE.into(), text, trefoil_syntax::Limits::NONE).unwrap();
        let readings = readings(&tree, text);
        assert!(readings.iter().all(|reading| reading.len() == text.len()));
        assert!(readings.iter().all(|reading| reading.lines().count() == text.lines().count()));
        readings
    }

    #[test]
    fn what_the_grammar_can_take_stays_as_it_is() {
        let sound = "#if A\nclass A {}\n#endif\n";
        let broken = "class B : C\n#if É\n, D // é\n#else\n, E\n#endif\n{}\n";
        let found = read(&format!("{sound}{broken}"));
        let first = broken.replace("#if É", "      ").replace("#else\n, E\n#endif", "     \n   \n      ");
        let last =
            broken.replace("#if É\n, D // é\n#else", "      \n         \n     ").replace("#endif", "      ");
        assert_eq!(found[..2], [format!("{sound}{first}"), format!("{sound}{last}")]);
    }

    #[test]
    fn nested_and_unfinished_directives() {
        let text = "int x = f(1,\r\n#if A\r\n# if B\r\n2,\r\n# endif\r\n#elif C\r\n3,\r\n#endif\r\n4);\r\n#if D\r\n#else";
        let found = read(text);
        let squeezed: Vec<String> =
            found.iter().map(|reading| reading.split_whitespace().collect()).collect();
        assert_eq!(squeezed, ["intx=f(1,2,4);#ifD#else", "intx=f(1,4);#ifD#else"]);
    }

    /// The line on which the declaration begins that the text has behind `name`.
    fn begins<'t>(text: &'t str, name: &str) -> Option<&'t str> {
        let start = text.find(name).unwrap() as u32;
        let end = text.rfind('}').unwrap() as u32;
        opening(text, Span { start, end }).map(|span| text[span.start as usize..].lines().next().unwrap())
    }

    #[test]
    fn a_declaration_begins_with_the_condition_that_ends_in_it() {
        let attributes = "class A {\n  void Z() {}\n  #if NET6\n  [B]\n  #endif\n  void C() {}\n}";
        assert_eq!(begins(attributes, "[B]"), Some("#if NET6"));
        let signatures = "class A {\n#if X\n  void C(int a)\n#else\n  void C(long a)\n#endif\n  {}\n}";
        assert_eq!(begins(signatures, "void C(int"), Some("#if X"));
        assert_eq!(begins(signatures, "void C(long"), Some("#if X"));
        let whole = "class A {\n  void C() {\n#if X\n#else\n#endif\n  }\n}";
        assert_eq!(begins(whole, "void C"), None);
        let others = "class A {\n#if X\n  void B() {}\n  void C()\n#endif\n  {}\n}";
        assert_eq!(begins(others, "void C"), None);
    }

    #[test]
    fn directives_in_strings_and_comments_are_none() {
        let text = "class A { int x = f(; string s = @\"\n#if A\n\"; /*\n#endif\n*/ }\n";
        assert_eq!(read(text), [] as [&str; 0]);
    }
}
