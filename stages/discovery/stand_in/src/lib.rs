//! A stand-in for GitHub: a server on loopback with a population of repositories, which it shows through the
//! same REST and GraphQL interfaces, with the same pages, headers and limits, and serves over git's smart HTTP.
//! A script says which answers fail, and how.
//!
//! It shares no code with the client, so that both do not err alike, and it is no part of the program.

mod date;
mod fault;
mod git;
mod graphql;
mod http;
mod limits;
mod population;
mod rest;
mod search;
mod server;
mod untrusted;

pub use fault::{At, Fault};
pub use limits::Limits;
pub use population::{Repository, State, population};
pub use server::{Script, Served, StandIn};
pub use untrusted::untrusted_server;
