//! Task II: a test has to use a given class or function of the repository (CLOVER, section 5, "Data Construction").

use super::{Example, Question, Shown};
use crate::case::{Case, Snapshot, hits};
use crate::cut::{Parsed, Unfit};
use crate::draw;
use crate::syntax::{Function, Module, nodes};
use std::collections::{BTreeMap, BTreeSet};
use trefoil_languages::{CallableKind, Guards, Outline, Parser};
use trefoil_stages::records::identity;
use trefoil_syntax::Node;

/// Where the body of a test goes in the file that a model is shown.
pub const PLACE: &str = "<YOUR CODE HERE>";

/// A class or function of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// `class` or `function`.
    pub kind: String,
    /// The file that declares it.
    pub path: String,
    /// Line of its declaration.
    pub line: u32,
}

/// The classes and functions of a repository by name, with the lines by which a test is seen to run them.
#[derive(Default)]
pub struct Declarations(BTreeMap<String, Vec<(Target, Bodies)>>);

/// First and last lines of bodies of functions. The body of a class runs when its module is imported, so that only the
/// bodies of its methods tell that a test used it.
type Bodies = Vec<(u32, u32)>;

impl Declarations {
    /// Reads the declarations of all sources; a file that cannot be parsed has none.
    pub fn new(snapshot: &Snapshot) -> Self {
        let parser = Parser::new(Guards::default());
        let mut declarations = Self::default();
        let Some(language) = trefoil_languages::by_name("python") else { return declarations };
        for (path, text) in &snapshot.sources {
            if let Ok((outline, text)) = parser.outline(language, path, text.as_bytes()) {
                declarations.add(path, text, &outline);
            }
        }
        declarations
    }

    fn add(&mut self, path: &str, text: &str, outline: &Outline) {
        let lines = Starts::of(text);
        let body = |index: usize| outline.callables.get(index).and_then(|it| Some((it, it.body?)));
        for (index, callable) in outline.callables.iter().enumerate() {
            let is_class = callable.kind.is_type();
            let is_special = callable.name.starts_with("__") && callable.name.ends_with("__");
            if is_special || callable.kind == CallableKind::Lambda {
                continue;
            }
            let bodies = (index..outline.callables.len())
                .take_while(|at| outline.callables.get(*at).is_some_and(|it| callable.span.contains(it.span)))
                .filter_map(body)
                .filter(|(it, _)| !it.kind.is_type())
                // A body on the line of its `def` runs on import, as far as lines can tell.
                .map(|(it, body)| {
                    (lines.line(body.start).max(lines.line(it.signature.end) + 1), it.lines.last)
                })
                .filter(|(first, last)| first <= last);
            let target = Target {
                name: callable.name.clone(),
                kind: if is_class { "class" } else { "function" }.to_owned(),
                path: path.to_owned(),
                line: lines.line(callable.signature.start),
            };
            self.0.entry(callable.name.clone()).or_default().push((target, bodies.collect()));
        }
    }

    /// What of `names` a case covers: the possible targets.
    fn covered<'a>(&'a self, names: &BTreeSet<&str>, case: &'a Case) -> BTreeSet<&'a Target> {
        let declared = names.iter().filter_map(|name| self.0.get(*name)).flatten();
        let is_hit = |(target, bodies): &&(Target, Bodies)| {
            let hit = hits(&case.base, &target.path);
            bodies
                .iter()
                .any(|(first, last)| hit.ranges().iter().any(|(from, to)| from <= last && first <= to))
        };
        declared.filter(is_hit).map(|(target, _)| target).collect()
    }
}

/// Bytes at which lines start.
struct Starts(Vec<u32>);

impl Starts {
    fn of(text: &str) -> Self {
        let ends = text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        Self(std::iter::once(0).chain(ends).collect())
    }

    /// The line of a byte, counted from 1.
    fn line(&self, byte: u32) -> u32 {
        self.0.partition_point(|start| *start <= byte) as u32
    }
}

/// The example of a case: one target, drawn from those that it names as an attribute and covers.
pub fn problem(
    snapshot: &Snapshot,
    declarations: &Declarations,
    (path, number, case): (&str, usize, &Case),
    seed: u64,
) -> Result<Example, Unfit> {
    let parsed = Parsed::new(case)?;
    let function = parsed.function().ok_or(Unfit("test_not_found"))?;
    if !has_assertion(&parsed.module, function.body) {
        return Err(Unfit("no_assertion"));
    }
    let names = attributes(&parsed.module, function.body);
    let id = identity(&[&snapshot.host, &snapshot.repository, path, &case.name(), "target"]);
    let covered = declarations.covered(&names, case);
    let place = |target: &&&Target| {
        let line = target.line.to_string();
        draw::hash(seed, &["target", &id, &target.path, &line, &target.name])
    };
    let target = covered.iter().min_by_key(place).ok_or(Unfit("no_target"))?;
    let shown = shown(&parsed, &function);
    Ok(Example::new(id, (path, number, case), Question::Target((*target).clone()), shown))
}

