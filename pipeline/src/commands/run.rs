//! `trefoil run`.

use crate::cli;
use crate::config::Config;
use crate::engine::plan::{Plan, RunContext};
use crate::engine::{self, Cancel, Interrupted, Options, Retry, SPLITS, dataset_folder};
use crate::progress::Progress;
use crate::report::Report;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use trefoil_stages::export::card;
use trefoil_stages::export::unit_tests::Prompts;

/// Contents of a run's `manifest.json`: every file with its digest.
#[derive(Default, PartialEq, Serialize, Deserialize)]
pub struct FileList {
    /// Paths relative to the run's folder.
    pub files: BTreeMap<String, FileEntry>,
}

/// One file of a run.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct FileEntry {
    /// SHA-256.
    pub sha256: String,
    /// Size.
    pub bytes: u64,
}

/// Runs a config.
pub fn run(arguments: &cli::Run) -> Result<ExitCode> {
    let config = load(&arguments.config)?;
    let folder = RunFolder::new(&config.run.output);
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let retry = if arguments.retry_failed { Retry::All } else { Retry::None };
    let options = Options { jobs: arguments.jobs.unwrap_or(available).max(1), retry };
    let lock = folder.lock()?;
    if arguments.dry_run {
        return dry_run(&config, &folder, options.retry);
    }
    let cancel = Cancel::on_signals()?;
    let progress = Progress::new();
    progress.expect(config.run.shards);
    let outcome = engine::run(&config, &folder, &options, &cancel, &progress);
    progress.finish();
    let context = match outcome {
        Ok(context) => context,
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("{error}");
            return Ok(ExitCode::from(super::INTERRUPTED));
        }
        Err(error) => return Err(error),
    };
    let report = Report::of(&context)?;
    finish(&context, &report)?;
    drop(lock);
    if let Some(path) = &arguments.timings {
        progress.write_timings(path)?;
    }
    print!("{}", report.text());
    println!("\ndata set: {}", dataset_folder(&context).display());
    Ok(if report.failed_repositories.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(super::WITH_FAILURES)
    })
}

/// Loads a config; its relative paths count from the file's own folder.
pub fn load(path: &Path) -> Result<Config> {
    let mut config = Config::load(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    for repository in &mut config.repositories {
        if !trefoil_stages::sources::is_remote(&repository.location) {
            repository.location = folder.join(&repository.location).display().to_string();
        }
    }
    for list in &mut config.lists {
        *list = folder.join(&*list);
    }
    let store = &mut config.cloning.store;
    if !store.as_os_str().is_empty() {
        // Workers read it in the plan, wherever they are started.
        *store = std::path::absolute(folder.join(&*store))?;
    }
    read_prompts(&mut config, folder)?;
    Ok(config)
}

/// Takes the file of prompts into the settings, so that workers and fingerprints see what it holds.
fn read_prompts(config: &mut Config, folder: &Path) -> Result<()> {
    let prompts = &mut config.export.unit_tests.prompts;
    let Some(path) = prompts.file().map(|file| folder.join(file)) else { return Ok(()) };
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!(
            "cannot read the prompts {}; `export.unit_tests.prompts` is `english`, `russian`, `both` or the \
             path of a file, counted from the config's folder",
            path.display()
        )
    })?;
    let is_toml = path.extension().is_some_and(|ending| ending == "toml");
    *prompts = Prompts::own(&text, is_toml)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("in the prompts {}", path.display()))?;
    Ok(())
}

fn dry_run(config: &Config, folder: &RunFolder, retry: Retry) -> Result<ExitCode> {
    let context = RunContext { folder: folder.clone(), plan: Plan::of(config) };
    let (repositories, stale) = engine::discovery_outlook(config, &context)?;
    println!(
        "{repositories} repositories in {} shards, output in {}",
        config.run.shards,
        folder.root().display()
    );
    for (stage, done, all) in engine::outlook(&context, &stale, retry, &Progress::silent())? {
        println!("{stage:>10}: {done} of {all} done, {} to do", all - done);
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the data card, the report and the list of files, each only where it changed.
fn finish(context: &RunContext, report: &Report) -> Result<()> {
    let dataset = dataset_folder(context);
    let split = |config: &str, rows: &BTreeMap<String, u64>, split: &str| card::Split {
        name: split.to_owned(),
        rows: rows.get(split).copied().unwrap_or_default(),
        bytes: bytes_of(&dataset.join(config), split),
    };
    let configs = report.rows.iter().map(|(name, rows)| card::Config {
        name: name.clone(),
        splits: SPLITS.iter().map(|name_of_split| split(name, rows, name_of_split)).collect(),
    });
    let name = context.folder.root().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let about = context.plan.settings.export.dataset.about();
    let card = card::Card { name, about, configs: configs.collect(), funnel: report.steps() };
    write_if_changed(&dataset.join("README.md"), card.markdown().as_bytes())?;
    let mut bytes = serde_json::to_vec_pretty(report)?;
    bytes.push(b'\n');
    write_if_changed(&context.folder.report(), &bytes)?;
    list_files(&context.folder)?.store(&context.folder)
}

/// Size of the files of one split.
fn bytes_of(folder: &Path, split: &str) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of_split =
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&format!("{split}-")));
    of_split.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    Ok(trefoil_shards::write_bytes(path, bytes)?)
}

/// Every file of a run with its digest; locks, clones and the list itself left out.
pub fn list_files(folder: &RunFolder) -> Result<FileList> {
    let mut list = FileList::default();
    list.add(folder, folder.root())?;
    Ok(list)
}

impl FileList {
    /// The list that a finished run left.
    pub fn load(folder: &RunFolder) -> Result<Self> {
        let path = folder.manifest();
        let bytes = std::fs::read(&path).with_context(|| {
            format!("cannot read {}; the run is not finished, start it again", path.display())
        })?;
        serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged; run again", path.display()))
    }

    /// Brings the list of a finished run up to date with what is below `part` of its folder.
    pub fn refresh(folder: &RunFolder, part: &Path) -> Result<()> {
        let mut list = Self::load(folder)?;
        let name = part.strip_prefix(folder.root()).unwrap_or(part);
        list.files.retain(|file, _| !Path::new(file).starts_with(name));
        list.add(folder, part)?;
        list.store(folder)
    }

    fn store(&self, folder: &RunFolder) -> Result<()> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        write_if_changed(&folder.manifest(), &bytes)
    }

    /// Adds every file below `part`.
    fn add(&mut self, folder: &RunFolder, part: &Path) -> Result<()> {
        let mut folders = vec![part.to_owned()];
        while let Some(current) = folders.pop() {
            let entries =
                std::fs::read_dir(&current).with_context(|| format!("cannot list {}", current.display()))?;
            for entry in entries {
                let path = entry.with_context(|| format!("cannot list {}", current.display()))?.path();
                let lock = path.extension().is_some_and(|ending| ending == "lock");
                if lock || path == folder.manifest() || path == folder.clones() {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let (sha256, bytes) = trefoil_shards::digest_of_file(&path)?;
                let name = path.strip_prefix(folder.root()).unwrap_or(&path).display().to_string();
                self.files.insert(name, FileEntry { sha256, bytes });
            }
        }
        Ok(())
    }
}
