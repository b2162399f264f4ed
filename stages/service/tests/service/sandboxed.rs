//! Tests that run, over HTTP.

use crate::client::{get, post, send};
use crate::repository::{built, case, suite};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use trefoil_execution::coverage::{CaseCoverage, Engine};
use trefoil_execution::environment::Environment;
use trefoil_execution::problem::Case;
use trefoil_execution::sandbox::{Limits, choose};
use trefoil_service::{Bounds, Service};

const GOOD: &str = "from stall import total\n\ndef test_good(basket):\n    assert total(basket) == 4\n";
const BAD: &str = "def test_bad():\n    assert 1 == 2\n";
const SLOW: &str = "import time\n\ndef test_slow():\n    time.sleep(4)\n";
const VERIFY: &str = "/environments/stall/verify";

fn served(bounds: Bounds) -> SocketAddr {
    let environment = Environment::open(&built().folder).unwrap();
    let limits = Limits { seconds: 20, ..Limits::default() };
    let sandbox = (choose().unwrap(), limits);
    let service =
        Service::bind("127.0.0.1:0".parse().unwrap(), false, vec![environment], sandbox, bounds).unwrap();
    let address = service.address();
    std::thread::spawn(move || service.serve());
    address
}

fn body(cases: &[Case]) -> String {
    json!({ "cases": cases }).to_string()
}

fn outcomes(answer: &Value) -> Vec<(&str, &str)> {
    let rows = answer["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["id"].as_str().unwrap(), row["outcome"].as_str().unwrap())).collect()
}

#[test]
fn verify_answers_in_the_order_of_the_cases() {
    let address = served(Bounds { jobs: 2, ..Bounds::default() });
    let cases =
        [case("bad", BAD), case("good", GOOD), Case { path: "../out.py".into(), ..case("out", GOOD) }];
    let answer = post(address, VERIFY, &body(&cases));
    assert_eq!(answer.status, 200, "{}", answer.error());
    assert_eq!(outcomes(&answer.body), [("bad", "failed"), ("good", "passed"), ("out", "error")]);
    assert!(answer.body["rows"][0]["limits"].as_str().unwrap().contains("no network"));
    let list = get(address, "/environments", "localhost");
    assert_eq!(list.body["environments"][0]["name"], "stall");
}

#[test]
fn cov_gives_the_rows_of_the_library() {
    let address = served(Bounds::default());
    let cases = [case("good", GOOD)];
    let mut rows: Vec<CaseCoverage> = Vec::new();
    suite(Limits { seconds: 20, ..Limits::default() })
        .cov(&cases, Engine::Zygote, &mut |row, _| rows.push(row))
        .unwrap();
    let answer = post(address, "/environments/stall/cov", &body(&cases));
    assert_eq!(answer.body["rows"], serde_json::to_value(&rows).unwrap());
    let some = json!({ "cases": cases, "paths": ["src/stall/prices.py"] }).to_string();
    let answer = post(address, "/environments/stall/cov", &some);
    let files = answer.body["rows"][0]["files"].as_object().unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["src/stall/prices.py"]);
}

#[test]
fn bad_requests_are_told_what_is_wrong() {
    let bounds = Bounds { body_bytes: 2000, cases: 2, answer_bytes: 100, ..Bounds::default() };
    let address = served(bounds);
    for (body, said) in [
        ("nonsense", "not as it should be"),
        (r#"{"cases": [{"id": "a"}]}"#, "missing field `path`"),
        (r#"{"cases": [], "engine": "x"}"#, "unknown field `engine`"),
        (&body(&[case("a", BAD), case("a", BAD)]), "same id"),
        (&body(&[case("a", BAD), case("b", BAD), case("c", BAD)]), "at most 2"),
    ] {
        let answer = post(address, VERIFY, body);
        assert!(answer.status == 400 && answer.error().contains(said), "{body}: {}", answer.error());
    }
    let long = body(&[case("long", &"#".repeat(3000))]);
    assert_eq!(post(address, VERIFY, &long).status, 413);
    let headers = "Host: localhost\r\nContent-Type: application/json\r\nConnection: close";
    let chunked = format!(
        "POST {VERIFY} HTTP/1.1\r\n{headers}\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{long}\r\n0\r\n\r\n",
        long.len()
    );
    assert_eq!(send(address, chunked.as_bytes()).status, 413);
    let answer = post(address, VERIFY, &body(&[case("bad", BAD)]));
    assert!(answer.status == 422 && answer.error().contains("fewer cases"), "{}", answer.error());
}

#[test]
fn no_more_run_at_a_time_and_no_more_wait_than_may() {
    let address = served(Bounds { jobs: 1, waiting: 1, ..Bounds::default() });
    let ask = move |name: &'static str, source: &'static str| {
        std::thread::spawn(move || post(address, VERIFY, &body(&[case(name, source)])))
    };
    let first = ask("slow", SLOW);
    std::thread::sleep(Duration::from_secs(1));
    let second = ask("good", GOOD);
    std::thread::sleep(Duration::from_millis(500));
    let third = post(address, VERIFY, &body(&[case("bad", BAD)]));
    assert_eq!(third.status, 503);
    assert!(third.headers.contains("retry-after: 1") && third.error().contains("wait already"));
    assert_eq!(outcomes(&first.join().unwrap().body), [("slow", "passed")]);
    assert_eq!(outcomes(&second.join().unwrap().body), [("good", "passed")]);
}

#[test]
fn a_caller_who_hangs_up_leaves_the_service_working() {
    use std::io::Write;
    let address = served(Bounds { jobs: 1, ..Bounds::default() });
    let body = body(&[case("slow", SLOW)]);
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let headers = "Host: localhost\r\nContent-Type: application/json";
    let length = body.len();
    write!(stream, "POST {VERIFY} HTTP/1.1\r\n{headers}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    drop(stream);
    let answer = post(address, VERIFY, &self::body(&[case("good", GOOD)]));
    assert_eq!(outcomes(&answer.body), [("good", "passed")]);
}
