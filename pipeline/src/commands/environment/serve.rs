//! `trefoil environment serve`.

use super::{jobs, limits};
use crate::cli::Serve;
use anyhow::Result;
use std::process::ExitCode;
use trefoil_execution::environment::Environment;
use trefoil_execution::sandbox;
use trefoil_service::{Bounds, Service};

/// Serves until it is ended; where it listens is the first line of the output.
pub fn serve(arguments: &Serve) -> Result<ExitCode> {
    let environments: Result<Vec<Environment>, _> =
        arguments.folders.iter().map(|folder| Environment::open(folder)).collect();
    let sandbox = sandbox::choose()?;
    let bounds = Bounds { jobs: jobs(arguments.jobs), waiting: arguments.waiting, ..Bounds::default() };
    let limits = limits(arguments.seconds, arguments.memory);
    let service =
        Service::bind(arguments.listen, arguments.public, environments?, (sandbox, limits), bounds)?;
    println!("listening on http://{}", service.address());
    match service.serve()? {}
}
