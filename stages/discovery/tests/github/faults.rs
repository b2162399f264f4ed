//! Answers that are broken in every way; none of them loses or doubles a repository.

use crate::harness::{Scene, ids};
use trefoil_discovery::Interface;
use trefoil_stand_in::{At, Fault};

const BOTH: [Interface; 2] = [Interface::Graphql, Interface::Rest];

/// Lets a fault strike some answers in the middle; the requests beside those of a discovery without faults.
fn strike(interface: Interface, fault: &Fault) -> u64 {
    let undisturbed = Scene::new(2_500);
    let (_, usual) = undisturbed.run(&undisturbed.discovery(interface)).unwrap();
    let faults = [2, 3, 12].map(|number| (At::Request(number), fault.clone()));
    let scene = Scene::with(2_500, |script| script.faults = faults.to_vec());
    let (found, traffic) = scene.run(&scene.discovery(interface)).unwrap();
    assert_eq!(ids(&found), scene.ids(), "{fault:?}");
    assert!(found.outcome.unsettled.is_empty(), "{fault:?}");
    traffic.requests - usual.requests
}

#[test]
fn broken_answers_are_asked_for_again() {
    let faults = [
        Fault::Reset,
        Fault::CutBody,
        Fault::LengthTooLarge,
        Fault::LengthTooSmall,
        Fault::HalfBody,
        Fault::SlowLoris,
        Fault::Status(500, Vec::new(), "Server Error".into()),
        Fault::Status(502, Vec::new(), "Bad Gateway".into()),
        Fault::Status(503, vec![("retry-after".into(), "20".into())], "Service Unavailable".into()),
    ];
    for fault in &faults {
        for interface in BOTH {
            assert_eq!(strike(interface, fault), 3, "{fault:?}");
        }
    }
}

#[test]
fn a_failure_inside_graphql_is_asked_again() {
    assert_eq!(strike(Interface::Graphql, &Fault::GraphqlFailure), 3);
}

#[test]
fn pages_that_are_too_much_are_asked_for_in_smaller_portions() {
    let scene = Scene::with(900, |script| {
        script.faults = (1..=3).map(|number| (At::Request(number), Fault::GraphqlFailure)).collect();
    });
    let (found, traffic) = scene.run(&scene.discovery(Interface::Graphql)).unwrap();
    assert_eq!(ids(&found), scene.ids());
    // Counts, three failures, pages of fifty.
    assert_eq!(traffic.requests, 1 + 3 + 18);
}

#[test]
fn results_that_shift_between_pages_are_read_again() {
    for interface in BOTH {
        // The repository with the most stars goes away after the first page, and all others move up by one.
        let fault = (At::Request(if interface == Interface::Rest { 0 } else { 1 }), Fault::Shift);
        let scene = Scene::with(900, |script| script.faults = vec![fault]);
        let (found, traffic) = scene.run(&scene.discovery(interface)).unwrap();
        let there = scene.ids();
        let found_ids = ids(&found);
        assert!(there.iter().all(|id| found_ids.contains(id)), "one slipped through");
        assert!(traffic.requests >= 18, "the slice was read twice");
        assert!(found.outcome.unsettled.is_empty());
    }
}

#[test]
fn incomplete_results_are_asked_again_and_then_marked() {
    let scene = Scene::with(500, |script| script.faults = vec![(At::Request(2), Fault::Incomplete)]);
    let (found, _) = scene.run(&scene.discovery(Interface::Rest)).unwrap();
    assert_eq!((ids(&found), found.outcome.unsettled.len()), (scene.ids(), 0));

    let scene = Scene::with(500, |script| {
        script.faults = vec![(At::Always("/search".into()), Fault::Incomplete)];
    });
    let (found, _) = scene.run(&scene.discovery(Interface::Rest)).unwrap();
    let unsettled = &found.outcome.unsettled[0];
    assert!(unsettled.incomplete && unsettled.total == 500 && unsettled.found < 500, "{unsettled:?}");
}

#[test]
fn a_question_that_is_refused_ends_it_with_githubs_words() {
    let scene = Scene::with(10, |script| {
        script.faults = vec![(At::Request(0), Fault::Status(422, Vec::new(), "Validation Failed".into()))];
    });
    let message = scene.run(&scene.discovery(Interface::Rest)).err().unwrap().to_string();
    assert!(message.contains("GitHub refuses page 1 of the search"), "{message}");
    assert!(message.contains("Validation Failed"), "{message}");
}
