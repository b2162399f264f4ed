//! Arguments of the verbs for ConTest.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `evaluate contest`.
#[derive(Args)]
pub struct EvaluateContest {
    /// Output folder of a finished run whose data set is `contest`.
    pub run: PathBuf,
    /// Predictions, a line `{"id": "…", "prediction": "…"}` for each row (JSON lines).
    #[arg(long, value_name = "FILE")]
    pub predictions: PathBuf,
    /// Way to split.
    #[arg(long, value_parser = ["project", "random"], default_value = "project")]
    pub by: String,
    /// Splits that the predictions are for.
    #[arg(long, value_parser = ["train", "validation", "test"], default_values = ["test"], num_args = 1..)]
    pub split: Vec<String>,
    /// Whether predictions are code or lines of trees, as `encode --form tree` writes targets.
    #[arg(long, value_enum, default_value_t = PredictionForm::Code)]
    pub form: PredictionForm,
    /// Count rows without a prediction as unparsable instead of refusing the file.
    #[arg(long)]
    pub allow_missing: bool,
    /// Write the scores to this file, too (JSON).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// How predictions are written.
#[derive(Clone, Copy, ValueEnum)]
pub enum PredictionForm {
    /// As code.
    Code,
    /// As lines of trees.
    Tree,
}

/// Arguments of `encode`.
#[derive(Args)]
pub struct Encode {
    /// Output folder of a finished run whose data set is `contest`.
    pub run: PathBuf,
    /// Folder for the encoded rows [default: `encoded/<by>-<form>` in the run's folder].
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Way to split.
    #[arg(long, value_parser = ["project", "random"], default_value = "project")]
    pub by: String,
    /// Trees on a line, or tokens behind markers.
    #[arg(long, value_parser = ["tree", "tokens"], default_value = "tree")]
    pub form: String,
    /// Pieces of the vocabulary, which is trained on the training split alone; 0 for texts without ids.
    #[arg(long, default_value_t = 16_000)]
    pub vocabulary: u32,
    /// Most tokens of a source; longer ones are marked and counted, never cut.
    #[arg(long, default_value_t = 1_024)]
    pub max_source: u32,
    /// Most tokens of a target.
    #[arg(long, default_value_t = 512)]
    pub max_target: u32,
    /// Unfold every tree again and put every test together again, and count those that differ.
    #[arg(long)]
    pub check: bool,
}
