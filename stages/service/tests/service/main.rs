//! The service over real HTTP. `sandboxed` runs tests for real: bubblewrap, uv and the package index are needed
//! (`scripts/install_execution_tools`).

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

mod client;
mod refusals;
#[path = "../../../execution/tests/execution/repository.rs"]
#[allow(dead_code, reason = "each program uses a part of it")]
mod repository;
mod sandboxed;
