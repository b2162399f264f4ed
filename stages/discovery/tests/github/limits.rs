//! GitHub's limits, with one token, several, and none.

use crate::harness::{Scene, ids, secret};
use std::collections::BTreeMap;
use trefoil_discovery::{ApiSettings, Discovery, Interface};
use trefoil_stand_in::{At, Fault, Limits};

#[test]
fn searches_wait_for_the_next_minute() {
    let scene = Scene::with(6_000, |script| script.latency = 10);
    let (found, traffic) = scene.run(&scene.discovery(Interface::Rest)).unwrap();
    assert_eq!(ids(&found), scene.ids());
    // Thirty a minute; the first thirty are free.
    let least = (traffic.requests / 30) as f64 / 60.0;
    assert!(scene.hours() >= least && scene.hours() < least * 1.2, "{} hours", scene.hours());
    assert_eq!(traffic.fruitless, 0, "nothing is asked that would be refused");
}

#[test]
fn points_wait_for_the_next_hour() {
    let scene = Scene::with(3_000, |script| {
        script.limits = Some(Limits { graphql: 12, ..Limits::default() });
    });
    let (found, traffic) = scene.run(&scene.discovery(Interface::Graphql)).unwrap();
    assert_eq!(ids(&found), scene.ids());
    let full_hours = ((traffic.requests - 1) / 12) as f64;
    assert!((full_hours..full_hours + 0.1).contains(&scene.hours()), "{} hours", scene.hours());
    assert_eq!(traffic.fruitless, 0);
}

#[test]
fn the_token_with_the_most_left_is_asked_first() {
    let scene = Scene::with(8_000, |script| script.tokens = vec!["one".into(), "two".into(), "three".into()]);
    let discovery =
        Discovery { tokens: secret(&["one", "two", "three"]), ..scene.discovery(Interface::Graphql) };
    let (found, _) = scene.run(&discovery).unwrap();
    assert_eq!(found.outcome.repositories, 8_000);
    let by_token = scene.stand_in.served().by_token;
    assert!(by_token.values().all(|requests| *requests > 20), "{by_token:?}");
}

#[test]
fn a_token_that_expires_is_left_out() {
    let scene = Scene::with(2_000, |script| script.tokens = vec!["good".into()]);
    let discovery = Discovery { tokens: secret(&["expired", "good"]), ..scene.discovery(Interface::Graphql) };
    let (found, traffic) = scene.run(&discovery).unwrap();
    assert_eq!((found.outcome.repositories, traffic.fruitless), (2_000, 1));
    let asked = BTreeMap::from([("expired".to_owned(), 1), ("good".to_owned(), traffic.requests - 1)]);
    assert_eq!(scene.stand_in.served().by_token, asked);
}

#[test]
fn without_a_valid_token_it_ends_with_a_message_and_goes_on_with_one() {
    let scene = Scene::with(2_000, |script| script.tokens = vec!["good".into()]);
    let bad = Discovery { tokens: secret(&["bad"]), ..scene.discovery(Interface::Graphql) };
    let message = scene.run(&bad).err().unwrap().to_string();
    assert!(message.contains("every token was refused") && message.contains("GITHUB_TOKEN"), "{message}");
    let good = Discovery { tokens: secret(&["good"]), ..bad };
    assert_eq!(scene.run(&good).unwrap().0.outcome.repositories, 2_000);
    let none = Discovery { tokens: Vec::new(), ..good };
    assert!(scene.run(&none).err().unwrap().to_string().contains("only with a token"));
}

#[test]
fn secondary_limits_are_waited_for_as_told_or_a_minute_and_more() {
    let scene = Scene::with(100, |script| {
        script.latency = 0;
        script.faults = vec![
            (At::Request(0), Fault::Secondary(Some(700))),
            (At::Request(1), Fault::Secondary(None)),
            (At::Request(2), Fault::Secondary(None)),
            (
                At::Request(3),
                Fault::Status(429, vec![("retry-after".into(), "5".into())], "slow down".into()),
            ),
            (
                At::Request(4),
                Fault::Status(403, Vec::new(), "You have triggered an abuse detection mechanism".into()),
            ),
        ];
    });
    let (found, traffic) = scene.run(&scene.discovery(Interface::Rest)).unwrap();
    assert_eq!((found.outcome.repositories, traffic.requests), (100, 6));
    let seconds = scene.hours() * 3_600.0;
    // 700, then more than 120 and 240 since they are the second and third in a row, 5, and 960 for the fifth.
    assert!((700.0 + 120.0 + 240.0 + 5.0 + 960.0..2_700.0).contains(&seconds), "{seconds} s");
}

#[test]
fn patience_ends_and_says_what_was_wrong() {
    let scene = Scene::with(100, |script| {
        script.faults = vec![(At::Always("/search".into()), Fault::Status(500, Vec::new(), "Oops".into()))];
    });
    let message = scene.run(&scene.discovery(Interface::Rest)).err().unwrap().to_string();
    assert!(message.contains("in 3600 s") && message.contains("status 500"), "{message}");
    scene.stand_in.change(|script| script.faults.clear());
    assert_eq!(scene.run(&scene.discovery(Interface::Rest)).unwrap().0.outcome.repositories, 100);
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let scene = Scene::new(1);
    let mut discovery = scene.discovery(Interface::Rest);
    discovery.api = ApiSettings { address: "http://127.0.0.1:1".into(), ..discovery.api };
    let message = scene.run(&discovery).err().unwrap().to_string();
    assert!(message.to_lowercase().contains("refused"), "{message}");
    discovery.api = ApiSettings { address: "not an address".into(), ..discovery.api };
    assert!(scene.run(&discovery).err().unwrap().to_string().contains("github.api: `not an address`"));
}
