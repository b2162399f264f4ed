//! How a row looks: its parts under headings, each in a colour of its own where there are colours. Texts of
//! repositories are shown, never obeyed: what a terminal would take as a command is written out.

use std::fmt::{self, Display, Formatter, Write};
use trefoil_stages::export::unit_tests::{PLACEHOLDER, bare};
use trefoil_stages::records::UnitTestsRow;

/// How rows are shown.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// With colours.
    pub colour: bool,
    /// Contexts whole and the prompt too.
    pub full: bool,
}

/// A row, ready to be written.
pub(super) struct Page<'a> {
    /// Its place among the rows shown, from 1.
    pub number: u64,
    /// Its split.
    pub split: &'a str,
    /// The row.
    pub row: &'a UnitTestsRow,
    /// How it is shown.
    pub style: Style,
}

/// Escape sequences of the parts.
const TITLE: &str = "\u{1b}[1m";
const FOCAL: &str = "\u{1b}[32m";
const TEST: &str = "\u{1b}[36m";
const TEST_CONTEXT: &str = "\u{1b}[33m";
const FOCAL_CONTEXT: &str = "\u{1b}[35m";
const PROMPT: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

/// Lines of a context that are shown if not all are.
const CONTEXT_LINES: usize = 30;

impl Display for Page<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let UnitTestsRow { instruction, inputs, outputs, meta } = self.row;
        self.lines(out, TITLE, &format!("━━━ {} · {} · {}", self.number, self.split, meta.test_name))?;
        writeln!(out, "{} at {}", shown(&meta.repo_id), shown(&meta.commit))?;
        let place = |path: &str, first, last| format!("{}:{first}-{last}", shown(path));
        let test = place(&inputs.test_file_path, meta.test_first_line, meta.test_last_line);
        let focal = place(&inputs.focal_file_path, meta.focal_first_line, meta.focal_last_line);
        writeln!(out, "test    {} {test}", shown(&meta.test_name))?;
        writeln!(out, "focal   {} {focal}", shown(&meta.focal_name))?;
        let confidence = meta.confidence.map_or_else(String::new, |value| format!(", confidence {value:.2}"));
        writeln!(out, "rule    {} / {}{confidence}", shown(&meta.mode), shown(&meta.rule))?;
        let licence = if meta.licence.is_empty() { "not known" } else { &meta.licence };
        writeln!(out, "licence {}", shown(licence))?;
        if !inputs.test_framework.is_empty() {
            writeln!(out, "framework {}", shown(&inputs.test_framework))?;
        }
        writeln!(out, "row     {} (pair {})", meta.id, shown(&meta.pair_id))?;
        if self.style.full {
            self.part(out, PROMPT, "prompt", instruction)?;
        }
        self.part(out, FOCAL, &format!("focal {}", meta.focal_func_type), bare(&inputs.focal_func))?;
        self.part(out, TEST, "test", outputs)?;
        let context = self.shortened(bare(&inputs.test_func_context), 0);
        self.part(out, TEST_CONTEXT, "test context", &context)?;
        let whole = bare(&inputs.focal_func_context);
        let at = whole.lines().position(|line| line.contains(PLACEHOLDER)).unwrap_or_default();
        let context = self.shortened(whole, at.saturating_sub(CONTEXT_LINES / 2));
        self.part(out, FOCAL_CONTEXT, "focal context", &context)?;
        out.write_char('\n')
    }
}

impl Page<'_> {
    fn part(&self, out: &mut Formatter<'_>, colour: &str, name: &str, text: &str) -> fmt::Result {
        out.write_char('\n')?;
        self.lines(out, TITLE, &format!("── {name}"))?;
        self.lines(out, colour, if text.trim().is_empty() { "(empty)" } else { text })
    }

    /// Each line gets its colour anew: pagers show lines by themselves.
    fn lines(&self, out: &mut Formatter<'_>, colour: &str, text: &str) -> fmt::Result {
        for line in text.lines() {
            match self.style.colour && !line.is_empty() {
                true => writeln!(out, "{colour}{}{RESET}", shown(line))?,
                false => writeln!(out, "{}", shown(line))?,
            }
        }
        Ok(())
    }

    /// The lines from `first` on that are shown, with a word about the others.
    fn shortened(&self, text: &str, first: usize) -> String {
        let lines: Vec<&str> = text.lines().collect();
        if self.style.full || lines.len() <= CONTEXT_LINES {
            return text.to_owned();
        }
        let first = first.min(lines.len() - CONTEXT_LINES);
        let behind = lines.len() - CONTEXT_LINES - first;
        let mut short = String::new();
        if first > 0 {
            let _ = writeln!(short, "… {first} lines above (--full shows them)");
        }
        for line in lines.iter().skip(first).take(CONTEXT_LINES) {
            let _ = writeln!(short, "{line}");
        }
        if behind > 0 {
            let _ = writeln!(short, "… {behind} lines below (--full shows them)");
        }
        short
    }
}

/// A text in which no character commands a terminal or turns the direction of writing.
fn shown(text: &str) -> impl Display {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => safe.push('\t'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => safe.extend(character.escape_unicode()),
            _ if character.is_control() => safe.extend(character.escape_default()),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_commands_the_terminal() {
        assert_eq!(
            shown("a\u{1b}[2Jb\r\u{9b}c\u{202e}d\te").to_string(),
            "a\\u{1b}[2Jb\\r\\u{9b}c\\u{202e}d\te"
        );
    }

    #[test]
    fn blocks_lose_their_fences_and_nothing_else() {
        for (block, code) in [
            ("```java\na\nb\n```", "a\nb"),
            ("````\n/** ``` */\n````", "/** ``` */"),
            ("```\n\n```", ""),
            ("```\n```", ""),
            ("a\nb", "a\nb"),
        ] {
            assert_eq!(bare(block), code, "{block}");
        }
    }
}
