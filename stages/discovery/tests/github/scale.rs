//! Many repositories, GitHub's limits, and faults in two of a hundred answers.

use crate::harness::{Scene, everything, ids, rows};
use trefoil_discovery::{Facets, Interface, Wanted};
use trefoil_stand_in::{Repository, Script, population};

/// `scripts/simulate_discovery` does the same with 100,000.
const NUMBER: usize = 20_000;

fn everything_once_with_few_requests(interface: Interface) {
    let scene = Scene::with(NUMBER, |script| script.fault_share = 0.02);
    let (found, traffic) = scene.run(&scene.discovery(interface)).unwrap();
    assert_eq!(ids(&found), scene.ids());
    assert_eq!((found.outcome.counted, found.outcome.repositories), (NUMBER as u64, NUMBER as u64));
    assert!(found.outcome.unsettled.is_empty(), "{:?}", found.outcome.unsettled);
    let least = NUMBER as u64 / 100;
    assert!(traffic.fruitless > 0);
    assert!(traffic.requests * 10 <= least * 11, "{} requests instead of {least}", traffic.requests);
    assert_eq!(scene.stand_in.served().requests, traffic.requests);
}

#[test]
fn rest_finds_everything_once_with_few_requests() {
    everything_once_with_few_requests(Interface::Rest);
}

#[test]
fn graphql_finds_everything_once_with_few_requests() {
    everything_once_with_few_requests(Interface::Graphql);
}

#[test]
fn graphql_brings_the_whole_evidence_and_rest_most_of_it() {
    let scene = Scene::new(300);
    let (found, _) = scene.run(&scene.discovery(Interface::Graphql)).unwrap();
    let original = &population(300, 1)[0];
    let row = rows(&found).remove(0);
    let expected = format!(
        "{} {} {} {} {:?}",
        original.full_name,
        original.licence,
        original.stars,
        original.commit.as_deref().unwrap(),
        original.languages
    );
    let seen = format!("{} {} {} {} {:?}", row.full_name, row.licence, row.stars, row.commit, row.languages);
    assert_eq!(seen, expected);
    let forks = |rows: &[trefoil_discovery::Repository]| rows.iter().filter(|row| row.is_fork).count();
    let by_graphql = rows(&found);
    assert!(by_graphql.iter().all(|row| row.is_fork == row.parent.starts_with("upstream/")));

    let scene = Scene::new(300);
    let by_rest = rows(&scene.run(&scene.discovery(Interface::Rest)).unwrap().0);
    assert_eq!(forks(&by_graphql), forks(&by_rest));
    for (one, other) in by_graphql.into_iter().zip(by_rest) {
        let known = trefoil_discovery::Repository {
            commit: one.commit,
            languages: one.languages,
            parent: one.parent,
            ..other
        };
        assert_eq!(known.stars, one.stars);
        assert_eq!(
            (known.full_name, known.created, known.licence),
            (one.full_name, one.created, one.licence)
        );
    }
}

#[test]
fn facets_choose() {
    let scene = Scene::new(3_000);
    let mut discovery = scene.discovery(Interface::Graphql);
    discovery.sought.facets = Some(Facets {
        languages: vec!["Java".into(), "Jupyter Notebook".into()],
        licences: vec!["mit".into(), "apache-2.0".into()],
        min_stars: 20,
        max_stars: 500,
        archived: Wanted::No,
        pushed_from: "2015-01-01".into(),
        ..Facets::default()
    });
    let (found, _) = scene.run(&discovery).unwrap();
    let fits = |one: &&Repository| {
        ["Java", "Jupyter Notebook"].contains(&one.languages[0].0.as_str())
            && ["MIT", "Apache-2.0"].contains(&one.licence.as_str())
            && (20..=500).contains(&one.stars)
            && !one.archived
            && one.parent.is_none()
            && one.pushed >= 1_420_070_400
    };
    let all = population(3_000, 1);
    let expected: Vec<u64> = all.iter().filter(fits).map(|one| one.id).collect();
    assert!(expected.len() > 100);
    assert_eq!(ids(&found), expected);
}

#[test]
fn no_more_than_wanted_and_those_with_the_most_stars() {
    for interface in [Interface::Graphql, Interface::Rest] {
        let scene = Scene::new(5_000);
        let mut discovery = scene.discovery(interface);
        discovery.sought.max_repositories = 700;
        let (found, _) = scene.run(&discovery).unwrap();
        let fewest = found.outcome.min_stars;
        let all = population(5_000, 1);
        let with = |stars: u64| all.iter().filter(|one| one.stars >= stars).count() as u64;
        assert_eq!(found.outcome.repositories, with(fewest));
        assert!(with(fewest) <= 700 && with(fewest - 1) > 700, "{fewest}");
    }
}

#[test]
fn more_than_a_thousand_in_one_second_are_cut_by_stars() {
    let at_once = |script: &mut Script| {
        script.repositories[500..3_000].iter_mut().for_each(|one| one.created = 1_400_000_000);
    };
    for interface in [Interface::Graphql, Interface::Rest] {
        let scene = Scene::with(4_000, at_once);
        let (found, _) = scene.run(&scene.discovery(interface)).unwrap();
        assert_eq!(ids(&found), scene.ids());
    }
}

#[test]
fn more_than_a_thousand_alike_are_marked() {
    let scene = Scene::with(1_500, |script| {
        script.repositories.iter_mut().for_each(|one| (one.created, one.stars) = (1_400_000_000, 50));
    });
    let (found, _) = scene.run(&scene.discovery(Interface::Rest)).unwrap();
    let unsettled = &found.outcome.unsettled;
    assert_eq!((unsettled[0].total, unsettled[0].found), (1_500, 1_000));
    assert!(unsettled[0].words.contains("stars:50..50"), "{unsettled:?}");
}

#[test]
fn an_estimate_asks_for_counts_only() {
    let scene = Scene::new(5_000);
    let mut discovery = scene.discovery(Interface::Graphql);
    discovery.sought.facets = Some(Facets { languages: vec!["Java".into()], ..everything() });
    let estimate = discovery.estimate().unwrap();
    let java = population(5_000, 1).into_iter().filter(|one| one.languages[0].0 == "Java");
    let java: Vec<_> = java.collect();
    assert_eq!((estimate.repositories, estimate.asked), (java.len() as u64, 1));
    let gigabytes = java.iter().map(|one| one.kilobytes as f64 * 1_024.0 / 1e9).sum::<f64>();
    assert!((0.4..2.5).contains(&(estimate.gigabytes / gigabytes)), "{} for {gigabytes}", estimate.gigabytes);
    let (_, traffic) = scene.run(&discovery).unwrap();
    assert!(estimate.requests.abs_diff(traffic.requests) <= 3, "{estimate:?}, {traffic:?}");
}
