use super::{RepositoryBlobs, Settings, Splits, assign, check};
use crate::records::{Assignment, DedupDecision};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

fn pair(repository: &str, number: usize) -> DedupDecision {
    let (host, name) = repository.split_once('/').unwrap();
    let id = format!("{repository}#{number}");
    DedupDecision {
        test_id: format!("test of {id}"),
        host: host.into(),
        repository: name.into(),
        language: "java".into(),
        representative: id.clone(),
        test_cluster: format!("test of {id}"),
        focal_cluster: String::new(),
        pair_cluster: id.clone(),
        id,
        copies: 1,
        characters: 9,
    }
}

/// A repository with one file of its own.
fn unique(key: &str) -> RepositoryBlobs {
    RepositoryBlobs { key: key.into(), blobs: vec![(super::place("blob", key, 0), 1_000)] }
}

fn with_blobs(key: &str, blobs: impl IntoIterator<Item = u64>) -> RepositoryBlobs {
    RepositoryBlobs { key: key.into(), blobs: blobs.into_iter().map(|blob| (blob, 1_000)).collect() }
}

/// Repositories `h/o/0` … with so many pairs each.
fn run(rows: &[usize], settings: &Settings) -> Splits {
    let keys: Vec<String> = (0..rows.len()).map(|number| format!("h/o/{number}")).collect();
    let blobs: Vec<_> = keys.iter().map(|key| unique(key)).collect();
    let pairs: Vec<_> =
        keys.iter().zip(rows).flat_map(|(key, rows)| (0..*rows).map(move |row| pair(key, row))).collect();
    assign(&pairs, &blobs, settings)
}

fn cluster_splits(assignments: &[Assignment]) -> BTreeMap<String, BTreeSet<String>> {
    let mut splits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in assignments {
        splits.entry(row.cluster.clone()).or_default().insert(row.project.clone());
    }
    splits
}

/// The clusters of repositories with one pair each, as lists of names, in order.
fn clusters(repositories: &[RepositoryBlobs]) -> Vec<Vec<String>> {
    let pairs: Vec<_> = repositories.iter().map(|repository| pair(&repository.key, 0)).collect();
    let mut clusters: HashMap<String, Vec<String>> = HashMap::new();
    for row in assign(&pairs, repositories, &Settings::default()).assignments {
        clusters.entry(row.cluster).or_default().push(format!("{}/{}", row.host, row.repository));
    }
    let mut all: Vec<_> = clusters.into_values().collect();
    all.iter_mut().for_each(|one| one.sort());
    all.sort();
    all
}

#[test]
fn copies_by_share_of_the_smaller_one() {
    let large = || with_blobs("h/o/large", 0..100);
    let joined = |other| clusters(&[large(), other]).len() == 1;
    assert!(joined(with_blobs("h/o/fork", 5..105)));
    assert!(joined(with_blobs("h/o/vendored", 97..107)), "3 of 10 files reach the threshold of 0.3");
    assert!(!joined(with_blobs("h/o/stranger", 98..108)), "2 of 10 do not");
    let mut small = with_blobs("h/o/small", 200..203);
    small.blobs.extend((0..100).map(|blob| (blob, 199)));
    assert!(!joined(small), "files under 200 bytes do not count");
    assert!(!joined(with_blobs("h/o/empty", [])));
}

#[test]
fn copies_of_copies_are_one_cluster_with_the_largest_in_front() {
    let chain = [with_blobs("h/o/a", 0..10), with_blobs("h/o/b", 5..17), with_blobs("h/o/c", 12..22)];
    assert_eq!(clusters(&chain).len(), 1);
    let pairs = [pair("h/o/a", 0), pair("h/o/c", 0)];
    let assigned = assign(&pairs, &chain, &Settings::default()).assignments;
    assert!(assigned.iter().all(|row| row.cluster == "h/o/b"), "though it has no pair");
}

#[test]
fn mirrors_by_owner_and_name() {
    let repositories = [
        unique("github.com/Apache/commons"),
        unique("gitlab.com/apache/commons"),
        unique("github.com/other/commons"),
        unique("local/commons"),
        unique("disk/commons"),
    ];
    assert_eq!(clusters(&repositories).len(), 4);
}

#[test]
fn widespread_blobs_join_forks_and_not_strangers() {
    let boilerplate: Vec<_> = (0..60)
        .map(|number| with_blobs(&format!("h/o/{number}"), [1, 2, 3, 1_000 + number, 2_000 + number]))
        .collect();
    assert_eq!(clusters(&boilerplate).len(), 60);
    let forks: Vec<_> =
        (0..60).map(|number| with_blobs(&format!("h/o/{number}"), (0..40).chain([1_000 + number]))).collect();
    assert_eq!(clusters(&forks).len(), 1);
}

#[test]
fn repeated_keys_and_missing_blobs_do_no_harm() {
    let pairs = [pair("h/o/a", 0), pair("h/o/b", 0)];
    let blobs = [with_blobs("h/o/a", [1]), with_blobs("h/o/a", [1, 1])];
    let assigned = assign(&pairs, &blobs, &Settings::default()).assignments;
    assert_eq!(assigned.iter().map(|row| row.cluster.as_str()).collect::<Vec<_>>(), ["h/o/a", "h/o/b"]);
}

