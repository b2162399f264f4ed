//! A token is sent to GitHub and shown to nobody.

use crate::harness::{Scene, secret};
use std::fs;
use trefoil_discovery::{Discovery, Interface};
use trefoil_stand_in::{At, Fault};

const PLANTED: &str = "ghp_planted0123456789";

#[test]
fn a_token_is_in_no_file_no_message_and_no_error() {
    let echo = |status: u16| Fault::Status(status, Vec::new(), format!("you sent {PLANTED}"));
    let scene = Scene::with(2_000, |script| {
        script.repositories[7].default_branch = PLANTED.into();
        script.tokens = vec![PLANTED.into()];
        script.faults = vec![
            (At::Request(2), echo(500)),
            (At::Request(3), Fault::Reset),
            (At::Path("/repos/".into(), 1), echo(404)),
            (At::Path("/repos/".into(), 1), Fault::Redirect(format!("https://elsewhere/{PLANTED}"))),
        ];
    });
    let mut discovery = Discovery { tokens: secret(&[PLANTED]), ..scene.discovery(Interface::Graphql) };
    discovery.sought.names = vec!["no/one".into(), "no/two".into()];
    let (found, _) = scene.run(&discovery).unwrap();
    assert_eq!(scene.stand_in.served().by_token.keys().collect::<Vec<_>>(), [PLANTED]);

    let mut written =
        format!("{:?} {:?} {:?}", found.names, discovery.tokens, scene.watch.said.lock().unwrap());
    for entry in fs::read_dir(scene.folder.path()).unwrap() {
        written.push_str(&String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap()));
    }
    assert!(written.contains("you sent ***"), "the planted token came back and was blotted out");
    for fault in [echo(422), echo(500)] {
        Discovery::forget(scene.folder.path()).unwrap();
        scene.stand_in.change(|script| script.faults = vec![(At::Always("/".into()), fault)]);
        written.push_str(&scene.run(&discovery).err().unwrap().to_string());
    }
    let leak = written.find(PLANTED).map(|at| &written[at.saturating_sub(200)..at]);
    assert_eq!(leak, None);
}
