//! Runs the code of repositories in a sandbox: environments, single tests, their coverage.
//!
//! It does not know Parquet, runs or stages. Nothing of a repository runs outside a sandbox; where there is none,
//! nothing runs.

pub mod coverage;
pub mod environment;
mod lines;
pub mod problem;
mod python;
pub mod sandbox;
mod suite;

pub use lines::{LineSet, NoLineSet};
pub use suite::{EMPTY, Suite};
