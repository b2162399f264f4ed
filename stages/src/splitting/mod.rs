//! Splitting: train, validation and test, by project and at random.
//!
//! A global stage over ids, numbers and blob hashes. A project is a cluster of repositories: forks, copies
//! and mirrors are joined first, since a model that has seen the fork has seen the test.

mod clusters;
pub mod division;
mod project;
#[cfg(test)]
mod tests;

pub use clusters::RepositoryBlobs;

use crate::records::{Assignment, DedupDecision, identity};
use clusters::Clusters;
use serde::{Deserialize, Serialize};

/// Settings of splitting.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Shares of train, validation and test; any positive numbers, or 0 for no validation or no test.
    pub ratios: [f64; 3],
    /// Seed.
    pub seed: u64,
    /// Two repositories are copies of each other where this share of the smaller one's source files, by
    /// blob, is in the other too.
    pub copy_threshold: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ratios: [0.8, 0.1, 0.1], seed: 1, copy_threshold: 0.3 }
    }
}

/// Whether the settings make sense.
pub fn check(settings: &Settings) -> Result<(), String> {
    let ratios = settings.ratios;
    if !ratios.iter().all(|ratio| ratio.is_finite() && *ratio >= 0.0) || ratios[0] <= 0.0 {
        return Err(format!(
            "splitting.ratios: {ratios:?} must be numbers from 0 up, the first (train) above 0"
        ));
    }
    let threshold = settings.copy_threshold;
    if !(threshold > 0.0 && threshold <= 1.0) {
        return Err(format!(
            "splitting.copy_threshold: {threshold} must be above 0, where every two repositories would be \
             copies, and at most 1"
        ));
    }
    Ok(())
}

/// A part of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// What models learn from.
    Train,
    /// What they are tuned on.
    Validation,
    /// What they are judged by.
    Test,
}

impl Split {
    /// All, in the order of [`Settings::ratios`].
    pub const ALL: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// The word in records and file names.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }
}

/// What splitting decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Splits {
    /// One per kept pair, in the order of the input.
    pub assignments: Vec<Assignment>,
    /// How far the splits are from what was wanted.
    pub summary: Summary,
}

/// The splits in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Repositories with rows.
    pub repositories: usize,
    /// Clusters with rows.
    pub clusters: usize,
    /// The split by project.
    pub project: [Share; 3],
    /// The split at random.
    pub random: [Share; 3],
}

/// One split in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Its name.
    pub split: &'static str,
    /// Its rows.
    pub rows: u64,
    /// Its share of all rows; 0 if there are none.
    pub share: f64,
    /// The share that the settings ask for.
    pub wanted: f64,
}

/// Assigns every kept pair (its own representative) to a split; the others are passed over.
///
/// By project: all rows of a cluster go to one split, in the order of a seeded hash. At random: the seeded
/// hash of the test's id against the ratios, so that the pairs of one test stay together and that no row
/// ever moves because of another.
pub fn assign(decisions: &[DedupDecision], repositories: &[RepositoryBlobs], settings: &Settings) -> Splits {
    let kept: Vec<&DedupDecision> =
        decisions.iter().filter(|decision| decision.id == decision.representative).collect();
    let clusters = Clusters::new(repositories, &kept, settings.copy_threshold);
    let wanted = shares(&settings.ratios);
    let by_cluster = project::split(clusters.with_rows(), &wanted, settings.seed);
    let mut project_rows = [0; 3];
    let mut random_rows = [0; 3];
    let mut assignments = Vec::with_capacity(kept.len());
    for decision in kept {
        let cluster = clusters.of_pair(decision);
        let project = by_cluster.get(cluster).copied().unwrap_or(Split::Train);
        let random = at_random(&decision.test_id, &wanted, settings.seed);
        project_rows[project as usize] += 1;
        random_rows[random as usize] += 1;
        assignments.push(assignment(decision, cluster, project, random));
    }
    let summary = Summary {
        repositories: clusters.repositories_with_rows(),
        clusters: by_cluster.len(),
        project: summary(project_rows, &wanted),
        random: summary(random_rows, &wanted),
    };
    Splits { assignments, summary }
}

fn assignment(decision: &DedupDecision, cluster: &str, project: Split, random: Split) -> Assignment {
    Assignment {
        id: decision.id.clone(),
        host: decision.host.clone(),
        repository: decision.repository.clone(),
        cluster: cluster.to_owned(),
        language: decision.language.clone(),
        test_cluster: decision.test_cluster.clone(),
        focal_cluster: decision.focal_cluster.clone(),
        pair_cluster: decision.pair_cluster.clone(),
        project: project.as_str().to_owned(),
        random: random.as_str().to_owned(),
        characters: decision.characters,
    }
}

/// The ratios as shares of 1; all to train where they make no sense.
fn shares(ratios: &[f64; 3]) -> [f64; 3] {
    let sum: f64 = ratios.iter().sum();
    let sound = ratios.iter().all(|ratio| ratio.is_finite() && *ratio >= 0.0) && sum > 0.0;
    if sound { ratios.map(|ratio| ratio / sum) } else { [1.0, 0.0, 0.0] }
}

fn at_random(test_id: &str, wanted: &[f64; 3], seed: u64) -> Split {
    let place = place("random", test_id, seed) as f64 / 2_f64.powi(64);
    let [_, validation, test] = *wanted;
    if place < test {
        Split::Test
    } else if place < test + validation {
        Split::Validation
    } else {
        Split::Train
    }
}

/// The place of an identity in a seeded order.
pub(crate) fn place(purpose: &str, identity_of: &str, seed: u64) -> u64 {
    let hash = identity(&["splitting", purpose, &seed.to_string(), identity_of]);
    hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

fn summary(rows: [u64; 3], wanted: &[f64; 3]) -> [Share; 3] {
    let all: u64 = rows.iter().sum();
    Split::ALL.map(|split| {
        let rows = rows[split as usize];
        let share = if all == 0 { 0.0 } else { rows as f64 / all as f64 };
        Share { split: split.as_str(), rows, share, wanted: wanted[split as usize] }
    })
}
