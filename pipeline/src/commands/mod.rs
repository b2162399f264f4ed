//! One file per verb.

mod audit;
mod clover;
mod data_set;
mod discover;
mod encode;
mod environment;
mod evaluate;
mod explain;
mod export;
mod inspect;
mod page;
mod run;
mod split;
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
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Report(arguments) => page::report(&arguments),
        Command::Split(arguments) => split::split(&arguments),
        Command::Evaluate(Evaluate::Clover(arguments)) => clover::evaluate(&arguments),
        Command::Evaluate(Evaluate::Contest(arguments)) => evaluate::contest(&arguments),
        Command::Encode(arguments) => encode::encode(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Environment(what) => environment::environment(&what),
        Command::Clover(arguments) => clover::build(&arguments),
        Command::Task(arguments) => {
            crate::engine::work(&arguments.plan, arguments.index)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
