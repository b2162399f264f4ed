//! `trefoil status`: what is done and what is left.

use crate::cli;
use crate::engine::Retry;
use crate::engine::plan::{Plan, RunContext};
use crate::progress::Progress;
use crate::report::Report;
use crate::run_folder::RunFolder;
use anyhow::Result;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Shows the state of a run, also while it is at work.
pub fn status(arguments: &cli::RunFolder) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    for (stage, done, all) in
        crate::engine::outlook(&context, &BTreeSet::new(), Retry::None, &Progress::silent())?
    {
        println!("{stage:>10}: {done} of {all} done");
    }
    match std::fs::read(context.folder.report())
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Report>(&bytes).ok())
    {
        Some(report) => {
            print!("\n{}", report.text());
            let failed = !report.failed_repositories.is_empty();
            Ok(if failed { ExitCode::from(super::WITH_FAILURES) } else { ExitCode::SUCCESS })
        }
        None => {
            println!("\nnot finished: there is no report yet");
            Ok(ExitCode::SUCCESS)
        }
    }
}
