//! One file per verb.

mod clover;
mod discover;
mod environment;
mod evaluate;
mod explain;
mod inspect;
mod run;
mod status;
mod verify;

use crate::cli::{Cli, Command, Evaluate};
use anyhow::Result;
use std::process::ExitCode;

/// Done, but something is wrong with the data that the user should look at.
const WITH_FAILURES: u8 = 1;
/// Interrupted by the user.
const INTERRUPTED: u8 = 130;

/// Carries out the command line.
pub fn execute(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Discover(arguments) => discover::discover(&arguments),
        Command::Status(arguments) => status::status(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Inspect(arguments) => inspect::inspect(&arguments),
        Command::Evaluate(Evaluate::Matching(arguments)) => evaluate::matching(&arguments),
        Command::Evaluate(Evaluate::Clover(arguments)) => clover::evaluate(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Clover(arguments) => clover::build(&arguments),
        Command::Environment(what) => environment::environment(&what),
        Command::Task(arguments) => {
            let trial = arguments.trial.as_deref();
            crate::engine::work(&arguments.plan, arguments.index, trial, arguments.retry_failed)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
