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
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Rows are many small texts, made by one thread and given back by another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match commands::execute(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
