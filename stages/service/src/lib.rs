//! `verify` and `cov` (CLOVER, section 2.1) over HTTP, for agents and for learning from what tests do.
//!
//! ```text
//! GET  /environments               what is served, and what the sandbox enforces
//! POST /environments/NAME/verify   {"cases": [CASE...]}                      -> {"rows": [VERDICT...]}
//! POST /environments/NAME/cov      {"cases": [CASE...], "paths": [PATH...]}  -> {"rows": [COVERAGE...]}
//! ```
//!
//! A case is what `trefoil environment verify` reads (`id`, `path`, `source` and, where only that one is to run,
//! `function`); rows are what it and `cov` write, in the order of the cases. `paths` leaves out the lines of other files.
//! What is wrong with a request is `{"error": ...}` with a status of 4xx; what a test does is never an error.
//!
//! There are no accounts: whoever reaches the address may run code in the sandbox. So it listens on loopback alone
//! unless the caller says otherwise, and there refuses what web pages can send by way of a browser. Work, waiting
//! requests, connections and bytes are bounded ([`Bounds`]). Asynchronous inside, blocking outside. It knows nothing of
//! runs, shards or tasks.

mod answer;
mod question;
mod server;

pub use server::Service;

use std::net::SocketAddr;

/// What a service takes on.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Tests that run at a time, over all requests. A request takes as many places as it has cases, up to all.
    pub jobs: usize,
    /// Requests that wait for a place; more are told to come back.
    pub waiting: usize,
    /// Connections at a time; more wait to be accepted.
    pub connections: usize,
    /// Largest body of a request.
    pub body_bytes: usize,
    /// Largest answer.
    pub answer_bytes: usize,
    /// Cases of a request.
    pub cases: usize,
    /// How long a request may take to arrive, in seconds.
    pub arrival_seconds: u64,
}

impl Default for Bounds {
    /// Together at most 256 MiB of requests and, at two jobs, 256 MiB of answers.
    fn default() -> Self {
        Self {
            jobs: 1,
            waiting: 64,
            connections: 64,
            body_bytes: 4 << 20,
            answer_bytes: 128 << 20,
            cases: 1000,
            arrival_seconds: 30,
        }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Others could reach the address.
    #[error(
        "{0} can be reached from other machines, and whoever reaches it may run code in the sandbox; listen on 127.0.0.1, or \
         say that this is meant"
    )]
    NotLoopback(SocketAddr),
    /// Two environments of one name.
    #[error("two environments are called {0}; the folder's name is what it is asked for by, so rename one")]
    SameName(String),
    /// The address cannot be had.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The system gives no threads or sockets.
    #[error("cannot serve: {0}")]
    NoRuntime(std::io::Error),
}
