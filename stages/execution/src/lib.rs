//! Runs the code of repositories in a sandbox: environments, single tests, their coverage.
//!
//! It does not know Parquet, runs or stages. Nothing of a repository runs outside a sandbox; where there is none,
//! nothing runs.

pub mod coverage;
mod lines;
pub mod problem;
pub mod sandbox;

pub use lines::{LineSet, NoLineSet};
