//! When rows were first committed, as far as anybody says.

use crate::engine::plan::Plan;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use trefoil_shards::read_table;
use trefoil_stages::records::{Discovered, FirstCommit, History, PairTest};
use trefoil_stages::splitting::division::number;

/// Days (`yyyymmdd`) of rows by pair id, or of repositories by `host/owner/name`; the names as numbers.
#[derive(Default)]
pub struct Days(HashMap<u64, u32>);

impl Days {
    /// The day of a row, or of its repository; 0 where nobody says.
    pub fn of(&self, id: &str, host: &str, repository: &str) -> u32 {
        if self.0.is_empty() {
            return 0;
        }
        let of_repository = || self.0.get(&number(&format!("{host}/{repository}"))).copied();
        self.0.get(&number(id)).copied().or_else(of_repository).unwrap_or_default()
    }
}

/// The day that a date names.
pub fn day(date: &str) -> Result<u32> {
    let digits: String = date.chars().take(10).filter(char::is_ascii_digit).collect();
    let sound =
        date.len() >= 10 && date.as_bytes().get(4) == Some(&b'-') && date.as_bytes().get(7) == Some(&b'-');
    match digits.parse::<u32>() {
        Ok(day)
            if sound
                && digits.len() == 8
                && (1..=12).contains(&(day / 100 % 100))
                && (1..=31).contains(&(day % 100)) =>
        {
            Ok(day)
        }
        _ => bail!("`{date}` is no date; write it as 2024-08-30"),
    }
}

/// A file with an id and a date a line.
pub fn read(path: &Path) -> Result<Days> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the dates {}", path.display()))?;
    let mut days = HashMap::new();
    for (at, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let Some((id, date)) = line.split_once([',', '\t']) else {
            bail!("{}, line {at}: it has no comma; write `id,2024-08-30`", path.display())
        };
        match day(date.trim()) {
            Ok(day) => days.insert(number(id.trim()), day),
            Err(_) if at == 1 => None,
            Err(error) => return Err(error.context(format!("{}, line {at}", path.display()))),
        };
    }
    Ok(Days(days))
}

/// What the run itself knows: of each row when its test's file was first committed, where the history was read;
/// else when GitHub says that the repository was created, since nothing in it is older there.
pub fn of_run(folder: &RunFolder) -> Result<Days> {
    let mut days = Days::default();
    let discovered = folder.github().join("discovered.parquet");
    if discovered.exists() {
        read_table(&discovered, |row: Discovered| {
            if let Ok(day) = day(&row.created) {
                days.0.insert(number(&format!("{}/{}", row.host, row.repository)), day);
            }
        })?;
    }
    for shard in 0..Plan::load(&folder.plan())?.shards {
        of_rows(folder, shard, &mut days)?;
    }
    if days.0.is_empty() {
        bail!(
            "{} does not know when its rows were first committed: set `history = true` under [cloning] and run its \
             config again, or give days with --dates",
            folder.root().display()
        );
    }
    Ok(days)
}

/// Days of the rows of a shard. In a shallow repository a file may be older than it seems, so that nobody knows.
fn of_rows(folder: &RunFolder, shard: u32, days: &mut Days) -> Result<()> {
    let cloned = folder.shard("cloning", shard);
    let (mut whole, mut files) = (HashSet::new(), HashMap::new());
    read_table(&cloned.join("histories.parquet"), |row: History| {
        if row.is_whole {
            whole.insert((row.host, row.repository));
        }
    })?;
    if whole.is_empty() {
        return Ok(());
    }
    read_table(&cloned.join("first_commits.parquet"), |row: FirstCommit| {
        let repository = (row.host, row.repository);
        if whole.contains(&repository)
            && let Ok(day) = day(&row.committed)
        {
            files.insert((repository.0, repository.1, row.path), day);
        }
    })?;
    read_table(&folder.shard("filtering", shard).join("pairs.parquet"), |row: PairTest| {
        if let Some(day) = files.get(&(row.host, row.repository, row.path)) {
            days.0.insert(number(&row.id), *day);
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_numbers_in_order() {
        assert_eq!(day("2024-08-30").unwrap(), 20_240_830);
        assert_eq!(day("2024-08-30T12:00:00Z").unwrap(), 20_240_830);
        for date in ["2024-8-30", "soon", "20240830", "2024-13-01", "2024-01-32", ""] {
            assert!(day(date).is_err(), "{date}");
        }
    }
}
