use super::{Key, Near, NearDuplicates, Settings, decide};
use crate::records::{DedupDecision, PairKey};
use proptest::prelude::*;

fn pair(id: &str, repository: &str, text: &str, test: &str) -> PairKey {
    PairKey {
        id: id.into(),
        test_id: format!("test of {id}"),
        host: "local".into(),
        repository: repository.into(),
        language: "java".into(),
        focal_id: format!("focal of {id}"),
        text_digest: text.into(),
        test_digest: test.into(),
        characters: 7,
    }
}

fn pairs() -> Vec<PairKey> {
    vec![
        pair("1", "b", "x", "t"),
        pair("2", "a", "x", "t"),
        pair("3", "a", "y", "t"),
        pair("4", "a", "", ""),
        pair("5", "a", "", ""),
    ]
}

fn with(key: Key) -> Settings {
    Settings { key, ..Settings::default() }
}

fn decided(key: Key) -> Vec<(String, String, u32)> {
    let decisions = decide(pairs(), &NearDuplicates::default(), &with(key));
    decisions.into_iter().map(|one| (one.id, one.representative, one.copies)).collect()
}

fn kept(decisions: &[DedupDecision]) -> impl Iterator<Item = &DedupDecision> {
    decisions.iter().filter(|one| one.id == one.representative)
}

#[test]
fn what_makes_two_pairs_the_same() {
    let groups = |key| {
        let mut copies: Vec<(String, u32)> =
            decided(key).into_iter().map(|(id, _, copies)| (id, copies)).collect();
        copies.sort();
        copies.into_iter().map(|(_, copies)| copies).collect::<Vec<_>>()
    };
    assert_eq!(groups(Key::None), [1, 1, 1, 1, 1]);
    assert_eq!(groups(Key::Pair), [2, 2, 1, 1, 1], "no digest is no duplicate");
    assert_eq!(groups(Key::Test), [3, 3, 3, 1, 1]);
}

#[test]
fn a_test_keeps_all_its_pairs_and_its_copies_none() {
    let of = |id: &str, test: &str| PairKey { test_id: test.into(), ..pair(id, "a", id, "t") };
    let pairs =
        vec![of("1", "first"), of("2", "first"), of("3", "second"), of("4", "second"), of("5", "third")];
    let decisions = decide(pairs, &NearDuplicates::default(), &with(Key::Test));
    let kept: Vec<&DedupDecision> = kept(&decisions).collect();
    let smallest = ["first", "second", "third"]
        .into_iter()
        .min_by_key(|test| super::hash("representative", test))
        .unwrap();
    assert_eq!(kept.len(), if smallest == "third" { 1 } else { 2 });
    assert!(kept.iter().all(|one| one.test_id == smallest), "{kept:?}");
    assert!(decisions.iter().all(|one| kept.iter().any(|kept| kept.id == one.representative)));
    assert!(decisions.iter().all(|one| one.copies == 5));
}

#[test]
fn all_pairs_come_back_by_repository_and_id() {
    let ids: Vec<String> = decided(Key::Pair).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, ["2", "3", "4", "5", "1"]);
}

#[test]
fn the_representative_has_the_smallest_hash() {
    let smallest = ["1", "2"].into_iter().min_by_key(|id| super::hash("representative", id)).unwrap();
    for (id, representative, _) in decided(Key::Pair) {
        assert_eq!(representative, if id == "1" || id == "2" { smallest } else { &id });
    }
}

/// The pairs of [`pairs`] in order: 2, 3, 4, 5, 1. By their tests 3 and 4 are near-duplicates, by both texts 5 and 1.
fn near() -> NearDuplicates {
    NearDuplicates { tests: vec![0, 1, 1, 3, 4], focal: vec![0, 1, 2, 3, 4], pairs: vec![0, 1, 2, 3, 3] }
}

#[test]
fn near_duplicates_are_marked_and_nothing_more() {
    for key in [Key::None, Key::Pair, Key::Test] {
        let decisions = decide(pairs(), &near(), &with(key));
        let kept: Vec<String> = kept(&decisions).map(|one| one.id.clone()).collect();
        let without = decide(pairs(), &NearDuplicates::default(), &with(key));
        assert_eq!(kept, super::tests::kept(&without).map(|one| one.id.clone()).collect::<Vec<_>>());
        // 1, 2 and 3 have one text, and 4 is like 3.
        let test = decisions[0].test_cluster.clone();
        let alike: Vec<bool> = decisions.iter().map(|one| one.test_cluster == test).collect();
        assert_eq!(alike, [true, true, true, false, true]);
        assert!(decisions.iter().any(|one| one.test_id == test));
        assert_eq!(decisions[3].test_cluster, "test of 5");
        // 2 and 1 have one text, and 5 is like 1.
        let both: Vec<bool> =
            decisions.iter().map(|one| one.pair_cluster == decisions[0].pair_cluster).collect();
        assert_eq!(both, [true, false, false, true, true]);
        assert_eq!(decisions[1].focal_cluster, "focal of 3");
    }
}

#[test]
fn one_of_each_cluster_stays_where_near_duplicates_are_dropped() {
    let with = |key| Settings { key, near: Near::Drop, ..Settings::default() };
    let count = |key| kept(&decide(pairs(), &near(), &with(key))).count();
    assert_eq!((count(Key::None), count(Key::Pair), count(Key::Test)), (5, 3, 2));
}

proptest! {
    #[test]
    fn one_pair_of_each_digest_is_kept_in_whatever_order(
        digests in prop::collection::vec(0..20_u8, 0..60),
        seed in any::<u64>(),
        key in prop_oneof![Just(Key::Pair), Just(Key::Test)],
    ) {
        let pairs: Vec<PairKey> = digests
            .iter()
            .enumerate()
            .map(|(number, digest)| pair(&number.to_string(), "a", &format!("d{digest}"), &format!("d{digest}")))
            .collect();
        let mut shuffled = pairs.clone();
        shuffled.sort_by_key(|pair| super::hash(&seed.to_string(), &pair.id));
        let decisions = decide(pairs, &NearDuplicates::default(), &with(key));
        prop_assert_eq!(&decisions, &decide(shuffled, &NearDuplicates::default(), &with(key)));
        let distinct: std::collections::HashSet<_> = digests.iter().collect();
        prop_assert_eq!(kept(&decisions).count(), distinct.len());
        prop_assert_eq!(kept(&decisions).map(|one| one.copies as usize).sum::<usize>(), digests.len());
    }
}
