//! The program `trefoil`.

mod cli;
mod commands;
mod config;
mod engine;
mod process;
mod progress;
mod report;
mod run_folder;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::execute(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
