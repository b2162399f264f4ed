//! What is refused before anything runs; no sandbox is needed.

use crate::client::{get, post, send};
use std::net::SocketAddr;
use trefoil_execution::sandbox::{Job, Limits, Running, Sandbox, SandboxError};
use trefoil_service::{Bounds, Service, ServiceError};

/// Fails the test that starts anything.
struct Nothing;

impl Sandbox for Nothing {
    fn start(&self, _: &Job) -> Result<Running, SandboxError> {
        Err(SandboxError::Unavailable("nothing is to run".into()))
    }

    fn in_force(&self, _: &Limits, _: bool) -> String {
        "nothing runs".to_owned()
    }
}

fn bind(address: &str, public: bool) -> Result<Service, ServiceError> {
    let sandbox = Box::new(Nothing);
    let address: SocketAddr = address.parse().unwrap();
    Service::bind(address, public, Vec::new(), (sandbox, Limits::default()), Bounds::default())
}

fn served() -> SocketAddr {
    let service = bind("127.0.0.1:0", false).unwrap();
    let address = service.address();
    std::thread::spawn(move || service.serve());
    address
}

#[test]
fn only_loopback_is_listened_on_unless_that_is_meant() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let error = bind(address, false).err().unwrap();
        assert!(matches!(error, ServiceError::NotLoopback(_)), "{address}: {error}");
        assert!(error.to_string().contains("other machines"));
    }
    assert!(bind("0.0.0.0:0", true).is_ok());
}

#[test]
fn what_is_there_is_listed_and_what_is_not_is_said() {
    let address = served();
    let list = get(address, "/environments", "127.0.0.1");
    assert_eq!((list.status, list.body["limits"].as_str()), (200, Some("nothing runs")));
    let answer = get(address, "/verify", "localhost");
    assert!(answer.status == 404 && answer.error().contains("POST /environments/NAME/verify"));
    let answer = get(address, "/environments/flask/verify", "localhost");
    assert!(answer.status == 405 && answer.error().contains("POST"));
    let answer = post(address, "/environments/flask/verify", r#"{"cases": []}"#);
    assert!(answer.status == 404 && answer.error().contains("flask"));
}

#[test]
fn what_a_web_page_can_send_is_refused() {
    let address = served();
    let answer = get(address, "/environments", "shop.example");
    assert!(answer.status == 403 && answer.error().contains("Host"));
    let plain = "POST /environments/a/cov HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nConnection: \
                 close\r\nContent-Length: 2\r\n\r\n{}";
    let answer = send(address, plain.as_bytes());
    assert!(answer.status == 415 && answer.error().contains("application/json"));
}
