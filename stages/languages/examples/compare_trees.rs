//! Whether our trees are those of tree-sitter, for all files below the directories given, and what both cost.
//!
//!     cargo run -p trefoil-languages --example compare_trees -- DIRECTORY...
//!
//! Compares every node: kind, field, bytes, lines, and which of its children each field of the grammar finds. Prints
//! a line for each file that differs and one of JSON: files, those without syntax errors, those that our parser took,
//! those that differ, and CPU seconds of tree-sitter and of our parser over the same files.

use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use trefoil_languages::{Guards, Language};
use trefoil_syntax::{Limits, Tree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = Vec::new();
    for directory in std::env::args_os().skip(1) {
        find(Path::new(&directory), &mut paths)?;
    }
    let (mut files, mut sound, mut taken, mut different) = (0, 0, 0, 0);
    let (mut theirs_seconds, mut ours_seconds) = (0.0, 0.0);
    #[expect(clippy::disallowed_methods, reason = "the library as it comes, with the memory of the system")]
    let mut parser = tree_sitter::Parser::new();
    for (path, language) in paths {
        let Ok(text) = String::from_utf8(std::fs::read(&path)?) else { continue };
        if text.len() as u64 > Guards::default().max_file_bytes || text.contains('\0') {
            continue;
        }
        let grammar = (language.grammar)(&path.to_string_lossy());
        parser.set_language(&grammar)?;
        let start = cpu_seconds();
        let theirs = parser.parse(&text, None).ok_or("no tree")?;
        theirs_seconds += cpu_seconds() - start;
        let start = cpu_seconds();
        let ours = Tree::parse_sound(&grammar, &text);
        ours_seconds += cpu_seconds() - start;
        files += 1;
        sound += usize::from(!theirs.root_node().has_error());
        taken += usize::from(ours.is_some());
        let ours = match ours {
            Some(ours) => ours,
            None => Tree::parse(&grammar, &text, Limits::NONE).map_err(|_| "no tree")?,
        };
        if let Some(place) = difference(&theirs, &ours, grammar.field_count() as u16) {
            different += 1;
            println!("{}: {place}", path.display());
        }
    }
    println!(
        "{{\"files\": {files}, \"without_errors\": {sound}, \"taken\": {taken}, \"different\": {different}, \
         \"tree_sitter_seconds\": {theirs_seconds:.3}, \"own_seconds\": {ours_seconds:.3}}}"
    );
    if different > 0 { Err("trees differ".into()) } else { Ok(()) }
}

/// The first node in which two trees differ.
fn difference(theirs: &tree_sitter::Tree, ours: &Tree, fields: u16) -> Option<String> {
    let (mut their, mut our) = (theirs.walk(), ours.walk());
    loop {
        let (a, b) = (their.node(), our.node());
        let facts =
            |kind: u16, field: Option<u16>, range: std::ops::Range<usize>, marks: [bool; 5], lines| {
                (kind, field, range, marks, lines)
            };
        let lines = |start: tree_sitter::Point, end: tree_sitter::Point| {
            [start.row, start.column, end.row, end.column]
        };
        let of_a = facts(
            a.kind_id(),
            their.field_id().map(u16::from),
            a.byte_range(),
            [a.is_named(), a.is_extra(), a.is_error(), a.is_missing(), a.has_error()],
            lines(a.start_position(), a.end_position()),
        );
        let (start, end) = (b.start_position(), b.end_position());
        let of_b = facts(
            b.kind_id(),
            our.field_id(),
            b.byte_range(),
            [b.is_named(), b.is_extra(), b.is_error(), b.is_missing(), b.has_error()],
            [start.row, start.column, end.row, end.column],
        );
        if of_a != of_b || a.descendant_count() != b.descendant_count() {
            return Some(format!("{} {of_a:?} is {of_b:?}", a.kind()));
        }
        for field in 1..=fields {
            // Of nodes with aliases tree-sitter sometimes finds a field that its cursor tells only from around them, or
            // not at all. The cursor's fields are compared above, so that nothing more is said here of these.
            let is_child = |node: &tree_sitter::Node| node.parent() == Some(a);
            let Some(theirs) = a.child_by_field_id(field).filter(is_child) else { continue };
            let theirs = (theirs.kind_id(), theirs.byte_range());
            let ours = b.child_by_field_id(field).map(|node| (node.kind_id(), node.byte_range()));
            if ours != Some(theirs.clone()) {
                return Some(format!("{} at {:?}: field {field} is {theirs:?} and {ours:?}", of_a.0, of_a.2));
            }
        }
        match (their.goto_first_child(), our.goto_first_child()) {
            (true, true) => continue,
            (false, false) => {}
            _ => return Some("one has children".to_owned()),
        }
        loop {
            match (their.goto_next_sibling(), our.goto_next_sibling()) {
                (true, true) => break,
                (false, false) => {}
                _ => return Some("one has more children".to_owned()),
            }
            if !their.goto_parent() {
                return None;
            }
            our.goto_parent();
        }
    }
}

fn find(directory: &Path, paths: &mut Vec<(PathBuf, &'static Language)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            find(&path, paths)?;
        } else if kind.is_file()
            && let Some(language) = path.to_str().and_then(trefoil_languages::of_path)
        {
            paths.push((path, language));
        }
    }
    Ok(())
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
