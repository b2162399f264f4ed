//! `trefoil environment build`.

use crate::cli::Build;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trefoil_execution::environment::{Request, build as build_environment};
use trefoil_execution::sandbox;
use trefoil_stages::sources::{self, Limits, Location, Reading};

/// Puts the tree of a commit into the folder and builds around it.
pub fn build(arguments: &Build) -> Result<ExitCode> {
    let sandbox = sandbox::choose()?;
    let tree = arguments.output.join("repository");
    if tree.exists() {
        bail!("{} is there already; remove the folder or choose another", tree.display());
    }
    let location = location(arguments)?;
    let commit = lay_out(&location, &tree)?;
    let (_, name) = sources::default_name(&location);
    let request = Request {
        host: arguments.host.clone(),
        repository: arguments.name.clone().unwrap_or(name),
        commit,
        folder: arguments.output.clone(),
        exclude_newer: arguments.exclude_newer.clone(),
        python: arguments.python.clone(),
        cache: arguments.cache.clone().map_or_else(default_cache, Ok)?,
        suite_seconds: arguments.suite_seconds,
    };
    let row = build_environment(sandbox.as_ref(), &request)?;
    println!(
        "{} {} Python {}: {}; {} passed, {} failed, {} errors, {} skipped, {} of {} test files not collected{}",
        row.repository,
        row.commit,
        row.python,
        if row.built { "built" } else { &row.reason },
        row.passed,
        row.failed,
        row.errors,
        row.skipped,
        row.broken_files,
        row.test_files,
        if request.suite_seconds == 0 { "" } else { row.stopped() },
    );
    if !row.built {
        eprintln!("{}", row.log.trim_end());
        return Ok(ExitCode::from(super::super::WITH_FAILURES));
    }
    Ok(ExitCode::SUCCESS)
}

fn location(arguments: &Build) -> Result<Location> {
    let path = &arguments.source;
    let shown = path.display();
    if path.is_file() {
        return Ok(Location::Archive(path.clone()));
    }
    if path.join("HEAD").is_file() || path.join(".git").exists() {
        return Ok(Location::Git { location: shown.to_string(), revision: arguments.commit.clone() });
    }
    if arguments.commit.is_some() || !path.is_dir() {
        bail!("{shown} is no git repository on this machine, no directory and no archive; clone it first");
    }
    Ok(Location::Directory(path.clone()))
}

/// Writes the files of a source below `tree`, which is new. Links are left out as everywhere; names were checked
/// when they were listed, and nothing exists here that a name could lead through.
fn lay_out(location: &Location, tree: &Path) -> Result<String> {
    let limits = Limits {
        max_file_bytes: 32 << 20,
        max_kept_bytes: 2 << 30,
        max_decompressed_bytes: 4 << 30,
        may_lack_blobs: true,
        ..Limits::default()
    };
    let mut source = sources::open(location, &limits, &|_| true)?;
    let files: Vec<String> = source.listing().files.iter().map(|file| file.path.clone()).collect();
    let mut left_out = source.listing().left_out.len();
    let prefix = common_folder(&files, matches!(location, Location::Archive(_)));
    fs::create_dir_all(tree).with_context(|| format!("cannot make {}", tree.display()))?;
    for (index, path) in files.iter().enumerate() {
        let Ok(Reading::File(bytes)) = source.read(index) else {
            left_out += 1;
            continue;
        };
        let place = tree.join(path.get(prefix..).unwrap_or(path));
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(&place, &bytes).with_context(|| format!("cannot write {}", place.display()))?;
        if bytes.starts_with(b"#!") {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&place, fs::Permissions::from_mode(0o755))
                .with_context(|| format!("cannot make {} executable", place.display()))?;
        }
    }
    if left_out > 0 {
        eprintln!(
            "{left_out} links, submodules and files that are oversized, unreadable or not in the clone left out"
        );
    }
    Ok(source.pin().commit.clone())
}

/// Archives of releases hold one folder with everything in it; the tree is that folder. Its length with the slash.
fn common_folder(files: &[String], archive: bool) -> usize {
    let first = files.first().and_then(|path| path.split_once('/')).map(|(folder, _)| folder.len() + 1);
    let Some(length) = first.filter(|_| archive) else { return 0 };
    let shared = files.first().and_then(|path| path.get(..length)).unwrap_or_default();
    if files.iter().all(|path| path.starts_with(shared)) { length } else { 0 }
}

fn default_cache() -> Result<PathBuf> {
    let home = std::env::var_os("HOME").context("HOME is not set; name a cache with --cache")?;
    Ok(PathBuf::from(home).join(".cache/trefoil/uv"))
}