#[test]
fn only_kept_pairs_are_assigned_in_their_order() {
    let mut pairs = [pair("h/o/b", 0), pair("h/o/a", 0), pair("h/o/a", 1)];
    pairs[1].representative = pairs[0].id.clone();
    let splits = assign(&pairs, &[], &Settings::default());
    let ids: Vec<&str> = splits.assignments.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["h/o/b#0", "h/o/a#1"]);
    assert_eq!((splits.summary.repositories, splits.summary.clusters), (2, 2));
}

#[test]
fn no_pairs_no_splits() {
    let splits = run(&[], &Settings::default());
    assert!(splits.assignments.is_empty());
    assert!(splits.summary.project.iter().all(|share| share.rows == 0 && share.share == 0.0));
}

#[test]
fn no_wanted_split_is_empty_from_three_clusters_on() {
    for rows in [&[1, 1, 1][..], &[1_000, 1, 1], &[500, 500, 500], &[7, 900, 900, 900]] {
        for seed in 0..50 {
            let splits = run(rows, &Settings { seed, ..Settings::default() });
            for share in &splits.summary.project {
                assert!(share.rows > 0, "{rows:?} with seed {seed}: {share:?}");
            }
        }
    }
    let no_validation = run(&[10; 40], &Settings { ratios: [8.0, 0.0, 2.0], ..Settings::default() });
    assert_eq!(no_validation.summary.project.map(|share| share.rows), [320, 0, 80]);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let with = |ratios, copy_threshold| check(&Settings { ratios, copy_threshold, seed: 1 });
    assert_eq!(with([8.0, 1.0, 0.0], 1.0), Ok(()));
    for ratios in [[0.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, f64::NAN, 1.0]] {
        assert!(with(ratios, 0.3).unwrap_err().starts_with("splitting.ratios: "));
    }
    for threshold in [0.0, 1.1, f64::NAN] {
        assert!(with([1.0; 3], threshold).unwrap_err().starts_with("splitting.copy_threshold: "));
    }
}

#[test]
fn one_more_repository_moves_few_clusters() {
    for added in 200..220 {
        let rows: Vec<usize> = (0..=added).map(|number| 5 + number * 7 % 11).collect();
        let before = cluster_splits(&run(&rows[..200], &Settings::default()).assignments);
        let mut with_one = rows[..200].to_vec();
        with_one.resize(added, 0);
        with_one.push(rows[added]);
        let after = cluster_splits(&run(&with_one, &Settings::default()).assignments);
        let moved = before.iter().filter(|(cluster, splits)| after.get(*cluster) != Some(splits)).count();
        assert!(moved <= 8, "{moved} clusters moved");
    }
}

#[test]
fn the_random_split_moves_no_row() {
    let random = |splits: &Splits| -> BTreeMap<String, String> {
        splits.assignments.iter().map(|row| (row.id.clone(), row.random.clone())).collect()
    };
    let few = random(&run(&[30; 20], &Settings::default()));
    let all = run(&[30; 200], &Settings::default());
    let many = random(&all);
    assert!(few.iter().all(|(id, split)| many.get(id) == Some(split)));
    for share in &all.summary.random {
        assert!((share.share - share.wanted).abs() < 0.02, "{share:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_cluster_is_in_two_splits_and_order_does_not_matter(
        repositories in prop::collection::vec((0..12_usize, prop::collection::vec(0..60_u64, 0..8)), 0..30),
        seed in any::<u64>(),
    ) {
        let settings = Settings { seed, ..Settings::default() };
        let mut blobs = Vec::new();
        let mut pairs = Vec::new();
        for (number, (rows, files)) in repositories.into_iter().enumerate() {
            let key = format!("h{}/o/{}", number % 2, number / 2 + number % 3 * 20);
            pairs.extend((0..rows).map(|row| pair(&key, row)));
            blobs.push(with_blobs(&key, files));
        }
        let splits = assign(&pairs, &blobs, &settings);
        prop_assert!(cluster_splits(&splits.assignments).values().all(|splits| splits.len() == 1));
        blobs.reverse();
        pairs.reverse();
        let mut reversed = assign(&pairs, &blobs, &settings);
        reversed.assignments.reverse();
        prop_assert_eq!(splits, reversed);
    }

    #[test]
    fn small_clusters_miss_the_ratio_by_one_at_most(
        rows in prop::collection::vec(1..10_usize, 100..200),
        seed in any::<u64>(),
    ) {
        let splits = run(&rows, &Settings { seed, ..Settings::default() });
        let one = 10.0 / rows.iter().sum::<usize>() as f64;
        let [train, validation, test] = &splits.summary.project;
        for share in [validation, test] {
            prop_assert!((share.share - share.wanted).abs() <= one, "{:?}", share);
        }
        prop_assert!((train.share - train.wanted).abs() <= 2.0 * one, "{:?}", train);
    }
}
