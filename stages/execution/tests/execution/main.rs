//! A small repository of our own, built and run for real: bubblewrap (or containers), uv and the package index are needed
//! (`scripts/install_execution_tools`).

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

mod abandoned;
mod coverage;
mod environments;
mod hostile;
mod problems;
mod repository;
