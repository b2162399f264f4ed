//! Repositories that a list names: renamed, gone, blocked, redirected; and refreshing them.

use crate::harness::{Scene, rows};
use trefoil_discovery::{Absence, Discovery, Interface};
use trefoil_stand_in::{At, Fault, State};

fn scene() -> Scene {
    Scene::with(10, |script| {
        let all = &mut script.repositories;
        let names = ["here/one", "moved/two", "lost/three", "blocked/four", "found/five"];
        for (repository, name) in all.iter_mut().zip(names) {
            repository.full_name = name.to_owned();
        }
        all[1].former_names = vec!["old/two".into(), "older/two".into()];
        all[2].state = State::Gone;
        all[3].state = State::Blocked;
        all[4].state = State::GoneWhenAsked;
    })
}

#[test]
fn names_become_ids_or_reasons() {
    let asked = ["here/one", "old/two", "older/two", "moved/two", "lost/three", "blocked/four", "a b", "x"];
    for interface in [Interface::Graphql, Interface::Rest] {
        let scene = scene();
        let (found, _) = scene.run(&scene.names(interface, &asked)).unwrap();
        let said: Vec<String> = asked
            .iter()
            .map(|name| match &found.names[*name] {
                Ok(id) => id.to_string(),
                Err((absence, _)) => absence.reason().to_owned(),
            })
            .collect();
        let expected = [
            "1000",
            "1037",
            "1037",
            "1037",
            "repository_gone",
            "repository_blocked",
            "repository_gone",
            "repository_gone",
        ];
        assert_eq!(said, expected, "{interface:?}");
        let found_names: Vec<String> = rows(&found).into_iter().map(|row| row.full_name).collect();
        assert_eq!(found_names, ["here/one", "moved/two"], "each once, under its present name");
    }
}

#[test]
fn what_a_search_has_found_may_be_gone_when_it_is_asked_for() {
    let scene = scene();
    let mut discovery = scene.discovery(Interface::Graphql);
    discovery.sought.names = vec!["found/five".into()];
    let (found, _) = scene.run(&discovery).unwrap();
    assert_eq!(found.names["found/five"].as_ref().unwrap_err().0, Absence::RepositoryGone);
    assert_eq!(found.outcome.repositories, 8);
}

#[test]
fn redirects_end() {
    let cases = [
        ("/repos/here/one", Absence::RedirectLoop),
        ("https://elsewhere.example/repos/here/one", Absence::RedirectedElsewhere),
        ("//elsewhere.example/repos/here/one", Absence::RedirectedElsewhere),
    ];
    for (to, expected) in cases {
        let scene = scene();
        let fault = (At::Always("/repos/here".into()), Fault::Redirect(to.into()));
        scene.stand_in.change(|script| script.faults = vec![fault]);
        let (found, traffic) = scene.run(&scene.names(Interface::Rest, &["here/one"])).unwrap();
        let (absence, detail) = found.names["here/one"].clone().unwrap_err();
        assert_eq!(absence, expected);
        assert!(detail.contains(to), "{detail}");
        assert!(traffic.requests <= 6, "{}", traffic.requests);
    }
}

#[test]
fn a_refusal_of_one_repository_is_its_own() {
    let scene = scene();
    let fault = Fault::Status(403, Vec::new(), "Repository access forbidden".into());
    scene.stand_in.change(|script| script.faults = vec![(At::Always("/repos/here".into()), fault)]);
    let (found, _) = scene.run(&scene.names(Interface::Rest, &["here/one", "moved/two"])).unwrap();
    let (absence, detail) = found.names["here/one"].clone().unwrap_err();
    assert_eq!((absence, detail.as_str()), (Absence::RepositoryRefused, "Repository access forbidden"));
    assert_eq!(found.names["moved/two"], Ok(1_037));
}

#[test]
fn a_refresh_costs_nothing_where_nothing_changed() {
    let scene = scene();
    let discovery = scene.names(Interface::Rest, &["here/one", "moved/two"]);
    let before = rows(&scene.run(&discovery).unwrap().0);
    Discovery::forget(scene.folder.path()).unwrap();
    scene.stand_in.change(|script| script.repositories[1].stars = 123_456);
    let after = rows(&scene.run(&discovery).unwrap().0);
    assert_eq!(scene.stand_in.served().not_modified, 1);
    assert_eq!((&after[0], after[1].stars), (&before[0], 123_456));
}
