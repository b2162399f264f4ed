//! `trefoil verify`: every file against the list that the run wrote last.

use super::run::{FileList, list_files};
use crate::cli;
use crate::run_folder::RunFolder;
use anyhow::Result;
use std::process::ExitCode;

/// Checks a run.
pub fn verify(arguments: &cli::RunFolder) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    let wanted = FileList::load(&folder)?;
    let found = list_files(&folder)?;
    let mut faults = 0;
    let mut fault = |text: String| {
        faults += 1;
        println!("{text}");
    };
    for (name, entry) in &wanted.files {
        match found.files.get(name) {
            None => fault(format!("missing: {name}")),
            Some(there) if there != entry => fault(format!(
                "damaged: {name}: its SHA-256 is {} ({} bytes), the manifest says {} ({} bytes)",
                there.sha256, there.bytes, entry.sha256, entry.bytes
            )),
            Some(_) => {}
        }
    }
    for name in found.files.keys().filter(|name| !wanted.files.contains_key(*name)) {
        fault(format!("unknown: {name}: it is not in the manifest"));
    }
    println!("{} files checked, {faults} faults", wanted.files.len());
    if faults > 0 {
        println!("run the config again: what is damaged is computed anew");
        return Ok(ExitCode::from(super::WITH_FAILURES));
    }
    Ok(ExitCode::SUCCESS)
}
