//! The split by project: whole clusters, in the order of a seeded hash.
//!
//! Walking in that order, a cluster goes to `test` while `test` has fewer rows than wanted and the cluster
//! would not carry it more than a quarter beyond, else to `validation` by the same rule, else to `train`.
//! Clusters that are small against a split therefore miss the ratio by one cluster at most, and a cluster
//! that is larger than a split goes to `train`. A repository more shifts the two borders by about its rows
//! and moves only the clusters in between.
//!
//! A split that stays empty though a share is wanted takes the smallest cluster, in hash order among equals,
//! of the split with the most clusters. With three clusters or more no wanted split is empty.

use super::{Split, place};
use std::collections::HashMap;

/// How far a split may grow beyond its share so as to take a whole cluster in.
const OVERSHOOT: f64 = 1.25;

/// The split of each cluster, by the key of its representative.
pub(super) fn split<'a>(
    clusters: impl Iterator<Item = (&'a str, u64)>,
    wanted: &[f64; 3],
    seed: u64,
) -> HashMap<&'a str, Split> {
    let mut walk: Vec<Walked<'a>> = clusters
        .map(|(key, rows)| Walked { place: place("project", key, seed), key, rows, split: Split::Train })
        .collect();
    walk.sort_unstable_by_key(|cluster| (cluster.place, cluster.key));
    fill(&mut walk, wanted);
    fill_empty(&mut walk, wanted);
    walk.into_iter().map(|cluster| (cluster.key, cluster.split)).collect()
}

struct Walked<'a> {
    place: u64,
    key: &'a str,
    rows: u64,
    split: Split,
}

fn fill(walk: &mut [Walked<'_>], wanted: &[f64; 3]) {
    let all: u64 = walk.iter().map(|cluster| cluster.rows).sum();
    let mut rows = [0; 3];
    for cluster in walk {
        let takes = |split: &Split| {
            let target = wanted[*split as usize] * all as f64;
            let had = rows[*split as usize];
            (had as f64) < target && (had + cluster.rows) as f64 <= target * OVERSHOOT
        };
        cluster.split = [Split::Test, Split::Validation].into_iter().find(takes).unwrap_or(Split::Train);
        rows[cluster.split as usize] += cluster.rows;
    }
}

fn fill_empty(walk: &mut [Walked<'_>], wanted: &[f64; 3]) {
    for empty in [Split::Test, Split::Validation, Split::Train] {
        let mut clusters = [0; 3];
        for cluster in walk.iter() {
            clusters[cluster.split as usize] += 1;
        }
        let most = Split::ALL.into_iter().max_by_key(|split| (clusters[*split as usize], *split));
        let giver = most.filter(|split| clusters[*split as usize] > 1);
        if clusters[empty as usize] == 0 && wanted[empty as usize] > 0.0 {
            let given = walk.iter_mut().filter(|cluster| Some(cluster.split) == giver);
            if let Some(cluster) = given.min_by_key(|cluster| cluster.rows) {
                cluster.split = empty;
            }
        }
    }
}
