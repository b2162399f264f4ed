//! `trefoil clover` and `trefoil evaluate clover`.

mod build;
mod endpoint;
mod environment;
mod evaluate;
mod sandbox;

pub use build::build;
pub use evaluate::evaluate;

use std::path::{Path, PathBuf};
use trefoil_clover::tasks::Task;

/// The file of a task's rows in a data set.
fn table(dataset: &Path, task: Task) -> PathBuf {
    let name = match task {
        Task::Cloze => "task_1",
        Task::Target => "task_2",
        Task::Blocks => "task_3",
    };
    dataset.join("data").join(format!("{name}-00000-of-00001.parquet"))
}
