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
        let kept = without(self.text, span, self.cuts_in(span));
        if !kept.trim().is_empty() {
            self.line(span, &format!("{}{tail}", kept.trim_end()));
        }
    }

    /// Writes `words` on lines of their own, indented like the line on which `at` starts.
    pub(super) fn line(&mut self, at: Span, words: &str) {
        self.context.push_str(indentation(self.text, at.start as usize));
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
pub(super) fn without(text: &str, span: Span, cuts: &[Span]) -> String {
    let (mut position, end) = (span.start as usize, span.end as usize);
    let mut kept = String::new();
    for cut in cuts {
        let cut_start = (cut.start as usize).clamp(position, end);
        let cut_end = (cut.end as usize).clamp(cut_start, end);
        kept.push_str(text.get(position..cut_start).unwrap_or_default());
        let rest = text.get(cut_end..end).unwrap_or_default();
        let after_blanks = rest.trim_start_matches([' ', '\t', '\r']);
        position = cut_end;
        if !(after_blanks.is_empty() || after_blanks.starts_with('\n')) {
            let touching = !rest.starts_with(char::is_whitespace) && !kept.ends_with(char::is_whitespace);
            kept.push_str(if touching && !kept.is_empty() { " " } else { "" });
            continue;
        }
        position = end - after_blanks.len();
        kept.truncate(kept.trim_end_matches([' ', '\t']).len());
        if kept.is_empty() || kept.ends_with('\n') {
            position += usize::from(!after_blanks.is_empty());
        }
    }
    kept.push_str(text.get(position..end).unwrap_or_default());
    kept
}

/// White space at the start of the line of `position`.
fn indentation(text: &str, position: usize) -> &str {
    let before = text.get(..position).unwrap_or_default();
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
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
        assert_eq!(cut("f(/* x */ 1)", &["/* x */"]), "f( 1)");
    }

    #[test]
    fn blank_lines_of_strings_stay() {
        assert_eq!(cut("s = \"\"\"a\n\nb\"\"\"; // x", &["// x"]), "s = \"\"\"a\n\nb\"\"\";");
    }

    #[test]
    fn neighbouring_and_nested_cuts() {
        assert_eq!(cut("a\n// x\n// y\nb", &["// x", "// y"]), "a\nb");
        assert_eq!(cut("a {x // y\n} b", &["{x // y\n}", "// y"]), "a  b");
    }
}
