//! `trefoil split`: the rows of a finished run, divided anew. Which row goes where is decided in
//! [`trefoil_stages::splitting::division`].

mod dates;
mod frozen;
mod table;

pub use table::{Divided, divided, sound_table};

use super::run::FileList;
use crate::cli;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::process::ExitCode;
use trefoil_stages::splitting::division::{By, Near, Settings, Summary, WayReached, divide};

/// Divides a run.
pub fn split(arguments: &cli::Split) -> Result<ExitCode> {
    let settings = settings(arguments)?;
    let name = arguments.name.as_deref().unwrap_or(&arguments.by);
    if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    {
        bail!("`{name}` is no name of a division; use letters, digits, `-` and `_`");
    }
    let folder = RunFolder::existing(&arguments.run)?;
    let _lock = folder.lock()?;
    let days = match (&arguments.dates, settings.by == By::Time || settings.cutoff.is_some()) {
        (Some(path), _) => dates::read(path)?,
        (None, true) => dates::of_run(&folder)?,
        (None, false) => dates::Days::default(),
    };
    let rows = table::read(&folder, &days)?;
    let earlier = arguments.frozen.as_ref().map(|path| frozen::read(path)).transpose()?.unwrap_or_default();
    let frozen = rows.find(&earlier).map_err(|unknown| {
        let first = unknown.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        anyhow::anyhow!(
            "{} of {} frozen rows are not in {}: {first}; take them out of the file, or add their repositories to the run",
            unknown.len(),
            earlier.len(),
            arguments.run.display()
        )
    })?;
    drop(earlier);
    let division = divide(&rows, &frozen, &settings);
    table::write(&folder, name, &settings, &rows, &division)?;
    FileList::refresh(&folder, &folder.splits())?;
    print!("{}", text(name, &division.summary));
    println!("\ndivision: {}", folder.splits().join(name).display());
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&division.summary)?;
        std::fs::write(path, json + "\n").with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(arguments: &cli::Split) -> Result<Settings> {
    let by = match arguments.by.as_str() {
        "random" => By::Random,
        "organisation" => By::Organisation,
        "time" => By::Time,
        _ => By::Project,
    };
    let mut settings = Settings { ratios: ratios(&arguments.ratios)?, ..Settings::new(by) };
    settings.seed = arguments.seed;
    if !(0.0..=100.0).contains(&arguments.tolerance) {
        bail!("--tolerance {}: it must lie between 0 and 100", arguments.tolerance);
    }
    settings.tolerance = arguments.tolerance / 100.0;
    settings.stratify = arguments.stratify.is_some();
    settings.near = match arguments.near.as_deref() {
        Some("join") => Near::Join,
        Some("leave-out") => Near::LeaveOut,
        Some(_) => Near::Ignore,
        None => settings.near,
    };
    settings.cutoff = arguments.cutoff.as_deref().map(dates::day).transpose()?;
    Ok(settings)
}

/// `80/10/10` or `0.8,0.1,0.1`, as shares of 1.
fn ratios(text: &str) -> Result<[f64; 3]> {
    let numbers: Vec<f64> = text
        .split(['/', ','])
        .map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0))
        .collect::<Option<_>>()
        .with_context(|| format!("--ratios {text}: give three numbers such as 80/10/10"))?;
    let [train, validation, test] = numbers[..] else {
        bail!("--ratios {text}: give three numbers such as 80/10/10, for train, validation and test")
    };
    let sum = train + validation + test;
    let whole = [1.0, 100.0].into_iter().find(|whole| (sum - whole).abs() < 1e-6 * whole);
    let Some(whole) = whole else { bail!("--ratios {text}: they add up to {sum}, not to 100 or 1") };
    if train == 0.0 {
        bail!("--ratios {text}: train must be above 0");
    }
    Ok([train / whole, validation / whole, test / whole])
}

fn text(name: &str, summary: &Summary) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{name:<24}{:>10} {:>8} {:>8} {:>8}", "rows", "share", "wanted", "miss");
    let mut line = |of: &str, way: &WayReached| {
        let WayReached { split, rows, share, wanted, miss } = way;
        let of = format!("{of}{split}");
        let _ = writeln!(
            text,
            "  {of:<22}{rows:>10} {:>7.2}% {:>7.2}% {miss:>+7.2}",
            share * 100.0,
            wanted * 100.0
        );
    };
    summary.splits.iter().for_each(|way| line("", way));
    if summary.languages.len() > 1 {
        for (language, ways) in &summary.languages {
            ways.iter().for_each(|way| line(&format!("{language} "), way));
        }
    }
    let _ = writeln!(
        text,
        "units {}, the largest of {} rows, {} moved to meet the ratios",
        summary.units, summary.largest_unit, summary.units_moved
    );
    for (reason, rows) in &summary.left_out {
        let _ = writeln!(text, "left out: {rows} rows ({reason})");
    }
    if summary.frozen.kept + summary.frozen.left_out > 0 {
        let frozen = &summary.frozen;
        let _ = writeln!(text, "frozen: {} rows kept, {} left out", frozen.kept, frozen.left_out);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_add_up_or_are_refused() {
        assert_eq!(ratios("80/10/10").unwrap(), [0.8, 0.1, 0.1]);
        assert_eq!(ratios("0.5, 0.25, 0.25").unwrap(), [0.5, 0.25, 0.25]);
        for (text, words) in [
            ("80/10", "three numbers"),
            ("80/10/20", "add up to 110"),
            ("a/b/c", "three numbers"),
            ("0/50/50", "train must be above 0"),
            ("110/-10/0", "three numbers"),
        ] {
            let message = format!("{:#}", ratios(text).unwrap_err());
            assert!(message.contains(words), "{message}");
        }
    }
}
