//! A server whose certificate nobody vouches for.

use crate::harness::{Scene, secret};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;
use trefoil_discovery::{ApiSettings, Discovery, Interface};

/// Starts a server that shows a certificate of its own making; its address.
fn server() -> String {
    // Made for this test with `openssl req -x509`; it protects nothing.
    let certificate = CertificateDer::from_pem_slice(include_bytes!("certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ServerConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = Arc::new(builder.with_single_cert(vec![certificate], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(config.clone()).unwrap();
            let _ = rustls::StreamOwned::new(connection, stream).read(&mut [0; 1_024]);
        }
    });
    address
}

#[test]
fn a_certificate_that_nobody_vouches_for_ends_it_at_once() {
    let scene = Scene::new(1);
    let discovery = scene.discovery(Interface::Graphql);
    let api = ApiSettings { address: server(), ..discovery.api.clone() };
    let discovery = Discovery { api, tokens: secret(&["secret-one"]), ..discovery };
    let message = scene.run(&discovery).err().unwrap().to_string();
    assert!(message.contains("the server's certificate is not trusted"), "{message}");
    assert!(message.contains("127.0.0.1") && !message.contains("secret-one"), "{message}");
    assert!(scene.hours() < 0.01, "asking again would not help");
}
