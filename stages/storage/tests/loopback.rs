//! Against a server on loopback that speaks S3 and fails on demand.

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

mod server;

use server::Server;
use sha2::{Digest, Sha256};
use std::path::Path;
use trefoil_storage::{Access, Local, Place, StorageError, Store, Uploaded};

fn open(url: &str, address: &str) -> Result<Store, StorageError> {
    let variables = |name: &str| match name {
        "AWS_ACCESS_KEY_ID" => Some("the-key".to_owned()),
        "AWS_SECRET_ACCESS_KEY" => Some("the-secret".to_owned()),
        _ => None,
    };
    Store::open(Place::parse(address)?, Access::from_environment(Some(url), variables)?)
}

fn files(folder: &Path) -> Vec<Local> {
    let names = ["data/train-0.jsonl", "data/test 0.jsonl", "README.md", "empty", "manifest.json"];
    let file = |name: &str| {
        let path = folder.join(name.replace('/', "-"));
        let text = if name == "empty" {
            String::new()
        } else {
            name.repeat(if name.len() > 15 { 60_000 } else { 1 })
        };
        std::fs::write(&path, &text).unwrap();
        let sha256 = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        Local { name: name.to_owned(), path, bytes: text.len() as u64, sha256 }
    };
    names.into_iter().map(file).collect()
}

#[test]
fn everything_comes_in_order_and_nothing_twice() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let files = files(folder.path());
    let uploaded = open(&server.url, "s3://data-sets/release/1").unwrap().upload(&files).unwrap();
    assert_eq!((uploaded.sent, uploaded.known), (5, 0));
    let puts = server.puts();
    assert_eq!(puts.first().unwrap(), "release/1/data/train-0.jsonl");
    assert_eq!(puts.last().unwrap(), "release/1/manifest.json");
    {
        let held = server.held.lock().unwrap();
        for (key, (body, _)) in &held.objects {
            let name = key.strip_prefix("release/1/").unwrap().replace("%20", " ");
            let file = files.iter().find(|file| file.name == name).unwrap();
            assert_eq!(*body, std::fs::read(&file.path).unwrap(), "{key}");
        }
        assert!(!held.heads.contains("the-secret"), "{}", held.heads);
    }
    // Another prefix that starts alike is another place.
    open(&server.url, "s3://data-sets/release/10").unwrap().upload(&files[..1]).unwrap();
}

#[test]
fn a_second_try_sends_what_is_missing() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let mut files = files(folder.path());
    files.retain(|file| !file.name.contains(' '));
    // The first file is refused: nothing comes behind it.
    server.held.lock().unwrap().faults = vec![403];
    let error = open(&server.url, "s3://data-sets/x").unwrap().upload(&files).unwrap_err();
    assert!(matches!(error, StorageError::Refused { .. }), "{error}");
    let store = open(&server.url, "s3://data-sets/x").unwrap();
    assert_eq!(store.upload(&files[..2]).unwrap().sent, 2);
    assert!(!server.held.lock().unwrap().objects.contains_key("x/manifest.json"));
    let again = open(&server.url, "s3://data-sets/x").unwrap().upload(&files).unwrap();
    assert_eq!((again.sent, again.known), (2, 2));
    let third = open(&server.url, "s3://data-sets/x").unwrap().upload(&files).unwrap();
    assert_eq!(third, Uploaded { sent: 0, known: 4, bytes: 0 });
}

#[test]
fn a_busy_server_and_a_lost_answer_are_asked_again() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let files = files(folder.path());
    server.held.lock().unwrap().faults = vec![0, 503, 500];
    let uploaded = open(&server.url, "s3://data-sets/x").unwrap().upload(&files[..1]).unwrap();
    assert_eq!(uploaded.sent, 1);
    assert_eq!(server.puts().len(), 4);
}

#[test]
fn a_place_that_holds_something_else_is_left_alone() {
    let (server, folder) = (Server::start(), tempfile::tempdir().unwrap());
    let files: Vec<Local> =
        files(folder.path()).into_iter().filter(|file| !file.name.contains(' ')).collect();
    open(&server.url, "s3://data-sets/x").unwrap().upload(&files).unwrap();
    let before = server.held.lock().unwrap().objects.clone();
    let mut others = files.clone();
    others[3].sha256 = "0".repeat(64);
    let taken = open(&server.url, "s3://data-sets/x").unwrap().upload(&others).unwrap_err();
    assert!(matches!(taken, StorageError::Taken(_)), "{taken}");
    let error = open(&server.url, "s3://data-sets/x").unwrap().upload(&files[1..]).unwrap_err().to_string();
    assert!(error.contains("s3://data-sets/x holds 1 objects that are not of this export"), "{error}");
    assert_eq!(server.held.lock().unwrap().objects, before);
}

#[test]
fn what_cannot_be_reached_or_is_refused_is_named_without_a_credential() {
    let server = Server::start();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said = |url: &str, address: &str| open(url, address).err().unwrap().to_string();
    let unreachable = said(&format!("http://{nobody}"), "s3://data-sets/x");
    assert!(
        unreachable.contains(&format!("{nobody} cannot be reached for the list of s3://data-sets/x/")),
        "{unreachable}"
    );
    let no_bucket = said(&server.url, "s3://other-sets/x");
    assert!(no_bucket.contains("404 Not Found NoSuchBucket; create the bucket first"), "{no_bucket}");
    server.held.lock().unwrap().refuses = Some((403, "AccessDenied"));
    let denied = said(&server.url, "s3://data-sets/x");
    assert!(denied.contains("403 Forbidden AccessDenied; the credentials may not"), "{denied}");
    for error in [unreachable, no_bucket, denied] {
        assert!(!error.contains("the-key") && !error.contains("Signature"), "{error}");
    }
}
