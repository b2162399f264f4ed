//! The config file: which repositories, where to, and the settings of every stage.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use trefoil_stages::Settings;

/// A config file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The run itself.
    pub run: Run,
    /// Worker processes.
    #[serde(default)]
    pub engine: Engine,
    /// Repositories, one by one.
    #[serde(default)]
    pub repositories: Vec<Repository>,
    /// Files that list repositories.
    #[serde(default)]
    pub lists: Vec<PathBuf>,
    /// Repositories that GitHub finds.
    #[serde(default)]
    pub github: GitHub,
    /// Settings of cloning.
    #[serde(default)]
    pub cloning: trefoil_stages::cloning::Settings,
    /// Settings of parsing.
    #[serde(default)]
    pub parsing: trefoil_stages::parsing::Settings,
    /// Settings of matching.
    #[serde(default)]
    pub matching: trefoil_stages::matching::Settings,
    /// Settings of filtering.
    #[serde(default)]
    pub filtering: trefoil_stages::filtering::Settings,
    /// Settings of deduplication.
    #[serde(default)]
    pub dedup: trefoil_stages::dedup::Settings,
    /// Settings of splitting.
    #[serde(default)]
    pub splitting: trefoil_stages::splitting::Settings,
    /// Settings of export.
    #[serde(default)]
    pub export: trefoil_stages::export::Settings,
}

/// Section `run`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Output folder; a relative path counts from the folder that the program is started in.
    pub output: PathBuf,
    /// Shards that repositories are spread over, by hash of their names.
    #[serde(default = "default_shards")]
    pub shards: u32,
}

fn default_shards() -> u32 {
    16
}

/// Section `engine`: limits of the worker processes. None of them changes a row that is not a failure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Engine {
    /// Memory of one worker process, in bytes.
    pub worker_memory_bytes: u64,
    /// Longest time on one repository in one stage, in seconds.
    pub repository_seconds: u64,
}

impl Default for Engine {
    fn default() -> Self {
        Self { worker_memory_bytes: 4 << 30, repository_seconds: 1_800 }
    }
}

/// Section `github`: what is sought there, and how it is asked. Tokens have no place in a config.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct GitHub {
    /// Whether repositories are sought by the facets.
    pub search: bool,
    /// Most repositories of the search; 0 for all.
    pub max_repositories: u64,
    /// Whether the repositories of lists are looked up, which follows renames and brings their evidence.
    pub look_up_lists: bool,
    /// Which interface searches.
    pub interface: trefoil_discovery::Interface,
    /// Address of the API.
    pub api: String,
    /// Address that repositories are cloned from.
    pub web: String,
    /// Longest single exchange, in seconds.
    pub request_seconds: u64,
    /// Longest time of nothing but faults on one question, in seconds.
    pub patience_seconds: u64,
    /// What repositories must be like.
    pub facets: trefoil_discovery::Facets,
}

impl GitHub {
    /// Whether GitHub is asked at all.
    pub fn is_asked(&self) -> bool {
        self.search || self.look_up_lists
    }
}

impl Default for GitHub {
    fn default() -> Self {
        Self {
            search: false,
            max_repositories: 0,
            look_up_lists: false,
            interface: trefoil_discovery::Interface::Auto,
            api: "https://api.github.com".to_owned(),
            web: "https://github.com".to_owned(),
            request_seconds: 60,
            patience_seconds: 14_400,
            facets: trefoil_discovery::Facets::default(),
        }
    }
}

/// One entry of `repositories`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Repository {
    /// Path of a directory, git repository or archive, or URL of a git repository. A relative path counts
    /// from the config file's folder; a last part of `*` means every directory in there.
    pub location: String,
    /// Name [default: from the location].
    pub name: Option<String>,
    /// Host [default: from the location].
    pub host: Option<String>,
    /// Branch, tag or commit [default: the default branch].
    pub revision: Option<String>,
}

