//! A folder with an environment, read for the tasks: the tree's sources, the cut tests, the lines that each covers.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use trefoil_clover::build::Original;
use trefoil_clover::case::{Case, Coverage, Snapshot, TestModule};
use trefoil_execution::coverage::{CaseCoverage, CaseKind, Outcome};
use trefoil_execution::problem::Problem;
use trefoil_stages::sources::BlobId;

/// An environment with the places of its coverage, which is read module by module.
pub struct EnvironmentFolder {
    /// The folder.
    pub path: PathBuf,
    /// Where its tests come from.
    pub snapshot: Snapshot,
    problems: BTreeMap<String, Vec<Problem>>,
    /// Byte of the coverage of each test, by its id.
    places: BTreeMap<String, u64>,
    /// Empty runs by directory.
    empty: BTreeMap<String, Arc<Coverage>>,
    /// Whether all lines are exact.
    pub is_exact: bool,
}

/// What `recipe.json` says of the repository.
#[derive(Deserialize)]
pub struct Recipe {
    /// Host; folders that do not tell are local.
    #[serde(default = "local")]
    pub host: String,
    /// Name.
    pub repository: String,
    /// Commit.
    pub commit: String,
}

fn local() -> String {
    "local".to_owned()
}

/// A line of `coverage.jsonl` without its lines.
#[derive(Deserialize)]
struct Head {
    id: String,
    kind: CaseKind,
    outcome: Outcome,
    exact: bool,
    #[serde(rename = "files")]
    _files: IgnoredAny,
}

/// Largest source file that is read.
const MOST_BYTES: u64 = 2 << 20;

impl Recipe {
    /// Reads the recipe of an environment.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("recipe.json");
        let bytes = std::fs::read(&path).with_context(|| {
            format!("cannot read {}; `trefoil environment build` makes such a folder", path.display())
        })?;
        serde_json::from_slice(&bytes).with_context(|| format!("{} is no recipe", path.display()))
    }
}

impl EnvironmentFolder {
    /// Opens the folder.
    pub fn open(path: &Path) -> Result<Self> {
        let Recipe { host, repository, commit } = Recipe::read(path)?;
        let mut problems: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        for_each_line(&path.join("problems.jsonl"), "problems", |_, line| {
            let problem: Problem = serde_json::from_str(line)?;
            if problem.reason.is_empty() {
                problems.entry(problem.test_path.clone()).or_default().push(problem);
            }
            Ok(())
        })?;
        let mut folder = Self {
            path: path.to_owned(),
            snapshot: Snapshot { host, repository, commit, sources: BTreeMap::new() },
            problems,
            places: BTreeMap::new(),
            empty: BTreeMap::new(),
            is_exact: true,
        };
        folder.index()?;
        Ok(folder)
    }

    /// Finds each test's coverage and reads the empty runs and the sources that they name.
    fn index(&mut self) -> Result<()> {
        let mut sources = None;
        for_each_line(&self.path.join("coverage.jsonl"), "cov", |byte, line| {
            let head: Head = serde_json::from_str(line)?;
            self.is_exact &= head.exact;
            if head.kind == CaseKind::Empty || sources.is_none() {
                let row: CaseCoverage = serde_json::from_str(line)?;
                sources.get_or_insert_with(|| row.files.keys().cloned().collect::<Vec<_>>());
                if head.kind == CaseKind::Empty {
                    let directory = row.id.trim_end_matches("::").to_owned();
                    self.empty.insert(directory, Arc::new(row.files));
                }
            }
            if head.kind == CaseKind::Test && head.outcome == Outcome::Passed {
                self.places.insert(head.id, byte);
            }
            Ok(())
        })?;
        for path in sources.unwrap_or_default() {
            if let Some(text) = self.read(&path) {
                self.snapshot.sources.insert(path, text.into());
            }
        }
        if self.places.is_empty() {
            bail!("{} holds no test that passed; look at its problems.jsonl", self.path.display());
        }
        Ok(())
    }

    /// The text of a file of the tree, unless it is large, no text, or leads outside.
    fn read(&self, path: &str) -> Option<String> {
        let root = self.path.join("repository").canonicalize().ok()?;
        let is_plain = |part: Component| matches!(part, Component::Normal(_));
        let place = Path::new(path).components().all(is_plain).then(|| root.join(path))?;
        // Installing ran code of the repository, which may have left links in its tree.
        let place = place.canonicalize().ok().filter(|place| place.starts_with(&root))?;
        let is_small = place.metadata().is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES);
        is_small.then(|| std::fs::read_to_string(&place).ok())?
    }

    /// Paths of the test modules.
    pub fn modules(&self) -> Vec<String> {
        self.problems.keys().cloned().collect()
    }

    /// The bytes of a test module as the repository has it.
    pub fn original(&self, path: &str) -> Original {
        let text = self.read(path).unwrap_or_default();
        Original { blob_id: BlobId::of(text.as_bytes()).to_string(), text }
    }

    /// The cases of a test module with what they cover.
    pub fn module(&self, path: &str) -> Result<TestModule> {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let empty = self.empty.get(directory).cloned().unwrap_or_default();
        let file = self.path.join("coverage.jsonl");
        let mut coverage = File::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut cases = Vec::new();
        for problem in self.problems.get(path).into_iter().flatten() {
            let Some(place) = self.places.get(&problem.id) else { continue };
            coverage.seek(SeekFrom::Start(*place))?;
            let mut line = String::new();
            BufReader::new(coverage.by_ref()).read_line(&mut line)?;
            let row: CaseCoverage = serde_json::from_str(&line)
                .with_context(|| format!("{} changed meanwhile", file.display()))?;
            cases.push(Case { problem: problem.clone(), base: row.files, empty: empty.clone() });
        }
        Ok(TestModule { path: path.to_owned(), cases })
    }
}

/// Gives each line with the byte that it starts at; `verb` makes the file.
fn for_each_line(path: &Path, verb: &str, mut take: impl FnMut(u64, &str) -> Result<()>) -> Result<()> {
    let file = File::open(path)
        .with_context(|| format!("cannot read {}; `trefoil environment {verb}` makes it", path.display()))?;
    let mut reader = BufReader::new(file);
    let (mut line, mut byte, mut number) = (String::new(), 0, 0);
    loop {
        line.clear();
        let length =
            reader.read_line(&mut line).with_context(|| format!("cannot read {}", path.display()))?;
        if length == 0 {
            return Ok(());
        }
        number += 1;
        take(byte, &line).with_context(|| {
            format!(
                "{}:{number}: not as it should be; run `trefoil environment {verb}` again",
                path.display()
            )
        })?;
        byte += length as u64;
    }
}
