//! Dates every source file of a local git repository: `history REPOSITORY`. Prints path, commit and date a line, and
//! the number of commits to standard error.

use trefoil_stages::sources::{Limits, Location, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let location = std::env::args().nth(1).ok_or("usage: history REPOSITORY")?;
    let location = Location::Git { location, revision: None };
    let wanted = |path: &str| trefoil_languages::of_path(path).is_some();
    let source = open(&location, &Limits::default(), &wanted)?;
    let paths: Vec<&str> = source.listing().files.iter().map(|file| file.path.as_str()).collect();
    let history = source.history(&paths)?.ok_or("no git repository")?;
    for (path, first) in paths.iter().zip(&history.first) {
        if let Some(first) = first {
            println!("{path}\t{}\t{}", first.commit, first.dates.committed);
        }
    }
    eprintln!("{} files, {} commits, whole: {}", paths.len(), history.commits, history.is_whole);
    Ok(())
}
