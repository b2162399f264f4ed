//! Writing the data set: groups of shards become numbered Parquet files, one series per config and split.

use super::plan::{RunContext, TaskKind, shard_of};
use super::schedule::Scheduler;
use super::{fingerprint, global, task};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use trefoil_shards::{Manifest, TableWriter, digest_of_file, read_table, temporary, write_json};
use trefoil_stages::export::unit_tests::PromptBook;
use trefoil_stages::export::{self, Dataset, RepositoryRows, contest};
use trefoil_stages::records::{
    Assignment, CallableRow, Pair, Record, Repository, Segment, SourceFile, TestCaseFramework,
};

/// The two ways to split, which are the configs of the data set.
const CONFIGS: [&str; 2] = ["project", "random"];
/// The splits, in the order of the report.
pub const SPLITS: [&str; 3] = ["train", "validation", "test"];

/// Folder of the data set in a run.
pub fn dataset_folder(context: &RunContext) -> PathBuf {
    context.folder.root().join("export").join(context.plan.settings.export.dataset.folder())
}

/// Which shards go into which files.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportPlan {
    /// Consecutive shards that are written together.
    pub groups: Vec<Group>,
    /// Rows by config and split.
    pub rows: BTreeMap<String, BTreeMap<String, u64>>,
}

/// One task of the export.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// First shard.
    pub first: u32,
    /// Last shard.
    pub last: u32,
    /// File of each config and split that has rows in these shards: `project/train` to its path.
    pub files: BTreeMap<String, String>,
}

/// What a finished group says of itself.
#[derive(Serialize, Deserialize)]
struct Receipt {
    fingerprint: String,
    files: BTreeMap<String, String>,
}

fn assignments(context: &RunContext) -> PathBuf {
    context.folder.shard("splitting", 0).join("assignments.parquet")
}

fn series(config: &str, row: &Assignment) -> String {
    format!("{config}/{}", if config == "project" { &row.project } else { &row.random })
}

fn make_plan(context: &RunContext) -> Result<ExportPlan> {
    let shards = context.plan.shards;
    let mut characters = vec![0_u64; shards as usize];
    let mut present: Vec<BTreeSet<String>> = vec![BTreeSet::new(); shards as usize];
    let empty: BTreeMap<String, u64> = SPLITS.map(|split| (split.to_owned(), 0)).into();
    let mut rows: BTreeMap<String, _> = CONFIGS.map(|config| (config.to_owned(), empty.clone())).into();
    read_table(&assignments(context), |row: Assignment| {
        let shard = shard_of(&format!("{}/{}", row.host, row.repository), shards) as usize;
        characters[shard] += u64::from(row.characters);
        for (config, split) in [("project", &row.project), ("random", &row.random)] {
            present[shard].insert(series(config, &row));
            *rows.entry(config.to_owned()).or_default().entry(split.clone()).or_default() += 1;
        }
    })?;
    let mut groups: Vec<(u32, u32, u64)> = Vec::new();
    for (shard, characters) in (0..).zip(&characters) {
        match groups.last_mut() {
            Some((_, last, sum)) if *sum + characters <= context.plan.settings.export.shard_characters => {
                *last = shard;
                *sum += characters;
            }
            _ => groups.push((shard, shard, *characters)),
        }
    }
    let within =
        |&(first, last, _): &(u32, u32, u64)| present[first as usize..=last as usize].iter().flatten();
    let mut totals: HashMap<&str, u32> = HashMap::new();
    for group in &groups {
        for name in within(group).collect::<BTreeSet<_>>() {
            *totals.entry(name).or_default() += 1;
        }
    }
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let groups = groups.iter().map(|group| {
        let files = within(group).collect::<BTreeSet<_>>().into_iter().map(|name| {
            let count = counts.entry(name).or_default();
            let file = format!("{name}-{count:05}-of-{:05}.parquet", totals[name.as_str()]);
            *count += 1;
            (name.clone(), file)
        });
        Group { first: group.0, last: group.1, files: files.collect() }
    });
    Ok(ExportPlan { groups: groups.collect(), rows })
}

impl ExportPlan {
    /// The export plan of a run.
    pub fn load(context: &RunContext) -> Result<Self> {
        let path = context.folder.stage("export").join("plan.json");
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged; run again", path.display()))
    }
}

fn receipt(context: &RunContext, group: usize) -> PathBuf {
    context.folder.stage("export").join("groups").join(format!("group-{group:05}.json"))
}