/// The file with a mark in place of the test's body, which is the answer.
pub(super) fn shown(parsed: &Parsed<'_>, function: &Function<'_>) -> Shown {
    let cut = parsed.cut_body(function);
    let head = parsed.head(function, cut.before.len()).trim_end().to_owned();
    Shown { setup: cut.with(PLACE), head, cut }
}

/// The names of all attributes below a node (`b` and `c` of `a.b().c`).
pub fn attributes<'a>(module: &Module<'a>, node: Node) -> BTreeSet<&'a str> {
    let named = nodes(node).filter(|node| node.kind() == "attribute");
    named.filter_map(|node| node.child_by_field_name("attribute")).map(|name| module.text(name)).collect()
}

/// Whether a name is used below a node, as an attribute or by itself.
pub fn uses(module: &Module<'_>, node: Node, name: &str) -> bool {
    nodes(node).any(|node| node.kind() == "identifier" && module.text(node) == name)
}

/// Whether anything is asserted below a node: by `assert`, or by a call whose name says so (`pytest.raises`,
/// `self.assertEqual`, `mock.assert_called`, `assert_image_equal`).
pub fn has_assertion(module: &Module<'_>, node: Node) -> bool {
    nodes(node).any(|node| node.kind() == "assert_statement" || is_asserting_call(module, node))
}

/// A call that asserts by its name.
pub fn is_asserting_call(module: &Module<'_>, node: Node) -> bool {
    let Some(called) = node.child_by_field_name("function").filter(|_| node.kind() == "call") else {
        return false;
    };
    let name = called.child_by_field_name("attribute").unwrap_or(called);
    let name = module.text(name).trim_start_matches('_').to_lowercase();
    ["assert", "check", "expect", "verify"].iter().any(|word| name.starts_with(word))
        || matches!(name.as_str(), "raises" | "warns" | "deprecated_call" | "fail" | "exactly")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests;

    const SHOP: &str = "\
class Cart:
    size = 0

    def add(self, item):
        self.size += 1
        return self

    def total(self): return 1

def total(cart):
    return cart.size

class Empty:
    pass
";

    fn snapshot() -> Snapshot {
        Snapshot { sources: [("shop.py".to_owned(), SHOP.into())].into(), ..Snapshot::default() }
    }

    fn case(body: &str, hit: &[u32]) -> Case {
        tests::case("test_it", &format!("import shop\n\ndef test_it(x):\n{body}"), &[("shop.py", hit, &[])])
    }

    fn targets(body: &str, hit: &[u32]) -> Vec<String> {
        let snapshot = snapshot();
        let declarations = Declarations::new(&snapshot);
        let case = case(body, hit);
        let mut found = BTreeSet::new();
        for seed in 0..40 {
            if let Ok(example) = problem(&snapshot, &declarations, ("test_a.py", 0, &case), seed)
                && let Question::Target(target) = example.question
            {
                found.insert(format!("{} {}:{}", target.kind, target.name, target.line));
            }
        }
        found.into_iter().collect()
    }

    #[test]
    fn a_target_is_an_attribute_that_the_case_covers() {
        let import = [1, 2, 4, 8, 10, 13, 14];
        let body = "    assert shop.Cart().add(1).size == shop.total(x) or shop.Empty\n";
        assert_eq!(targets(body, &import), [] as [&str; 0]);
        assert_eq!(targets(body, &[1, 2, 4, 5, 6, 8, 10]), ["class Cart:1", "function add:4"]);
        assert_eq!(targets(body, &[1, 2, 4, 8, 10, 11]), ["function total:10"]);
        assert_eq!(targets("    assert Cart(add)\n", &[5, 6, 11]), [] as [&str; 0]);
    }

    #[test]
    fn the_body_is_the_answer_and_the_file_shows_its_place() {
        let snapshot = snapshot();
        let case = case("    cart = shop.total(x)\n    assert cart\n", &[11]);
        let declarations = Declarations::new(&snapshot);
        let example = problem(&snapshot, &declarations, ("test_a.py", 0, &case), 1).unwrap();
        assert_eq!(example.setup, "import shop\n\ndef test_it(x):\n<YOUR CODE HERE>\n");
        assert_eq!(example.head, "def test_it(x):");
        assert_eq!(example.cut.with(&example.cut.code), case.problem.source);
    }

    #[test]
    fn a_test_that_asserts_nothing_is_no_example() {
        let snapshot = snapshot();
        let case = case("    shop.total(x)\n", &[11]);
        let found = problem(&snapshot, &Declarations::new(&snapshot), ("test_a.py", 0, &case), 1);
        assert_eq!(found, Err(Unfit("no_assertion")));
    }
}
