//! `trefoil discover`.

use super::run::load;
use crate::cli;
use crate::engine::{Cancel, Interrupted, github};
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use anyhow::{Result, bail};
use std::process::ExitCode;

/// Finds the repositories of a config.
pub fn discover(arguments: &cli::Discover) -> Result<ExitCode> {
    let config = load(&arguments.config)?;
    if !config.github.is_asked() {
        bail!("nothing to discover: neither `github.search` nor `github.look_up_lists` is set");
    }
    let folder = RunFolder::new(&config.run.output);
    let cancel = Cancel::on_signals()?;
    let progress = Progress::new();
    let search = github::Search::new(&config, arguments.token_file.as_deref(), &cancel, &progress)?;
    if arguments.estimate {
        print!("{}", github::estimate_text(&search.estimate()?));
        return Ok(ExitCode::SUCCESS);
    }
    let _lock = folder.lock()?;
    trefoil_shards::remove_leftovers(folder.root())?;
    if arguments.refresh {
        github::forget(&folder)?;
    }
    match search.run(&folder) {
        Ok(summary) => {
            print!("{}", summary.text());
            let sound = summary.outcome.unsettled.is_empty() && summary.outcome.absent == 0;
            Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(super::WITH_FAILURES) })
        }
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("interrupted; what was found is kept, start it again to go on");
            Ok(ExitCode::from(super::INTERRUPTED))
        }
        Err(error) => Err(error),
    }
}