fn print(context: &RunContext, group: &Group) -> Result<String> {
    let mut inputs: Vec<String> = group.files.values().cloned().collect();
    inputs.push(global::digest(&context.folder.shard("splitting", 0), "assignments")?);
    for shard in group.first..=group.last {
        let manifest = Manifest::load(&context.folder.shard("filtering", shard))?;
        inputs.extend(manifest.into_iter().flat_map(|manifest| {
            manifest.tables.into_values().map(|table| table.sha256).chain([manifest.fingerprint])
        }));
    }
    fingerprint::of_global("export", 2, &context.plan.settings.export, &inputs)
}

fn is_done(context: &RunContext, number: usize, group: &Group) -> Result<bool> {
    let Ok(bytes) = std::fs::read(receipt(context, number)) else { return Ok(false) };
    let Ok(receipt) = serde_json::from_slice::<Receipt>(&bytes) else { return Ok(false) };
    if receipt.fingerprint != print(context, group)? {
        return Ok(false);
    }
    let dataset = dataset_folder(context);
    let sound = |(file, sha256): (&String, &String)| {
        digest_of_file(&dataset.join(file)).is_ok_and(|(digest, _)| digest == *sha256)
    };
    Ok(receipt.files.iter().all(sound)
        && receipt.files.keys().eq(group.files.values().collect::<BTreeSet<_>>()))
}

/// Finished and all groups; 0 of 1 while there is no plan.
pub fn outlook(context: &RunContext) -> Result<(u32, u32)> {
    let plan = make_plan(context)?;
    let mut done = 0;
    for (number, group) in plan.groups.iter().enumerate() {
        done += u32::from(is_done(context, number, group)?);
    }
    Ok((done, plan.groups.len() as u32))
}

/// Plans the export, runs its tasks and removes what an earlier export left.
pub fn run(scheduler: &Scheduler<'_>) -> Result<()> {
    let context = scheduler.context;
    let plan = make_plan(context)?;
    let path = context.folder.stage("export").join("plan.json");
    if ExportPlan::load(context).ok().as_ref() != Some(&plan) {
        write_json(&path, &plan)?;
    }
    remove_stale(context, &plan)?;
    let mut open = Vec::new();
    for (number, group) in plan.groups.iter().enumerate() {
        if !is_done(context, number, group)? {
            open.push(number);
        }
    }
    let next = AtomicUsize::new(0);
    let error = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..scheduler.jobs.min(open.len()) {
            scope.spawn(|| {
                while let Some(&group) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(fault) = scheduler.run_global(TaskKind::Export { group }) {
                        error.lock().unwrap_or_else(|broken| broken.into_inner()).get_or_insert(fault);
                        return;
                    }
                }
            });
        }
    });
    match error.into_inner().unwrap_or_else(|broken| broken.into_inner()) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Removes files and receipts that the plan does not name.
fn remove_stale(context: &RunContext, plan: &ExportPlan) -> Result<()> {
    let dataset = dataset_folder(context);
    let wanted: BTreeSet<PathBuf> = plan
        .groups
        .iter()
        .flat_map(|group| group.files.values().map(|file| dataset.join(file)))
        .chain((0..plan.groups.len()).map(|group| receipt(context, group)))
        .collect();
    let folders = CONFIGS.map(|config| dataset.join(config));
    for folder in folders.into_iter().chain([context.folder.stage("export").join("groups")]) {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if !wanted.contains(&entry.path()) {
                std::fs::remove_file(entry.path())
                    .with_context(|| format!("cannot remove {}", entry.path().display()))?;
            }
        }
    }
    Ok(())
}

