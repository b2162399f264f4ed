//! Putting a context together from spans of a file. Knows positions and lines, no language.

use crate::export::FileView;
use trefoil_languages::Span;

/// Collects kept spans line by line and leaves out what lies in `cuts`.
pub(super) struct ContextWriter<'a> {
    text: &'a str,
    cuts: Vec<Span>,
    context: String,
}

impl<'a> ContextWriter<'a> {
    /// A writer over the file's text. `cuts` are left out of every kept span, in any order.
    pub(super) fn new(view: &FileView<'a>, cuts: impl Iterator<Item = Span>) -> Self {
        Self { text: view.text(), cuts: disjoint(cuts.collect()), context: String::new() }
    }

    /// Writes the text of `span` on lines of its own, indented as in the file, and `tail` after it.
    pub(super) fn keep(&mut self, span: Span, tail: &str) {
        self.keep_at(self.indentation(span), span, tail);
    }

    /// The same with another indentation of the first line; the lines below move along.
    pub(super) fn keep_at(&mut self, indentation: &str, span: Span, tail: &str) {
        self.write(indentation, "", span, tail);
    }

    /// The same to the left of the line and behind `words`, which the file may have once for many.
    pub(super) fn keep_behind(&mut self, words: &str, span: Span) {
        self.write("", words, span, "");
    }

    fn write(&mut self, indentation: &str, words: &str, span: Span, tail: &str) {
        let kept = without(self.text, span, self.cuts_in(span));
        if kept.trim().is_empty() {
            return;
        }
        let own = self.indentation(span);
        let mut lines = kept.trim_end().split('\n');
        self.context.push_str(indentation);
        self.context.push_str(words);
        self.context.push_str(lines.next().unwrap_or_default());
        for line in lines {
            self.context.push('\n');
            let moved = line.strip_prefix(own);
            self.context.push_str(if moved.is_some() { indentation } else { "" });
            self.context.push_str(moved.unwrap_or(line));
        }
        self.context.push_str(tail);
        self.context.push('\n');
    }

    /// White space at the start of the line on which `span` starts.
    pub(super) fn indentation(&self, span: Span) -> &'a str {
        indentation(self.text, span.start as usize)
    }

    /// Writes `words` on a line of their own, indented like the line on which `at` starts.
    pub(super) fn line(&mut self, at: Span, words: &str) {
        self.context.push_str(self.indentation(at));
        self.context.push_str(words);
        self.context.push('\n');
    }

    /// The context without a line end at its end.
    pub(super) fn finish(mut self) -> String {
        self.context.truncate(self.context.trim_end().len());
        self.context
    }

    fn cuts_in(&self, span: Span) -> &[Span] {
        let from = self.cuts.partition_point(|cut| cut.end <= span.start);
        let to = self.cuts.partition_point(|cut| cut.start < span.end);
        self.cuts.get(from..to).unwrap_or_default()
    }
}

/// The text of `span` without `cuts`, which are disjoint and in order. Lines that a cut leaves blank go
/// with it; other blank lines stay, since they may lie in a string.
fn without(text: &str, span: Span, cuts: &[Span]) -> String {
    let (mut position, end) = (span.start as usize, span.end as usize);
    let mut kept = String::new();
    for cut in cuts {
        let cut_start = (cut.start as usize).clamp(position, end);
        let cut_end = (cut.end as usize).clamp(cut_start, end);
        kept.push_str(text.get(position..cut_start).unwrap_or_default());
        let rest = text.get(cut_end..end).unwrap_or_default();
        let after = rest.trim_start_matches([' ', '\t', '\r']);
        let bare = kept.trim_end_matches([' ', '\t']);
        let (before, starts_line) = (bare.len(), bare.is_empty() || bare.ends_with('\n'));
        position = end - after.len();
        if after.is_empty() || after.starts_with('\n') {
            kept.truncate(before);
            position += usize::from(starts_line && !after.is_empty());
        } else if !starts_line {
            let around = before < kept.len() && after.len() < rest.len();
            kept.truncate(before);
            let glued = kept.ends_with(is_word) && after.starts_with(is_word);
            kept.push_str(if around || glued { " " } else { "" });
        }
    }
    kept.push_str(text.get(position..end).unwrap_or_default());
    kept
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// White space at the start of the line of `position`.
fn indentation(text: &str, position: usize) -> &str {
    let before = text.get(..position).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.strip_suffix(line.trim_start_matches([' ', '\t'])).unwrap_or_default()
}

/// Sorted spans with those dropped that start inside an earlier one.
fn disjoint(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut end = 0;
    spans.retain(|span| {
        let apart = span.start >= end && span.start < span.end;
        end = if apart { span.end } else { end };
        apart
    });
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, pieces: &[&str]) -> String {
        let spans = pieces.iter().map(|piece| {
            let start = u32::try_from(text.find(piece).unwrap()).unwrap();
            Span { start, end: start + u32::try_from(piece.len()).unwrap() }
        });
        let whole = Span { start: 0, end: u32::try_from(text.len()).unwrap() };
        without(text, whole, &disjoint(spans.collect()))
    }

    #[test]
    fn a_comment_on_lines_of_its_own_takes_them_along() {
        assert_eq!(cut("a\n  // x\n  b\n", &["// x"]), "a\n  b\n");
        assert_eq!(cut("  /* x\n y */\nb", &["/* x\n y */"]), "b");
        assert_eq!(cut("a\r\n // x\r\nb", &["// x"]), "a\r\nb");
    }

    #[test]
    fn a_comment_at_the_end_of_a_line_leaves_the_line() {
        assert_eq!(cut("a(); // x\nb();", &["// x"]), "a();\nb();");
        assert_eq!(cut("a(); // x", &["// x"]), "a();");
    }

    #[test]
    fn a_comment_inside_a_line_never_glues_words() {
        assert_eq!(cut("int/* x */a", &["/* x */"]), "int a");
        assert_eq!(cut("f(/* x */ 1 /* y */)", &["/* x */", "/* y */"]), "f(1)");
        assert_eq!(cut("a = /* x */ 1;\n  /* y */ b", &["/* x */", "/* y */"]), "a = 1;\n  b");
    }

    #[test]
    fn blank_lines_of_strings_stay() {
        assert_eq!(cut("s = \"\"\"a\n\nb\"\"\"; // x", &["// x"]), "s = \"\"\"a\n\nb\"\"\";");
    }

    #[test]
    fn neighbouring_and_nested_cuts() {
        assert_eq!(cut("a\n// x\n// y\nb", &["// x", "// y"]), "a\nb");
        assert_eq!(cut("a {x // y\n} b", &["{x // y\n}", "// y"]), "a b");
    }
}
