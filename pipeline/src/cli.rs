//! The command line.

mod clover;
mod contest;
mod environment;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub use clover::{AskModel, BuildClover, EvaluateClover};
pub use contest::{Encode, EvaluateContest, PredictionForm};
pub use environment::{
    Build, Cases, Coverage, CutOut, EngineName, Environment, InEnvironment, Outcomes, Serve, SuiteTrial,
};
use std::path::PathBuf;

/// Turns repositories into data sets of unit tests and their focal methods.
#[derive(Parser)]
#[command(name = "trefoil", version, about, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 done, but repositories failed (see `trefoil status`), \
`verify` found damage, `audit` found leaks or `evaluate` found labels that match nothing; 2 the command could not do its work; 130 interrupted.";

/// The verbs.
#[derive(Subcommand)]
pub enum Command {
    /// Run the pipeline of a config: read, parse, match, filter, dedup, split and export.
    ///
    /// What is finished already is not done again; a run that was killed goes on where it was.
    Run(Run),
    /// Find the repositories of a config on GitHub, and nothing more.
    ///
    /// A discovery that was killed goes on where it was; a finished one is kept until `--refresh`. `run` does the
    /// same first. Tokens come from GITHUB_TOKEN, TREFOIL_GITHUB_TOKENS or a file.
    Discover(Discover),
    /// Show what a run has done and what is left.
    Status(RunFolder),
    /// Say why a test was matched to what it was matched to, or why it was dropped.
    Explain(Explain),
    /// Page through the rows of a finished run.
    ///
    /// On a terminal the rows go to $PAGER (`less -R` by default), elsewhere as plain text to standard output.
    Inspect(Inspect),
    /// Write the rows of a ConTest run as models take them: trees or tokens, and a vocabulary of subwords.
    Encode(Encode),
    /// Measure a run against what people say is right, or predictions against a run.
    #[command(subcommand)]
    Evaluate(Evaluate),
    /// Divide the rows of a finished run anew into train, validation and test.
    ///
    /// Leaves every stage as it is and writes `splits/NAME` into the run's folder.
    Split(Split),
    /// Look for leaks between the splits of a finished run, and for overlap with benchmarks.
    ///
    /// Reads the rows as they are handed out: duplicates and near-duplicates, shared focal methods, repositories,
    /// forks and owners, tests in their own context. Exit code 1 where something leaks.
    Audit(Audit),
    /// Write training data from a finished run: conversations, prompts with completions, columns or tokens.
    ///
    /// With a data card, Croissant metadata and an attribution; secrets and e-mail addresses are replaced.
    Export(Export),
    /// Write one page of HTML about a finished run, with a browser of its rows.
    Report(ReportPage),
    /// Check every file of a run against its manifest.
    Verify(RunFolder),
    /// Build what a repository's tests need and run them one by one, in a sandbox (Python).
    #[command(subcommand)]
    Environment(Environment),
    /// Make the three tasks of CLOVER from environments whose tests were cut out, run and covered (Python).
    Clover(BuildClover),
    /// Work on one task of a plan, or on one after the other (used by `run` for its worker processes).
    #[command(hide = true)]
    Task(Task),
}

/// Arguments of `run`.
#[derive(Args)]
pub struct Run {
    /// Config file (TOML); `configs/default.toml` explains every key.
    pub config: PathBuf,
    /// Processor cores to keep busy [default: all].
    #[arg(long, short)]
    pub jobs: Option<usize>,
    /// Say what would be done and do nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Take the repositories that failed again.
    #[arg(long)]
    pub retry_failed: bool,
    /// Write time, CPU and memory per stage to this file (JSON).
    #[arg(long, value_name = "FILE")]
    pub timings: Option<PathBuf>,
}

