//! Repositories that GitHub finds, as a finished table in the run's folder.
//!
//! The discovery itself is `trefoil-discovery`'s. Here its settings come from the config, its rows become a table,
//! and a summary, written last, says that it is finished and what was sought.

mod table;
mod watch;

pub use table::{Found, found};

use super::{Cancel, Interrupted};
use crate::config::Config;
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use trefoil_discovery::{
    ApiSettings, Discovery, DiscoveryError, Estimate, Facets, Outcome, Sought, SystemClock, tokens,
};
use trefoil_stages::records::{Discovered, Record};
use watch::OnTerminal;

/// What a finished discovery says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// What was sought: the facets, the bound and the names.
    sought: SoughtKey,
    /// Its figures.
    pub outcome: Outcome,
    /// SHA-256 of its tables.
    tables: [String; 3],
}

/// What decides whether a discovery is the one that a config asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SoughtKey {
    /// Of the table of what was found.
    #[serde(default)]
    version: u32,
    api: String,
    facets: Option<Facets>,
    max_repositories: u64,
    names: String,
}

/// A discovery that a config asks for.
pub struct Search {
    discovery: Discovery,
    key: SoughtKey,
    host: String,
    /// Numbers and names of the listed repositories that have both.
    listed: Vec<(u64, String)>,
}

impl Search {
    /// The discovery of a config. The lists that it looks up are read.
    pub fn new(
        config: &Config,
        token_file: Option<&Path>,
        cancel: &Cancel,
        progress: &Progress,
    ) -> Result<Self> {
        let github = &config.github;
        let listed = super::entries::listed_on_github(config)?;
        let look_up = github.look_up_lists;
        let mut names: Vec<String> =
            listed.iter().filter(|_| look_up).map(|(_, name)| name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        let sought = Sought {
            facets: github.search.then(|| github.facets.clone()),
            max_repositories: github.max_repositories,
            names,
        };
        let key = SoughtKey {
            version: Discovered::SCHEMA.version,
            api: github.api.clone(),
            facets: sought.facets.clone(),
            max_repositories: sought.max_repositories,
            names: trefoil_stages::records::identity(
                &sought.names.iter().map(String::as_str).collect::<Vec<_>>(),
            ),
        };
        let variable = |name: &str| std::env::var(name).ok();
        let discovery = Discovery {
            sought,
            interface: github.interface,
            api: ApiSettings {
                address: github.api.trim_end_matches('/').to_owned(),
                request_limit: Duration::from_secs(github.request_seconds),
                patience: Duration::from_secs(github.patience_seconds),
                // Different machines behind one address must not all come back at the same moment.
                seed: u64::from(std::process::id()),
            },
            tokens: tokens(token_file, &variable)?,
            clock: Arc::new(SystemClock),
            watch: Arc::new(OnTerminal::new(progress, cancel)),
        };
        let listed = listed.into_iter().filter(|(id, _)| *id != 0).collect();
        Ok(Self { discovery, key, host: host(config), listed })
    }

    /// What it would take.
    pub fn estimate(&self) -> Result<Estimate> {
        Ok(self.discovery.estimate()?)
    }

    /// Does it, or takes the finished one that is there.
    pub fn run(&self, folder: &RunFolder) -> Result<Summary> {
        let place = folder.github();
        let there = summary(folder)?;
        if let Some(there) = there.filter(|there| there.sought == self.key) {
            return Ok(there);
        }
        let (found, _) = match self.discovery.run(&place) {
            Err(DiscoveryError::Interrupted) => return Err(Interrupted.into()),
            other => other?,
        };
        let tables = table::write(&place, &self.host, &found, &self.listed)?;
        let summary = Summary { sought: self.key.clone(), outcome: found.outcome.clone(), tables };
        trefoil_shards::write_json(&place.join(SUMMARY), &summary)?;
        Discovery::forget(&place)?;
        Ok(summary)
    }
}

const SUMMARY: &str = "summary.json";

/// Host that rows name: the one that repositories are cloned from.
fn host(config: &Config) -> String {
    let authority = config.github.web.split("://").last().unwrap_or_default();
    authority.split('/').next().unwrap_or_default().to_ascii_lowercase()
}

/// The summary of a finished discovery, with its tables as they were written.
fn summary(folder: &RunFolder) -> Result<Option<Summary>> {
    let place = folder.github();
    let path = place.join(SUMMARY);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let Ok(summary) = serde_json::from_slice::<Summary>(&bytes) else { return Ok(None) };
    // Damaged tables are found again on GitHub, not trusted.
    Ok(table::digests(&place).is_ok_and(|digests| digests == summary.tables).then_some(summary))
}

/// Removes what is there, finished or not.
pub fn forget(folder: &RunFolder) -> Result<()> {
    let path = folder.github().join(SUMMARY);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {}", path.display()));
        }
        _ => {}
    }
    Ok(Discovery::forget(&folder.github())?)
}

/// Whether the discovery that a config asks for is finished.
pub fn is_finished(config: &Config, folder: &RunFolder) -> Result<bool> {
    let search = Search::new(config, None, &Cancel::default(), &Progress::silent())?;
    Ok(summary(folder)?.is_some_and(|there| there.sought == search.key))
}

impl Summary {
    /// For the terminal.
    pub fn text(&self) -> String {
        let Outcome { repositories, counted, slices, names, absent, min_stars, unsettled } = &self.outcome;
        let mut text = format!("{repositories} repositories; GitHub counts {counted} in {slices} slices\n");
        if *names > 0 {
            text.push_str(&format!("{names} names looked up, {absent} of them not there\n"));
        }
        if self.sought.max_repositories > 0 {
            text.push_str(&format!("from {min_stars} stars on, to stay within github.max_repositories\n"));
        }
        for slice in unsettled {
            let why = if slice.incomplete { "GitHub gave up looking" } else { "the pages do not agree" };
            text.push_str(&format!(
                "not to be relied on: {} of {} in `{}`: {why}\n",
                slice.found, slice.total, slice.words
            ));
        }
        text
    }
}

/// For the terminal.
pub fn estimate_text(estimate: &Estimate) -> String {
    let Estimate { repositories, names, requests, hours, gigabytes, asked } = estimate;
    format!(
        "{repositories} repositories, and {names} names to look up\n\
         {requests} requests, about {hours:.1} hours of discovery\n\
         {gigabytes:.0} GB on GitHub's disks with all history; clones of single commits are smaller\n\
         ({asked} requests for this estimate)\n"
    )
}
