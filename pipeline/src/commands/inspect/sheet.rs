//! The sheet that rows are written on: parts under headings, each in a colour of its own where there are colours. Texts
//! of repositories are shown, never obeyed: what a terminal would take as a command is written out.

use std::fmt::{self, Display, Formatter, Write};

/// How rows are shown.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// With colours.
    pub colour: bool,
    /// Contexts whole and the prompt too.
    pub full: bool,
}

/// Escape sequence of headings.
const TITLE: &str = "\u{1b}[1m";
const RESET: &str = "\u{1b}[0m";

/// Lines of a context that are shown if not all are.
pub(super) const CONTEXT_LINES: usize = 30;

/// Where test and focal method lie.
pub(super) struct Origin<'a> {
    pub repository: &'a str,
    pub commit: &'a str,
    /// Name, path, first and last line of the test, and of the focal method.
    pub sides: [(&'a str, &'a str, u32, u32); 2],
    pub mode: &'a str,
    pub rule: &'a str,
    pub confidence: Option<f64>,
    pub licence: &'a str,
    pub framework: &'a str,
}

/// What a row writes itself on.
pub(super) struct Sheet<'o, 'f> {
    pub out: &'o mut Formatter<'f>,
    pub style: Style,
}

impl Sheet<'_, '_> {
    /// The heading of a row: its place among those shown, from 1, its split, and where it comes from.
    pub(super) fn head(&mut self, (number, split): (u64, &str), origin: &Origin<'_>) -> fmt::Result {
        let [(test, ..), _] = origin.sides;
        self.lines(TITLE, &format!("━━━ {number} · {split} · {test}"))?;
        writeln!(self.out, "{} at {}", shown(origin.repository), shown(origin.commit))?;
        for (side, (name, path, first, last)) in ["test   ", "focal  "].iter().zip(origin.sides) {
            writeln!(self.out, "{side} {} {}:{first}-{last}", shown(name), shown(path))?;
        }
        let confidence =
            origin.confidence.map_or_else(String::new, |value| format!(", confidence {value:.2}"));
        writeln!(self.out, "rule    {} / {}{confidence}", shown(origin.mode), shown(origin.rule))?;
        let licence = if origin.licence.is_empty() { "not known" } else { origin.licence };
        writeln!(self.out, "licence {}", shown(licence))?;
        if !origin.framework.is_empty() {
            writeln!(self.out, "framework {}", shown(origin.framework))?;
        }
        Ok(())
    }

    /// A part under its heading.
    pub(super) fn part(&mut self, colour: &str, name: &str, text: &str) -> fmt::Result {
        self.out.write_char('\n')?;
        self.lines(TITLE, &format!("── {name}"))?;
        self.lines(colour, if text.trim().is_empty() { "(empty)" } else { text })
    }

    /// Each line gets its colour anew: pagers show lines by themselves.
    fn lines(&mut self, colour: &str, text: &str) -> fmt::Result {
        for line in text.lines() {
            match self.style.colour && !line.is_empty() {
                true => writeln!(self.out, "{colour}{}{RESET}", shown(line))?,
                false => writeln!(self.out, "{}", shown(line))?,
            }
        }
        Ok(())
    }

    /// The lines from `first` on that are shown, with a word about the others.
    pub(super) fn shortened(&self, text: &str, first: usize) -> String {
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
pub(super) fn shown(text: &str) -> impl Display {
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
}
