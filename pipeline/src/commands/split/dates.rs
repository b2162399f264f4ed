//! When rows were first committed, as far as anybody says.

use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::path::Path;
use trefoil_shards::read_table;
use trefoil_stages::records::Discovered;

/// Days (`yyyymmdd`) by pair id or by `host/owner/name`.
#[derive(Default)]
pub struct Days(HashMap<String, u32>);

impl Days {
    /// The day of a row, or of its repository; 0 where nobody says.
    pub fn of(&self, id: &str, host: &str, repository: &str) -> u32 {
        if self.0.is_empty() {
            return 0;
        }
        let of_repository = || self.0.get(&format!("{host}/{repository}")).copied();
        self.0.get(id).copied().or_else(of_repository).unwrap_or_default()
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
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let Some((id, date)) = line.split_once([',', '\t']) else {
            bail!("{}, line {number}: it has no comma; write `id,2024-08-30`", path.display())
        };
        match day(date.trim()) {
            Ok(day) => days.insert(id.trim().to_owned(), day),
            Err(_) if number == 1 => None,
            Err(error) => return Err(error.context(format!("{}, line {number}", path.display()))),
        };
    }
    Ok(Days(days))
}

/// When GitHub says that the repositories were created: nothing in them is older there.
pub fn of_repositories(folder: &RunFolder) -> Result<Days> {
    let path = folder.github().join("discovered.parquet");
    if !path.exists() {
        bail!(
            "{} does not know when its repositories were created, since GitHub was not asked; give days with --dates",
            folder.root().display()
        );
    }
    let mut days = HashMap::new();
    read_table(&path, |row: Discovered| {
        if let Ok(day) = day(&row.created) {
            days.insert(format!("{}/{}", row.host, row.repository), day);
        }
    })?;
    Ok(Days(days))
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
