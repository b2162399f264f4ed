//! The run's part in keeping clones: what a worker may show to servers, and the store before and after the work.

use super::plan::{RunContext, stage};
use super::retry::Retry;
use super::task;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use trefoil_shards::{Manifest, read_table};
use trefoil_stages::cloning::{self, Keep, Store};
use trefoil_stages::records::Repository;
use trefoil_stages::sources::Credentials;

/// The token of the environment for the server at `web`, in a worker that has it.
pub fn credentials(web: &str) -> Result<Option<Credentials>> {
    let tokens = trefoil_discovery::tokens(None, &|name| std::env::var(name).ok())?;
    Ok(tokens.first().map(|token| Credentials::new(web, token.reveal().to_owned())))
}

/// Brings the store into order at the start of a run, where there is one.
pub fn tidy(context: &RunContext) -> Result<()> {
    let (clones, own) = (context.clones(), context.folder.clones());
    let store = Store::new(&clones);
    let outcome = if clones == own { store.remove_leftovers() } else { Ok(()) };
    outcome
        .and_then(|()| store.tidy())
        .with_context(|| format!("cannot use the clones in {}", clones.display()))
}

/// Whether a repository could not be fetched for reasons that may be gone by now.
pub fn failed_in_passing(context: &RunContext, remote: &BTreeSet<u32>) -> Result<bool> {
    let name = stage(0)?.name();
    for shard in remote {
        let manifest = Manifest::load(&context.folder.shard(name, *shard))?;
        if manifest.is_some_and(|manifest| Retry::Passing.concerns(&manifest)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the clones of a run whose repositories are all parsed, where none are kept: a run that was killed right
/// after a shard was finished has left some.
pub fn release(context: &RunContext, remote: &BTreeSet<u32>) -> Result<()> {
    let clones = context.clones();
    if context.plan.settings.cloning.keep == Keep::Pack || Store::new(&clones).bytes()? == 0 {
        return Ok(());
    }
    for shard in remote {
        let mut outcome = Ok(());
        let table = context.folder.shard(stage(0)?.name(), *shard).join("repositories.parquet");
        read_table(&table, |row: Repository| {
            if outcome.is_ok() {
                outcome = cloning::release(&task::work(context, &clones, None, &row));
            }
        })?;
        outcome?;
    }
    Ok(())
}
