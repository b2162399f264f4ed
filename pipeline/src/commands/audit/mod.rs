//! `trefoil audit`: whether anything leaks between the splits of a finished run.

mod row;

use super::data_set::DataSet;
use super::split::sound_table;
use crate::cli;
use crate::engine::SPLITS;
use crate::engine::near::scratch;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use row::Row;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::ExitCode;
use trefoil_duplicates::LEAST_THRESHOLD;
use trefoil_shards::read_table;
use trefoil_stages::audit::{Audit, Benchmark, Finding, Item, Kind, Report, Settings};
use trefoil_stages::export::Dataset;
use trefoil_stages::records::{AuditedRow, ContestRow, Divisible, Record};

/// Rows that are looked at side by side.
const ROWS_AT_ONCE: usize = 512;
/// Findings of a kind that are printed.
const SHOWN: usize = 3;

/// Audits a run.
pub fn audit(arguments: &cli::Audit) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    if !(LEAST_THRESHOLD..=1.0).contains(&arguments.threshold) {
        bail!("--threshold {}: it must lie between {LEAST_THRESHOLD} and 1", arguments.threshold);
    }
    let settings = Settings { threshold: arguments.threshold, ..Settings::default() };
    let allowed = allowed(arguments)?;
    let items = arguments.benchmark.iter().map(|path| items(path)).collect::<Result<Vec<_>>>()?.concat();
    let report = look(&folder, (&arguments.by, arguments.division), &settings, &items)?;
    let leaks =
        report.counts.iter().filter(|(kind, _)| !allowed.contains(kind)).map(|(_, count)| count).sum::<u64>();
    print!("{}", text(&report, &allowed));
    if let Some(path) = &arguments.json {
        let json = serde_json::json!({
            "by": arguments.by,
            "benchmark_items": items.len(),
            "allowed": allowed,
            "leaks": leaks,
            "report": report,
        });
        std::fs::write(path, serde_json::to_string_pretty(&json)? + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(if leaks == 0 { ExitCode::SUCCESS } else { ExitCode::from(super::WITH_FAILURES) })
}

/// What leaks in a way to split; of a division where the second value says so.
pub fn look(
    folder: &RunFolder,
    (by, division): (&str, bool),
    settings: &Settings,
    items: &[Item],
) -> Result<Report> {
    let data = DataSet::open(folder, by, division)?;
    let clusters = clusters(folder)?;
    let place = std::env::temp_dir();
    let files = [Some(scratch(&place, "audit-tests")?), Some(scratch(&place, "audit-focal")?)];
    let mut audit = Audit::new(settings, Benchmark::new(items, settings), files);
    let mut rows = Vec::with_capacity(ROWS_AT_ONCE);
    let mut take = |row: Row| {
        rows.push(row);
        if rows.len() < ROWS_AT_ONCE {
            return Ok(());
        }
        add(&mut audit, &std::mem::take(&mut rows), &clusters)
    };
    match data.kind() {
        Dataset::UnitTests => data
            .visit(|row: &AuditedRow| &row.meta.pair_id, |split, row| take(Row::of_unit_tests(split, row))),
        Dataset::Contest => {
            data.visit(|row: &ContestRow| &row.id, |split, row| take(Row::of_contest(split, row)))
        }
    }?;
    add(&mut audit, &rows, &clusters)?;
    Ok(audit.finish()?)
}

/// The kinds that do not count: those that a way to split does not promise to exclude.
fn allowed(arguments: &cli::Audit) -> Result<Vec<Kind>> {
    let Some(words) = &arguments.allow else {
        return Ok(match arguments.by.as_str() {
            "random" | "time" => vec![Kind::SharedRepository, Kind::SharedProject, Kind::SharedOwner],
            "organisation" => Vec::new(),
            _ => vec![Kind::SharedOwner],
        });
    };
    let kind = |word: &String| {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word).with_context(|| {
            let known = Kind::ALL.map(Kind::as_str).join(", ");
            format!("--allow {word}: it is no kind of leak; there are {known}")
        })
    };
    words.iter().map(kind).collect()
}

/// Cluster of each repository.
fn clusters(folder: &RunFolder) -> Result<HashMap<String, String>> {
    let (path, _) = sound_table(folder, "splitting", &Divisible::SCHEMA)?;
    let mut clusters = HashMap::new();
    read_table(&path, |row: Divisible| {
        clusters.insert(format!("{}/{}", row.host, row.repository), row.cluster);
    })?;
    Ok(clusters)
}

fn add(audit: &mut Audit, rows: &[Row], clusters: &HashMap<String, String>) -> Result<()> {
    let audited = rows.iter().map(|row| {
        let repository = row.repository();
        row.audited(clusters.get(repository).map_or(repository, String::as_str))
    });
    let rows: Vec<_> = audited.collect();
    Ok(audit.add(&rows)?)
}

/// Keys under which benchmarks keep their code, the likeliest first.
const CODE: [&str; 9] =
    ["text", "code", "test", "outputs", "solution", "canonical_solution", "prompt", "reference", "content"];
/// Keys under which they keep their names.
const NAMES: [&str; 5] = ["id", "task_id", "instance_id", "pair_id", "name"];

/// The items of a benchmark.
fn items(path: &Path) -> Result<Vec<Item>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the benchmark {}", path.display()))?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    if !path.extension().is_some_and(|ending| ending == "jsonl" || ending == "json") {
        return Ok(vec![Item { name: file.into_owned(), text }]);
    }
    let mut items = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).with_context(|| {
            format!("{}, line {number} is no JSON; write one item a line", path.display())
        })?;
        let name = NAMES.into_iter().find_map(|key| match value.get(key) {
            Some(Value::String(name)) => Some(name.clone()),
            Some(Value::Number(name)) => Some(name.to_string()),
            _ => None,
        });
        let name = format!("{file}:{}", name.unwrap_or_else(|| number.to_string()));
        let found =
            CODE.into_iter().filter_map(|key| value.get(key)?.as_str()).filter(|code| !code.is_empty());
        let before = items.len();
        items.extend(found.map(|code| Item { name: name.clone(), text: code.to_owned() }));
        if items.len() == before {
            bail!("{}, line {number} has no text under any of {}", path.display(), CODE.join(", "));
        }
    }
    Ok(items)
}

fn text(report: &Report, allowed: &[Kind]) -> String {
    let mut lines = Vec::new();
    let rows: Vec<String> = SPLITS.iter().map(|split| format!("{split} {}", report.rows[split])).collect();
    lines.push(format!("rows: {}", rows.join(", ")));
    let mut findings: BTreeMap<Kind, Vec<&Finding>> = BTreeMap::new();
    report.findings.iter().for_each(|finding| findings.entry(finding.kind).or_default().push(finding));
    for (kind, count) in &report.counts {
        let note = if allowed.contains(kind) { "  (allowed)" } else { "" };
        lines.push(format!("  {:<22}{count:>8}{note}", kind.as_str()));
        for finding in findings.get(kind).into_iter().flatten().take(SHOWN).filter(|_| note.is_empty()) {
            let Finding { row, split, other, other_split, likeness, .. } = finding;
            let place = other_split.map_or_else(String::new, |split| format!(" in {split}"));
            let likeness = likeness.map_or_else(String::new, |likeness| format!(" ({likeness:.2})"));
            lines.push(format!("      {row} in {split}: {other}{place}{likeness}"));
        }
    }
    lines.join("\n") + "\n"
}
