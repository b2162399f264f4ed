//! A server whose certificate nobody vouches for.

use crate::harness::{Scene, secret};
use trefoil_discovery::{ApiSettings, Discovery, Interface};
use trefoil_stand_in::untrusted_server;

#[test]
fn a_certificate_that_nobody_vouches_for_ends_it_at_once() {
    let scene = Scene::new(1);
    let discovery = scene.discovery(Interface::Graphql);
    let api = ApiSettings { address: untrusted_server().unwrap(), ..discovery.api.clone() };
    let discovery = Discovery { api, tokens: secret(&["secret-one"]), ..discovery };
    let message = scene.run(&discovery).err().unwrap().to_string();
    assert!(message.contains("the server's certificate is not trusted"), "{message}");
    assert!(message.contains("127.0.0.1") && !message.contains("secret-one"), "{message}");
    assert!(scene.hours() < 0.01, "asking again would not help");
}
