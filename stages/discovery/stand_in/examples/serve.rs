//! Serves git repositories as GitHub would: `serve ROOT LIST`, where LIST has a line `owner/name`, commit, branch,
//! language, bytes, apart by tabs, for each `ROOT/owner/name.git`. Prints the address, then for each line that
//! comes in how many requests were answered with how many bytes; ends with its input.

use std::io::{BufRead, Write};
use trefoil_stand_in::{Repository, Script, StandIn};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(root), Some(list)) = (arguments.next(), arguments.next()) else {
        return Err("usage: serve ROOT LIST".into());
    };
    let list = std::fs::read_to_string(list)?;
    let repositories = (1..).zip(list.lines()).filter_map(|(id, line)| repository(id, line));
    let script = Script { repositories: repositories.collect(), git: Some(root.into()), ..Script::default() };
    let server = StandIn::start(script)?;
    let mut output = std::io::stdout();
    writeln!(output, "{}", server.url())?;
    for line in std::io::stdin().lock().lines() {
        line?;
        let served = server.served();
        writeln!(output, "{} {}", served.requests, served.bytes)?;
    }
    Ok(())
}

fn repository(id: u64, line: &str) -> Option<Repository> {
    let mut parts = line.split('\t');
    Some(Repository {
        id,
        full_name: parts.next()?.to_owned(),
        commit: Some(parts.next()?.to_owned()),
        default_branch: parts.next()?.to_owned(),
        languages: vec![(parts.next()?.to_owned(), parts.next()?.parse().ok()?)],
        stars: 100 + id,
        created: 1_500_000_000 + id,
        pushed: 1_600_000_000,
        ..Repository::default()
    })
}