impl Config {
    /// Reads and checks a config file.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the config {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("in the config {}", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        refuse_tokens(text)?;
        let config: Self = toml::from_str(text).map_err(|error| match nearest_key(&error.to_string()) {
            Some(known) => anyhow::anyhow!("{error}did you mean `{known}`?"),
            None => error.into(),
        })?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<()> {
        if self.run.shards == 0 || self.run.shards > 99_999 {
            bail!("run.shards is {}; it must lie between 1 and 99999", self.run.shards);
        }
        if self.repositories.is_empty() && self.lists.is_empty() && !self.github.search {
            bail!(
                "no repositories: name some under [[repositories]] or in a file under `lists`, or let GitHub be \
                 searched with `github.search`"
            );
        }
        if self.github.search {
            let now = trefoil_discovery::Clock::now(&trefoil_discovery::SystemClock).as_secs();
            self.github.facets.searches(now)?;
        }
        if self.repositories.iter().any(|repository| repository.location.is_empty()) {
            bail!("repositories: a `location` is empty; give a path or a URL");
        }
        for name in &self.parsing.languages {
            if trefoil_languages::by_name(name).is_none() {
                let known: Vec<_> = trefoil_languages::all().iter().map(|language| language.name).collect();
                bail!(
                    "parsing.languages: `{name}` is not a language of this program; it has {}",
                    known.join(", ")
                );
            }
        }
        trefoil_stages::matching::check(&self.matching).map_err(anyhow::Error::msg)?;
        trefoil_stages::filtering::check(&self.filtering).map_err(anyhow::Error::msg)?;
        trefoil_stages::dedup::check(&self.dedup).map_err(anyhow::Error::msg)?;
        trefoil_stages::splitting::check(&self.splitting).map_err(anyhow::Error::msg)?;
        Ok(())
    }

    /// The sections that stages see.
    pub fn settings(&self) -> Settings {
        Settings {
            cloning: self.cloning.clone(),
            parsing: self.parsing.clone(),
            matching: self.matching.clone(),
            filtering: self.filtering.clone(),
            dedup: self.dedup.clone(),
            splitting: self.splitting.clone(),
            export: self.export.clone(),
        }
    }
}

/// A token in a config would be copied, committed and shown. The message must not show it either, which is why
/// this comes before the parser's own messages: those quote the line.
fn refuse_tokens(text: &str) -> Result<()> {
    let key = |line: &str| line.split_once('=').map(|(key, _)| key.trim().to_ascii_lowercase());
    match text.lines().filter_map(key).find(|key| !key.starts_with('#') && key.contains("token")) {
        Some(_) => bail!(
            "a config holds no tokens; remove it, and give it in the environment as {} or in a file that {} names",
            trefoil_discovery::VARIABLES.join(" or "),
            trefoil_discovery::FILE_VARIABLE
        ),
        None => Ok(()),
    }
}

