//! Small repositories with their segments.

mod contexts;
mod cutting;
mod other_languages;

use super::Segmentation;
use crate::Settings;
use crate::export::Dataset;
use crate::matching::Matching;
use crate::matching::memory::{Tables, Written, parsed, work};
use crate::records::{Part, Segment};

const STACK: (&str, &str) = (
    "src/main/java/Stack.java",
    "class Stack { void push(int x) { grow(); push(x, 1); } void push(int x, int times) { push(x); } \
     void grow() { push(0); } int size() { return 0; } }",
);

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.export.dataset = Dataset::Contest;
    settings.matching.modes.values_mut().for_each(|mode| *mode = "contest".to_owned());
    settings
}

/// A small repository with its segments.
struct Cut<'t> {
    files: &'t [(&'t str, &'t str)],
    written: Written,
}

fn cut<'t>(files: &'t [(&'t str, &'t str)]) -> Cut<'t> {
    cut_with(files, &settings())
}

fn cut_with<'t>(files: &'t [(&'t str, &'t str)], settings: &Settings) -> Cut<'t> {
    let matched = work(&Matching, parsed(files), settings).unwrap();
    let mut tables: Tables = parsed(files);
    tables.add("matching", matched.pairs);
    Cut { files, written: work(&Segmentation, tables, settings).unwrap() }
}

impl Cut<'_> {
    /// The only segment.
    fn only(&self) -> &Segment {
        match self.written.segments.as_slice() {
            [only] => only,
            other => panic!("{} segments, dropped {:?}", other.len(), self.reasons()),
        }
    }

    fn text(&self, path: &str, start: u32, end: u32) -> &str {
        let text = self.files.iter().find(|(own, _)| *own == path).unwrap().1;
        &text[start as usize..end as usize]
    }

    /// Set-up and assertions of a segment.
    fn parts(&self, segment: &Segment) -> (&str, &str) {
        (
            self.text(&segment.path, segment.setup_start, segment.setup_end),
            self.text(&segment.path, segment.assertions_start, segment.assertions_end),
        )
    }

    /// The first lines of set-up and assertions of the only segment, trimmed and joined.
    fn squeezed(&self) -> (String, String) {
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (setup, assertions) = self.parts(self.only());
        (squeeze(setup), squeeze(assertions))
    }

    fn methods(&self, part: Part) -> Vec<&str> {
        let segment = self.only();
        let names = segment.method_parts.iter().zip(&segment.method_names);
        names.filter(|(of, _)| *of == part.as_str()).map(|(_, name)| name.as_str()).collect()
    }

    fn reasons(&self) -> Vec<&str> {
        self.written.dropped.iter().map(|row| row.reason.as_str()).collect()
    }
}
