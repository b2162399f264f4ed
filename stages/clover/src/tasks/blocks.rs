//! Task III: a test has to cover blocks of code that the original alone covers among its peers (CLOVER, section 6,
//! "Data Construction").

use super::target::{has_assertion, shown};
use super::{Example, Question};
use crate::calibration::Calibration;
use crate::case::{Snapshot, TestModule};
use crate::cut::{Parsed, Unfit};
use trefoil_execution::LineSet;
use trefoil_execution::coverage::FileLines;
use trefoil_stages::records::identity;

/// Shortest block, in lines of code (section 6).
const LEAST_LINES: usize = 5;
/// Most blocks of an example, and so most files (section 6).
const MOST_BLOCKS: usize = 10;

/// Consecutive statements of a file that only one case covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The file.
    pub path: String,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// The lines that have to run: the first lines of its statements.
    pub lines: Vec<u32>,
}

impl Block {
    /// Its text.
    pub fn text(&self, source: &str) -> String {
        let count = (self.last + 1).saturating_sub(self.first) as usize;
        source.lines().skip(self.first as usize - 1).take(count).collect::<Vec<_>>().join("\n")
    }
}

/// The example of a case: the largest of its blocks.
pub fn problem(
    snapshot: &Snapshot,
    calibration: &Calibration<'_>,
    module: &TestModule,
    number: usize,
) -> Result<Example, Unfit> {
    let case = module.cases.get(number).ok_or(Unfit("test_not_found"))?;
    let parsed = Parsed::new(case)?;
    let function = parsed.function().ok_or(Unfit("test_not_found"))?;
    if !has_assertion(&parsed.module, function.body) {
        return Err(Unfit("no_assertion"));
    }
    let mut blocks = Vec::new();
    for (path, lines) in &case.base {
        if let Some(source) = snapshot.sources.get(path) {
            blocks.extend(of_file(path, source, lines, &calibration.unique(number, path)));
        }
    }
    if blocks.is_empty() {
        return Err(Unfit("no_block"));
    }
    blocks
        .sort_by_key(|block| (std::cmp::Reverse(block.last - block.first), block.path.clone(), block.first));
    blocks.truncate(MOST_BLOCKS);
    blocks.sort_by_key(|block| (block.path.clone(), block.first));
    let id = identity(&[&snapshot.host, &snapshot.repository, &module.path, &case.name(), "blocks"]);
    Ok(Example::new(id, (&module.path, number, case), Question::Blocks(blocks), shown(&parsed, &function)))
}

/// The blocks of a file: runs of statements, none between them left out, that are all in `unique`.
fn of_file(path: &str, source: &str, lines: &FileLines, unique: &LineSet) -> Vec<Block> {
    let statements: Vec<u32> = lines.hit.union(&lines.missed).iter().collect();
    let code = code_lines(source);
    let mut blocks = Vec::new();
    let mut run: Vec<u32> = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        if unique.contains(*statement) {
            run.push(*statement);
        }
        let next = statements.get(index + 1).copied();
        let goes_on = next.is_some_and(|next| unique.contains(next));
        if !goes_on && !run.is_empty() {
            blocks.extend(block(path, std::mem::take(&mut run), next, &code));
        }
    }
    blocks
}

/// The block of these statements: up to the last line of code before the next statement, as long as that is indented
/// like a continuation (a line that stands further left, such as `else:`, belongs to something else).
fn block(path: &str, lines: Vec<u32>, next: Option<u32>, code: &[(u32, usize)]) -> Option<Block> {
    let (first, last_statement) = (*lines.first()?, *lines.last()?);
    let from = code.partition_point(|(line, _)| *line < last_statement);
    let (_, indentation) = *code.get(from).filter(|(line, _)| *line == last_statement)?;
    let continues = |(line, indent): &&(u32, usize)| {
        next.is_none_or(|next| *line < next) && (*line == last_statement || *indent > indentation)
    };
    let closing = |(_, indent): &&(u32, usize)| *indent == indentation;
    let tail: Vec<&(u32, usize)> = code.get(from..)?.iter().take_while(continues).collect();
    let mut last = tail.last().map_or(last_statement, |(line, _)| *line);
    // The bracket that closes a statement of several lines.
    let after = code.get(from + tail.len()).filter(|after| tail.len() > 1 && closing(after));
    if let Some((line, _)) = after.filter(|(line, _)| next.is_none_or(|next| *line < next)) {
        last = *line;
    }
    let count = code.iter().filter(|(line, _)| (first..=last).contains(line)).count();
    (count >= LEAST_LINES).then(|| Block { path: path.to_owned(), first, last, lines })
}