/// One group, in a worker: every file of its shards' rows.
pub fn write_group(context: &RunContext, number: usize) -> Result<()> {
    let plan = ExportPlan::load(context)?;
    let group = plan.groups.get(number).with_context(|| format!("the export plan has no group {number}"))?;
    let fingerprint = print(context, group)?;
    let mut splits: BTreeMap<String, HashMap<String, [String; 2]>> = BTreeMap::new();
    let prompts = &context.plan.settings.export.unit_tests.prompts;
    let mut prompts = PromptBook::new(prompts).map_err(anyhow::Error::msg)?;
    read_table(&assignments(context), |row: Assignment| {
        // Which prompt a row gets depends on all rows, also those of other groups.
        prompts.add(&row.project, &row.id);
        let key = format!("{}/{}", row.host, row.repository);
        let shard = shard_of(&key, context.plan.shards);
        if (group.first..=group.last).contains(&shard) {
            let series = CONFIGS.map(|config| series(config, &row));
            splits.entry(key).or_default().insert(row.id, series);
        }
    })?;
    prompts.balance();
    let dataset = dataset_folder(context);
    let mut writers = BTreeMap::new();
    for (name, file) in &group.files {
        let path = temporary(&dataset.join(file));
        let folder = path.parent().unwrap_or(&dataset);
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        writers.insert(
            name.as_str(),
            TableWriter::create(&path, context.plan.settings.export.dataset.schema())?,
        );
    }
    let mut order: Vec<_> = splits.keys().map(|key| (shard_of(key, context.plan.shards), key)).collect();
    order.sort();
    for (_, key) in order {
        write_repository(context, key, &splits[key], &prompts, &mut writers)?;
    }
    let mut files = BTreeMap::new();
    for (name, writer) in writers {
        let file = &group.files[name];
        files.insert(file.clone(), writer.finish()?.sha256);
        let path = dataset.join(file);
        std::fs::rename(temporary(&path), &path)
            .with_context(|| format!("cannot create {}", path.display()))?;
    }
    Ok(write_json(&receipt(context, number), &Receipt { fingerprint, files })?)
}

/// Pairs whose rows are held in memory at once.
const ROWS_AT_ONCE: usize = 64;

fn write_repository(
    context: &RunContext,
    key: &str,
    splits: &HashMap<String, [String; 2]>,
    prompts: &PromptBook,
    writers: &mut BTreeMap<&str, TableWriter>,
) -> Result<()> {
    let pairs = task::rows_of::<Pair>(context, "filtering", key, |pair| splits.contains_key(&pair.id))?;
    let segments = segments(context, key, &pairs)?;
    let of_methods = segments.values().flat_map(|segment| &segment.method_paths);
    let of_pairs = pairs.iter().flat_map(|pair| [&*pair.path, pair.focal_path.as_str()]);
    let paths: BTreeSet<&str> = of_pairs.chain(of_methods.map(String::as_str)).collect();
    let files = task::rows_of::<SourceFile>(context, "parsing", key, |file| paths.contains(&*file.path))?;
    let callables = task::rows_of::<CallableRow>(context, "parsing", key, |row| paths.contains(&*row.path))?;
    let tests: HashSet<&str> = pairs.iter().map(|pair| pair.test_id.as_str()).collect();
    let of_tests = |row: &TestCaseFramework| tests.contains(row.id.as_str());
    let frameworks = task::rows_of::<TestCaseFramework>(context, "parsing", key, of_tests)?;
    let frameworks = frameworks.into_iter().map(|test| (test.id, test.framework)).collect();
    let named = task::rows_of::<Repository>(context, "cloning", key, |_| true)?;
    let licence = named.first().map_or("", |repository| repository.licence.as_str());
    let repository =
        RepositoryRows { licence, files: &files, callables: &callables, frameworks: &frameworks };
    for pairs in pairs.chunks(ROWS_AT_ONCE) {
        let series = pairs.iter().map(|pair| &splits[&pair.id]);
        match context.plan.settings.export.dataset {
            Dataset::UnitTests => append(export::rows(pairs, &repository, prompts)?, series, writers)?,
            Dataset::Contest => append(contest::rows(pairs, &segments, &repository)?, series, writers)?,
        }
    }
    Ok(())
}

/// The segments of the pairs, for the data set that is made of them.
fn segments(context: &RunContext, key: &str, pairs: &[Pair]) -> Result<HashMap<String, Segment>> {
    if context.plan.settings.export.dataset != Dataset::Contest {
        return Ok(HashMap::new());
    }
    let wanted: HashSet<&str> = pairs.iter().map(|pair| pair.id.as_str()).collect();
    let segments =
        task::rows_of(context, "segmentation", key, |segment: &Segment| wanted.contains(&*segment.id))?;
    Ok(segments.into_iter().map(|segment| (segment.id.clone(), segment)).collect())
}

/// Writes each row into the file of its split by project and into that of its split at random.
fn append<'s, R: Record + Clone>(
    rows: Vec<R>,
    series: impl Iterator<Item = &'s [String; 2]>,
    writers: &mut BTreeMap<&str, TableWriter>,
) -> Result<()> {
    let mut by_series: BTreeMap<&str, Vec<R>> = BTreeMap::new();
    for ([project, random], row) in series.zip(rows) {
        by_series.entry(project).or_default().push(row.clone());
        by_series.entry(random).or_default().push(row);
    }
    for (name, rows) in by_series {
        if let Some(writer) = writers.get_mut(name) {
            writer.append(&R::columns(&rows), rows.len())?;
        }
    }
    Ok(())
}
