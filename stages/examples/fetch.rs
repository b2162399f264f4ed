//! Fetches one commit and reads every source file of it, as cloning and parsing do: `fetch URL COMMIT FOLDER`.
//! Prints the number of files and their bytes.

use std::path::Path;
use std::time::Duration;
use trefoil_stages::sources::{Depth, Fetch, Limits, Location, Reading, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, commit, folder] = arguments.as_slice() else {
        return Err("usage: fetch URL COMMIT FOLDER".into());
    };
    let limits = Limits::default();
    let (url, revision) = (url.clone(), Some(commit.clone()));
    let fetch = Fetch { url, revision, depth: Depth::Commit, credentials: None, limits: limits.clone() };
    fetch.run(Path::new(folder), Duration::from_secs(600))?;
    let location = Location::Git { location: folder.clone(), revision: None };
    let wanted = |path: &str| trefoil_languages::of_path(path).is_some();
    let mut source = open(&location, &limits, &wanted)?;
    let (mut files, mut bytes) = (0, 0);
    for index in 0..source.listing().files.len() {
        if let Reading::File(text) = source.read(index)? {
            files += 1;
            bytes += text.len();
        }
    }
    println!("{files} {bytes}");
    Ok(())
}