/// Arguments of `discover`.
#[derive(Args)]
pub struct Discover {
    /// Config file (TOML); `configs/default.toml` explains every key.
    pub config: PathBuf,
    /// Say how many repositories, requests, hours and gigabytes to expect, from counts alone.
    #[arg(long)]
    pub estimate: bool,
    /// Ask anew, though there is a finished discovery or one of another search.
    #[arg(long, conflicts_with = "estimate")]
    pub refresh: bool,
    /// File with a token a line.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// The folder of a run.
#[derive(Args)]
pub struct RunFolder {
    /// Output folder of a run.
    pub run: PathBuf,
}

/// Arguments of `explain`.
#[derive(Args)]
pub struct Explain {
    /// Output folder of a run.
    pub run: PathBuf,
    /// Id of a test case or pair, or `path::name` (the end of a path and of a qualified name are enough).
    pub test: String,
}

/// Arguments of `inspect`.
#[derive(Args, Clone)]
pub struct Inspect {
    /// Output folder of a run.
    pub run: PathBuf,
    /// Way to split.
    #[arg(long, value_parser = ["project", "random"], default_value = "project")]
    pub by: String,
    /// Rows of this split only.
    #[arg(long, value_parser = ["train", "validation", "test"])]
    pub split: Option<String>,
    /// Rows of this language only.
    #[arg(long)]
    pub language: Option<String>,
    /// Rows of this repository only (`host/owner/name`, or the end of it).
    #[arg(long)]
    pub repository: Option<String>,
    /// The row with this id: of the row, of its pair, or of its test in ConTest.
    #[arg(long, value_name = "ID")]
    pub row: Option<String>,
    /// So many rows, drawn by a seeded hash.
    #[arg(long, value_name = "N", conflicts_with = "row")]
    pub sample: Option<usize>,
    /// Seed of the sample.
    #[arg(long, default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// Show contexts whole, and the prompt.
    #[arg(long)]
    pub full: bool,
    /// Colours; by default on a terminal unless NO_COLOR is set.
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

/// When to use colours.
#[derive(Clone, Copy, ValueEnum)]
pub enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Arguments of `split`.
#[derive(Args)]
pub struct Split {
    /// Output folder of a finished run.
    pub run: PathBuf,
    /// What stays together: a project with its forks, a test, an owner's projects, or a day.
    #[arg(long, value_parser = ["project", "random", "organisation", "time"], default_value = "project")]
    pub by: String,
    /// Shares of train, validation and test; they add up to 100 or to 1.
    #[arg(long, default_value = "80/10/10")]
    pub ratios: String,
    /// Seed.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Meet the ratios within each of these, too.
    #[arg(long, value_parser = ["language"])]
    pub stratify: Option<String>,
    /// Percentage points by which a share may miss before units at the border change sides, which would move rows
    /// when others come; 100 for never.
    #[arg(long, default_value_t = 0.45, value_name = "POINTS")]
    pub tolerance: f64,
    /// What becomes of near-duplicates in different parts [default: join for random, else leave-out].
    #[arg(long, value_parser = ["join", "leave-out", "ignore"])]
    pub near: Option<String>,
    /// Rows of an earlier release that stay where they are: a Parquet, CSV or JSON lines file with `id` and, unless
    /// all are `test`, `split`; or an id a line.
    #[arg(long, value_name = "FILE")]
    pub frozen: Option<PathBuf>,
    /// Test only on rows first committed after this day (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub cutoff: Option<String>,
    /// Days of rows (CSV: pair id or `host/owner/name`, YYYY-MM-DD) [default: when the test's file was first committed,
    /// where the run read the history; else when GitHub says that its repository was created].
    #[arg(long, value_name = "FILE")]
    pub dates: Option<PathBuf>,
    /// Name of the division [default: the value of --by].
    #[arg(long)]
    pub name: Option<String>,
    /// Write the numbers to this file, too (JSON).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `audit`.
#[derive(Args)]
pub struct Audit {
    /// Output folder of a finished run.
    pub run: PathBuf,
    /// Way to split: `project`, `random`, or the name of a division that `trefoil split` made.
    #[arg(long, default_value = "project", value_name = "NAME")]
    pub by: String,
    /// Look at a division that `trefoil split` made, though the run has a way to split of the same name.
    #[arg(long)]
    pub division: bool,
    /// Benchmarks that no row may overlap with: JSON lines with the code under `text`, `code`, `test`, `outputs`,
    /// `prompt`, `solution` or `canonical_solution`, or a file of code.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub benchmark: Vec<PathBuf>,
    /// Kinds of leaks that do not count [default: what the way to split does not promise].
    #[arg(long, num_args = 1.., value_name = "KIND")]
    pub allow: Option<Vec<String>>,
    /// Least Jaccard index of near-duplicates.
    #[arg(long, default_value_t = 0.7)]
    pub threshold: f64,
    /// Write all findings to this file (JSON).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `export`.
#[derive(Args)]
pub struct Export {
    /// Output folder of a finished run.
    pub run: PathBuf,
    /// Recipe file (TOML); `configs/training/chat.toml` explains every key.
    pub recipe: PathBuf,
    /// Folder of the training data, which must be empty or not there yet.
    #[arg(long, short, value_name = "DIR", required_unless_present = "to")]
    pub output: Option<PathBuf>,
    /// Place in object storage instead, as s3://bucket/prefix; what is there already is not sent again.
    ///
    /// Credentials, region and server come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
    /// AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL.
    #[arg(long, value_name = "PLACE", conflicts_with = "output")]
    pub to: Option<String>,
    /// Server that speaks S3, when it is not Amazon's.
    #[arg(long, value_name = "URL", requires = "to")]
    pub endpoint: Option<String>,
    /// Take a division that `trefoil split` made, though the run has a way to split of the same name.
    #[arg(long)]
    pub division: bool,
}

/// Arguments of `report`.
#[derive(Args)]
pub struct ReportPage {
    /// Output folder of a finished run.
    pub run: PathBuf,
    /// The page.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// Way to split: `project`, `random`, or the name of a division that `trefoil split` made.
    #[arg(long, default_value = "project", value_name = "NAME")]
    pub by: String,
    /// Rows in the browser, drawn by a seeded hash.
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    pub rows: usize,
}

/// What is measured.
#[derive(Subcommand)]
pub enum Evaluate {
    /// Compare the votes of every mode, and the pairs, with tests whose focal methods people have named.
    Matching(EvaluateMatching),
    /// Run and grade what a model answered to the tasks of CLOVER.
    ///
    /// What came of running is kept in the output folder: a run that was killed goes on where it was, and grading can be
    /// done again without running anything (`--grade-only`).
    Clover(Box<EvaluateClover>),
    /// Score predicted assertions against those of a run's ConTest rows: BLEU, ROUGE, unparsable predictions.
    Contest(EvaluateContest),
}

/// Arguments of `evaluate matching`.
#[derive(Args)]
pub struct EvaluateMatching {
    /// Output folder of a finished run.
    pub run: PathBuf,
    /// Files of labels (CSV); `data/labels/README.md` explains the two formats.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub labels: Vec<PathBuf>,
    /// Write the table to this file, too (JSON).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the weighed candidates of the labelled tests with their evidence to this file (CSV).
    #[arg(long, value_name = "FILE")]
    pub candidates: Option<PathBuf>,
}

/// Arguments of `task`.
#[derive(Args)]
pub struct Task {
    /// Plan file.
    #[arg(long)]
    pub plan: PathBuf,
    /// Number of the one task to be done; without it they are ordered on standard input, as `run` does.
    #[arg(long)]
    pub index: Option<usize>,
}
