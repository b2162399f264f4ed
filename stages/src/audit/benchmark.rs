//! Benchmarks that nothing may overlap with, as the user lists them.

use super::{Finding, Kind, Row, Settings};
use std::collections::HashMap;
use trefoil_duplicates::{Comments, Shingler};

/// Items of benchmarks by their shingles. Every row is held against every item that it shares a shingle with, so
/// nothing is missed; a benchmark is small beside a data set.
#[derive(Default)]
pub struct Benchmark {
    names: Vec<String>,
    /// By tokens of a near-duplicate's shingle, then of an n-gram.
    near: Index,
    grams: Index,
}

/// An item of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its code: a task, a solution or a test.
    pub text: String,
}

#[derive(Default)]
struct Index {
    holders: HashMap<u32, Vec<u32>>,
    sizes: Vec<u32>,
}

/// Fewer n-grams in common are chance.
const LEAST_GRAMS: usize = 8;

impl Benchmark {
    /// The items of one or several benchmarks.
    pub fn new(items: &[Item], settings: &Settings) -> Self {
        let mut benchmark = Self::default();
        let (mut near, mut grams) = shinglers(settings);
        let mut set = Vec::new();
        for item in items {
            near.set(&item.text, Comments::Slashes, &mut set);
            benchmark.near.add(&set);
            grams.set(&item.text, Comments::Slashes, &mut set);
            benchmark.grams.add(&set);
            benchmark.names.push(item.name.clone());
        }
        benchmark
    }

    /// The items that a row overlaps with: of each kind the one with most in common.
    pub(super) fn overlaps(&self, row: &Row<'_>, settings: &Settings) -> Vec<Finding> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let (mut near, mut grams) = shinglers(settings);
        let both = format!("{}\n{}", row.test, row.focal);
        let mut best: [Option<(f64, u32)>; 2] = [None; 2];
        let mut set = Vec::new();
        // A list does not say which language its items are in, so comments are taken alike on both sides.
        for text in [row.test, row.focal, &both] {
            near.set(text, Comments::Slashes, &mut set);
            let jaccard = |common: usize, item: usize| common as f64 / (set.len() + item - common) as f64;
            best[0] = better(best[0], self.near.common(&set).map(|(item, n, size)| (jaccard(n, size), item)));
            grams.set(text, Comments::Slashes, &mut set);
            let overlap = |common: usize, item: usize| match common {
                0..LEAST_GRAMS => 0.0,
                _ => common as f64 / set.len().min(item) as f64,
            };
            best[1] =
                better(best[1], self.grams.common(&set).map(|(item, n, size)| (overlap(n, size), item)));
        }
        let limits =
            [(Kind::BenchmarkNear, settings.threshold), (Kind::BenchmarkGrams, settings.most_overlap)];
        let found = limits.into_iter().zip(best).filter_map(|((kind, limit), best)| {
            let (likeness, item) = best.filter(|(likeness, _)| *likeness >= limit)?;
            Some(Finding::of_benchmark(kind, row, self.names.get(item as usize)?, likeness))
        });
        found.collect()
    }
}

fn shinglers(settings: &Settings) -> (Shingler, Shingler) {
    let of = |shingle| Shingler::new(&trefoil_duplicates::Settings { shingle, ..Default::default() });
    (of(trefoil_duplicates::Settings::default().shingle), of(settings.gram))
}

/// The likest item; of equals the first.
fn better(best: Option<(f64, u32)>, others: impl Iterator<Item = (f64, u32)>) -> Option<(f64, u32)> {
    others.fold(best, |best, other| match best {
        Some((likeness, item))
            if (likeness, std::cmp::Reverse(item)) >= (other.0, std::cmp::Reverse(other.1)) =>
        {
            best
        }
        _ => Some(other),
    })
}

impl Index {
    fn add(&mut self, set: &[u32]) {
        let number = self.sizes.len() as u32;
        self.sizes.push(set.len() as u32);
        set.iter().for_each(|shingle| self.holders.entry(*shingle).or_default().push(number));
    }

    /// Items that share shingles with `set`, how many, and their sizes.
    fn common(&self, set: &[u32]) -> impl Iterator<Item = (u32, usize, usize)> {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for item in set.iter().filter_map(|shingle| self.holders.get(shingle)).flatten() {
            *counts.entry(*item).or_default() += 1;
        }
        let size = |item: u32| self.sizes.get(item as usize).copied().unwrap_or_default() as usize;
        counts.into_iter().map(move |(item, common)| (item, common, size(item)))
    }
}