/// The known key nearest to the unknown one, from serde's message
/// (``unknown field `a`, expected one of `b`, `c` ``).
fn nearest_key(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("unknown field `")?;
    let (unknown, rest) = rest.split_once('`')?;
    let known = rest.split('`').skip(1).step_by(2);
    known.min_by_key(|known| strsim::damerau_levenshtein(unknown, known)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        format!("{:#}", Config::parse(text).unwrap_err())
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_known_one() {
        let text =
            "[run]\noutput = 'x'\n[filtering]\nmax_test_charcters = 3\n[[repositories]]\nlocation = 'a'";
        let message = error(text);
        assert!(message.contains("unknown field `max_test_charcters`"), "{message}");
        assert!(message.contains("did you mean `max_test_characters`?"), "{message}");
    }

    #[test]
    fn an_unknown_section_is_refused_with_the_nearest_known_one() {
        let message = error("[run]\noutput = 'x'\n[spliting]\nseed = 3");
        assert!(message.contains("did you mean `splitting`?"), "{message}");
    }

    #[test]
    fn a_token_in_a_config_is_refused_without_being_shown() {
        for text in ["[github]\nsearch = true\ntoken = 'ghp_secret'", "github_token = \"ghp_secret\" oops"] {
            let message = error(&format!("[run]\noutput = 'x'\n{text}"));
            assert!(
                message.contains("a config holds no tokens") && message.contains("GITHUB_TOKEN"),
                "{message}"
            );
            assert!(!message.contains("ghp_secret"), "{message}");
        }
    }

    #[test]
    fn a_search_is_enough_and_must_be_sound() {
        let with = |facets: &str| {
            Config::parse(&format!("[run]\noutput = 'x'\n[github]\nsearch = true\n[github.facets]\n{facets}"))
        };
        assert!(with("languages = ['Java']").is_ok());
        let message = format!("{:#}", with("created_from = 'soon'").unwrap_err());
        assert!(message.contains("`soon` is no date"), "{message}");
        let message = format!("{:#}", with("min_star = 3").unwrap_err());
        assert!(message.contains("did you mean `min_stars`?"), "{message}");
    }

    #[test]
    fn a_config_without_repositories_is_refused() {
        assert!(error("[run]\noutput = 'x'").contains("no repositories"));
    }

    #[test]
    fn a_language_without_a_grammar_is_refused() {
        let message =
            error("[run]\noutput = 'x'\n[[repositories]]\nlocation = 'a'\n[parsing]\nlanguages = ['cobol']");
        assert!(message.contains("`cobol` is not a language"), "{message}");
    }

    #[test]
    fn every_config_that_comes_along_is_sound() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // `clover.toml` is read by `trefoil clover`, which has a test of it.
            if path.is_dir() || path.ends_with("clover.toml") {
                continue;
            }
            Config::load(&path).unwrap();
            names.push(path.file_stem().unwrap().display().to_string());
        }
        names.sort();
        assert_eq!(names, ["contest", "default", "quickstart", "unit-tests"]);
    }

    #[test]
    fn unit_tests_toml_has_the_published_numbers() {
        let config = Config::parse(include_str!("../../configs/unit-tests.toml")).unwrap();
        let filtering = config.filtering;
        assert_eq!(filtering.licences.len(), 9);
        let limits =
            (filtering.max_test_characters, filtering.max_input_characters, filtering.max_assertions);
        assert_eq!(limits, (5_000, 70_000, 20));
        assert_eq!(filtering.max_pairs_per_repository, 200);
        assert!(filtering.empty_tests && filtering.syntax_errors && filtering.tests_in_own_context);
        assert_eq!(config.dedup.key, trefoil_stages::dedup::Key::Test);
    }

    #[test]
    fn default_toml_names_every_key_with_its_default() {
        let text = include_str!("../../configs/default.toml");
        let config = Config::parse(text).unwrap();
        let mut named: toml::Table = toml::from_str(text).unwrap();
        let example = named.remove("repositories").unwrap();
        for key in ["location", "name", "host", "revision"] {
            let is_named = |line: &str| line.trim_start_matches("# ").starts_with(&format!("{key} = "));
            assert!(text.lines().any(is_named), "`{key}` of a repository is not shown");
        }
        assert_eq!(example.as_array().map(Vec::len), Some(config.repositories.len()));

        // The shortest config there is, with everything that it leaves out filled in. What has no default
        // is taken over from the file.
        let mut shortest = Config::parse("[run]\noutput = 'x'\n[[repositories]]\nlocation = 'x'").unwrap();
        shortest.run.output = config.run.output;
        let mut defaults = toml::Table::try_from(&shortest).unwrap();
        defaults.remove("repositories");
        assert_eq!(named, defaults);
        let stages = toml::Table::try_from(Settings::default()).unwrap();
        for (section, values) in &stages {
            assert_eq!(named.get(section), Some(values), "section `{section}`");
        }
    }
}
