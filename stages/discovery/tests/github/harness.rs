//! A stand-in, a discovery that asks it, and a clock that both share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use trefoil_discovery::{
    ApiSettings, Discovery, DiscoveryError, Facets, Found, Interface, Progress, Repository, SimulatedClock,
    Sought, Token, Traffic, Wanted, Watch, tokens,
};
use trefoil_stand_in::{Limits, Script, StandIn, population};

/// 2026-01-02, behind the youngest repository.
const NOW: u64 = 1_767_312_000;

pub struct Scene {
    pub stand_in: StandIn,
    pub folder: TempDir,
    pub time: Arc<AtomicU64>,
    pub watch: Arc<Watcher>,
}

/// Notes what the user would see, and ends the discovery where a test wants it.
#[derive(Default)]
pub struct Watcher {
    pub said: Mutex<Vec<String>>,
    pub end_after: AtomicU64,
}

impl Watch for Watcher {
    fn progress(&self, progress: &Progress) {
        let _ = self.end_after.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| match left {
            0 => None,
            1 => Some(u64::MAX),
            u64::MAX => None,
            left => Some(left - 1),
        });
        self.said.lock().unwrap().push(format!("{progress:?}"));
    }

    fn waits(&self, time: Duration, why: &str) {
        self.said.lock().unwrap().push(format!("waits {} s: {why}", time.as_secs()));
    }

    fn is_cancelled(&self) -> bool {
        self.end_after.load(Ordering::SeqCst) == u64::MAX
    }
}

impl Scene {
    /// A population of this size behind GitHub's limits.
    pub fn new(number: usize) -> Self {
        Self::with(number, |_| {})
    }

    pub fn with(number: usize, change: impl FnOnce(&mut Script)) -> Self {
        let time = Arc::new(AtomicU64::new(NOW * 1_000));
        let mut script = Script {
            repositories: population(number, 1),
            limits: Some(Limits::default()),
            clock: Some(time.clone()),
            latency: 1_000,
            ..Script::default()
        };
        change(&mut script);
        let stand_in = StandIn::start(script).unwrap();
        Self { stand_in, folder: TempDir::new().unwrap(), time, watch: Arc::default() }
    }

    pub fn discovery(&self, interface: Interface) -> Discovery {
        let secrets = if interface == Interface::Graphql { vec!["secret-one"] } else { vec![] };
        Discovery {
            sought: Sought { facets: Some(everything()), max_repositories: 0, names: Vec::new() },
            interface,
            api: ApiSettings {
                address: self.stand_in.url(),
                request_limit: Duration::from_millis(1_500),
                patience: Duration::from_secs(3_600),
                seed: 1,
            },
            tokens: secret(&secrets),
            clock: Arc::new(SimulatedClock(self.time.clone())),
            watch: self.watch.clone(),
        }
    }

    pub fn names(&self, interface: Interface, names: &[&str]) -> Discovery {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Discovery { sought: Sought { facets: None, max_repositories: 0, names }, ..self.discovery(interface) }
    }

    pub fn run(&self, discovery: &Discovery) -> Result<(Found, Traffic), DiscoveryError> {
        discovery.run(self.folder.path())
    }

    /// Hours that have passed.
    pub fn hours(&self) -> f64 {
        (self.time.load(Ordering::SeqCst) - NOW * 1_000) as f64 / 3_600_000.0
    }

    /// The ids that a discovery of everything must find, in order.
    pub fn ids(&self) -> Vec<u64> {
        let mut ids = Vec::new();
        self.stand_in.change(|script| ids = script.repositories.iter().map(|one| one.id).collect());
        ids
    }
}

/// Facets that leave nothing out.
pub fn everything() -> Facets {
    Facets { forks: Wanted::Yes, ..Facets::default() }
}

pub fn secret(texts: &[&str]) -> Vec<Token> {
    tokens(None, &|name| (name == "TREFOIL_GITHUB_TOKENS").then(|| texts.join(","))).unwrap()
}

pub fn rows(found: &Found) -> Vec<Repository> {
    let mut rows = Vec::new();
    found.each(|row| rows.push(row)).unwrap();
    rows
}

pub fn ids(found: &Found) -> Vec<u64> {
    rows(found).iter().map(|row| row.id).collect()
}
