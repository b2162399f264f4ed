//! Clusters of repositories that are copies of each other: what must not be torn apart by a split.
//!
//! Two repositories are joined where the bytes of their common files, by blob, are at least
//! `copy_threshold` of the smaller one's; or where they have the same owner and name on two hosts.
//!
//! Not everything that is common makes a copy. Files under [`SMALLEST_FILE`] bytes (an empty `__init__.py`)
//! are not counted at all. A blob of more than [`WIDESPREAD`] repositories is mostly boilerplate (a build
//! wrapper, `versioneer.py`), and joining over it would chain strangers into one giant cluster; but the blobs
//! of a much forked repository are widespread too. So these count neither as common nor as the repository's
//! own bytes, unless two repositories share at least [`WIDESPREAD_FILES`] of them, more than boilerplate
//! comes in. To stay linear each widespread blob is then compared only with the largest repository that has
//! it, which for forks is the same for nearly all their blobs.
//!
//! The representative of a cluster is its repository with the most bytes, of equals the one with the
//! smallest hash of its key: forks that are added later are mostly smaller or equal, and leave it in place.

use super::place;
use crate::records::DedupDecision;
use std::cmp::Reverse;
use std::collections::HashMap;
use trefoil_duplicates::Forest;

/// Files with fewer bytes say nothing about where they come from.
const SMALLEST_FILE: u64 = 200;
/// A blob of more repositories than this is widespread.
const WIDESPREAD: usize = 50;
/// So many widespread files in common are no boilerplate.
const WIDESPREAD_FILES: u32 = 10;

/// The source files of a repository.
#[derive(Clone, Debug, PartialEq)]
pub struct RepositoryBlobs {
    /// `host/owner/name`.
    pub key: String,
    /// Of each file the first 64 bits of the blob's id and the size in bytes. Repeated blobs count once.
    pub blobs: Vec<(u64, u64)>,
}

/// The clusters of a run. Repositories are numbered in the order of their keys.
pub(super) struct Clusters<'a> {
    keys: Vec<RepositoryName<'a>>,
    /// Number of the repository that represents each one's cluster.
    representatives: Vec<usize>,
    /// The same as a key.
    names: Vec<String>,
    /// Rows of each repository.
    rows: Vec<u64>,
}

/// Host and name on the host.
type RepositoryName<'a> = (&'a str, &'a str);

impl<'a> Clusters<'a> {
    pub(super) fn new(blobs: &'a [RepositoryBlobs], kept: &[&'a DedupDecision], threshold: f64) -> Self {
        let mut keys: Vec<RepositoryName<'a>> = blobs.iter().map(|one| split_key(&one.key)).collect();
        // Pairs come by repository; one entry for each run of them is enough.
        keys.extend(kept.chunk_by(|a, b| name(a) == name(b)).filter_map(|run| Some(name(run.first()?))));
        keys.sort_unstable();
        keys.dedup();
        let holdings = holdings(blobs, &keys);
        let sizes = Sizes::new(&holdings, keys.len());
        let mut forest = Forest::new(keys.len());
        join_copies(&holdings, &sizes, threshold, &mut forest);
        join_mirrors(&keys, &mut forest);
        let representatives = representatives(&keys, &sizes, &mut forest);
        let mut rows = vec![0; keys.len()];
        for pair in kept {
            if let Some(rows) = number(&keys, name(pair)).and_then(|number| rows.get_mut(number)) {
                *rows += 1;
            }
        }
        let names = keys.iter().map(|(host, repository)| format!("{host}/{repository}")).collect();
        Self { keys, representatives, names, rows }
    }

    /// Key of the representative of a pair's cluster.
    pub(super) fn of_pair(&self, pair: &DedupDecision) -> &str {
        let own = number(&self.keys, name(pair));
        let cluster = own.and_then(|own| self.names.get(*self.representatives.get(own)?));
        cluster.map_or("", String::as_str)
    }

    /// The clusters that have rows, by the keys of their representatives, and how many.
    pub(super) fn with_rows(&self) -> impl Iterator<Item = (&str, u64)> {
        let mut rows = vec![0; self.names.len()];
        for (own, representative) in self.rows.iter().zip(&self.representatives) {
            rows[*representative] += own;
        }
        self.names.iter().map(String::as_str).zip(rows).filter(|(_, rows)| *rows > 0)
    }

    pub(super) fn repositories_with_rows(&self) -> usize {
        self.rows.iter().filter(|rows| **rows > 0).count()
    }
}

fn split_key(key: &str) -> RepositoryName<'_> {
    key.split_once('/').unwrap_or(("", key))
}

fn name(pair: &DedupDecision) -> RepositoryName<'_> {
    (&pair.host, &pair.repository)
}

