//! `trefoil environment`: what a repository's tests need, built once, and its tests run one by one in a sandbox.

mod build;
mod cases;
mod lines;
mod outcomes;
mod serve;

use crate::cli::{Environment, InEnvironment};
use anyhow::{Context, Result};
use std::process::ExitCode;
use trefoil_execution::Suite;
use trefoil_execution::sandbox::{Limits, Sandbox};

/// Carries out one of them.
pub fn environment(what: &Environment) -> Result<ExitCode> {
    match what {
        Environment::Build(arguments) => build::build(arguments),
        Environment::Suite(arguments) => cases::suite(arguments),
        Environment::Problems(arguments) => cases::problems(arguments),
        Environment::Verify(arguments) => cases::verify(arguments),
        Environment::Cov(arguments) => cases::cov(arguments),
        Environment::Serve(arguments) => serve::serve(arguments),
        Environment::Outcomes(arguments) => outcomes::outcomes(arguments),
    }
}

/// Opens a folder for running tests in it.
fn open<'a>(arguments: &InEnvironment, sandbox: &'a dyn Sandbox) -> Result<Suite<'a>> {
    let environment = trefoil_execution::environment::Environment::open(&arguments.folder)?;
    let limits = limits(arguments.seconds, arguments.memory);
    Suite::new(environment, sandbox, limits, jobs(arguments.jobs))
        .with_context(|| format!("cannot run tests of {}", arguments.folder.display()))
}

/// What a test may use: wall time, and memory in MiB.
pub fn limits(seconds: u64, memory: u64) -> Limits {
    Limits { seconds: seconds.max(1), memory_bytes: memory.max(64) << 20, ..Limits::default() }
}

/// Tests that run at a time: as many as are asked for, else one for each core.
pub fn jobs(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}
