//! Which files tell most about a test: calibrated coverage (CLOVER, section 3.1).

use crate::case::{Snapshot, TestModule, hits};
use std::collections::BTreeMap;
use trefoil_execution::LineSet;

/// How much a file tells about a case, most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Named by the task; always there.
    Required,
    /// `Q_peer`: it has a line that no other case of the module covers.
    Peer,
    /// `Q'`: neither of the two others.
    Other,
    /// `Q_repo`: covered as by an empty test.
    Repository,
}

impl Class {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Peer => "peer",
            Self::Other => "other",
            Self::Repository => "repository",
        }
    }
}

/// The coverage of a module's cases, held against each other.
pub struct Calibration<'a> {
    module: &'a TestModule,
    /// How many cases cover a line, by path.
    counts: BTreeMap<&'a str, BTreeMap<u32, u32>>,
}

impl<'a> Calibration<'a> {
    /// Counts what the cases of `module` cover.
    pub fn new(module: &'a TestModule) -> Self {
        let mut counts: BTreeMap<&str, BTreeMap<u32, u32>> = BTreeMap::new();
        for case in &module.cases {
            for (path, lines) in &case.base {
                let of_file = counts.entry(path).or_default();
                lines.hit.iter().for_each(|line| *of_file.entry(line).or_default() += 1);
            }
        }
        Self { module, counts }
    }

    /// The lines of a file that only case `index` covers.
    ///
    /// The empty run counts as a peer. Where there are others this changes nothing, since each of them covers what it
    /// covers; a case that is alone in its module would else own every line that starting Python runs.
    pub fn unique(&self, index: usize, path: &str) -> LineSet {
        let Some(case) = self.module.cases.get(index) else { return LineSet::default() };
        let Some(counts) = self.counts.get(path) else { return LineSet::default() };
        let empty = hits(&case.empty, path);
        let is_unique =
            |line: &u32| counts.get(line).is_some_and(|count| *count == 1) && !empty.contains(*line);
        hits(&case.base, path).iter().filter(is_unique).collect()
    }

    /// The class of a file for case `index`.
    pub fn class(&self, index: usize, path: &str) -> Class {
        let Some(case) = self.module.cases.get(index) else { return Class::Repository };
        if !self.unique(index, path).is_empty() {
            return Class::Peer;
        }
        let same = hits(&case.base, path) == hits(&case.empty, path);
        if same { Class::Repository } else { Class::Other }
    }

    /// Every source file with its class for case `index`, those that tell most first; within a class in an order
    /// drawn by `seed` and `id`.
    pub fn order<'s>(
        &self,
        index: usize,
        snapshot: &'s Snapshot,
        seed: u64,
        id: &str,
    ) -> Vec<(&'s str, Class)> {
        let mut files: Vec<(Class, u64, &str)> = snapshot
            .sources
            .keys()
            .map(|path| {
                (self.class(index, path), crate::draw::hash(seed, &["context", id, path]), path.as_str())
            })
            .collect();
        files.sort_unstable();
        files.into_iter().map(|(class, _, path)| (path, class)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::case::tests::{case, coverage};

    type Hits<'a> = &'a [(&'a str, &'a [u32])];

    fn all<'a>(hits: Hits<'a>) -> Vec<(&'a str, &'a [u32], &'a [u32])> {
        hits.iter().map(|(path, hit)| (*path, *hit, &[][..])).collect()
    }

    fn module(empty: Hits<'_>, bases: &[Hits<'_>]) -> TestModule {
        let empty = std::sync::Arc::new(coverage(&all(empty)));
        let case = |base: &Hits<'_>| Case { empty: empty.clone(), ..case("test_it", "", &all(base)) };
        TestModule { cases: bases.iter().map(case).collect(), ..TestModule::default() }
    }

    #[test]
    fn files_fall_into_the_three_classes_of_the_paper() {
        let module = module(
            &[("a.py", &[1]), ("init.py", &[1, 2])],
            &[
                &[("a.py", &[1, 5, 6]), ("b.py", &[1, 2]), ("init.py", &[1, 2])],
                &[("a.py", &[1, 5]), ("b.py", &[1, 2]), ("init.py", &[1, 2])],
            ],
        );
        let calibration = Calibration::new(&module);
        let classes =
            |index| ["a.py", "b.py", "init.py", "never.py"].map(|path| calibration.class(index, path));
        assert_eq!(classes(0), [Class::Peer, Class::Other, Class::Repository, Class::Repository]);
        assert_eq!(classes(1), [Class::Other, Class::Other, Class::Repository, Class::Repository]);
        assert_eq!(calibration.unique(0, "a.py").to_string(), "6");
    }

    #[test]
    fn a_test_alone_owns_only_what_an_empty_one_does_not_cover() {
        let module = module(&[("a.py", &[1])], &[&[("a.py", &[1, 5]), ("init.py", &[])]]);
        let calibration = Calibration::new(&module);
        assert_eq!(calibration.unique(0, "a.py").to_string(), "5");
        assert_eq!(calibration.class(0, "init.py"), Class::Repository);
    }

    #[test]
    fn the_order_goes_by_class_and_the_seed_draws_within() {
        let paths = ["a.py", "b.py", "c.py", "d.py", "e.py", "f.py", "g.py"];
        let sources = paths.map(|path| (path.to_owned(), "".into())).into();
        let snapshot = Snapshot { sources, ..Snapshot::default() };
        let module = module(&[], &[&[("g.py", &[7]), ("b.py", &[1])], &[("b.py", &[1])]]);
        let calibration = Calibration::new(&module);
        let order = |seed| calibration.order(0, &snapshot, seed, "id");
        assert_eq!(order(1)[..2], [("g.py", Class::Peer), ("b.py", Class::Other)]);
        assert_eq!(order(1).len(), 7);
        assert_eq!(order(1), order(1));
        assert!((2..9).any(|seed| order(seed) != order(1)));
    }
}