fn number(keys: &[RepositoryName<'_>], name: RepositoryName<'_>) -> Option<usize> {
    keys.binary_search(&name).ok()
}

/// A blob in a repository. 16 bytes each: the one thing here that grows with the files of the run.
#[derive(Clone, Copy)]
struct Holding {
    blob: u64,
    repository: u32,
    bytes: u32,
}

/// All holdings by blob and repository, each once.
fn holdings(blobs: &[RepositoryBlobs], keys: &[RepositoryName<'_>]) -> Vec<Holding> {
    let mut all = Vec::new();
    for repository in blobs {
        let Some(number) = number(keys, split_key(&repository.key)) else { continue };
        let counted = repository.blobs.iter().filter(|(_, bytes)| *bytes >= SMALLEST_FILE);
        all.extend(counted.map(|(blob, bytes)| Holding {
            blob: *blob,
            repository: number as u32,
            bytes: u32::try_from(*bytes).unwrap_or(u32::MAX),
        }));
    }
    all.sort_unstable_by_key(|holding| (holding.blob, holding.repository, holding.bytes));
    all.dedup_by_key(|holding| (holding.blob, holding.repository));
    all
}

/// The repositories that have each blob.
fn holders(holdings: &[Holding]) -> impl Iterator<Item = &[Holding]> {
    holdings.chunk_by(|a, b| a.blob == b.blob)
}

/// Bytes of each repository.
struct Sizes {
    all: Vec<u64>,
    without_widespread: Vec<u64>,
}

impl Sizes {
    fn new(holdings: &[Holding], repositories: usize) -> Self {
        let mut sizes = Self { all: vec![0; repositories], without_widespread: vec![0; repositories] };
        for holders in holders(holdings) {
            for holder in holders {
                sizes.all[holder.repository as usize] += u64::from(holder.bytes);
                if holders.len() <= WIDESPREAD {
                    sizes.without_widespread[holder.repository as usize] += u64::from(holder.bytes);
                }
            }
        }
        sizes
    }
}

/// What two repositories have in common.
#[derive(Default)]
struct Common {
    bytes: u64,
    widespread_bytes: u64,
    widespread_files: u32,
}

fn join_copies(holdings: &[Holding], sizes: &Sizes, threshold: f64, forest: &mut Forest) {
    for ((a, b), common) in common(holdings, sizes) {
        let reaches = |bytes: u64, sizes: &[u64]| {
            let smaller = sizes[a as usize].min(sizes[b as usize]);
            smaller > 0 && bytes as f64 >= threshold * smaller as f64
        };
        if reaches(common.bytes, &sizes.without_widespread)
            || common.widespread_files >= WIDESPREAD_FILES
                && reaches(common.bytes + common.widespread_bytes, &sizes.all)
        {
            forest.join(a, b);
        }
    }
}

fn common(holdings: &[Holding], sizes: &Sizes) -> HashMap<(u32, u32), Common> {
    let mut common: HashMap<(u32, u32), Common> = HashMap::new();
    for holders in holders(holdings) {
        if holders.len() <= WIDESPREAD {
            for (position, a) in holders.iter().enumerate() {
                for b in &holders[position + 1..] {
                    common.entry((a.repository, b.repository)).or_default().bytes += u64::from(a.bytes);
                }
            }
            continue;
        }
        let largest = holders
            .iter()
            .max_by_key(|holder| (sizes.all[holder.repository as usize], Reverse(holder.repository)));
        let Some(largest) = largest.map(|holder| holder.repository) else { continue };
        for other in holders.iter().filter(|holder| holder.repository != largest) {
            let pair = (largest.min(other.repository), largest.max(other.repository));
            let common = common.entry(pair).or_default();
            common.widespread_bytes += u64::from(other.bytes);
            common.widespread_files += 1;
        }
    }
    common
}

/// Joins repositories of one owner and name; hosts do not tell upper from lower case.
fn join_mirrors(keys: &[RepositoryName<'_>], forest: &mut Forest) {
    let mut known = HashMap::new();
    for (number, (_, name)) in (0..).zip(keys).filter(|(_, (_, name))| name.contains('/')) {
        forest.join(number, *known.entry(name.to_lowercase()).or_insert(number));
    }
}

fn representatives(keys: &[RepositoryName<'_>], sizes: &Sizes, forest: &mut Forest) -> Vec<usize> {
    let rank: Vec<_> = keys
        .iter()
        .zip(&sizes.all)
        .map(|((host, name), bytes)| (*bytes, Reverse(place("cluster", &format!("{host}/{name}"), 0))))
        .collect();
    let mut best: Vec<usize> = (0..keys.len()).collect();
    for number in 0..keys.len() {
        let root = forest.root(number as u32) as usize;
        if rank[number] > rank[best[root]] {
            best[root] = number;
        }
    }
    (0..keys.len()).map(|number| best[forest.root(number as u32) as usize]).collect()
}
