//! Near-duplicates among the pairs of a run: reads the texts, repository by repository, and lets
//! `trefoil-duplicates` find what is alike.
//!
//! Memory: the texts of one repository, and of each test, focal method and pair what [`Detector`] says, about
//! 0.2 kB; sets of shingles beyond [`SETS_IN_MEMORY`] lie in scratch files.

use super::plan::{RunContext, shard_of};
use super::task::RepositoryInput;
use anyhow::{Context, Result};
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::path::Path;
use trefoil_duplicates::{Comments, Detector, Text};
use trefoil_languages::Span;
use trefoil_stages::dedup::{Near, NearDuplicates, Settings};
use trefoil_stages::records::{PairKey, PairPlace, SourceText};
use trefoil_stages::stage;

/// Bytes of shingle sets that each of the three searches keeps in memory.
pub const SETS_IN_MEMORY: usize = 256 << 20;
/// A focal method with fewer tokens (a getter) is a near-duplicate of nothing: strangers write the same.
pub const LEAST_FOCAL_TOKENS: usize = 15;

/// Finds the near-duplicates of a run; `pairs` are sorted. Nothing where the settings do not ask for them.
pub fn find(context: &RunContext, pairs: &[PairKey]) -> Result<NearDuplicates> {
    let settings = &context.plan.settings.dedup;
    if settings.near == Near::Off || pairs.is_empty() {
        return Ok(NearDuplicates::default());
    }
    let mut search = Search::new(context, settings)?;
    let mut repositories: Vec<(u32, String, &[PairKey])> = pairs
        .chunk_by(|a, b| (&a.host, &a.repository) == (&b.host, &b.repository))
        .filter_map(|run| {
            let key = run.first().map(|pair| format!("{}/{}", pair.host, pair.repository))?;
            Some((shard_of(&key, context.plan.shards), key, run))
        })
        .collect();
    // Texts are numbered in the order of the pairs, so each repository is read in its turn, out of open shards.
    let mut inputs: HashMap<u32, RepositoryInput> = HashMap::new();
    for (shard, key, run) in repositories.drain(..) {
        let input = inputs.entry(shard).or_insert_with(|| RepositoryInput::of_shard(context, shard));
        input.take(&key);
        search.add(input, run)?;
    }
    search.finish()
}

/// The three searches side by side.
struct Search {
    tests: Detector,
    focal: Detector,
    pairs: Detector,
}

impl Search {
    fn new(context: &RunContext, settings: &Settings) -> Result<Self> {
        let detector = |name: &str, least_tokens| {
            let settings = trefoil_duplicates::Settings {
                threshold: settings.near_threshold,
                normalise: settings.near_normalise,
                memory_bytes: SETS_IN_MEMORY,
                least_tokens,
                ..Default::default()
            };
            Ok::<_, anyhow::Error>(Detector::new(&settings, Some(scratch(context.folder.root(), name)?)))
        };
        Ok(Self {
            tests: detector("tests", 0)?,
            focal: detector("focal", LEAST_FOCAL_TOKENS)?,
            pairs: detector("pairs", 0)?,
        })
    }

    /// Adds the pairs of one repository, in their order.
    fn add(&mut self, input: &mut RepositoryInput, run: &[PairKey]) -> Result<()> {
        let places = stage::read::<PairPlace>(input, "filtering")?;
        let places: HashMap<&str, &PairPlace> =
            places.iter().map(|place| (place.id.as_str(), place)).collect();
        let paths: BTreeSet<&str> =
            places.values().flat_map(|place| [place.path.as_str(), place.focal_path.as_str()]).collect();
        let files =
            stage::read_if::<SourceText>(input, "parsing", |file| paths.contains(file.path.as_str()))?;
        let files: HashMap<&str, &str> =
            files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        let text =
            |path: &str, start, end| Span { start, end }.of(files.get(path).copied().unwrap_or_default());
        let mut sides = Vec::with_capacity(run.len());
        for pair in run {
            let place = places.get(pair.id.as_str());
            let place = place.with_context(|| format!("the pair {} has no row in filtering", pair.id))?;
            let test = text(&place.path, place.start_byte, place.end_byte);
            let focal = text(&place.focal_path, place.focal_start_byte, place.focal_end_byte);
            sides.push((comments(&place.language), test, focal));
        }
        let both: Vec<String> = sides.iter().map(|(_, test, focal)| format!("{test}\n{focal}")).collect();
        add(&mut self.tests, sides.iter().map(|(comments, test, _)| (*comments, *test)))?;
        add(&mut self.focal, sides.iter().map(|(comments, _, focal)| (*comments, *focal)))?;
        add(&mut self.pairs, sides.iter().zip(&both).map(|((comments, ..), both)| (*comments, both.as_str())))
    }

    fn finish(mut self) -> Result<NearDuplicates> {
        let tests = self.tests.clusters()?.of;
        drop(self.tests);
        let focal = self.focal.clusters()?.of;
        drop(self.focal);
        Ok(NearDuplicates { tests, focal, pairs: self.pairs.clusters()?.of })
    }
}

fn add<'a>(detector: &mut Detector, texts: impl Iterator<Item = (Comments, &'a str)>) -> Result<()> {
    let texts: Vec<Text<'_>> = texts.map(|(comments, code)| Text { code, comments }).collect();
    Ok(detector.add(&texts)?)
}

/// How comments begin in a language of the pipeline.
pub fn comments(language: &str) -> Comments {
    let mark = trefoil_languages::by_name(language).map_or("", |language| language.line_comment);
    Comments::beginning_with(mark)
}

/// A file without a name, whose space is free as soon as this process ends.
pub fn scratch(folder: &Path, name: &str) -> Result<File> {
    let path = trefoil_shards::temporary(&folder.join(format!("near-{name}")));
    let file = File::options().create(true).truncate(true).read(true).write(true).open(&path);
    let file = file.with_context(|| format!("cannot create {}", path.display()))?;
    std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    Ok(file)
}