/// Lines that are neither empty nor only a comment, with their indentation.
fn code_lines(source: &str) -> Vec<(u32, usize)> {
    let numbered = (1..).zip(source.lines());
    let is_code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    numbered
        .filter(|(_, line)| is_code(line))
        .map(|(at, line)| (at, line.len() - line.trim_start().len()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests::{case, coverage};

    const SOURCE: &str = "\
def f(x):
    if x:
        a = 1
        b = call(
            2,
        )

        # why
        c = 3
        d = 4
    else:
        e = 5
    return x
";

    fn found(hit: &[u32], missed: &[u32], unique: &[u32]) -> Vec<(u32, u32, Vec<u32>)> {
        let unique = unique.iter().copied().collect();
        let blocks = of_file("a.py", SOURCE, &coverage(&[("a.py", hit, missed)])["a.py"], &unique);
        blocks.into_iter().map(|block| (block.first, block.last, block.lines)).collect()
    }

    #[test]
    fn a_block_is_a_run_of_statements_that_no_peer_covers() {
        assert_eq!(found(&[1, 2, 3, 4, 9, 10, 13], &[12], &[3, 4, 9, 10]), [(3, 10, vec![3, 4, 9, 10])]);
    }

    #[test]
    fn a_statement_that_a_peer_covers_or_that_did_not_run_ends_it() {
        let none: [(u32, u32, Vec<u32>); 0] = [];
        assert_eq!(found(&[1, 2, 3, 4, 9, 10, 13], &[12], &[3, 4, 10]), none);
        assert_eq!(found(&[1, 2, 3, 4, 10, 13], &[9, 12], &[2, 3, 4, 10]), [(2, 6, vec![2, 3, 4])]);
    }

    #[test]
    fn comments_and_empty_lines_do_not_make_it_longer() {
        let none: [(u32, u32, Vec<u32>); 0] = [];
        assert_eq!(found(&[1, 2, 3, 4, 9, 10], &[12, 13], &[4, 9]), none);
        assert_eq!(found(&[1, 2, 3, 4, 9, 10], &[12, 13], &[4, 9, 10]), [(4, 10, vec![4, 9, 10])]);
    }

    #[test]
    fn the_example_has_the_largest_blocks_in_order_of_place() {
        let file = "def test_it():\n    assert f(1)\n";
        let case = |hit: &[u32]| case("test_it", file, &[("b.py", hit, &[12]), ("a.py", hit, &[12])]);
        let module = TestModule {
            cases: vec![case(&[1, 2, 3, 4, 9, 10, 13]), case(&[1, 2, 13])],
            ..Default::default()
        };
        let sources = ["a.py", "b.py"].map(|path| (path.to_owned(), SOURCE.into())).into();
        let snapshot = Snapshot { sources, ..Snapshot::default() };
        let calibration = Calibration::new(&module);
        let example = problem(&snapshot, &calibration, &module, 0).unwrap();
        assert_eq!(example.question.required(), ["a.py", "b.py"]);
        let Question::Blocks(blocks) = &example.question else { unreachable!() };
        assert!(blocks[0].text(SOURCE).starts_with("        a = 1\n"));
        assert_eq!(problem(&snapshot, &calibration, &module, 1).err(), Some(Unfit("no_block")));
    }
}
