//! A discovery from its beginning, or from where it was, to its end.

use crate::api::{Api, ApiSettings, Traffic};
use crate::clock::Clock;
use crate::estimate::{self, Estimate};
use crate::found::{Found, Outcome};
use crate::journal::{Head, Journal};
use crate::known::Known;
use crate::query::{Facets, Search};
use crate::question::{GitHub, Interface};
use crate::session::Session;
use crate::sweep::sweep;
use crate::token::Token;
use crate::{DiscoveryError, Watch};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// What is sought.
#[derive(Clone, Debug, Serialize)]
pub struct Sought {
    /// Search; none where only names are looked up.
    pub facets: Option<Facets>,
    /// Most repositories of the search; the fewest stars are raised until no more are left. 0 for any number.
    pub max_repositories: u64,
    /// Names to look up, `owner/name`.
    pub names: Vec<String>,
}

/// Everything that a discovery needs.
pub struct Discovery {
    /// What is sought.
    pub sought: Sought,
    /// How GitHub is asked.
    pub interface: Interface,
    /// Where and how patiently.
    pub api: ApiSettings,
    /// Tokens; without any, GitHub answers a tenth as often.
    pub tokens: Vec<Token>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Who watches.
    pub watch: Arc<dyn Watch>,
}

/// File of the answers so far.
const JOURNAL: &str = "journal.jsonl";
/// File of answers with their ETags, which outlives the journal.
const KNOWN: &str = "known.json";

impl Discovery {
    /// Finds everything that is sought, going on from what `folder` holds of it.
    pub fn run(&self, folder: &Path) -> Result<(Found, Traffic), DiscoveryError> {
        std::fs::create_dir_all(folder).map_err(DiscoveryError::io("create", folder))?;
        let path = folder.join(JOURNAL);
        let sought =
            serde_json::to_string(&self.sought).map_err(|error| DiscoveryError::Facets(error.to_string()))?;
        let sought = blake3::hash(sought.as_bytes()).to_hex().to_string();
        let head = Head::new(sought, self.resolved_interface(), self.clock.now().as_secs());
        let journal = Journal::open(&path, head)?;
        let (interface, began) = (journal.head.interface, journal.head.began);
        let (outcome, traffic) = runtime()?.block_on(async {
            let known = Known::load(&folder.join(KNOWN));
            let mut session = self.session(interface, Some(journal), known)?;
            let outcome = self.ask(&mut session, began).await?;
            session.github().known.store()?;
            Ok::<_, DiscoveryError>((outcome, session.github().api.traffic.clone()))
        })?;
        Ok((Found::gather(&path, folder, outcome)?, traffic))
    }

    /// Removes the answers that a folder holds, of a finished discovery or to begin anew.
    pub fn forget(folder: &Path) -> Result<(), DiscoveryError> {
        match std::fs::remove_file(folder.join(JOURNAL)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(DiscoveryError::io("remove", &folder.join(JOURNAL))(error))
            }
            _ => Ok(()),
        }
    }

    /// What to expect, from counts alone.
    pub fn estimate(&self) -> Result<Estimate, DiscoveryError> {
        runtime()?.block_on(async {
            let mut session = self.session(self.resolved_interface(), None, Known::default())?;
            let began = self.clock.now().as_secs();
            let (searches, _) = self.searches(&mut session, began).await?;
            estimate::estimate(&mut session, &searches, self.sought.names.len() as u64, self.tokens.len())
                .await
        })
    }

    fn resolved_interface(&self) -> Interface {
        match self.interface {
            Interface::Auto if self.tokens.is_empty() => Interface::Rest,
            Interface::Auto => Interface::Graphql,
            other => other,
        }
    }

    fn session(
        &self,
        interface: Interface,
        journal: Option<Journal>,
        known: Known,
    ) -> Result<Session, DiscoveryError> {
        if interface == Interface::Graphql && self.tokens.is_empty() {
            return Err(DiscoveryError::NoToken);
        }
        let api = Api::new(self.api.clone(), &self.tokens, self.clock.clone(), self.watch.clone())?;
        Ok(Session::new(GitHub { api, interface, known }, journal, self.watch.clone()))
    }

    async fn ask(&self, session: &mut Session, began: u64) -> Result<Outcome, DiscoveryError> {
        let (searches, min_stars) = self.searches(session, began).await?;
        let mut outcome = Outcome { min_stars, ..Outcome::default() };
        for search in &searches {
            let swept = sweep(session, search).await?;
            outcome.slices += swept.slices;
            outcome.counted += swept.counted;
            outcome.unsettled.extend(swept.unsettled);
        }
        session.expect(self.sought.names.len() as u64);
        session.look_up(&self.sought.names).await?;
        Ok(outcome)
    }

    /// The searches, with as many stars as `max_repositories` asks for.
    async fn searches(
        &self,
        session: &mut Session,
        began: u64,
    ) -> Result<(Vec<Search>, u64), DiscoveryError> {
        let Some(facets) = &self.sought.facets else { return Ok((Vec::new(), 0)) };
        let searches = facets.searches(began)?;
        if self.sought.max_repositories == 0 {
            return Ok((searches, facets.min_stars));
        }
        let fewest = fewest_stars(session, &searches, self.sought.max_repositories).await?;
        Ok((searches.iter().map(|search| search.with_stars(fewest)).collect(), fewest))
    }
}

/// More stars than any repository has.
const MOST_STARS: u64 = 4_000_000;

/// The fewest stars with which no more than so many repositories are left.
async fn fewest_stars(session: &mut Session, searches: &[Search], most: u64) -> Result<u64, DiscoveryError> {
    let least = searches.first().map_or(0, |search| search.stars.0);
    // `few` leaves few enough, `many` too many; between them nothing is known.
    let (mut many, mut few) = (None, MOST_STARS);
    let at_once = (session.github().counts_at_once() / searches.len().max(1)).max(1) as u64;
    while many.map_or(least, |many| many + 1) < few {
        let from = many.map_or(least, |many| many + 1);
        let tries = between(from, few, at_once);
        let with = |stars| searches.iter().map(move |search| search.with_stars(stars));
        let tried = tries.iter().flat_map(|&stars| with(stars));
        let words: Vec<String> = tried.map(|search| search.words(search.whole())).collect();
        let counts = session.counts(&words).await?;
        let totals = counts.chunks(searches.len().max(1)).map(|of_one| of_one.iter().sum::<u64>());
        for (stars, total) in tries.into_iter().zip(totals) {
            if total > most {
                many = Some(many.map_or(stars, |many: u64| many.max(stars)));
            } else {
                few = few.min(stars);
            }
        }
    }
    Ok(few)
}

/// Up to so many numbers from `from` up to below `to`, the first one included, spread by orders of magnitude.
fn between(from: u64, to: u64, number: u64) -> Vec<u64> {
    let (low, high) = ((from + 1) as f64, (to + 1) as f64);
    // A single try goes to the middle, except at the very first, where `from` itself is most often the answer.
    let step = |index: u64| match number {
        1 => 0.5,
        _ => index as f64 / number as f64,
    };
    let at = |share: f64| ((low * (high / low).powf(share)) as u64).saturating_sub(1).clamp(from, to - 1);
    let mut tries: Vec<u64> = (0..number).map(|index| at(step(index))).collect();
    tries.dedup();
    tries
}

fn runtime() -> Result<tokio::runtime::Runtime, DiscoveryError> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    built.map_err(DiscoveryError::io("start", Path::new("the asynchronous runtime")))
}
