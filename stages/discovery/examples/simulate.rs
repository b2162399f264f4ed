//! Discovers a simulated population under GitHub's limits, with faults in two of a hundred answers, in simulated
//! time: `cargo run -p trefoil-discovery --example simulate -- NUMBER [graphql|rest]`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use trefoil_discovery::{
    ApiSettings, Discovery, Facets, Interface, SimulatedClock, Sought, Unwatched, Wanted, tokens,
};
use trefoil_stand_in::{Limits, Script, StandIn, population};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// 2026-01-02, behind the youngest repository.
const NOW: u64 = 1_767_312_000_000;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let number = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(100_000);
    let which = arguments.next();
    for (name, interface) in [("graphql", Interface::Graphql), ("rest", Interface::Rest)] {
        if which.as_deref().is_none_or(|which| which == name) {
            simulate(number, name, interface)?;
        }
    }
    Ok(())
}

fn simulate(number: usize, name: &str, interface: Interface) -> Outcome {
    let time = Arc::new(AtomicU64::new(NOW));
    let script = Script {
        repositories: population(number, 1),
        limits: Some(Limits::default()),
        fault_share: 0.02,
        clock: Some(time.clone()),
        latency: 1_000,
        ..Script::default()
    };
    let wanted: Vec<u64> = script.repositories.iter().map(|repository| repository.id).collect();
    let stand_in = StandIn::start(script)?;
    let folder = tempfile::tempdir()?;
    let discovery = Discovery {
        sought: Sought {
            facets: Some(Facets { forks: Wanted::Yes, ..Facets::default() }),
            max_repositories: 0,
            names: Vec::new(),
        },
        interface,
        api: ApiSettings {
            address: stand_in.url(),
            request_limit: Duration::from_secs(20),
            patience: Duration::from_secs(3_600),
            seed: 1,
        },
        tokens: tokens(None, &|name| (name == "GITHUB_TOKEN").then(|| "simulated".to_owned()))?,
        clock: Arc::new(SimulatedClock(time.clone())),
        watch: Arc::new(Unwatched),
    };
    let (before, start) = (resident()?, Instant::now());
    let (found, traffic) = discovery.run(folder.path())?;
    let memory = resident()?.saturating_sub(before);
    let mut ids = Vec::new();
    found.each(|repository| ids.push(repository.id))?;
    let served = stand_in.served();
    println!(
        "{name}: {} of {number} repositories, each once: {}; {} slices, {} unsettled",
        ids.len(),
        ids == wanted,
        found.outcome.slices,
        found.outcome.unsettled.len()
    );
    let least = number.div_ceil(100);
    println!(
        "  {} requests, {} the least possible: {:.3} times; {} brought nothing ({} by the server's account)",
        traffic.requests,
        least,
        traffic.requests as f64 / least as f64,
        traffic.fruitless,
        served.failed
    );
    println!(
        "  {:.2} simulated hours, of which {:.2} waiting, in {:.1} s; {:.1} MB of memory in the end beside the \
         population's; journal {:.1} MB",
        (time.load(Ordering::SeqCst) - NOW) as f64 / 3.6e6,
        traffic.waited_seconds as f64 / 3_600.0,
        start.elapsed().as_secs_f64(),
        memory as f64 / 1e6,
        std::fs::metadata(folder.path().join("journal.jsonl"))?.len() as f64 / 1e6
    );
    Ok(())
}

/// Memory of this process, in bytes.
fn resident() -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1_024)
}
