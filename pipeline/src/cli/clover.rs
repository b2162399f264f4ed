//! The command line of `trefoil clover` and `trefoil evaluate clover`.

use clap::Args;
use std::path::PathBuf;

/// Arguments of `clover`.
#[derive(Args)]
pub struct BuildClover {
    /// Folders that `environment build`, `problems` and `cov` have filled, one for each repository.
    #[arg(required = true)]
    pub environments: Vec<PathBuf>,
    /// The tokeniser that budgets are counted with (a tokenizer.json of Hugging Face).
    #[arg(long, value_name = "FILE")]
    pub tokenizer: PathBuf,
    /// Folder of the data set.
    #[arg(long, short)]
    pub output: PathBuf,
    /// Numbers and budgets (TOML); `configs/clover.toml` has the published ones, which are the default.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Leave out the trial of each example, which needs a sandbox; rows then say `verified: false`.
    #[arg(long)]
    pub unverified: bool,
}

/// Arguments of `evaluate clover`.
#[derive(Args)]
pub struct EvaluateClover {
    /// Folder of the data set.
    pub dataset: PathBuf,
    /// What the model answered, a JSON object a line: `instance_id` (the row's `id`) and `prediction`.
    #[arg(long, value_name = "FILE", required_unless_present = "endpoint", conflicts_with = "endpoint")]
    pub predictions: Option<PathBuf>,
    /// Folder for answers, outcomes, grades and report.
    #[arg(long, short)]
    pub output: PathBuf,
    /// Folders of the environments that answers run in.
    #[arg(long, num_args = 1.., value_name = "DIR", required_unless_present = "grade_only")]
    pub environments: Vec<PathBuf>,
    /// Run nothing: grade by the outcomes that are in the output folder.
    #[arg(long, conflicts_with = "environments")]
    pub grade_only: bool,
    /// Grade by the published rules alone: fewer ways to say nothing count as trivial, and a trivial answer that runs
    /// counts as executed.
    #[arg(long)]
    pub published_rules: bool,
    /// Answers that run at a time [default: as many as there are cores].
    #[arg(long, short, conflicts_with = "grade_only")]
    pub jobs: Option<usize>,
    /// How long a test may take.
    #[arg(
        long = "test-seconds",
        value_name = "SECONDS",
        default_value_t = 60,
        conflicts_with = "grade_only"
    )]
    pub test_seconds: u64,
    /// Memory that a test and all that it starts may take, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4096, conflicts_with = "grade_only")]
    pub memory: u64,
    #[command(flatten)]
    pub model: AskModel,
}

/// How a model is asked. The key of the server, if it wants one, is in the environment variable OPENAI_API_KEY.
#[derive(Args)]
pub struct AskModel {
    /// Ask a model first: base address of a server that speaks as OpenAI's do (`http://localhost:8000/v1`). Answers are
    /// kept; those that are there already are not asked for again.
    #[arg(long, value_name = "URL", requires = "name")]
    pub endpoint: Option<String>,
    /// Name of the model on the server.
    #[arg(long = "model", id = "name", value_name = "NAME", requires = "endpoint")]
    pub name: Option<String>,
    /// Ask for these tasks only.
    #[arg(long, num_args = 1.., value_parser = ["I", "II", "III"], requires = "endpoint")]
    pub tasks: Vec<String>,
    /// Ask under these settings only (`problem_only`, `8k`).
    #[arg(long, num_args = 1.., requires = "endpoint")]
    pub settings: Vec<String>,
    /// Ask under these templates only.
    #[arg(long, num_args = 1.., value_parser = ["statement", "part", "full"], requires = "endpoint")]
    pub templates: Vec<String>,
    /// Requests under way at a time.
    #[arg(long, default_value_t = 8, requires = "endpoint")]
    pub concurrency: usize,
    /// How often a request is sent at most.
    #[arg(long, default_value_t = 6, requires = "endpoint")]
    pub tries: u32,
    /// How long an answer may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "endpoint")]
    pub seconds: u64,
    /// Temperature.
    #[arg(long, default_value_t = 0.2, requires = "endpoint")]
    pub temperature: f64,
    /// Share of probability that is drawn from.
    #[arg(long, default_value_t = 1.0, requires = "endpoint")]
    pub top_p: f64,
    /// Price of a million tokens of prompts, to say what it cost.
    #[arg(long, value_name = "PRICE", requires = "endpoint")]
    pub prompt_price: Option<f64>,
    /// Price of a million tokens of answers.
    #[arg(long, value_name = "PRICE", requires = "endpoint")]
    pub answer_price: Option<f64>,
}
