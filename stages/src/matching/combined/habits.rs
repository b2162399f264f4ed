//! What is usual in the tests of a repository that use a function: whether they lead up to it, only make further
//! calls on its value, or are named after it. A helper that most tests call is nobody's focal method; what most
//! tests come to in the end may well be.

use super::super::hash::{HashMap, HashSet};
use super::super::resolution::Key;
use super::candidates::telling_name;
use super::evidence::Habit;
use super::subject::Spellings;
use super::{Case, key};

/// Numbers of tests.
#[derive(Default)]
struct Count {
    files: u32,
    tests: u32,
    ends: u32,
    receivers: u32,
    named: u32,
}

/// Counts by function.
#[derive(Default)]
pub(super) struct Habits {
    counts: HashMap<Key, Count>,
}

impl Habits {
    /// Takes in the tests of one file.
    pub(super) fn add<'a>(&mut self, cases: &[Case<'a>], spellings: &Spellings<'a>) {
        let mut in_file: HashSet<Key> = HashSet::default();
        for case in cases {
            for (candidate, standing) in case.gathered.candidates.iter().zip(&case.standings) {
                let key = key(candidate);
                let count = self.counts.entry(key).or_default();
                count.files += u32::from(in_file.insert(key));
                count.tests += 1;
                count.ends += u32::from(standing.is_end());
                count.receivers += u32::from(standing.only_receiver);
                let words = spellings.words(telling_name(candidate.target.declaration));
                count.named += u32::from(!words.is_empty() && words.is_within(&case.subject.words));
            }
        }
    }

    /// What is usual for a function, among the tests of so many files.
    pub(super) fn of(&self, key: Key, files: usize) -> Habit {
        let Some(count) = self.counts.get(&key) else { return Habit::default() };
        let widely = f64::from(count.files).ln() / (files as f64 + 1.0).ln();
        // A few tests are no habit: two that did neither count in.
        let share = |part: u32| f64::from(part) / (f64::from(count.tests) + PRIOR);
        Habit {
            widely_used: widely.max(0.0),
            end: share(count.ends),
            receiver: share(count.receivers),
            name: share(count.named),
        }
    }
}

/// How many tests without any habit are counted in.
const PRIOR: f64 = 2.0;
