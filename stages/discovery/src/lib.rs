//! Discovery of repositories through GitHub's API: everything that answers to a search, however many there are,
//! and everything that a list names, each once, with the evidence that GitHub gives of it.
//!
//! A crate of its own for octocrab, tokio and rustls, which nothing else needs: asynchronous inside, blocking
//! outside. It does not know Parquet, runs, or what is done with repositories.

mod api;
mod clock;
mod cuts;
mod discovery;
mod error;
mod estimate;
mod found;
mod graphql;
mod journal;
mod known;
mod query;
mod question;
mod repository;
mod rest;
mod session;
mod sweep;
mod token;
mod watch;

pub use api::{ApiSettings, Traffic};
pub use clock::{Clock, SimulatedClock, SystemClock};
pub use discovery::{Discovery, Sought};
pub use error::DiscoveryError;
pub use estimate::Estimate;
pub use found::{Found, Outcome, Unsettled};
pub use query::{Facets, Wanted};
pub use question::{Interface, Looked};
pub use repository::{Absence, Repository};
pub use token::{FILE_VARIABLE, Token, VARIABLES, tokens};
pub use watch::{Progress, Unwatched, Watch};
