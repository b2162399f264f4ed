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
    #[arg(long, value_name = "FILE")]
    pub predictions: PathBuf,
    /// Folder for outcomes, grades and report.
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
}
