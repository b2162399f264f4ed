//! Ended anywhere, discovery goes on where it was and comes to the same rows.

use crate::harness::{Scene, rows};
use std::sync::atomic::Ordering;
use trefoil_discovery::{Discovery, DiscoveryError, Interface};

#[test]
fn ended_at_twenty_places_it_finds_the_same() {
    for interface in [Interface::Graphql, Interface::Rest] {
        let whole = Scene::new(4_000);
        let (expected, traffic) = whole.run(&whole.discovery(interface)).unwrap();
        let scene = Scene::with(4_000, |script| script.fault_share = 0.02);
        let mut ended = 0;
        for start in 0..20 {
            // Each start gets further by one or two answers.
            scene.watch.end_after.store(1 + start * 2 + start % 2, Ordering::SeqCst);
            match scene.run(&scene.discovery(interface)) {
                Err(DiscoveryError::Interrupted) => ended += 1,
                other => panic!("{:?}", other.map(|_| ()).err()),
            }
        }
        assert_eq!(ended, 20);
        scene.watch.end_after.store(0, Ordering::SeqCst);
        let (found, _) = scene.run(&scene.discovery(interface)).unwrap();
        assert_eq!(rows(&found), rows(&expected));
        assert_eq!(found.outcome, expected.outcome);
        // What was in flight when it ended, and what failed, is asked again; nothing else.
        let asked = scene.stand_in.served();
        assert!(asked.requests - asked.failed <= traffic.requests + 20, "{asked:?} beside {traffic:?}");
    }
}

#[test]
fn a_finished_discovery_asks_nothing() {
    let scene = Scene::new(1_500);
    let first = rows(&scene.run(&scene.discovery(Interface::Rest)).unwrap().0);
    let asked = scene.stand_in.served().requests;
    scene.stand_in.change(|script| script.repositories.clear());
    assert_eq!(rows(&scene.run(&scene.discovery(Interface::Rest)).unwrap().0), first);
    assert_eq!(scene.stand_in.served().requests, asked);
    Discovery::forget(scene.folder.path()).unwrap();
    assert!(rows(&scene.run(&scene.discovery(Interface::Rest)).unwrap().0).is_empty());
}

#[test]
fn another_search_does_not_use_these_answers() {
    let scene = Scene::new(100);
    let mut discovery = scene.discovery(Interface::Rest);
    scene.run(&discovery).unwrap();
    discovery.sought.max_repositories = 7;
    let message = scene.run(&discovery).err().unwrap().to_string();
    assert!(message.contains("another search") && message.contains("--refresh"), "{message}");
}
