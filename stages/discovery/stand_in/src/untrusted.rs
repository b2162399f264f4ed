//! A server whose certificate nobody vouches for.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{self, Read};
use std::net::TcpListener;
use std::sync::Arc;

/// Starts a server that shows a certificate of its own making, and says nothing more; its address. It ends with the
/// process.
pub fn untrusted_server() -> io::Result<String> {
    // Made for tests with `openssl req -x509`; it protects nothing.
    let certificate =
        CertificateDer::from_pem_slice(include_bytes!("certificate.pem")).map_err(io::Error::other)?;
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("key.pem")).map_err(io::Error::other)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ServerConfig::builder_with_provider(provider);
    let builder =
        builder.with_safe_default_protocol_versions().map_err(io::Error::other)?.with_no_client_auth();
    let config = Arc::new(builder.with_single_cert(vec![certificate], key).map_err(io::Error::other)?);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("https://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Ok(connection) = rustls::ServerConnection::new(config.clone()) {
                let _ = rustls::StreamOwned::new(connection, stream).read(&mut [0; 1_024]);
            }
        }
    });
    Ok(address)
}
