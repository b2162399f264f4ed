//! `trefoil environment`: what a repository's tests need, built once, and its tests run one by one in a sandbox.

mod build;
mod cases;
mod lines;

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
    }
}

/// Opens a folder for running tests in it.
fn open<'a>(arguments: &InEnvironment, sandbox: &'a dyn Sandbox) -> Result<Suite<'a>> {
    let environment = trefoil_execution::environment::Environment::open(&arguments.folder)?;
    let limits = Limits {
        seconds: arguments.seconds.max(1),
        memory_bytes: arguments.memory.max(64) << 20,
        ..Limits::default()
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Suite::new(environment, sandbox, limits, arguments.jobs.unwrap_or(cores))
        .with_context(|| format!("cannot run tests of {}", arguments.folder.display()))
}
